"""Looking for garbage in small pieces. What ends is nearly always freed at once, by counting; only
cycles have to be looked for, and Python's own way of doing that stops everything for a fifth of a
second once there are a few hundred tables.

Here the youngest objects are looked at a few times a second, which takes a few milliseconds, and
those still in use are set aside and not looked at again. Now and then, all that was set aside is.

What is freed lies scattered between what isn't, and the C library keeps it: a rush, such as
everybody coming back after a cut, would leave the process as large as it was then. So once a minute
the system is given back what is free (a millisecond or two), and threads share what they have.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys

EVERY_S = 0.25
FEWEST = 4_000
"""With fewer new objects than that it isn't worth a look. A look at so many takes up to ten
milliseconds."""
ALL_EVERY_S = 120.0
"""How often everything is looked at, if enough has come since to make it worthwhile."""
FEWEST_FOR_ALL = 100_000
AUTOMATIC = (200_000, 50, 100)
"""When Python looks by itself, should nobody sweep."""
SWITCH_S = 0.001
"""How long the event loop may keep the thread that writes to the disk waiting for its turn."""
GIVEN_BACK_EVERY_S = 60.0
POOLS = 2
"""Of free memory, however many threads there are; left alone, each thread would have its own."""
_ARENA_MAX = -8
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def prepare_process() -> None:
    """For a process that serves, before it has threads. Only glibc has several pools of memory."""
    sys.setswitchinterval(SWITCH_S)
    gc.set_threshold(*AUTOMATIC)
    set_option = getattr(_LIBC, "mallopt", None)
    if set_option is not None:
        set_option(_ARENA_MAX, POOLS)


def give_back() -> None:
    """Let the system have whole pages that are free, wherever they lie. Only glibc needs it."""
    trim = getattr(_LIBC, "malloc_trim", None)
    if trim is not None:
        trim(0)


class Sweeper:
    """Of one process."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None
        self._last = 0.0
        self._given_back = 0.0
        self._set_aside = 0

    def start(self) -> None:
        gc.freeze()
        self._last = self._given_back = asyncio.get_running_loop().time()
        self._again()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            gc.unfreeze()

    def _again(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(EVERY_S, self._tick)

    def _tick(self) -> None:
        now = asyncio.get_running_loop().time()
        self.sweep(now)
        if now - self._given_back > GIVEN_BACK_EVERY_S:
            self._given_back = now
            give_back()
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
