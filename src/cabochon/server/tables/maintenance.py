"""What a node does all the time: gives signs of life, takes over tables that nobody looks after,
forgets idle ones and removes dead ones."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Protocol

from cabochon.play.clock import DAY_MS, HOUR_MS
from cabochon.server.access.quotas import is_unplayed
from cabochon.server.access.sharedlimits import forget_counts
from cabochon.server.storage.database import database_errors, log_failure
from cabochon.server.storage.holdings import Holdings
from cabochon.server.storage.retention import purge_finished
from cabochon.server.storage.studies import Studies
from cabochon.server.tables.commanding import StoredTables
from cabochon.server.tables.live import Live
from cabochon.server.tables.readiness import Readiness
from cabochon.server.tasks import BEATS_TO_DEATH, ended

log = logging.getLogger("cabochon.maintenance")

SWEEP_S = 30.0
"""Between two rounds of forgetting and removing."""


class TakesUp(Protocol):
    """Begins to look after a table."""

    def take_up(self, live: Live) -> None: ...


class LosesNodes(Protocol):
    """Knows who is connected to which node."""

    def node_died(self, live: Live, living: frozenset[str]) -> None: ...


class KeptTables(StoredTables, Protocol):
    """The tables of this node, with what must be done for them whether or not anybody asks."""

    @property
    def holdings(self) -> Holdings: ...

    @property
    def studies(self) -> Studies: ...

    @property
    def readiness(self) -> Readiness: ...

    @property
    def scheduler(self) -> TakesUp: ...

    @property
    def presence(self) -> LosesNodes: ...

    async def live(self, table_id: str) -> Live: ...

    def all_live(self) -> list[Live]: ...

    async def evict_idle(self) -> None: ...

    def forget(self, table_id: str) -> None: ...

    async def count_tables(self) -> None: ...


class Maintenance:
    """One task per node."""

    def __init__(self, tables: KeptTables) -> None:
        self._tables = tables
        self._dead_ms = int(tables.settings.node_dead_s * 1000)
        self._swept = time.monotonic()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        if not self._tables.store.is_shared:
            await self._tables.store.forget_nodes()
        await self._tables.store.beat()
        await self._tables.count_tables()
        self._task = asyncio.create_task(self._run(), name="maintenance")

    async def close(self) -> None:
        await ended(self._task)
        try:
            await self._tables.store.retire()
        except database_errors() as error:
            log.warning("this node goes without saying so: %s", type(error).__name__)

    async def _run(self) -> None:
        while True:
            try:
                await self._take_over()
                await self._drop_dead_nodes()
                if time.monotonic() - self._swept > SWEEP_S:
                    self._swept = time.monotonic()
                    await self._sweep()
            except Exception as error:
                log_failure(log, "maintenance failed; it goes on", error)
            await asyncio.sleep(self._tables.settings.node_dead_s / BEATS_TO_DEATH)
            with contextlib.suppress(Exception):
                self._tables.readiness.file_trouble()
                await self._tables.store.beat()

    async def _take_over(self) -> None:
        tables = self._tables
        for table_id in await tables.store.abandoned(self._dead_ms, tables.clock()):
            live = await tables.live(table_id)
            if not live.leased:
                live.leased = await tables.store.lease(table_id, self._dead_ms)
                tables.scheduler.take_up(live)

    async def _drop_dead_nodes(self) -> None:
        """People who were connected to a dead node are no longer here."""
        if self._tables.store.is_shared:
            living = frozenset(await self._tables.store.living(self._dead_ms))
            for live in self._tables.all_live():
                self._tables.presence.node_died(live, living)

    async def _sweep(self) -> None:
        tables = self._tables
        await tables.evict_idle()
        await tables.count_tables()
        now, settings = tables.clock(), tables.settings
        open_before = now - settings.open_table_hours * HOUR_MS
        running_before = now - settings.running_table_days * DAY_MS
        for table_id in await tables.store.expire(open_before, running_before):
            tables.forget(table_id)
        if settings.keep_finished_days:
            before = now - settings.keep_finished_days * DAY_MS
            for table_id in await purge_finished(tables.store.engine, before):
                tables.forget(table_id)
        if settings.keep_studies_days:
            await tables.studies.purge(now - settings.keep_studies_days * DAY_MS)
        await self._sweep_unplayed()

    async def _sweep_unplayed(self) -> None:
        """Tables that came to nothing make room for others, unless somebody is there."""
        tables, now = self._tables, self._tables.clock()
        before = now - tables.settings.unplayed_minutes * 60_000
        await tables.holdings.see([live.table.id for live in tables.all_live() if live.here], now)
        played: list[str] = []
        gone: list[str] = []
        for table_id, state in await tables.holdings.unseen(before):
            events = await tables.store.events(table_id)
            (gone if is_unplayed(state, events) else played).append(table_id)
        await tables.holdings.played(played)
        await tables.store.remove(gone)
        for table_id in gone:
            tables.forget(table_id)
        await tables.holdings.tidy(before)
        if tables.store.is_shared:
            await forget_counts(tables.store.engine, now)
