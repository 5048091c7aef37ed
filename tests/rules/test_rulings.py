"""The rulings: where the sources differ, what is played here and what the option changes."""

from __future__ import annotations

import pytest

from cabochon.notation import format_event, format_record
from cabochon.record import Record
from cabochon.rules import Pass, Phase, Refusal, card, seating
from tests.arrange import (
    arrange,
    bonus_cards,
    buy,
    choose,
    give_back,
    hand,
    letters,
    play,
    refused,
    reserve,
    stuck,
    take,
)


def test_ruling_fewer_than_three_colours_take_what_is_there() -> None:
    assert take("wk") in arrange("standard/3", bank="wk").legal_moves()
    assert take("w") in arrange("standard/3", bank="w").legal_moves()


def test_ruling_fewer_than_three_colours_are_forbidden_by_the_option() -> None:
    for bank, some in (("wk", "wk"), ("w", "w")):
        position = arrange("standard/3:scarce=no", bank=bank)
        assert refused(position, take(some)) is Refusal.TAKE_SCARCE
    three = arrange("standard/3:scarce=no", bank="wrk")
    assert take("wrk") in three.legal_moves()


def test_ruling_the_noble_comes_before_the_limit() -> None:
    position = arrange(
        hands=[hand("wwuuggrr", bought=bonus_cards("wwwwrrrrkkkk"))], nobles="rk4 wk4 ug4"
    )
    phases = [position.phase]
    for move in (take("wuk"), choose("rk4"), give_back("w")):
        position = play(position, move)
        phases.append(position.phase)
    assert phases == [Phase.ACT, Phase.NOBLE, Phase.RETURN, Phase.ACT]


def test_ruling_of_several_nobles_the_player_chooses() -> None:
    position = arrange(hands=[hand(bought=bonus_cards("wwwwrrrrkkkk"))], nobles="rk4 wk4 ug4")
    after = play(position, take("wug"))
    assert after.legal_moves() == [choose("rk4"), choose("wk4")]


def test_ruling_the_return_closes_the_turn() -> None:
    position = play(arrange(hands=[hand("wwuuggrrkk")]), take("wug"))
    assert (position.seat, position.hands[0].tokens.total) == (0, 13)
    assert play(position, give_back("www")).seat == 1


def test_ruling_ten_tokens_do_not_restrict_the_action() -> None:
    """No check before acting: a full hand may take three and give three back."""
    assert take("wug") in arrange(hands=[hand("wwuuggrrkk")]).legal_moves()


def test_ruling_a_pass_only_when_nothing_else_is_legal() -> None:
    assert stuck().legal_moves() == [Pass()]
    assert refused(arrange(), Pass()) is Refusal.PASS_NOT_FORCED


def test_ruling_a_final_tie_is_shared() -> None:
    position = arrange(
        hands=[hand(bought="3w4 3u4 3u3 1r8"), hand(bought="3r4 3k4 3k3 1k8")],
        phase=Phase.OVER,
        last_round=True,
        turn=2,
    )
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winners == (0, 1)


def test_ruling_the_first_player_is_drawn_from_the_seed() -> None:
    assert {seating(str(seed), 2) for seed in range(20)} == {(0, 1), (1, 0)}


def test_ruling_gold_may_be_paid_while_the_colour_is_held_but_is_not_by_default() -> None:
    position = arrange(hands=[hand("rrkoo")])
    assert letters(play(position, buy("1w1")), 0) == "oo"
    assert letters(play(position, buy("1w1", "koo")), 0) == "rr"


def test_ruling_gold_on_a_reservation_is_mandatory() -> None:
    assert letters(play(arrange(), reserve("1w1")), 0) == "o"
    assert letters(play(arrange(), reserve("deck1")), 0) == "o"


def test_ruling_the_end_is_noted_at_the_end_of_the_turn_and_comes_with_the_round() -> None:
    position = arrange(
        "standard/3",
        hands=[hand(), hand("wwww", bought="3w4 3u4 3u3")],
        rows={1: "1r8"},
        turn=1,
    )
    waiting = position.play(buy("1r8"))
    assert (waiting.points(1), waiting.last_round) == (15, False)
    noted = play(position, buy("1r8"))
    assert (noted.last_round, noted.phase, noted.seat) == (True, Phase.ACT, 2)
    assert play(noted, take("wug")).phase is Phase.OVER


@pytest.mark.parametrize(("seats", "trigger"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2), (4, 1)])
def test_ruling_after_the_trigger_only_those_play_who_have_not_had_their_turn(
    seats: int, trigger: int
) -> None:
    """Document 002 would give everybody else one more turn, also those who began the round."""
    hands = [hand("")] * trigger + [hand("wwww", bought="3w4 3u4 3u3")]
    position = arrange(f"standard/{seats}", hands=hands, rows={1: "1r8"}, turn=trigger)
    position = play(position, buy("1r8"))
    movers = []
    while position.phase is not Phase.OVER:
        movers.append(position.seat)
        position = play(position, position.legal_moves()[0])
    assert movers == list(range(trigger + 1, seats))
    assert position.turn == seats


def test_ruling_a_forced_pass_reveals_nothing() -> None:
    """Document 000 has the player show three reserved cards; here the rules themselves know."""
    position = stuck(reserved={0: "?3r1 ?3r3 ?3g3"})
    assert position.legal_moves() == [Pass()]
    before, after = position, play(position, Pass())
    for viewer in (1, None):
        assert after.view(viewer).hands[0] == before.view(viewer).hands[0]
        assert {r.level for r in after.view(viewer).hands[0].reserved} == {3}
        assert not {card("3r1"), card("3r3"), card("3g3")} - set(after.view(viewer).unseen())
    record = Record.start(position.ruleset, position).append(Pass())
    assert format_event(record.seen_by(1).events[0]) == "pass"
    assert "3r1" not in format_record(record.seen_by(1))
