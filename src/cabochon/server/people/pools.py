"""The pools that people wait in for a game with somebody else."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.pairing import PATIENCE, UNHURRIED, Patience
from cabochon.play.clock import Clock, Days, Increment
from cabochon.play.options import AtZero, Options
from cabochon.rules import Ruleset

GRACE_S = 60
TAKEN_MS = 10_000
"""A table that isn't there after this time never will be: its node died."""


@dataclass(frozen=True, slots=True)
class Pool:
    """One kind of game with one kind of clock."""

    id: str
    seats: int
    clock: Clock

    @property
    def ruleset(self) -> Ruleset:
        return Ruleset.preset("standard", self.seats)

    @property
    def is_live(self) -> bool:
        """Whether everybody must be there: who plays by the day may go away and wait."""
        return not isinstance(self.clock, Days)

    @property
    def patience(self) -> Patience:
        return PATIENCE if self.is_live else UNHURRIED

    def options(self, rated: bool) -> Options:
        """How its games are played."""
        options = Options(self.ruleset, self.clock, at_zero=AtZero.LOSE, grace_s=GRACE_S)
        return options.as_rated() if rated else options


def _minutes(base: int, increment: int) -> Increment:
    return Increment(base * 60_000, increment * 1000)


POOLS = {
    pool.id: pool
    for pool in (
        Pool("two-5-3", 2, _minutes(5, 3)),
        Pool("two-10-5", 2, _minutes(10, 5)),
        Pool("three-15-5", 3, _minutes(15, 5)),
        Pool("four-15-5", 4, _minutes(15, 5)),
        Pool("two-day", 2, Days(1)),
    )
}
LIVE_POOLS = frozenset(pool.id for pool in POOLS.values() if pool.is_live)
