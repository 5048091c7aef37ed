"""Ratings of maximum likelihood.

The model is the winner's: at a table the chance that a seat wins is its strength over the sum of
the strengths, `10^(Elo/400)` each. With two players that is Bradley and Terry; with more it is the
first choice of Plackett and Luce. Only the victory counts, not the places behind it, because that
is what the game gives and what the bots play for. A shared victory counts for each winner in part.

Errors are clustered by deal (the "sandwich"): the games of a deal are no independent draws. The
plain Fisher information is mixed in, which matters in short matches and in one-sided ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

from cabochon.arena.statistics import PRIOR_DEALS, Z95

SCALE = 400 / log(10)
"""Elo points a unit of log-strength."""

_PRIOR_GAMES = 1.0
"""Shared games that every entrant has with an average one, so that all ratings stay finite."""

_STEPS = 200
_ENOUGH = 1e-10

Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Contest:
    """One game for the fit: its deal, how many seats each entrant had, what each one won."""

    deal: int
    seats: Mapping[int, int]
    won: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo by entrant, their mean 0, and the covariance of these numbers."""

    elo: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]

    def error(self, entrant: int) -> float:
        """Half the 95 % interval of a rating, against the mean of all."""
        return Z95 * sqrt(max(0.0, self.covariance[entrant][entrant]))

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """How far one is above the other, and half its 95 % interval."""
        c = self.covariance
        variance = c[one][one] + c[other][other] - 2 * c[one][other]
        return self.elo[one] - self.elo[other], Z95 * sqrt(max(0.0, variance))


def fit(contests: Sequence[Contest], entrants: int) -> Ratings:
    """The ratings under which these results were likeliest."""
    strengths = [0.0] * entrants
    groups = _grouped(contests)
    for _ in range(_STEPS):
        gradient, information = _derivatives(groups, strengths)
        step = _solved(information, gradient)
        longest = max(abs(s) for s in step)
        damping = min(1.0, 1.0 / longest) if longest else 1.0
        strengths = [s + damping * d for s, d in zip(strengths, step, strict=True)]
        if longest < _ENOUGH:
            break
    mean = sum(strengths) / entrants
    elo = tuple(SCALE * (s - mean) for s in strengths)
    return Ratings(elo, _covariance(contests, groups, strengths))


def expected_share(elo: float, own: int, others: int) -> float:
    """The chance that one of `own` seats wins that are `elo` above the `others`."""
    strength = own * exp(elo / SCALE)
    return strength / (strength + others)


def elo_of_share(won: float, own: int, others: int) -> float:
    """The difference at which `expected_share` is `won` (which lies strictly between 0 and 1)."""
    return SCALE * log(won / (1 - won) * others / own)


# Contests of the same kind of table are summed before the fit: it costs the same for any number.

_Seats = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class _Group:
    games: float
    won: dict[int, float]


def _grouped(contests: Sequence[Contest]) -> dict[_Seats, _Group]:
    groups: dict[_Seats, _Group] = {}
    for contest in contests:
        key = tuple(sorted(contest.seats.items()))
        group = groups.setdefault(key, _Group(0.0, dict.fromkeys(contest.seats, 0.0)))
        group.games += 1
        for entrant, won in contest.won.items():
            group.won[entrant] += won
    return groups


def _chances(seats: _Seats, strengths: Sequence[float]) -> dict[int, float]:
    top = max(strengths[entrant] for entrant, _ in seats)
    weights = {entrant: count * exp(strengths[entrant] - top) for entrant, count in seats}
    total = sum(weights.values())
    return {entrant: weight / total for entrant, weight in weights.items()}


def _derivatives(
    groups: Mapping[_Seats, _Group], strengths: Sequence[float]
) -> tuple[list[float], Matrix]:
    """Gradient of the log-likelihood and the (Fisher) information, the prior included."""
    n = len(strengths)
    gradient = [_PRIOR_GAMES * (0.5 - 1 / (1 + exp(-s))) for s in strengths]
    information = [[0.0] * n for _ in range(n)]
    for i, s in enumerate(strengths):
        p = 1 / (1 + exp(-s))
        information[i][i] = _PRIOR_GAMES * p * (1 - p)
    for seats, group in groups.items():
        chances = _chances(seats, strengths)
        for i, p in chances.items():
            gradient[i] += group.won[i] - group.games * p
            for j, q in chances.items():
                information[i][j] += group.games * (p * (i == j) - p * q)
    return gradient, information


def _covariance(
    contests: Sequence[Contest], groups: Mapping[_Seats, _Group], strengths: Sequence[float]
) -> tuple[tuple[float, ...], ...]:
    n = len(strengths)
    _, information = _derivatives(groups, strengths)
    inverse = [_solved(information, [float(i == j) for i in range(n)]) for j in range(n)]
    scores = _deal_scores(contests, strengths)
    seen = max(0.0, min(sum(information[i][i] for i in range(n)), len(scores) - 1.0))
    trust = seen / (seen + PRIOR_DEALS)
    correction = trust * len(scores) / max(1, len(scores) - 1)
    middle = [
        [
            correction * sum(s[i] * s[j] for s in scores) + (1 - trust) * information[i][j]
            for j in range(n)
        ]
        for i in range(n)
    ]
    centred = [[value - sum(row) / n for value in row] for row in inverse]
    product = _product(_product(_transposed(centred), middle), centred)
    return tuple(tuple(SCALE * SCALE * value for value in row) for row in product)


def _deal_scores(contests: Sequence[Contest], strengths: Sequence[float]) -> list[list[float]]:
    """The gradient that each deal adds: at the best fit they sum to (almost) nothing."""
    scores: dict[int, list[float]] = {}
    for contest in contests:
        score = scores.setdefault(contest.deal, [0.0] * len(strengths))
        chances = _chances(tuple(sorted(contest.seats.items())), strengths)
        for entrant, p in chances.items():
            score[entrant] += contest.won[entrant] - p
    return [scores[deal] for deal in sorted(scores)]


def _transposed(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = _transposed(right)
    return [[sum(a * b for a, b in zip(row, c, strict=True)) for c in columns] for row in left]


def _solved(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """Gauss with the largest pivot; the information matrix is positive thanks to the prior."""
    n = len(right)
    rows = [[*matrix[i], right[i]] for i in range(n)]
    for column in range(n):
        pivot = max(range(column, n), key=lambda i: abs(rows[i][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for i in range(column + 1, n):
            factor = rows[i][column] / rows[column][column]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    solution = [0.0] * n
    for i in reversed(range(n)):
        known = sum(rows[i][j] * solution[j] for j in range(i + 1, n))
        solution[i] = (rows[i][n] - known) / rows[i][i]
    return solution
