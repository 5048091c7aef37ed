"""Reserving cards."""

from __future__ import annotations

from typing import Any

import pytest

from cabochon.rules import (
    DECKS,
    Card,
    Deal,
    Deck,
    Gem,
    Gems,
    Phase,
    Place,
    Position,
    Refusal,
    Reserve,
    Reserved,
    card,
)
from tests.arrange import (
    HUGE,
    arrange,
    buy,
    codes,
    give_back,
    hand,
    letters,
    of_kind,
    play,
    refused,
    reserve,
    reserved_codes,
    take,
)


def listed(position: Position) -> list[str]:
    moves: list[Reserve] = of_kind(position.legal_moves(), Reserve)
    return [f"deck{m.target.level}" if isinstance(m.target, Deck) else m.target.code for m in moves]


def test_a_face_up_card_comes_to_the_hand_with_one_gold() -> None:
    after = play(arrange(rows={2: "2u5 2k1"}), reserve("2k1"))
    assert reserved_codes(after, 0) == "2k1"
    assert letters(after, 0) == "o"
    assert after.bank.gold == 4


def test_the_place_of_a_reserved_card_is_refilled_from_its_deck() -> None:
    waiting = arrange(rows={2: "2u5 2k1 2k2 2k3"}).play(reserve("2k1"))
    assert waiting.phase is Phase.DEAL
    assert waiting.pending == Place(2, 1)
    after = waiting.deal(Deal(card("2g6")))
    assert codes(after.rows[1]) == "2u5 2g6 2k2 2k3"
    assert after.decks == (36, 25, 16)


def test_the_unseen_top_card_of_a_deck_comes_to_the_hand_with_one_gold() -> None:
    start = arrange()
    waiting = start.play(reserve("deck3"))
    assert waiting.pending == Place(3, None)
    after = waiting.deal(Deal(card("3k4")))
    assert reserved_codes(after, 0) == "?3k4"
    assert letters(after, 0) == "o"
    assert after.rows == start.rows
    assert after.decks == (36, 26, 15)


def test_every_face_up_card_and_every_deck_can_be_reserved_in_the_fixed_order() -> None:
    position = arrange("quick/2", rows={1: "1k1 1u1 1g1"})
    assert " ".join(listed(position)) == ("1k1 1u1 1g1 2w1 2w2 2w3 3w1 3w2 3w3 deck1 deck2 deck3")


def test_gold_comes_with_every_reservation_and_cannot_be_declined() -> None:
    position = arrange(hands=[hand("wwuuggrrkk")])
    assert len(listed(position)) == len(set(listed(position)))
    for what in listed(position):
        assert play(position, reserve(what)).hands[0].tokens.gold == 1


def test_without_gold_in_the_bank_the_reservation_still_happens() -> None:
    position = arrange(hands=[hand("ww"), hand("ooooo")])
    for what in ("1w1", "deck2"):
        after = play(position, reserve(what))
        assert letters(after, 0) == "ww"
        assert len(after.hands[0].reserved) == 1


def test_three_cards_may_be_reserved_and_a_fourth_is_refused() -> None:
    position = arrange(hands=[hand(reserved="2u5 ?3k1")])
    three = play(position, reserve("1w1"), take("wug"))
    assert reserved_codes(three, 0) == "2u5 ?3k1 1w1"
    assert refused(three, reserve("1w2")) is Refusal.RESERVE_LIMIT
    assert refused(three, reserve("deck1")) is Refusal.RESERVE_LIMIT
    assert listed(three) == []


def test_after_buying_a_reserved_card_another_may_be_reserved() -> None:
    position = arrange(hands=[hand("uuu", reserved="2u5 1w6 ?3k1")])
    after = play(position, buy("1w6"), take("wug"), reserve("2w1"))
    assert reserved_codes(after, 0) == "2u5 ?3k1 2w1"


def test_an_empty_deck_cannot_be_reserved_from() -> None:
    position = arrange("standard/2:target=50", used_up={1: 1})
    assert position.decks[0] == 0
    assert refused(position, reserve("deck1")) is Refusal.DECK_EMPTY
    assert "deck1" not in listed(position)


def test_reserving_face_up_over_an_empty_deck_leaves_the_place_empty() -> None:
    position = arrange("standard/2:target=50", used_up={1: 1}, nobles="rk4 gr4 ug4")
    after = position.play(reserve("1w2"))
    assert after.phase is Phase.ACT
    assert codes(after.rows[0]) == "1w1 . 1w3 1w4"
    assert "1w2" not in listed(after)


def test_reserving_at_ten_tokens_gives_the_gold_and_then_one_token_goes_back() -> None:
    position = play(arrange(hands=[hand("wwuuggrrkk")]), reserve("1w1"))
    assert letters(position, 0) == "wwuuggrrkko"
    assert position.phase is Phase.RETURN
    assert letters(play(position, give_back("o")), 0) == "wwuuggrrkk"
    assert letters(play(position, give_back("w")), 0) == "wuuggrrkko"


@pytest.mark.parametrize("code", ["1k8", "1u1", "2k6", "3k4"])
def test_a_card_that_does_not_lie_face_up_is_refused(code: str) -> None:
    """In a deck, bought by somebody, reserved by oneself, reserved by another."""
    position = arrange(hands=[hand(reserved="2k6"), hand(bought="1u1", reserved="?3k4")])
    assert refused(position, reserve(code)) is Refusal.RESERVE_NOT_FACE_UP


@pytest.mark.parametrize("level", [0, 4, -1, "2", 2.0, True, None, HUGE])
def test_a_deck_that_does_not_exist_is_refused(level: Any) -> None:
    assert refused(arrange(), Reserve(Deck(level))) is Refusal.UNKNOWN_DECK


def test_a_card_made_by_hand_is_no_card_of_the_game() -> None:
    forged = Card(0, "1w1", 1, Gem.WHITE, 5, Gems())
    assert refused(arrange(), Reserve(forged)) is Refusal.UNKNOWN_CARD


@pytest.mark.parametrize("thing", [None, "1w1", 7, Gems()])
def test_what_is_no_card_at_all_is_refused(thing: Any) -> None:
    assert refused(arrange(), Reserve(thing)) is Refusal.UNKNOWN_CARD


def test_the_hand_remembers_which_card_was_drawn_unseen() -> None:
    after = play(arrange(hands=[hand(reserved="2u5")]), reserve("deck1"))
    assert after.hands[0].reserved == (
        Reserved(card("2u5"), blind=False),
        Reserved(card("1w5"), blind=True),
    )
    assert [r.level for r in after.hands[0].reserved] == [2, 1]


def test_the_last_card_of_a_deck_can_be_drawn() -> None:
    rest = " ".join(f"1{c}{n}" for c in "ugr" for n in range(1, 9)) + " 1w5 1w6 1w7 1w8"
    rest += " 1k1 1k2 1k3 1k4 1k5 1k6 1k7"
    position = arrange("standard/2:target=50", hands=[hand(), hand(bought=rest)])
    assert position.decks[0] == 1
    after = play(position, Reserve(DECKS[0]))
    assert reserved_codes(after, 0) == "?1k8"
    assert after.decks[0] == 0
