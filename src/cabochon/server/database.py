"""Opening a database: SQLite with a write-ahead log that is synced at every commit, or
PostgreSQL."""

from __future__ import annotations

import logging
import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from cabochon.server.migrate import HEAD, migrate
from cabochon.server.sqlitecopy import BadCopy, keep_before_upgrade

log = logging.getLogger("cabochon.database")

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
_MIGRATION_LOCK = 0x6361626F


class BadDatabase(Exception):
    """The address is not of a database that can be used."""


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


async def open_database(address: str) -> AsyncEngine:
    """An engine on a database with the schema of this version. Raises BadDatabase."""
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
    except BaseException:
        await engine.dispose()
        raise
    return engine


def _open_sqlite(url: URL) -> AsyncEngine:
    assert url.database is not None
    try:
        _make_private(Path(url.database))
    except OSError as error:
        raise BadDatabase(f"{url.database}: {error.strerror}") from None
    try:
        kept = keep_before_upgrade(Path(url.database), HEAD)
    except (BadCopy, sqlite3.Error, OSError) as error:
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


def prepare_sqlite(engine: Engine) -> None:
    """Every connection writes ahead, and syncs at each commit: what is kept survives a crash."""

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "busy_timeout=10000",
            "cache_size=-16000",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
