"""How late the event loop is: the one number that says whether anything holds it up."""

from __future__ import annotations

import asyncio

from cabochon.server import metrics
from cabochon.server.tasks import ended

EVERY_S = 0.25


class LoopLag:
    """Sleeps, and notes how long after its time it was woken."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="loop lag")

    async def close(self) -> None:
        await ended(self._task)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + EVERY_S
            await asyncio.sleep(EVERY_S)
            metrics.LOOP_LAG_SECONDS.observe(max(0.0, loop.time() - due))
