"""Group commit: whatever waits to be kept is kept together, so that one sync serves many moves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError

from cabochon.play.store import Append, Conflict
from cabochon.server import metrics
from cabochon.server.ledger import Ledger

MOST_TOGETHER = 500
GATHER_S = 0.004
"""A pause after each commit. A move that comes alone does not notice it; moves that come thick and
fast share a commit, and the processor has that much more time for them."""


@dataclass(slots=True)
class _Waiting:
    appends: Sequence[Append]
    done: asyncio.Future[None]


class Writer:
    """One task that writes; everybody else waits for it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._waiting: list[_Waiting] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="writer")

    async def close(self) -> None:
        """Keep what waits, then stop."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await self._ledger.close()

    async def append(self, appends: Sequence[Append]) -> None:
        """Durable when this returns. Raises Conflict, and whatever the database raises."""
        waiting = _Waiting(appends, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._wake.set()
        await waiting.done

    async def _run(self) -> None:
        while not (self._closing and not self._waiting):
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch = self._waiting[:MOST_TOGETHER]
                del self._waiting[:MOST_TOGETHER]
                await self._keep(batch)
                if not self._closing:
                    await asyncio.sleep(GATHER_S)

    async def _keep(self, batch: list[_Waiting]) -> None:
        metrics.COMMIT_SIZE.observe(len(batch))
        try:
            with metrics.COMMIT_SECONDS.time():
                await self._ledger.write([a for waiting in batch for a in waiting.appends])
        except IntegrityError:
            if len(batch) == 1:
                _fail(batch[0], Conflict())
                return
            for waiting in batch:
                await self._keep([waiting])
        except Exception as error:
            for waiting in batch:
                _fail(waiting, error)
        else:
            for waiting in batch:
                if not waiting.done.done():
                    waiting.done.set_result(None)


def _fail(waiting: _Waiting, error: Exception) -> None:
    if not waiting.done.done():
        waiting.done.set_exception(error)
