"""Tries at puzzles as games of two: who gains, who is trusted, and how far a puzzle may move."""

from __future__ import annotations

from itertools import repeat

import pytest

from cabochon.ratings import Strength
from cabochon.ratings.method import (
    MEASURED_DEVIATION,
    MOST_DRIFT,
    MOST_TAKEN,
    first_puzzle_strength,
    measured_strength,
    puzzle_after,
    solver_after,
    taken_over,
)


def test_the_solver_gains_what_is_hard_and_loses_by_what_is_easy() -> None:
    me = Strength(1500, 120, 10)
    easy, hard = measured_strength(1100), measured_strength(1900)
    gains = [solver_after(me, puzzle, True).value - me.value for puzzle in (easy, hard)]
    losses = [me.value - solver_after(me, puzzle, False).value for puzzle in (easy, hard)]
    assert 0 < gains[0] < gains[1]
    assert losses[0] > losses[1] > 0


def test_somebody_who_solves_half_of_them_settles_there() -> None:
    now = first_puzzle_strength()
    for number in range(60):
        now = solver_after(now, measured_strength(1600), number % 2 == 0)
    assert abs(now.value - 1600) < 60
    assert not now.is_provisional


def test_no_number_of_people_moves_a_puzzle_far_from_its_measure() -> None:
    puzzle = measured_strength(1500)
    for solver in repeat(Strength(2200, 40, 500), 400):
        puzzle = puzzle_after(puzzle, solver, False, 1500)
        assert puzzle.deviation <= MEASURED_DEVIATION
    assert puzzle.value == 1500 + MOST_DRIFT
    assert puzzle.games == 400


def test_somebody_hardly_known_hardly_moves_a_puzzle() -> None:
    puzzle = measured_strength(1500)
    newcomer = first_puzzle_strength()
    known = Strength(newcomer.value, 50, 100)
    moved = [
        puzzle.value - puzzle_after(puzzle, one, True, 1500).value for one in (newcomer, known)
    ]
    assert 0 < moved[0] < moved[1] / 2


@pytest.mark.parametrize(("claimed", "begun"), [(9000, MOST_TAKEN), (1450, 1450), (0, 900)])
def test_a_claimed_rating_is_taken_within_bounds_and_hardly_trusted(
    claimed: float, begun: float
) -> None:
    found = taken_over(claimed)
    assert found.value == begun
    assert found.is_provisional
    assert found.games == 0
