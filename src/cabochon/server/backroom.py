"""Where long work is done, so that the event loop never waits for it: one thread reads logs back,
another tells long stories. One each, so that however many ask, the loop gets its turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

SHORT = 100
"""Work on fewer events, lines or the like is done at once: about two milliseconds."""


class Backroom:
    """Two threads. What runs there only reads values that nobody changes."""

    def __init__(self) -> None:
        self._folding = ThreadPoolExecutor(1, "fold")
        self._telling = ThreadPoolExecutor(1, "tell")

    async def fold(self, size: float, work: Callable[[], T]) -> T:
        """Make a table out of that many events. Others wait for it, so it comes before stories."""
        return await self._done(self._folding, size, work)

    async def tell(self, size: float, work: Callable[[], T]) -> T:
        """Write something of that size for one reader: a replay, a record, what was missed."""
        return await self._done(self._telling, size, work)

    async def _done(self, pool: ThreadPoolExecutor, size: float, work: Callable[[], T]) -> T:
        if size <= SHORT:
            return work()
        return await asyncio.get_running_loop().run_in_executor(pool, work)

    def close(self) -> None:
        """What waits is not begun; what runs is not waited for."""
        for pool in (self._folding, self._telling):
            pool.shutdown(wait=False, cancel_futures=True)
