"""Looking for garbage in small pieces. What ends is nearly always freed at once, by counting; only
cycles have to be looked for, and Python's own way of doing that stops everything for a fifth of a
second once there are a few hundred tables.

Here the youngest objects are looked at a few times a second, which takes a few milliseconds, and
those still in use are set aside and not looked at again. Now and then, all that was set aside is.
"""

from __future__ import annotations

import asyncio
import gc

EVERY_S = 0.25
FEWEST = 20_000
"""With fewer new objects than that it isn't worth a look."""
ALL_EVERY_S = 120.0
"""So often everything is looked at, if enough has come since to make it worth while."""
FEWEST_FOR_ALL = 100_000
AUTOMATIC = (200_000, 50, 100)
"""When Python looks by itself, should nobody sweep."""


class Sweeper:
    """Of one process."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None
        self._last = 0.0
        self._set_aside = 0

    def start(self) -> None:
        gc.freeze()
        self._last = asyncio.get_running_loop().time()
        self._again()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            gc.unfreeze()

    def _again(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(EVERY_S, self._tick)

    def _tick(self) -> None:
        self.sweep(asyncio.get_running_loop().time())
        self._again()

    def sweep(self, now: float) -> None:
        """Look at what is new, or at everything, if it is time."""
        young = gc.get_count()[0]
        if young < FEWEST:
            return
        self._set_aside += young
        if now - self._last > ALL_EVERY_S and self._set_aside >= FEWEST_FOR_ALL:
            gc.unfreeze()
            gc.collect()
            self._last, self._set_aside = now, 0
        else:
            gc.collect(0)
        gc.freeze()
