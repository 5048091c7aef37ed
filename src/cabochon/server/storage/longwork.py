"""Where long work is done, so that the event loop never waits for it: one thread reads logs back,
another tells long stories. One each, so that however many ask, the loop gets its turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

LONG_S = 0.02
REST = 2.0
"""After long work a thread rests for this many times as long. Threads of one process take the
interpreter from one another: however many long stories are asked for, two thirds of it are left to
those who play."""
MOST_REST_S = 0.5
SHORT = 100
"""Work on fewer events, lines or the like is done at once: about two milliseconds."""


class LongWork:
    """Two threads. What runs there only reads values that nobody changes."""

    def __init__(self) -> None:
        self._folding = _Worker("fold")
        self._telling = _Worker("tell")

    async def fold(self, size: float, work: Callable[[], T]) -> T:
        """Make a table out of that many events. Others wait for it, so it comes before stories."""
        return work() if size <= SHORT else await self._folding.done(work)

    async def tell(self, size: float, work: Callable[[], T]) -> T:
        """Write something of that size for one reader: a replay, a record, what was missed."""
        return work() if size <= SHORT else await self._telling.done(work)

    def close(self) -> None:
        """What waits is not begun; what runs is not waited for."""
        for worker in (self._folding, self._telling):
            worker.close()


class _Worker:
    """One thread, which rests before the next piece of work when the last one took long."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, name)
        self._rests_until = 0.0

    async def done(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._rested, work)

    def _rested(self, work: Callable[[], T]) -> T:
        time.sleep(max(0.0, self._rests_until - time.monotonic()))
        began = time.thread_time()
        try:
            return work()
        finally:
            busy = time.thread_time() - began
            if busy > LONG_S:
                self._rests_until = time.monotonic() + min(MOST_REST_S, REST * busy)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
