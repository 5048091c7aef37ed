"""The server's time: what the wall clock said at the start, and from there on a clock that nobody
can set. Players' time is measured with it, so a jump of the machine's clock costs nobody a game."""

from __future__ import annotations

import time

MS = 1_000_000


class SteadyClock:
    """Call it for milliseconds since 1970. `at_least` is the last time that was ever told: a
    machine that comes back with its clock set wrong does not lead back before it."""

    def __init__(self, at_least: int = 0) -> None:
        started = max(time.time_ns() // MS, at_least)
        self._zero = started - time.monotonic_ns() // MS

    def __call__(self) -> int:
        return self._zero + time.monotonic_ns() // MS
