"""Housekeeping for people's data: removes unused sessions and old attempts, forgets names that are
still to be forgotten, brings along games that are still to be brought along."""

from __future__ import annotations

import asyncio
import logging

from cabochon.server.people.bringing import bring_the_rest
from cabochon.server.people.erasing import forget_names
from cabochon.server.storage.database import repeat
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.tables.commanding import StoredTables
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.people")

EVERY_S = 60.0


class PeopleHousekeeping:
    """One task per node."""

    def __init__(self, hub: StoredTables, aside: SideWriter) -> None:
        self._hub = hub
        self._aside = aside
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        work = repeat(self.look, EVERY_S, log, "people are not looked after just now")
        self._task = asyncio.create_task(work, name="people")

    async def close(self) -> None:
        await ended(self._task)

    async def look(self) -> None:
        """Everything once."""
        store, now = self._hub.store, self._hub.clock()
        await bring_the_rest(store, self._aside, now)
        await forget_names(store, now)
        await store.sessions.tidy(now)
        await store.ways.tidy(now)
        await store.guesses.tidy(now)
