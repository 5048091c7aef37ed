"""Housekeeping for people's data: removes unused sessions and old attempts, forgets names that are
still to be forgotten, brings along games that are still to be brought along."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from cabochon.server.people.bringing import bring_the_rest
from cabochon.server.people.erasing import forget_names
from cabochon.server.storage.database import log_failure
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.people")

EVERY_S = 60.0


class HousekeptPeople(Protocol):
    """What the housekeeping needs."""

    @property
    def store(self) -> SqlStore: ...

    @property
    def clock(self) -> Callable[[], int]: ...


class PeopleHousekeeping:
    """One task per node."""

    def __init__(self, hub: HousekeptPeople, aside: SideWriter) -> None:
        self._hub = hub
        self._aside = aside
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="people")

    async def close(self) -> None:
        await ended(self._task)

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except Exception as error:
                log_failure(log, "people are not looked after just now", error)
            await asyncio.sleep(EVERY_S)

    async def look(self) -> None:
        """Everything once."""
        store, now = self._hub.store, self._hub.clock()
        await bring_the_rest(store, self._aside, now)
        await forget_names(store, now)
        await store.sessions.tidy(now)
        await store.ways.tidy(now)
        await store.guesses.tidy(now)
