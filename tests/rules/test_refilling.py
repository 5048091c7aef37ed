"""Chance: a card for a hole in a row, or for the hand that drew unseen."""

from __future__ import annotations

import pickle
from typing import Any, cast

import pytest

from cabochon.rules import Card, Deal, IllegalDeal, Pass, Phase, Position, Refusal, card
from cabochon.rules.errors import DealFault
from tests.arrange import (
    arrange,
    buy,
    choose,
    codes,
    give_back,
    hand,
    play,
    refused,
    reserve,
    take,
)


def waiting() -> Position:
    return arrange(hands=[hand("rrk"), hand(bought="1u1", reserved="1u2 ?1u3")]).play(buy("1w1"))


def fault(position: Position, code: str) -> Any:
    before = pickle.dumps(position)
    with pytest.raises(IllegalDeal) as caught:
        position.deal(Deal(card(code)))
    assert pickle.dumps(position) == before
    return caught.value.code


def test_only_the_same_level_refills_a_row() -> None:
    assert fault(waiting(), "2k1") is DealFault.DEAL_WRONG_LEVEL


@pytest.mark.parametrize("code", ["1w1", "1w2", "1u1", "1u2", "1u3"])
def test_a_card_that_has_left_its_deck_cannot_be_dealt(code: str) -> None:
    """Just bought, face up, bought before, reserved face up, reserved unseen."""
    assert fault(waiting(), code) is DealFault.DEAL_NOT_IN_DECK


def test_no_card_is_dealt_when_none_is_due() -> None:
    assert fault(arrange(), "1k1") is DealFault.DEAL_NOT_PENDING
    after = waiting().deal(Deal(card("1k1")))
    assert fault(after, "1k2") is DealFault.DEAL_NOT_PENDING


@pytest.mark.parametrize(
    "move", [take("wug"), reserve("1w2"), reserve("deck1"), buy("1w2"), Pass()]
)
def test_nobody_acts_while_a_card_is_due(move: Any) -> None:
    position = waiting()
    assert position.legal_moves() == []
    assert refused(position, move) is Refusal.WRONG_PHASE


def test_neither_a_noble_nor_a_return_is_accepted_while_a_card_is_due() -> None:
    assert refused(waiting(), choose("rk4")) is Refusal.NOBLE_NOT_PENDING
    assert refused(waiting(), give_back("w")) is Refusal.RETURN_NOT_PENDING


def test_the_turn_is_still_the_buyers_until_the_card_has_come() -> None:
    position = waiting()
    assert (position.seat, position.turn) == (0, 0)
    after = position.deal(Deal(card("1k1")))
    assert (after.seat, after.turn, after.phase) == (1, 1, Phase.ACT)


def test_a_row_keeps_its_holes_when_its_deck_is_empty_and_others_go_on() -> None:
    position = arrange(
        "standard/2:target=50",
        hands=[hand("rrkuukk"), hand()],
        used_up={1: 1},
        nobles="rk4 gr4 ug4",
    )
    after = play(position, buy("1w1"), reserve("1w3"), choose("rk4"), buy("1w4"))
    assert codes(after.rows[0]) == ". 1w2 . ."
    assert len(after.rows[1]) == 4
    assert None not in after.rows[1]


@pytest.mark.parametrize("thing", [None, "deal 1k1", card("1k1"), 5, []])
def test_something_that_is_no_deal_is_none(thing: Any) -> None:
    for position in (waiting(), arrange()):
        with pytest.raises(IllegalDeal) as caught:
            position.deal(thing)
        assert caught.value.code is DealFault.NOT_A_DEAL


def test_something_that_is_no_card_cannot_be_dealt() -> None:
    with pytest.raises(IllegalDeal) as caught:
        waiting().deal(Deal(cast(Card, None)))
    assert caught.value.code is DealFault.DEAL_NOT_IN_DECK
