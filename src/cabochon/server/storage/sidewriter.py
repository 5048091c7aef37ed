"""Writing what can be done again, beside the moves: short transactions that keep nobody waiting.

As in `transactions`, each is run in a thread from its first statement to its commit; here on a
connection that does not wait for the disk either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.server.storage.database import is_sqlite, prepare_sqlite
from cabochon.server.storage.transactions import turn_of

T = TypeVar("T")

HASTY = ("synchronous=NORMAL", "wal_autocheckpoint=0")
"""After a crash of the machine the last of it may be missing, and nothing is broken."""


class SideWriter:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._apart: Engine | None = None
        self._thread = ThreadPoolExecutor(1, "aside")
        if is_sqlite(engine.url):
            self._apart = create_engine(engine.url.set(drivername="sqlite"), hide_parameters=True)
            prepare_sqlite(self._apart, HASTY)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do the work in a transaction. Raises what it raises."""
        apart = self._apart
        if apart is None:
            async with self._engine.begin() as connection:
                return await connection.run_sync(work)

        def in_thread() -> T:
            with turn_of(self._engine), apart.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, in_thread)

    async def close(self) -> None:
        """What is under way is finished first."""
        await asyncio.get_running_loop().run_in_executor(self._thread, lambda: None)
        self._thread.shutdown()
        if self._apart is not None:
            self._apart.dispose()
