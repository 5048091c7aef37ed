"""Packs games that have been over for a while: they take a tenth of the room, and everything that
links to them goes on working."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from sqlalchemy import Select

from cabochon.play.clock import HOUR_MS
from cabochon.server.storage.database import repeat
from cabochon.server.storage.gamelogs import (
    SETTLES_MS,
    pack_games,
    packable,
    removable,
    remove_rows,
)
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.tables.commanding import StoredTables
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.packer")

POLL_S = 30.0
TOGETHER = 20
"""Games in one transaction: a move that comes meanwhile waits a few milliseconds at most."""


class Packer:
    """One task per node; they don't get in one another's way."""

    def __init__(self, tables: StoredTables, aside: SideWriter) -> None:
        self._tables = tables
        self._aside = aside
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._tables.settings.pack_finished_hours:
            work = repeat(self._all_due, POLL_S, log, "finished games wait to be packed")
            self._task = asyncio.create_task(work, name="packer")

    async def close(self) -> None:
        await ended(self._task)

    async def _all_due(self) -> None:
        while await self.pack_some() + await self.remove_some():
            await asyncio.sleep(0.05)

    async def pack_some(self) -> int:
        """Pack some of the games that are due; how many. Their rows are still there."""
        now = self._tables.clock()
        before = now - self._tables.settings.pack_finished_hours * HOUR_MS
        ids = await self._found(packable(before, TOGETHER))
        return await self._aside.write(partial(pack_games, ids=ids, now=now)) if ids else 0

    async def remove_some(self) -> int:
        """Remove the rows of some games that were packed a while ago; of how many games."""
        before = self._tables.clock() - SETTLES_MS
        ids = await self._found(removable(before, TOGETHER))
        work = partial(remove_rows, ids=ids, made_before_ms=before)
        return await self._aside.write(work) if ids else 0

    async def _found(self, query: Select[tuple[str]]) -> list[str]:
        async with self._tables.store.engine.connect() as connection:
            return [row.id for row in await connection.execute(query)]
