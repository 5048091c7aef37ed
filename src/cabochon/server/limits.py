"""How fast is too fast: token buckets, one an address or a token."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from heapq import nlargest
from operator import itemgetter

MOST_KEPT = 20_000


class Bucket:
    """Allows `rate` a second in the long run and `burst` at once."""

    __slots__ = ("_burst", "_clock", "_left", "_rate", "_then")

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = burst
        self._then = clock()

    @property
    def left(self) -> float:
        return self._left

    @left.setter
    def left(self, left: float) -> None:
        self._left = min(self._burst, left)

    def take(self, amount: float = 1.0) -> float:
        """0 when it is allowed, else after how many seconds it would be."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left >= amount:
            self._left -= amount
            return 0.0
        return (amount - self._left) / self._rate


class Pace:
    """As a bucket, but it puts off instead of refusing: everybody has a moment of their own, `rate`
    of them a second, and the first `burst` come at once."""

    __slots__ = ("_burst_s", "_clock", "_due", "_step_s")

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._step_s = 1 / rate
        self._burst_s = burst / rate
        self._clock = clock
        self._due = clock() - self._burst_s

    @property
    def ahead_s(self) -> float:
        """How long the next one would have to wait."""
        return max(0.0, self._due + self._step_s - self._clock())

    def reserve(self, most_s: float = math.inf) -> float:
        """Take the next moment; gives the seconds until it comes. Nobody waits for longer than
        `most_s`, however many there are: then several share a moment."""
        now = self._clock()
        self._due = min(max(self._due, now - self._burst_s) + self._step_s, now + most_s)
        return max(0.0, self._due - now)


class Brakes:
    """Slows down those in a hurry, each on their own and by `most_s` at most, and refuses nobody;
    those not seen for longest are forgotten first."""

    def __init__(
        self,
        rate: float,
        burst: float,
        most_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._new = partial(Pace, rate, burst, clock)
        self._most_s = most_s
        self._kept: OrderedDict[str, Pace] = OrderedDict()

    def delay(self, who: str) -> float:
        """For how many seconds to put them off."""
        pace = self._kept.setdefault(who, self._new())
        self._kept.move_to_end(who)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return pace.reserve(self._most_s)


class Buckets:
    """A bucket for everybody; those not seen for longest are forgotten first.

    `shared` buckets also note what was taken, so that other processes can be told.
    """

    def __init__(
        self,
        rate: float,
        burst: float,
        clock: Callable[[], float] = time.monotonic,
        shared: bool = False,
    ) -> None:
        self.rate = rate
        self.burst = burst
        self.shared = shared
        self._clock = clock
        self._kept: OrderedDict[str, Bucket] = OrderedDict()
        self._spent: dict[str, float] = {}

    def take(self, who: str, amount: float = 1.0) -> float:
        bucket = self._kept.get(who)
        if bucket is None:
            bucket = Bucket(self.rate, self.burst, self._clock)
            self._kept[who] = bucket
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(who)
        wait = bucket.take(amount)
        if self.shared and not wait and (who in self._spent or len(self._spent) < MOST_KEPT):
            self._spent[who] = self._spent.get(who, 0.0) + amount
        return wait

    # For other processes

    def spent(self, most: int) -> dict[str, float]:
        """What was taken since it was last asked, at most so many: the most used first."""
        if len(self._spent) <= most:
            told, self._spent = self._spent, {}
            return told
        told = dict(nlargest(most, self._spent.items(), key=itemgetter(1)))
        self._spent = {who: spent for who, spent in self._spent.items() if who not in told}
        return told

    def heard(self, who: str, level: float) -> None:
        """How full the bucket is by what all processes have said."""
        bucket = self._kept.get(who)
        if bucket is not None:
            bucket.left = self.burst - level - self._spent.get(who, 0.0)
