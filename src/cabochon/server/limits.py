"""How fast is too fast: token buckets, one an address or a token."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

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

    def take(self, amount: float = 1.0) -> float:
        """0 when it is allowed, else after how many seconds it would be."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left >= amount:
            self._left -= amount
            return 0.0
        return (amount - self._left) / self._rate


class Buckets:
    """A bucket for everybody; those not seen for longest are forgotten first."""

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._kept: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str, amount: float = 1.0) -> float:
        bucket = self._kept.get(who)
        if bucket is None:
            bucket = Bucket(self._rate, self._burst, self._clock)
            self._kept[who] = bucket
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(who)
        return bucket.take(amount)
