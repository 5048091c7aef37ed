"""Rated games as those see them who only watch: a little late, so that nobody helps a player."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

import orjson

from cabochon.play.events import TableEvent
from cabochon.play.messaging import snapshot
from cabochon.play.table import Table
from cabochon.server.settings import Settings
from cabochon.server.storage.database import log_failure
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables.live import Live, Subscriber
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.late")

TICK_S = 0.5
UNUSED_MS = 60_000


class TimelyTables(Protocol):
    """The tables as they are now."""

    @property
    def store(self) -> SqlStore: ...

    @property
    def settings(self) -> Settings: ...

    @property
    def clock(self) -> Callable[[], int]: ...

    async def live(self, table_id: str) -> Live: ...


class _LateTable:
    """What watchers see, and what they will see next."""

    def __init__(self, live: Live, coming: list[TableEvent]) -> None:
        self.live = live
        self.coming = coming

    @property
    def heard(self) -> int:
        """The last event that is known here, told or not."""
        return self.live.table.seq + len(self.coming)


class LateTables:
    """Of one node. A game that is over is late for nobody."""

    def __init__(self, tables: TimelyTables) -> None:
        self._tables = tables
        self._late: dict[str, _LateTable] = {}
        self._loading = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def delay_ms(self) -> int:
        return self._tables.settings.watch_delay_s * 1000

    def applies(self, table: Table, seats: tuple[int, ...] = ()) -> bool:
        """Whether somebody with these seats sees the table late."""
        return table.options.rated and not seats and table.ended is None and self.delay_ms > 0

    async def table(self, live: Live, seats: tuple[int, ...] = ()) -> Table:
        """The table as somebody with these seats may see it now."""
        if not self.applies(live.table, seats):
            return live.table
        return (await self._of(live)).live.table

    async def connect(self, live: Live, subscriber: Subscriber) -> Live:
        """Tell a watcher everything that is old enough, now and later. Gives what to hand to
        `disconnect`."""
        late = (await self._of(live)).live
        now = self._tables.clock() - self.delay_ms
        subscriber.push(orjson.dumps(snapshot(late.table, subscriber.audience, live.here, now)))
        late.add(subscriber)
        return late

    def disconnect(self, late: Live, subscriber: Subscriber) -> None:
        late.remove(subscriber)
        late.used = self._tables.clock()

    def watchers(self, table_id: str) -> int:
        found = self._late.get(table_id)
        return 0 if found is None else found.live.watchers

    async def _of(self, live: Live) -> _LateTable:
        async with self._loading:
            found = self._late.get(live.table.id)
            if found is None:
                events = await self._tables.store.events(live.table.id)
                old = self._old_enough(events, live.table.ended is not None)
                table = Table.of(live.table.id, events[: max(1, old)])
                late = Live(table, self._tables.clock())
                found = self._late[table.id] = _LateTable(late, events[max(1, old) :])
        found.live.used = self._tables.clock()
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="late tables")
        return found

    def _old_enough(self, events: list[TableEvent], over: bool) -> int:
        """How many of these may be told."""
        if over:
            return len(events)
        until = self._tables.clock() - self.delay_ms
        return next((n for n, event in enumerate(events) if event.at > until), len(events))

    # Time goes by

    async def _run(self) -> None:
        while self._late:
            await asyncio.sleep(TICK_S)
            for table_id, late in list(self._late.items()):
                try:
                    await self._go_on(table_id, late)
                except Exception as error:
                    log_failure(log, "watchers were not told; it goes on", error)
        self._task = None

    async def _go_on(self, table_id: str, late: _LateTable) -> None:
        if not late.live.watchers and self._tables.clock() - late.live.used > UNUSED_MS:
            del self._late[table_id]
            return
        source = await self._tables.live(table_id)
        if source.table.seq > late.heard:
            late.coming += await self._tables.store.events(table_id, late.heard)
        late.live.here = source.here
        due = self._old_enough(late.coming, source.table.ended is not None)
        if due:
            told, late.coming = late.coming[:due], late.coming[due:]
            late.live.advance(told, self._tables.clock() - self.delay_ms)

    def send_off(self, why: str) -> None:
        for late in self._late.values():
            late.live.close_all(why)

    async def close(self) -> None:
        await ended(self._task)
