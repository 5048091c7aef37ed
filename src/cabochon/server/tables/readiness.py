"""Whether this node can store anything: the database is there, is the same one, has room, and takes
a write."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from pathlib import Path

from cabochon.server.storage.database import file_of
from cabochon.server.storage.sqlstore import SqlStore

log = logging.getLogger("cabochon.readiness")

PROBE_S = 1.0
"""However often anybody asks, the database is tried at most once in this time."""
PATIENCE_S = 10.0
LEAST_FREE = 4 * 2**20
"""Bytes. With less on the disk a commit may fail at any moment."""


class Readiness:
    """Of one node."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._path = file_of(store.engine.url)
        self._identity = None if self._path is None else _identity(self._path)
        self._began = 0.0
        self._probe: asyncio.Task[str | None] | None = None
        self.is_lost = False
        """The database file is gone or another one: what is written now, nobody will read."""

    async def trouble(self, patience: float = PATIENCE_S) -> str | None:
        """Why the node is not ready, if it is not."""
        if self._probe is None or (self._probe.done() and self._is_old):
            self._began = time.monotonic()
            self._probe = asyncio.create_task(self._look(), name="readiness")
        try:
            async with asyncio.timeout(patience):
                return await asyncio.shield(self._probe)
        except TimeoutError:
            return "the database does not answer"

    @property
    def _is_old(self) -> bool:
        return time.monotonic() - self._began > PROBE_S

    async def _look(self) -> str | None:
        trouble = self.file_trouble()
        if trouble is None:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._store.ping()
            except Exception as error:
                log.warning("the database takes no writes: %s", type(error).__name__)
                trouble = "the database takes no writes"
        return trouble

    def file_trouble(self) -> str | None:
        """As `trouble`, as far as can be seen without asking the database."""
        if self._path is None:
            return None
        self.is_lost = _identity(self._path) != self._identity
        if self.is_lost:
            log.error("the database file was removed or replaced while it was served")
            return "the database file was removed or replaced"
        if not has_room(self._path):
            return "the disk is full"
        return None


def has_room(path: Path) -> bool:
    """Whether the disk with that file has room for more."""
    return _free_bytes(path.parent) >= LEAST_FREE


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _free_bytes(folder: Path) -> int:
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize
