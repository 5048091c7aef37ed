"""What a node does all the time: says that it lives, takes up tables that nobody looks after,
forgets idle ones and removes dead ones."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time

from cabochon.server.database import database_errors, log_failure
from cabochon.server.hub import Hub
from cabochon.server.quotas import is_unplayed
from cabochon.server.retention import purge_finished
from cabochon.server.sharedlimits import forget_counts

log = logging.getLogger("cabochon.upkeep")

BEATS_TO_DEATH = 4
SWEEP_S = 30.0
"""Between two rounds of forgetting and removing."""


class Upkeep:
    """One task a node."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._dead_ms = int(hub.settings.node_dead_s * 1000)
        self._swept = time.monotonic()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        if not self._hub.store.is_shared:
            await self._hub.store.forget_nodes()
        await self._hub.store.beat()
        await self._hub.count_tables()
        self._task = asyncio.create_task(self._run(), name="upkeep")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        try:
            await self._hub.store.retire()
        except database_errors() as error:
            log.warning("this node goes without saying so: %s", type(error).__name__)

    async def _run(self) -> None:
        while True:
            try:
                await self._take_over()
                await self._bury()
                if time.monotonic() - self._swept > SWEEP_S:
                    self._swept = time.monotonic()
                    await self._sweep()
            except Exception as error:
                log_failure(log, "upkeep failed; it goes on", error)
            await asyncio.sleep(self._hub.settings.node_dead_s / BEATS_TO_DEATH)
            with contextlib.suppress(Exception):
                self._hub.readiness.file_trouble()
                await self._hub.store.beat()

    async def _take_over(self) -> None:
        hub = self._hub
        for table_id in await hub.store.abandoned(self._dead_ms, hub.clock()):
            live = await hub.live(table_id)
            if not live.leased:
                live.leased = await hub.store.lease(table_id, self._dead_ms)
                hub.caretaker.take_up(live)

    async def _bury(self) -> None:
        """Whoever was connected to a dead node is not here any more."""
        if self._hub.store.is_shared:
            living = frozenset(await self._hub.store.living(self._dead_ms))
            for live in self._hub.all_live():
                self._hub.presence.node_died(live, living)

    async def _sweep(self) -> None:
        hub = self._hub
        await hub.evict_idle()
        await hub.count_tables()
        now, settings = hub.clock(), hub.settings
        open_before = now - settings.open_table_hours * 3_600_000
        running_before = now - settings.running_table_days * 86_400_000
        for table_id in await hub.store.expire(open_before, running_before):
            hub.forget(table_id)
        if settings.keep_finished_days:
            before = now - settings.keep_finished_days * 86_400_000
            for table_id in await purge_finished(hub.store.engine, before):
                hub.forget(table_id)
        await self._sweep_unplayed()

    async def _sweep_unplayed(self) -> None:
        """Tables that came to nothing make room for others, unless somebody is there."""
        hub, now = self._hub, self._hub.clock()
        before = now - hub.settings.unplayed_minutes * 60_000
        await hub.holdings.see([live.table.id for live in hub.all_live() if live.here], now)
        played: list[str] = []
        gone: list[str] = []
        for table_id, state in await hub.holdings.unseen(before):
            events = await hub.store.events(table_id)
            (gone if is_unplayed(state, events) else played).append(table_id)
        await hub.holdings.played(played)
        await hub.store.remove(gone)
        for table_id in gone:
            hub.forget(table_id)
        await hub.holdings.tidy(before)
        if hub.store.is_shared:
            await forget_counts(hub.store.engine, now)
