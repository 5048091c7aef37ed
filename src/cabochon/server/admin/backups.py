"""Backups, and the way back from them: all of it or nothing.

SQLite: a copy by SQLite's own online backup, checked; it is put in place of the database at once,
upgraded already, while nobody has the database open. PostgreSQL: an archive of pg_dump, which psql
puts back in one transaction.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import create_engine, literal, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.server.admin import archives
from cabochon.server.admin.databases import (
    engine_for,
    now_ms,
    refusing_database_errors,
    revision,
    url_of,
)
from cabochon.server.admin.faults import AdminFault, AdminRefused
from cabochon.server.admin.journal import note
from cabochon.server.storage.database import BadDatabase, database_url, is_sqlite, open_database
from cabochon.server.storage.migrate import HEAD, migrate
from cabochon.server.storage.schema import events, metadata, nodes, tables, tokens
from cabochon.server.storage.sqlitecopy import BadCopy, check, copy_database, opened, revision_of

ALIVE_MS = 10_000
"""A server with a sign of life this recent is taken to be running."""


async def backup(address: str, target: Path, replace: bool) -> None:
    """Write the whole database to a file, also while servers run. Raises AdminRefused."""
    url = url_of(address)
    if is_sqlite(url) and target.exists() and target.samefile(url.database or ""):
        raise AdminRefused(AdminFault.SAME_FILE, path=str(target))
    if target.exists() and not replace:
        raise AdminRefused(AdminFault.FILE_THERE, path=str(target))
    with refusing_database_errors():
        engine = engine_for(url)
        try:
            async with engine.connect() as connection:
                found = await connection.run_sync(revision)
            if found is None:
                raise AdminRefused(AdminFault.OTHER_SCHEMA, found="-", needed=HEAD)
            if is_sqlite(url):
                _copy(Path(url.database or ""), target)
            else:
                await archives.dump(url, target)
            if found == HEAD:
                async with engine.begin() as connection:
                    await note(connection, "backup", str(target))
        finally:
            await engine.dispose()


async def restore(address: str, source: Path, replace: bool) -> None:
    """Put a backup in place of what is there. Raises AdminRefused, and then nothing has changed."""
    try:
        url = database_url(address)
    except BadDatabase as error:
        raise AdminRefused(AdminFault.BAD_DATABASE, what=str(error)) from None
    if not source.is_file():
        raise AdminRefused(AdminFault.NO_DATABASE, where=str(source))
    if is_sqlite(url):
        restore_sqlite(Path(url.database or ""), source, replace)
    else:
        await _restore_postgres(url, source, replace)
    with refusing_database_errors():
        engine = await open_database(address)
        async with engine.begin() as connection:
            await note(connection, "restore", str(source), replaced=replace)
        await engine.dispose()


# SQLite


def restore_sqlite(target: Path, source: Path, replace: bool) -> None:
    """Raises AdminRefused."""
    if target.exists() and target.samefile(source):
        raise AdminRefused(AdminFault.SAME_FILE, path=str(source))
    _check_backup(source)
    coming = target.with_name(target.name + ".restored")
    with _alone(target, replace):
        try:
            _copy(source, coming)
            _upgrade(coming)
            coming.replace(target)
        finally:
            coming.unlink(missing_ok=True)


def _check_backup(source: Path) -> None:
    try:
        with opened(source, "ro") as connection:
            found = revision_of(connection)
            check(connection)
    except (BadCopy, sqlite3.Error) as error:
        raise AdminRefused(AdminFault.NOT_A_BACKUP, path=str(source), what=str(error)) from None
    _check_revision(source, found)


def _check_revision(source: Path, found: str | None) -> None:
    if found is None:
        what = "it has none of the tables"
        raise AdminRefused(AdminFault.NOT_A_BACKUP, path=str(source), what=what)
    if found > HEAD:
        raise AdminRefused(AdminFault.NEWER_BACKUP, path=str(source), found=found, needed=HEAD)


@contextlib.contextmanager
def _alone(target: Path, replace: bool) -> Iterator[None]:
    """While nobody else has the database open, and its log is empty: a log that is left behind
    would be played into whatever takes the database's place."""
    if not target.exists():
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        yield
        return
    with opened(target) as connection:
        connection.execute("PRAGMA busy_timeout=500")
        try:
            if not replace and _has_rows(connection):
                raise AdminRefused(AdminFault.NOT_EMPTY)
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise _taken(error) from None
        except sqlite3.DatabaseError:
            _give_up(target, replace)
        yield


def _has_rows(connection: sqlite3.Connection) -> bool:
    known = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    return any(
        connection.execute(f"SELECT 1 FROM {table.name} LIMIT 1").fetchone()
        for table in (events, tables, tokens)
        if table.name in known
    )


def _taken(error: sqlite3.OperationalError) -> AdminRefused:
    if "locked" in str(error):
        return AdminRefused(AdminFault.SERVER_RUNS)
    return AdminRefused(AdminFault.BAD_DATABASE, what=str(error))


def _give_up(target: Path, replace: bool) -> None:
    """What is there is broken, which may be why it is to be replaced."""
    if not replace:
        raise AdminRefused(AdminFault.NOT_EMPTY)
    for suffix in ("-wal", "-shm"):
        target.with_name(target.name + suffix).unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    try:
        copy_database(source, target)
    except OSError as error:
        what = error.strerror or str(error)
        raise AdminRefused(AdminFault.FILE_TROUBLE, path=str(target), what=what) from None
    except (BadCopy, sqlite3.Error) as error:
        raise AdminRefused(AdminFault.NOT_A_BACKUP, path=str(source), what=str(error)) from None


def _upgrade(path: Path) -> None:
    engine = create_engine(URL.create("sqlite", database=str(path)), hide_parameters=True)
    try:
        with engine.begin() as connection:
            migrate(connection)
    except SQLAlchemyError as error:
        what = str(error).splitlines()[0][:200]
        raise AdminRefused(AdminFault.NOT_A_BACKUP, path=str(path), what=what) from None
    finally:
        engine.dispose()


# PostgreSQL


async def _restore_postgres(url: URL, source: Path, replace: bool) -> None:
    _check_revision(source, await archives.revision(source))
    with refusing_database_errors():
        engine = engine_for(url)
        try:
            await _check_free(engine, replace)
        finally:
            await engine.dispose()
    await archives.put_back(url, source, [*metadata.tables, "alembic_version"])


async def _check_free(engine: AsyncEngine, replace: bool) -> None:
    async with engine.connect() as connection:
        if await connection.run_sync(revision) is None:
            return
        alive = select(nodes.c.id).where(nodes.c.beat_ms > now_ms() - ALIVE_MS)
        if (await connection.execute(alive)).first() is not None:
            raise AdminRefused(AdminFault.SERVER_RUNS)
        for table in (events, tables, tokens):
            some = await connection.execute(select(literal(1)).select_from(table).limit(1))
            if some.first() is not None and not replace:
                raise AdminRefused(AdminFault.NOT_EMPTY)
