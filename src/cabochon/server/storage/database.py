"""Opening a database: SQLite with a write-ahead log that is synced at every commit, or
PostgreSQL."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as SQLAlchemyTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from cabochon.server.storage.migrate import HEAD, UnknownSchema, migrate
from cabochon.server.storage.sqlitecopy import BadCopy, keep_before_upgrade

log = logging.getLogger("cabochon.database")

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
_MIGRATION_LOCK = 0x6361626F

BUSY_MS = 10_000
"""How long a connection to SQLite waits for another process that writes."""


class BadDatabase(Exception):
    """The address is not of a database that can be used."""


class FutureDatabase(BadDatabase):
    """A newer Cabochon has written it."""


def database_url(address: str) -> URL:
    """`sqlite:///file.db`, `postgresql://user@host/name`, or just a file's path."""
    if "://" not in address:
        address = f"sqlite:///{Path(address).expanduser()}"
    try:
        url = make_url(address)
    except ArgumentError:
        raise BadDatabase("the database address cannot be read") from None
    backend = url.get_backend_name()
    if backend not in _DRIVERS:
        raise BadDatabase(f"sqlite and postgresql are possible, not {backend}")
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadDatabase("a SQLite database is a file")
    return url.set(drivername=_DRIVERS[backend])


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def file_of(url: URL) -> Path | None:
    """The file of a SQLite database, wherever links to it lead; None for PostgreSQL."""
    return Path(url.database).resolve() if is_sqlite(url) and url.database else None


def database_file(address: str) -> Path | None:
    """As `file_of`. Raises BadDatabase."""
    return file_of(database_url(address))


async def open_database(address: str) -> AsyncEngine:
    """An engine on a database with the schema of this version. Raises BadDatabase, or
    FutureDatabase when the schema is of a later one."""
    url = database_url(address)
    if is_sqlite(url):
        engine = _open_sqlite(url)
    else:
        engine = create_async_engine(
            url, pool_size=8, max_overflow=4, pool_pre_ping=True, hide_parameters=True
        )
    try:
        async with engine.begin() as connection:
            if not is_sqlite(url):
                lock = text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
                await connection.execute(lock)
            await connection.run_sync(migrate)
    except UnknownSchema as error:
        await engine.dispose()
        raise FutureDatabase(str(error)) from None
    except BaseException:
        await engine.dispose()
        raise
    return engine


async def try_writing(engine: AsyncEngine) -> None:
    """Write something that changes nothing. Raises whatever the database raises."""
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


def database_errors() -> tuple[type[Exception], ...]:
    """What may be raised when a database is asked, besides bugs of our own."""
    try:
        import asyncpg
    except ModuleNotFoundError:
        return SQLAlchemyError, OSError
    return SQLAlchemyError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError


def is_away(error: Exception) -> bool:
    """Whether a database is to blame that is restarting, full or out of reach, and not what was
    asked of it."""
    if isinstance(error, DBAPIError):
        known = isinstance(error, OperationalError | InterfaceError) or type(error) is DBAPIError
        return known or error.connection_invalidated
    if isinstance(error, SQLAlchemyTimeout | OSError):
        return True
    return type(error).__module__.partition(".")[0] == "asyncpg"


def log_failure(log: logging.Logger, what: str, error: Exception) -> None:
    """A database that is away is no riddle: only other failures are logged with their trace."""
    if is_away(error):
        log.warning("%s: the database is away (%s)", what, type(error).__name__)
    else:
        log.error(what, exc_info=error)


async def repeat(
    work: Callable[[], Awaitable[object]], every_s: float, log: logging.Logger, failing: str
) -> None:
    """Do it again and again for as long as the task lives; a failure is logged and ends nothing."""
    while True:
        try:
            await work()
        except Exception as error:
            log_failure(log, failing, error)
        await asyncio.sleep(every_s)


def is_full(error: Exception) -> bool:
    """Whether the disk, or what this process may have of it, is used up."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return "disk is full" in str(error)


def _open_sqlite(url: URL) -> AsyncEngine:
    assert url.database is not None
    try:
        _make_private(Path(url.database))
    except OSError as error:
        raise BadDatabase(f"{url.database}: {error.strerror}") from None
    try:
        kept = keep_before_upgrade(Path(url.database), HEAD)
    except (BadCopy, sqlite3.Error, OSError) as error:
        if "not a database" in str(error):
            raise BadDatabase(f"{url.database}: {error}") from None
        raise BadDatabase(f"no copy could be kept before upgrading: {error}") from None
    if kept is not None:
        log.warning("the database is upgraded; as it was before: %s", kept)
    engine = create_async_engine(url, pool_size=4, max_overflow=0, hide_parameters=True)
    prepare_sqlite(engine.sync_engine)
    return engine


def _make_private(path: Path) -> None:
    """The seeds of running games are in there: nobody else on the machine may read it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def prepare_sqlite(engine: Engine, also: Sequence[str] = ()) -> None:
    """Every connection writes ahead, and syncs at each commit: what is kept survives a crash. Each
    has two megabytes of pages of its own; the system keeps the rest of the file once for all.
    `also` are further settings, which win."""

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            f"busy_timeout={BUSY_MS}",
            "cache_size=-2000",
            *also,
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
