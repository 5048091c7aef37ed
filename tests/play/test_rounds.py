"""Rounds are counted alike everywhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cabochon.rules import Phase
from tests.arrange import arrange


@pytest.mark.parametrize(
    ("turn", "phase", "counted"),
    [
        (0, Phase.ACT, 1),
        (5, Phase.ACT, 2),
        (6, Phase.ACT, 3),
        (6, Phase.OVER, 2),
        (5, Phase.OVER, 2),
        (0, Phase.OVER, 1),
    ],
)
def test_rounds_are_counted_to_the_one_in_which_the_game_ended(
    turn: int, phase: Phase, counted: int
) -> None:
    assert replace(arrange("standard/3"), turn=turn, phase=phase).round == counted
