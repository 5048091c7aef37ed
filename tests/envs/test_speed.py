"""The speed that is promised, by the benchmark's own measure."""

from __future__ import annotations

import pytest
from benchmarks.envs import GOAL, GREEDY_GOAL, vector_speed
from benchmarks.first_touch import GOALS, MOVE, seconds

from tests.bars import keeps


@pytest.mark.alone
def test_the_vector_steps_two_million_games_a_second() -> None:
    """By the best window here, since a test shares the machine with whatever else runs; the mean
    of a quiet one stands in docs/environments.md."""
    keeps(1 / GOAL, lambda: 1 / vector_speed(seconds=2.0, opponents="self").best)


@pytest.mark.alone
def test_against_greedy_half_a_million() -> None:
    keeps(1 / GREEDY_GOAL, lambda: 1 / vector_speed(seconds=1.0, opponents="greedy").best)


@pytest.mark.alone
def test_import_and_first_move_of_a_bot_are_there_at_once() -> None:
    """In processor time, when all is compiled."""
    seconds(MOVE, None)
    keeps(GOALS["warm_first_move_s"], lambda: seconds(MOVE, None))
