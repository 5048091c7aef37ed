"""Ratings of maximum likelihood, and a test that stops a match as soon as it knows.

The model is the winner's: at a table the chance that a seat wins is its strength over the sum of
the strengths, `10^(Elo/400)` each. With two players that is Bradley and Terry; with more it is the
first choice of Plackett and Luce. Only the victory counts, not the places behind it, because that
is what the game gives and what the bots play for. A shared victory counts for each winner in part.

Errors are clustered by deal (the "sandwich" estimator), because the games of one deal are not
independent. The plain Fisher information is mixed in, which matters in short and one-sided matches.

The test is Wald's, on deals. The first entrant is either `low` or `high` Elo above the others. Each
deal gives the part of the victories it won over all rotations; of the sum of these the normal
likelihood ratio is taken with the variance that is seen (the generalised test that chess engines
use on pairs of games; here the "pair" is the deal with all its rotations, so it serves any number
of players).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, fsum, log, sqrt

import numpy as np
import numpy.typing as npt

from cabochon.arena.match import Hypotheses
from cabochon.arena.statistics import PRIOR_DEALS, Z95
from cabochon.ratings.strength import ELO_SCALE

_PRIOR_GAMES = 1.0
"""Shared games that every entrant has with an average one, so that all ratings stay finite."""

_STEPS = 200
_ENOUGH = 1e-10

_Array = npt.NDArray[np.float64]


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
    strengths = np.zeros(entrants)
    groups = _grouped(contests)
    for _ in range(_STEPS):
        gradient, information = _derivatives(groups, strengths)
        step = np.linalg.solve(information, gradient)  # positive definite, thanks to the prior
        longest = float(np.abs(step).max())
        strengths = strengths + step * (min(1.0, 1.0 / longest) if longest else 1.0)
        if longest < _ENOUGH:
            break
    elo = ELO_SCALE * (strengths - strengths.mean()) + 0.0  # a report must never say -0.0
    return Ratings(tuple(elo.tolist()), _covariance(contests, groups, strengths))


def expected_share(elo: float, own: int, others: int) -> float:
    """The chance that one of `own` seats wins that are `elo` above the `others`."""
    strength = own * exp(elo / ELO_SCALE)
    return strength / (strength + others)


def elo_of_share(won: float, own: int, others: int) -> float:
    """The difference at which `expected_share` is `won` (which lies strictly between 0 and 1)."""
    return ELO_SCALE * log(won / (1 - won) * others / own)


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


def _chances(seats: _Seats, strengths: _Array) -> dict[int, float]:
    top = max(strengths[entrant] for entrant, _ in seats)
    weights = {entrant: count * exp(strengths[entrant] - top) for entrant, count in seats}
    total = sum(weights.values())
    return {entrant: weight / total for entrant, weight in weights.items()}


def _derivatives(groups: Mapping[_Seats, _Group], strengths: _Array) -> tuple[_Array, _Array]:
    """Gradient of the log-likelihood and the (Fisher) information, the prior included."""
    p_prior = 1 / (1 + np.exp(-strengths))
    gradient = _PRIOR_GAMES * (0.5 - p_prior)
    information = np.diag(_PRIOR_GAMES * p_prior * (1 - p_prior))
    for seats, group in groups.items():
        chances = _chances(seats, strengths)
        for i, p in chances.items():
            gradient[i] += group.won[i] - group.games * p
            for j, q in chances.items():
                information[i, j] += group.games * (p * (i == j) - p * q)
    return gradient, information


def _covariance(
    contests: Sequence[Contest], groups: Mapping[_Seats, _Group], strengths: _Array
) -> tuple[tuple[float, ...], ...]:
    _, information = _derivatives(groups, strengths)
    inverse = np.linalg.inv(information)
    scores = _deal_scores(contests, strengths)
    seen = max(0.0, min(float(information.trace()), len(scores) - 1.0))
    trust = seen / (seen + PRIOR_DEALS)
    correction = trust * len(scores) / max(1, len(scores) - 1)
    middle = correction * (scores.T @ scores) + (1 - trust) * information
    centred = inverse - inverse.mean(axis=1, keepdims=True)
    covariance = ELO_SCALE * ELO_SCALE * (centred.T @ middle @ centred)
    return tuple(tuple(row) for row in covariance.tolist())


def _deal_scores(contests: Sequence[Contest], strengths: _Array) -> _Array:
    """The gradient that each deal adds, one row each; at the best fit they sum to about nothing."""
    deals = {deal: row for row, deal in enumerate(sorted({c.deal for c in contests}))}
    scores = np.zeros((len(deals), len(strengths)))
    for contest in contests:
        chances = _chances(tuple(sorted(contest.seats.items())), strengths)
        for entrant, p in chances.items():
            scores[deals[contest.deal], entrant] += contest.won[entrant] - p
    return scores


_FEWEST_DEALS = 8


class SprtAnswer(StrEnum):
    LOW = "low"
    HIGH = "high"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class DealScore:
    """The first entrant in one deal: its victories, and what they would be on average at each
    of the two hypotheses."""

    won: float
    if_low: float
    if_high: float
    games: int


@dataclass(frozen=True, slots=True)
class TestState:
    """The log-likelihood ratio between its two bounds, and what it says."""

    ratio: float
    bound: float
    verdict: SprtAnswer


def expectation(hypotheses: Hypotheses, own: int, others: int) -> tuple[float, float]:
    """The first entrant's chance of a game with that many seats, at each hypothesis."""
    return (
        expected_share(hypotheses.low, own, others),
        expected_share(hypotheses.high, own, others),
    )


def judge(scores: Sequence[DealScore], hypotheses: Hypotheses) -> TestState:
    """What the deals so far decide."""
    bound = log((1 - hypotheses.error) / hypotheses.error)
    if len(scores) < _FEWEST_DEALS:
        return TestState(0.0, bound, SprtAnswer.OPEN)
    ratio = _log_ratio(scores)
    if ratio >= bound:
        return TestState(ratio, bound, SprtAnswer.HIGH)
    return TestState(ratio, bound, SprtAnswer.LOW if ratio <= -bound else SprtAnswer.OPEN)


def _log_ratio(scores: Sequence[DealScore]) -> float:
    """log P(seen | high) / P(seen | low), both normal with the variance seen."""
    ratio = fsum((s.if_high - s.if_low) * (2 * s.won - s.if_low - s.if_high) / 2 for s in scores)
    return ratio / _variance(scores)


def _variance(scores: Sequence[DealScore]) -> float:
    """Of one deal's victories around their mean; one independent game's worth is mixed in for
    the case that all deals went alike."""
    n = len(scores)
    rate = fsum(s.won for s in scores) / sum(s.games for s in scores)
    middle = fsum((s.if_low + s.if_high) / 2 for s in scores) / sum(s.games for s in scores)
    spread = fsum((s.won - rate * s.games) ** 2 for s in scores)
    return (spread + middle * (1 - middle)) / n
