"""A test that may stop as soon as it knows: Wald's, on deals.

The first entrant is either `low` or `high` Elo above the others. Each deal gives the part of the
victories it won over all rotations; of the sum of these the normal likelihood ratio is taken with
the variance that is seen (the generalised test that chess engines use on pairs of games; here the
"pair" is the deal with all its rotations, so it serves any number of players).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum, log

from cabochon.arena.elo import expected_share
from cabochon.arena.match import Hypotheses

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
