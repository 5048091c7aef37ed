"""How sure a score is. The games of one deal hang together (the same cards, the seats turned), so
a deal, not a game, is what is drawn by chance: all errors here are computed over deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

Z95 = 1.959963984540054
"""Half the width of a 95 % interval, in standard errors."""

PRIOR_DEALS = 2
"""Deals' worth of belief that the games of a deal do not hang together, so that a short match in
which all deals happen to go alike does not look certain."""


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Tally:
    """One entrant's results in one deal: what it won, the games, and the part of the victories
    that equal players would have had."""

    won: float = 0.0
    games: int = 0
    equal: float = 0.0

    def plus(self, won: float, equal: float) -> Tally:
        return Tally(self.won + won, self.games + 1, self.equal + equal)


def share(tallies: Sequence[Tally]) -> float:
    """The part of all victories that was won."""
    games = sum(tally.games for tally in tallies)
    return fsum(tally.won for tally in tallies) / games if games else 0.0


def share_interval(tallies: Sequence[Tally]) -> Interval:
    """Wilson's 95 % interval, with the number of independent games that the spread over deals
    is worth in place of the number of games."""
    games = sum(tally.games for tally in tallies)
    if games == 0:
        return Interval(0.0, 1.0)
    return wilson(share(tallies), games / design_effect(tallies))


def design_effect(tallies: Sequence[Tally]) -> float:
    """The variance of a deal's score against what as many independent games would have: below 1
    where turning the seats cancels luck."""
    p = share(tallies)
    binomial = p * (1 - p)
    deals = sum(1 for tally in tallies if tally.games)
    games = sum(tally.games for tally in tallies)
    if binomial == 0 or deals == 0:
        return 1.0
    spread = fsum((tally.won - p * tally.games) ** 2 for tally in tallies)
    expected = binomial * games / deals
    return (spread + PRIOR_DEALS * expected) / ((deals - 1 + PRIOR_DEALS) * expected)


def wilson(p: float, games: float) -> Interval:
    """The 95 % interval of a chance of which the part `p` of `games` trials was seen."""
    z2 = Z95 * Z95
    centre = (p + z2 / (2 * games)) / (1 + z2 / games)
    half = Z95 * sqrt(p * (1 - p) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error (0 when there are fewer than two values)."""
    n = len(values)
    mean = fsum(values) / n
    if n < 2:
        return mean, 0.0
    variance = fsum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, sqrt(variance / n)
