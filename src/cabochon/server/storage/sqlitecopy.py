"""Copies of a SQLite database: whole, checked, and in their place only when they are both. The
database may be in use meanwhile."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

BUSY_S = 10.0


class BadCopy(Exception):
    """What was to be copied is no sound SQLite database."""


def copy_database(source: Path, target: Path) -> None:
    """A copy as of one moment, with SQLite's own backup; an older target is replaced at once or
    not at all. Raises BadCopy, OSError or sqlite3.Error, and then leaves nothing behind."""
    unfinished = target.with_name(target.name + ".part")
    unfinished.unlink(missing_ok=True)
    try:
        os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with opened(source, "ro") as here, opened(unfinished) as there:
            here.backup(there)
            there.execute("PRAGMA journal_mode=DELETE")
            check(there)
        _sync(unfinished)
        unfinished.replace(target)
        _sync(target.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def keep_before_upgrade(path: Path, revision: str) -> Path | None:
    """A copy of a database that an older version has written, beside it: `….before-REVISION`,
    where REVISION is what it will be upgraded to. None when there is nothing to upgrade."""
    if not path.is_file() or not path.stat().st_size:
        return None
    with opened(path, "ro") as here:
        known = revision_of(here)
    if known is None or known >= revision:
        return None
    kept = path.with_name(f"{path.name}.before-{revision}")
    copy_database(path, kept)
    return kept


@contextlib.contextmanager
def opened(path: Path, mode: str = "rw") -> Iterator[sqlite3.Connection]:
    """A connection without transactions of its own; the file must be there. Raises
    sqlite3.Error."""
    address = f"file:{quote(str(path.absolute()))}?mode={mode}"
    connection = sqlite3.connect(address, BUSY_S, isolation_level=None, uri=True)
    try:
        yield connection
    finally:
        connection.close()


def check(connection: sqlite3.Connection) -> None:
    """Raises BadCopy when SQLite finds something wrong with the database."""
    try:
        found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise BadCopy(str(error)) from None
    if found != "ok":
        raise BadCopy(str(found))


def revision_of(connection: sqlite3.Connection) -> str | None:
    """Which schema it has; None for a database that isn't ours. Raises BadCopy for a file that is
    no database at all."""
    try:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError:
        return None
    except sqlite3.DatabaseError as error:
        raise BadCopy(str(error)) from None
    return None if row is None else str(row[0])


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
