"""perft: counting what can happen."""

from __future__ import annotations

from typing import Any

import pytest

from cabochon.rules import (
    NOBLES,
    Opening,
    Pass,
    Phase,
    Position,
    Ruleset,
    ScriptedDealer,
    ShuffledDealer,
    WrongArgument,
    perft,
)
from cabochon.rules.perft import dealt, divide
from tests.arrange import arrange, cards, hand, reserve, stuck, take

OPENING = Opening(NOBLES[:3], (cards("1w1 1u1"), cards("2w1 2u1"), cards("3w1 3u1")))
EMPTY = ScriptedDealer(OPENING, ([], [], []))


def test_counts_at_the_start_are_takes_and_reservations() -> None:
    """Ten threes, five twos, twelve cards and three decks; nobody can buy."""
    dealer = ShuffledDealer("count")
    position = Position.start(Ruleset(2), dealer.opening(Ruleset(2)))
    assert perft(position, dealer, 0) == 1
    assert perft(position, dealer, 1) == 10 + 5 + 12 + 3
    assert perft(position, dealer, 2) == sum(divide(position, dealer, 2).values())


def test_the_count_is_split_by_the_first_move_in_the_fixed_order() -> None:
    dealer = ShuffledDealer("count")
    position = Position.start(Ruleset(2), dealer.opening(Ruleset(2)))
    assert list(divide(position, dealer, 1)) == position.legal_moves()
    assert set(divide(position, dealer, 1).values()) == {1}


def test_a_card_that_is_due_is_dealt_and_is_no_decision() -> None:
    dealer = ShuffledDealer("count")
    waiting = Position.start(Ruleset(2), dealer.opening(Ruleset(2))).play(reserve("deck1"))
    assert waiting.phase is Phase.DEAL
    assert dealt(waiting, dealer).phase is Phase.ACT
    assert perft(waiting, dealer, 1) == perft(dealt(waiting, dealer), dealer, 1)


def test_a_game_that_ends_early_counts_as_one() -> None:
    position = stuck()
    assert position.legal_moves() == [Pass()]
    assert [perft(position, EMPTY, depth) for depth in range(5)] == [1, 1, 1, 1, 1]


def test_a_return_is_one_decision() -> None:
    position = arrange(hands=[hand("wwuuggrrkk")]).play(take("wug"))
    assert perft(position, EMPTY, 1) == len(position.legal_moves()) == 33


@pytest.mark.parametrize("depth", [-1, True, 1.0, None, "1"])
def test_a_depth_is_a_whole_number(depth: Any) -> None:
    for count in (perft, divide):
        with pytest.raises(WrongArgument):
            count(arrange(), EMPTY, depth)
    with pytest.raises(WrongArgument):
        divide(arrange(), EMPTY, 0)


def test_a_count_needs_a_position_and_a_dealer() -> None:
    with pytest.raises(WrongArgument):
        perft(arrange().view(0), EMPTY, 1)  # type: ignore[arg-type]
    with pytest.raises(WrongArgument):
        perft(arrange(), arrange(), 1)  # type: ignore[arg-type]
