"""A try at a puzzle as a game of two: whoever solves it has won against it.

A puzzle begins where the bots have measured it and is trusted there: it moves little, and never far
from that. The method is that of games.
"""

from __future__ import annotations

from cabochon.ratings.method import Contestant, rated
from cabochon.ratings.strength import RatingKind, Strength, first_strength

MEASURED_DEVIATION = 60.0
"""Of a puzzle that only bots have tried, and the most that one ever has."""
MOST_DRIFT = 150.0
"""How far people can move a puzzle from where the bots put it."""
LEAST_TAKEN, MOST_TAKEN = 900.0, 1700.0
TAKEN_DEVIATION = 200.0
"""A rating that a browser has kept by itself is a claim: taken over within bounds, and hardly
trusted."""


def measured_strength(rating: float) -> Strength:
    """Of a puzzle before anybody has tried it."""
    return Strength(rating, MEASURED_DEVIATION)


def taken_over(rating: float) -> Strength:
    """What somebody begins with who brings a rating from their own browser."""
    return Strength(min(max(rating, LEAST_TAKEN), MOST_TAKEN), TAKEN_DEVIATION)


def first_puzzle_strength() -> Strength:
    return first_strength(RatingKind.PUZZLES)


def solver_after(solver: Strength, puzzle: Strength, solved: bool) -> Strength:
    """The solver's rating after a try."""
    contestants = (Contestant(0, solver), Contestant(1, puzzle, is_fixed=True))
    return rated(contestants, [0 if solved else 1])[0]


def puzzle_after(puzzle: Strength, solver: Strength, solved: bool, measured: float) -> Strength:
    """The puzzle's rating after a try, near where it was `measured`."""
    contestants = (Contestant(0, solver), Contestant(1, puzzle))
    after = rated(contestants, [0 if solved else 1])[1]
    value = min(max(after.value, measured - MOST_DRIFT), measured + MOST_DRIFT)
    return Strength(value, min(after.deviation, MEASURED_DEVIATION), after.games)
