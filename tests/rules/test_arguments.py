"""What is given: whole numbers, times, gems, moves."""

from __future__ import annotations

from typing import Any

import pytest

from cabochon.rules import (
    Buy,
    Gem,
    Gems,
    IllegalMove,
    Position,
    Refusal,
    Ruleset,
    ShuffledDealer,
    WrongArgument,
)
from cabochon.rules.errors import check_seconds, check_whole
from cabochon.rules.legal import completed
from tests.arrange import HUGE


@pytest.mark.parametrize("number", [0, 1, 99, HUGE])
def test_a_whole_number_is_one(number: int) -> None:
    check_whole("visits", number, 0)
    check_whole("seed", -number)


@pytest.mark.parametrize("thing", [True, False, 1.0, "1", None, [], 1j])
def test_a_bool_a_float_or_a_text_is_no_whole_number(thing: Any) -> None:
    with pytest.raises(WrongArgument, match="seed should be a whole number, not"):
        check_whole("seed", thing)


def test_a_number_that_is_too_low_is_refused() -> None:
    with pytest.raises(WrongArgument, match="visits should be a whole number of 0 or more, not -1"):
        check_whole("visits", -1, 0)


@pytest.mark.parametrize("seconds", [0, 0.5, 3600])
def test_a_time_may_be_whole_or_not(seconds: float) -> None:
    check_seconds("seconds", seconds)


@pytest.mark.parametrize("thing", [True, -0.1, float("nan"), float("inf"), "1", None, 1j, HUGE])
def test_what_is_no_time_is_refused(thing: Any) -> None:
    with pytest.raises(WrongArgument, match="a number of seconds, 0 or more"):
        check_seconds("seconds", thing)


@pytest.mark.parametrize("things", [5, None, [1], ["w"], [Gem.RED, True]])
def test_what_names_no_gems_is_not_counted(things: Any) -> None:
    assert Gems.of([Gem.RED, Gem.RED, Gem.GOLD]).letters == "rro"
    with pytest.raises(WrongArgument):
        Gems.of(things)


def test_what_is_no_move_and_what_is_no_card_cannot_be_completed() -> None:
    position = Position.start(Ruleset(2), ShuffledDealer("7").opening(Ruleset(2)))
    no_card = Buy("1k4")  # type: ignore[arg-type]
    for move, code in (("buy 1k4", Refusal.UNKNOWN_MOVE), (no_card, Refusal.UNKNOWN_CARD)):
        with pytest.raises(IllegalMove) as caught:
            completed(position, move)  # type: ignore[arg-type]
        assert caught.value.code == code
