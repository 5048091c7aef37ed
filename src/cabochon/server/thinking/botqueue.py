"""Whose turn it is to think: places for a few at a time, and some wait until nobody else does."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator


class BotQueue:
    """`places` at a time. Those who come last use all but one of them, and only while nobody else
    is waiting."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._taken = 0
        self._taken_last = 0
        self._first: deque[asyncio.Future[None]] = deque()
        self._last: deque[asyncio.Future[None]] = deque()

    @property
    def places(self) -> int:
        return self._places

    @places.setter
    def places(self, places: int) -> None:
        """Who has a place keeps it."""
        self._places = places
        self._call_up()

    @contextlib.asynccontextmanager
    async def turn(self, last: bool = False, again: bool = False) -> AsyncIterator[None]:
        """`again`: before all others of the same kind, for those who have waited already."""
        await self._come(last, again)
        try:
            yield
        finally:
            self._go(last)

    async def _come(self, last: bool, again: bool) -> None:
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue = self._last if last else self._first
        if again:
            queue.appendleft(waiting)
        else:
            queue.append(waiting)
        self._call_up()
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                self._go(last)
            raise

    def _go(self, last: bool) -> None:
        self._taken -= 1
        self._taken_last -= last
        self._call_up()

    def _call_up(self) -> None:
        for queue, last in ((self._first, False), (self._last, True)):
            while queue and self._has_place(last):
                waiting = queue.popleft()
                if not waiting.done():
                    self._taken += 1
                    self._taken_last += last
                    waiting.set_result(None)

    def _has_place(self, last: bool) -> bool:
        if last and self._taken_last >= max(1, self._places - 1):
            return False
        return self._taken < self._places
