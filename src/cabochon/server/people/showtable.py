"""Bots at play: a table that goes on only while somebody watches."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from itertools import cycle
from typing import Protocol

from sqlalchemy import select

from cabochon.play.chairs import Chair, Kind
from cabochon.play.events import Opened, Series
from cabochon.play.options import Options
from cabochon.rules import Ruleset, new_seed
from cabochon.server.problems import ServerRefused
from cabochon.server.secrets import new_table_id
from cabochon.server.storage.schema import tables
from cabochon.server.tables.commanding import OpenedTables
from cabochon.server.tables.live import Live

PREFIX = "show"
"""No other table's id begins so: they have no letter o."""
PAIRS = (("topaz", "corundum"), ("diamond", "quartz"), ("corundum", "diamond"))
PACE_S = 1.5
"""The time between decisions, so that people can follow."""
LOOK_S = 0.25
KEPT = 3
"""How many finished games stay, for those who are still looking at them."""


def is_show(table_id: str) -> bool:
    return table_id.startswith(PREFIX)


class ShownTables(OpenedTables, Protocol):
    """Where bots play among themselves for those who watch."""

    before_alone: Callable[[Live], Awaitable[None]]

    @property
    def stopping(self) -> bool: ...

    @property
    def is_shared(self) -> bool: ...

    async def live(self, table_id: str) -> Live: ...

    def forget(self, table_id: str) -> None: ...


class ShowTable:
    """Of one node."""

    def __init__(self, hub: ShownTables, is_watched: Callable[[], bool]) -> None:
        self._hub = hub
        self._is_watched = is_watched
        self._pairs = cycle(PAIRS)
        self._current: str | None = None
        self._over: list[str] = []
        self._moved = 0.0
        hub.before_alone = self.before_alone

    async def before_alone(self, live: Live) -> None:
        """Bots at a show table wait until somebody looks; other bots don't."""
        if not is_show(live.table.id):
            return
        wait = self._moved + PACE_S - time.monotonic()
        await asyncio.sleep(max(0.0, min(PACE_S, wait)))
        while not self._hub.stopping and not self._is_seen(live):
            await asyncio.sleep(LOOK_S)
        self._moved = time.monotonic()

    def _is_seen(self, live: Live) -> bool:
        return live.watchers > 0 or (live.table.id == self._current and self._is_watched())

    async def live(self) -> Live | None:
        """The table at which bots play now; a new one when the last game is over. None when there
        is no room for it."""
        current = self._current or await self._left_over()
        if current is not None:
            with contextlib.suppress(ServerRefused):
                live = await self._hub.live(current)
                if live.table.ended is None:
                    self._current = current
                    return live
                self._over.append(current)
        await self._forget_old()
        return await self._begin()

    async def _begin(self) -> Live | None:
        table_id, now = PREFIX + new_table_id(), self._hub.clock()
        chairs = tuple(Chair(Kind.BOT, bot=bot) for bot in next(self._pairs))
        options = Options(Ruleset.preset("standard", len(chairs)), listed=False)
        series = Series(table_id, 1, (0,) * len(chairs))
        self._current = table_id
        try:
            return await self._hub.open(table_id, Opened(now, options, chairs, new_seed(), series))
        except ServerRefused:
            self._current = None
            return None

    async def _left_over(self) -> str | None:
        """One that this node's predecessor began."""
        if self._hub.is_shared:
            return None
        query = select(tables.c.id).where(
            tables.c.id.like(f"{PREFIX}%"), tables.c.state == "running"
        )
        async with self._hub.store.engine.connect() as connection:
            return (await connection.execute(query.limit(1))).scalar()

    async def _forget_old(self) -> None:
        gone, self._over = self._over[:-KEPT], self._over[-KEPT:]
        if gone:
            await self._hub.store.remove(gone)
            for table_id in gone:
                self._hub.forget(table_id)
