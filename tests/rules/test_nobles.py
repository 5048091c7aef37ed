"""Nobles."""

from __future__ import annotations

from typing import Any, cast

import pytest

from cabochon.rules import (
    NOBLES,
    ChooseNoble,
    Deal,
    Gems,
    Noble,
    Pass,
    Phase,
    Position,
    Refusal,
    card,
)
from tests.arrange import (
    arrange,
    bonus_cards,
    buy,
    choose,
    give_back,
    hand,
    play,
    refused,
    reserve,
    stuck,
    take,
)

ALMOST_ONE = bonus_cards("rrrrkkk")
ONE = bonus_cards("rrrrkkkk")
ALMOST_TWO = bonus_cards("wwwwrrrrkkk")
TWO = bonus_cards("wwwwrrrrkkkk")


def nobles(position: Position, seat: int) -> list[str]:
    return [noble.code for noble in position.hands[seat].nobles]


def almost_pleasing() -> Position:
    """Seat 0 can buy the black card that rk4 waits for."""
    return arrange(hands=[hand("wwgg", bought=ALMOST_ONE)], rows={1: "1k6"}, nobles="rk4 wu4 ug4")


def choosing() -> Position:
    """Seat 0 has just bought the black card that pleases both rk4 and wk4."""
    position = arrange(hands=[hand("gg", bought=ALMOST_TWO)], rows={1: "1k6"}, nobles="rk4 wk4 ug4")
    return play(position, buy("1k6"))


def test_a_noble_comes_by_itself_when_the_bonuses_are_there() -> None:
    after = play(almost_pleasing(), buy("1k6"))
    assert nobles(after, 0) == ["rk4"]
    assert after.points(0) == 3
    assert after.seat == 1


def test_a_noble_is_not_paid_for() -> None:
    after = play(almost_pleasing(), buy("1k6"))
    assert after.bonuses(0) == Gems(red=4, black=4)
    assert len(after.hands[0].bought) == 8


def test_one_bonus_short_no_noble_comes() -> None:
    after = play(arrange(hands=[hand(bought=ALMOST_ONE)], nobles="rk4 wu4 ug4"), take("wug"))
    assert nobles(after, 0) == []


def test_a_noble_comes_after_taking_tokens() -> None:
    after = play(arrange(hands=[hand(bought=ONE)], nobles="rk4 wu4 ug4"), take("wug"))
    assert nobles(after, 0) == ["rk4"]


@pytest.mark.parametrize("what", ["2w1", "deck2"])
def test_a_noble_comes_after_reserving(what: str) -> None:
    after = play(arrange(hands=[hand(bought=ONE)], nobles="rk4 wu4 ug4"), reserve(what))
    assert nobles(after, 0) == ["rk4"]


def test_a_noble_comes_after_a_pass() -> None:
    position = stuck(bought={0: "1w1 1w3 1w4 1w5 1u1 1u2 1u3 1u4"}, nobles="rk4 wu4 ug4")
    assert nobles(play(position, Pass()), 0) == ["wu4"]


def test_a_noble_comes_only_after_the_refill() -> None:
    waiting = almost_pleasing().play(buy("1k6"))
    assert (waiting.phase, nobles(waiting, 0)) == (Phase.DEAL, [])
    assert nobles(waiting.deal(Deal(card("1g1"))), 0) == ["rk4"]


def test_of_several_nobles_the_player_chooses_one() -> None:
    position = choosing()
    assert position.phase is Phase.NOBLE
    assert position.legal_moves() == [choose("rk4"), choose("wk4")]
    assert nobles(play(position, choose("wk4")), 0) == ["wk4"]
    assert nobles(play(position, choose("rk4")), 0) == ["rk4"]


def test_only_one_noble_comes_a_turn_and_the_next_on_a_later_turn() -> None:
    after = play(choosing(), choose("wk4"))
    assert (nobles(after, 0), after.seat) == (["wk4"], 1)
    later = play(after, take("wug"), take("wug"))
    assert nobles(later, 0) == ["wk4", "rk4"]


def test_no_noble_can_be_declined() -> None:
    for move in (Pass(), take("wug"), reserve("1w5"), buy("1w5")):
        assert refused(choosing(), cast(Any, move)) is Refusal.WRONG_PHASE
    assert choosing().seat == 0


def test_the_nobles_are_offered_in_table_order() -> None:
    position = arrange(hands=[hand("u", bought=TWO)], nobles="wk4 ug4 rk4")
    assert play(position, take("wug")).legal_moves() == [choose("wk4"), choose("rk4")]


def test_tokens_gold_and_reserved_cards_never_please_a_noble() -> None:
    position = arrange(
        "standard/4",
        hands=[hand("rrkkoo", bought=bonus_cards("rrrkkk"), reserved="2r6 2k6 3k4")],
        nobles="rk4 wu4 ug4 wug3 wuk3",
    )
    assert nobles(play(position, take("rgk")), 0) == []


def test_a_noble_that_another_has_does_not_come() -> None:
    position = arrange(
        hands=[hand(bought=ONE), hand(bought="1r5 1r6 1r7 1r8 1k5 1k6 1k7 1k8", nobles="rk4")],
        nobles="rk4 wu4 ug4",
    )
    assert position.open_nobles == tuple(NOBLES[i] for i in (9, 4))
    assert nobles(play(position, take("wug")), 0) == []


def test_a_noble_comes_only_on_the_players_own_turn() -> None:
    position = arrange(hands=[hand(), hand(bought=ONE)], nobles="rk4 wu4 ug4")
    after = play(position, take("wug"))
    assert nobles(after, 1) == []
    assert nobles(play(after, take("wug")), 1) == ["rk4"]


def test_the_places_of_the_nobles_do_not_move_when_one_leaves() -> None:
    after = play(choosing(), choose("wk4"))
    assert [noble.code for noble in after.nobles] == ["rk4", "wk4", "ug4"]
    assert [noble.code for noble in after.open_nobles] == ["rk4", "ug4"]


def test_a_noble_choice_when_none_is_pending_is_refused() -> None:
    assert refused(arrange(), choose("rk4")) is Refusal.NOBLE_NOT_PENDING
    one = arrange(hands=[hand(bought=ONE)], nobles="rk4 wu4 ug4")
    assert refused(one, choose("rk4")) is Refusal.NOBLE_NOT_PENDING


def test_a_noble_choice_during_a_return_is_refused() -> None:
    position = play(arrange(hands=[hand("wwuuggrrkk")]), take("wug"))
    assert refused(position, choose("rk4")) is Refusal.NOBLE_NOT_PENDING
    assert play(position, give_back("wug")).seat == 1


@pytest.mark.parametrize("code", ["ug4", "grk3"])
def test_a_noble_that_does_not_fit_cannot_be_chosen(code: str) -> None:
    """On the table without the bonuses, and not in this game at all."""
    assert refused(choosing(), choose(code)) is Refusal.NOBLE_NOT_OFFERED


def test_a_noble_already_visiting_cannot_be_chosen_again() -> None:
    position = arrange(
        "standard/3",
        hands=[hand(bought=bonus_cards("wwwwrrrrkkkkggg"), nobles="rk4")],
        nobles="rk4 wk4 grk3 ug4",
    )
    both = play(position, take("wug"))
    assert both.phase is Phase.NOBLE
    assert refused(both, choose("rk4")) is Refusal.NOBLE_NOT_OFFERED


@pytest.mark.parametrize("thing", [None, "rk4", 0, Noble(0, "rk4", "Nobody", 9, Gems())])
def test_what_is_no_noble_of_the_game_cannot_be_chosen(thing: Any) -> None:
    assert refused(choosing(), ChooseNoble(thing)) is Refusal.UNKNOWN_NOBLE


def test_a_noble_can_bring_the_last_round() -> None:
    position = arrange("standard/2:target=3", hands=[hand(bought=ONE)], nobles="rk4 wu4 ug4")
    after = play(position, take("wug"))
    assert after.last_round
