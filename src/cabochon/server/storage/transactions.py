"""Writing to the database, a whole transaction at a time; and reading what is asked often.

SQLite has one writer at a time. A transaction that goes back to the event loop between its
statements, or before its commit, keeps the moves out for as long as the loop takes to come round
again: on a busy machine a tenth of a second for each statement. So for SQLite a transaction is run
in a thread, from its first statement to its commit, and whoever writes in this process takes turns
(`turn_of`) instead of asking again and again whether the file is free.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, Row, Select, create_engine, event
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql.dml import UpdateBase

from cabochon.server.storage.database import is_sqlite, prepare_sqlite

T = TypeVar("T")
GivenRows = Mapping[str, Any] | Sequence[Mapping[str, Any]]


async def in_transaction(
    engine: AsyncEngine, work: Callable[[AsyncConnection], Coroutine[Any, Any, T]]
) -> T:
    """What the work gives, once it is committed; nothing of it is kept if it raises. It may wait
    for its connection and for nothing else."""
    if not is_sqlite(engine.url):
        async with engine.begin() as connection:
            return await work(connection)
    return await _writes_of(engine).do(work)


async def change_rows(
    engine: AsyncEngine, statement: UpdateBase, rows: GivenRows | None = None
) -> int:
    """One statement, in a transaction of its own: how many rows it has changed."""

    async def change(connection: AsyncConnection) -> int:
        return (await connection.execute(statement, rows)).rowcount

    return await in_transaction(engine, change)


async def quick_rows(
    engine: AsyncEngine, statement: Select[Any], values: Mapping[str, Any]
) -> Sequence[Row[Any]]:
    """What is found by a statement that looks at a few rows. On SQLite a thread does that in one
    go; the driver would go to one and come back for every step."""
    if not is_sqlite(engine.url):
        async with engine.connect() as connection:
            found: Sequence[Row[Any]] = (await connection.execute(statement, values)).all()
            return found
    return await _writes_of(engine).rows(statement, values)


def turn_of(engine: AsyncEngine) -> threading.Lock:
    """Held by whichever thread of this process is writing to that SQLite file."""
    return _writes_of(engine).turn


class _Writes:
    """The writing of one SQLite file, but for moves and what is written aside; quick reading."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.turn = threading.Lock()
        self._engine = create_engine(engine.url.set(drivername="sqlite"), hide_parameters=True)
        prepare_sqlite(self._engine)
        self._thread = ThreadPoolExecutor(1, "writes")
        self._reading = ThreadPoolExecutor(1, "reads")

    async def do(self, work: Callable[[AsyncConnection], Coroutine[Any, Any, T]]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._done, work)

    def _done(self, work: Callable[[AsyncConnection], Coroutine[Any, Any, T]]) -> T:
        with self.turn, self._engine.begin() as connection:
            return _in_one_go(work(cast(AsyncConnection, _Here(connection))))

    async def rows(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Row[Any]]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reading, self._found, statement, values)

    def _found(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Row[Any]]:
        with self._engine.connect() as connection:
            return connection.execute(statement, values).all()

    def close(self) -> None:
        """What is under way is finished first."""
        self._thread.shutdown()
        self._reading.shutdown()
        self._engine.dispose()


class _Here:
    """An AsyncConnection that answers at once, in the thread that asks."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.dialect = connection.dialect

    async def execute(self, *asked: Any) -> Any:
        return self._connection.execute(*asked)

    async def run_sync(self, work: Callable[..., T], *given: Any, **named: Any) -> T:
        return work(self._connection, *given, **named)


def _in_one_go(work: Coroutine[Any, Any, T]) -> T:
    try:
        work.send(None)
    except StopIteration as done:
        return cast(T, done.value)
    work.close()
    raise RuntimeError("a transaction waits for something besides its connection")


_writes: WeakKeyDictionary[Engine, _Writes] = WeakKeyDictionary()


def _writes_of(engine: AsyncEngine) -> _Writes:
    found = _writes.get(engine.sync_engine)
    if found is None:
        found = _writes[engine.sync_engine] = _Writes(engine)
        event.listen(engine.sync_engine, "engine_disposed", _disposed, once=True)
    return found


def _disposed(engine: Engine) -> None:
    writes = _writes.pop(engine, None)
    if writes is not None:
        writes.close()
