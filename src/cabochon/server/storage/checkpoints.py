"""When SQLite's write-ahead log goes into the database file: beside the commits, not within them.

Left to itself, SQLite copies the log within the commit that made it long, and syncs two files
while everybody waits. Here a second thread copies once a second what has been committed, which
stops nobody; a commit has only the rest to do, when the log is to begin anew from its start. It is
then written over in place, and syncing a file that does not grow waits for no other file's data.

The connection that commits keeps the pages it has written, of games long over too, until its cache
is full. Now and then it lets them all go: those still needed are read from the system's own cache.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from cabochon.server.storage.database import BUSY_MS

log = logging.getLogger("cabochon.checkpoints")

EVERY_S = 1.0
MOST_PAGES = 4000
"""A log of this many pages of 4 KiB is started afresh."""
RESTART_MS = 100
"""It waits for readers of an older state of the file, such as another program: not for long,
because nobody can write meanwhile."""
LET_GO_EVERY_S = 60.0


class Checkpoints:
    """Of one database, for the one connection that commits moves."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "checkpoint")
        self._connection: Connection | None = None
        self._last = self._let_go = time.monotonic()
        self._copying: asyncio.Future[None] | None = None
        self._long = False

    def take_charge(self, committing: Connection) -> None:
        """That connection no longer copies by itself."""
        committing.exec_driver_sql("PRAGMA wal_autocheckpoint=0")
        committing.rollback()

    def tend(self) -> None:
        """Copy beside the commits, if it is time. Called on the event loop after each."""
        if self._copying is None and time.monotonic() - self._last > EVERY_S:
            loop = asyncio.get_running_loop()
            self._copying = loop.run_in_executor(self._thread, self._copy)
            self._copying.add_done_callback(self._copied)

    def _copy(self) -> None:
        if self._connection is None:
            self._connection = self._engine.connect()
        _, pages, _ = _checkpoint(self._connection, "PASSIVE")
        self._long = pages > MOST_PAGES

    def _copied(self, done: asyncio.Future[None]) -> None:
        self._copying, self._last = None, time.monotonic()
        if not done.cancelled() and done.exception() is not None:
            log.warning("the write-ahead log was not copied; it is tried again")

    def after_commit(self, committing: Connection) -> None:
        """Let a long log begin anew, and pages go. Called in the thread that commits, between two
        commits."""
        if time.monotonic() - self._let_go > LET_GO_EVERY_S:
            self._let_go = time.monotonic()
            committing.exec_driver_sql("PRAGMA shrink_memory")
            committing.rollback()
        if self._long:
            self._long = False
            try:
                _set_patience(committing, RESTART_MS)
                _checkpoint(committing, "RESTART")
            except SQLAlchemyError:
                log.warning("the write-ahead log stays long; it is tried again")
            finally:
                _set_patience(committing, BUSY_MS)

    async def close(self) -> None:
        if self._copying is not None:
            await asyncio.wait([self._copying])
        if self._connection is not None:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown()


def _set_patience(connection: Connection, milliseconds: int) -> None:
    connection.exec_driver_sql(f"PRAGMA busy_timeout={milliseconds}")
    connection.rollback()


def _checkpoint(connection: Connection, how: str) -> tuple[int, int, int]:
    """Whether something was in the way, the pages in the log, and how many of them are copied."""
    busy, pages, copied = connection.exec_driver_sql(f"PRAGMA wal_checkpoint({how})").one()
    connection.rollback()
    return busy, pages, copied
