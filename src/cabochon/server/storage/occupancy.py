"""One server per SQLite file: it holds a lock on a small file beside it.

`tables.db` is served by the process that has locked `tables.db.lock`. The lock is the kernel's, so
it goes with its process however that ends; the file stays, and means nothing by itself. Programs
that only read the database need not ask.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from pathlib import Path

from cabochon.server.storage.database import database_file

ATTEMPTS = 6
AGAIN_S = 0.1
"""Somebody may just be looking whether a server runs."""


class Occupied(Exception):
    """Another server has this database; the message is its lock file."""


class Occupancy:
    """A lock that is held until `release`, or until the process is gone."""

    def __init__(self, handle: int | None) -> None:
        self._handle = handle

    def __enter__(self) -> Occupancy:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def occupy(address: str) -> Occupancy:
    """Be the only server of that database; of a PostgreSQL there may be many. Raises Occupied."""
    path = lock_file(address)
    if path is None:
        return Occupancy(None)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    if not _locked(handle, fcntl.LOCK_EX):
        os.close(handle)
        raise Occupied(str(path))
    with contextlib.suppress(OSError):  # a full disk: the lock holds all the same
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
    return Occupancy(handle)


def is_served(address: str) -> bool:
    """Whether a server has this SQLite database now. PostgreSQL has a `nodes` table for that."""
    path = lock_file(address)
    if path is None or not path.exists():
        return False
    handle = os.open(path, os.O_RDONLY)
    try:
        return not _locked(handle, fcntl.LOCK_SH, attempts=1)
    finally:
        os.close(handle)


def lock_file(address: str) -> Path | None:
    """Where the lock of a SQLite database is; None for PostgreSQL. Raises BadDatabase."""
    path = database_file(address)
    return None if path is None else path.with_name(f"{path.name}.lock")


def _locked(handle: int, how: int, attempts: int = ATTEMPTS) -> bool:
    for attempt in range(attempts):
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if attempt + 1 < attempts:
                time.sleep(AGAIN_S)
        else:
            return True
    return False
