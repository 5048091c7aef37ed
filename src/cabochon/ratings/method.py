"""What a game does to the ratings of those who played it: Weng and Lin's approximation of
Plackett and Luce's model (JMLR 12, 2011), by the library openskill.

Only victory counts, as in the bots' own ratings, so everybody is rated against the *field*: all
other sides taken together, which is as strong as the sum of their strengths. Whether one of n
wins is then a question of two, with the chance that Plackett and Luce give their first choice.
Partners are as strong as their mean.

    field = c ln( e^(a/c) + e^(b/c) + … )      c² = 2 β² + all that is uncertain, as the library has

Deterministic: the same games in the same order give the same numbers, to the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log, sqrt

from openskill.models import PlackettLuce

from cabochon.ratings.strength import ELO_SCALE, SETTLED, RatingKind, Strength, first_strength

BETA = 100.0
"""How much a single game says; `benchmarks/ratings.py` shows that it makes deviations honest."""
TAU = 5.0
"""How much somebody may change from one game to the next."""
OTHERS_DOUBT = 2.0
"""People's deviations count so many times in what they say of others: those who play one another
are wrong together. And a game says the less of somebody, the less is known of the others than of
them: new names that lose on purpose must not be worth much (`_weight`)."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A seat in a game for the ratings. A bot is a fixed point. Seats with the same `side` are
    partners."""

    side: int
    strength: Strength
    is_fixed: bool = False


@dataclass(frozen=True, slots=True)
class _Side:
    """`doubt` is the mean variance of the people in it; bots are beyond doubt."""

    value: float
    variance: float
    doubt: float


def rated(contestants: Sequence[Contestant], winners: Sequence[int]) -> tuple[Strength, ...]:
    """Everybody's strength after a game that the sides `winners` have won, several if they share
    the victory. Fixed strengths stay as they were."""
    sides = {one.side: _side(contestants, one.side) for one in contestants}
    return tuple(
        one.strength if one.is_fixed else _after(contestants, one, sides, winners)
        for one in contestants
    )


def _members(contestants: Sequence[Contestant], side: int) -> list[Contestant]:
    return [one for one in contestants if one.side == side]


def _side(contestants: Sequence[Contestant], side: int) -> _Side:
    """As its opponents see it."""
    members = _members(contestants, side)
    count = len(members)
    value = sum(one.strength.value for one in members) / count
    variance = sum((_doubted(one) / count) ** 2 for one in members)
    doubt = sum(one.strength.deviation**2 for one in members if not one.is_fixed) / count
    return _Side(value, variance, doubt)


def _doubted(one: Contestant) -> float:
    return one.strength.deviation * (1.0 if one.is_fixed else OTHERS_DOUBT)


def _field(sides: Sequence[_Side], own: float) -> _Side:
    """Several sides as one: as likely to win as any of them, and as uncertain as what makes them
    strong. `own` is the variance of the opponent."""
    weights = _weights(sides, ELO_SCALE)
    variance = sum(weight**2 * side.variance for weight, side in zip(weights, sides, strict=True))
    spread = sqrt(2 * BETA**2 + own + variance)
    top = max(side.value for side in sides)
    total = sum(exp((side.value - top) / spread) for side in sides)
    doubt = sum(weight * side.doubt for weight, side in zip(weights, sides, strict=True))
    return _Side(top + spread * log(total), variance, doubt)


def _weights(sides: Sequence[_Side], scale: float) -> list[float]:
    """Each side's chance to be the one that wins among these."""
    top = max(side.value for side in sides)
    strengths = [exp((side.value - top) / scale) for side in sides]
    total = sum(strengths)
    return [strength / total for strength in strengths]


def _after(
    contestants: Sequence[Contestant],
    one: Contestant,
    sides: dict[int, _Side],
    winners: Sequence[int],
) -> Strength:
    members = _members(contestants, one.side)
    share = len(members)
    model = _model()
    own = [
        model.rating(mu=each.strength.value / share, sigma=each.strength.deviation / share)
        for each in members
    ]
    others = [side for key, side in sides.items() if key != one.side]
    own_variance = sum(each.sigma**2 for each in own) + TAU**2 / share
    field = _field(others, own_variance)
    change = TAU / share  # for those who change; the library adds it to everybody
    theirs = model.rating(mu=field.value, sigma=sqrt(max(field.variance - change**2, 1.0)))
    ours, _ = model.rate([own, [theirs]], ranks=_ranks(one.side, winners), tau=change)
    new = next(after for each, after in zip(members, ours, strict=True) if each is one)
    return _moved(one.strength, new.mu * share, new.sigma * share, _weight(one, field))


def _weight(one: Contestant, field: _Side) -> float:
    """What part of a game counts for somebody: the whole, unless the people they met are new and
    they are not. Among people whose ratings have settled, and against bots, it always does."""
    known = max(one.strength.deviation, SETTLED) ** 2
    return 1.0 if field.doubt <= known else known / field.doubt


def _moved(before: Strength, value: float, deviation: float, weight: float) -> Strength:
    """That part of the way to a new value and variance."""
    variance = before.deviation**2 + weight * (deviation**2 - before.deviation**2)
    value = before.value + weight * (value - before.value)
    return Strength(value, sqrt(variance), before.games + 1)


def _ranks(side: int, winners: Sequence[int]) -> list[float]:
    """Of a side and its field; a shared victory is a draw."""
    if side not in winners:
        return [2.0, 1.0]
    return [1.0, 2.0] if len(winners) == 1 else [1.0, 1.0]


@cache
def _model() -> PlackettLuce:
    return PlackettLuce(beta=BETA, tau=TAU, gamma=_whole)


def _whole(*_: object) -> float:
    """The whole information of a game; the library would believe only a part of it."""
    return 1.0


# A try at a puzzle as a game for two: solving it is winning against it.
#
# A puzzle begins where the bots have measured it and is trusted there: it moves little, and never
# far from that. The method is that of games.


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
