"""What is over leaves nothing behind: memory stays flat however many come and go."""

from __future__ import annotations

import ctypes
import ctypes.util
import gc
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from cabochon.server.storage import checkpoints
from cabochon.server.storage.checkpoints import Checkpoints
from cabochon.server.storage.database import prepare_sqlite
from cabochon.server.storage.ledger import ROOMY
from cabochon.server.web.wire import Http, Socket
from tests.server.processes import until
from tests.server.serving import Here

ROUNDS = 20


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Only what nobody refers to any more is freed."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def kept() -> int:
    return sum(type(each) in (Socket, Http) for each in gc.get_objects())


@pytest.mark.usefixtures("no_collector")
def test_sockets_that_ended_are_freed_without_the_collector(here: Here) -> None:
    table, keys = here.duel()
    here.full(table, keys[0])
    before = kept()
    for _ in range(ROUNDS):
        here.full(table, keys[0])
    until(lambda: kept() <= before)


def sqlite_memory() -> Callable[[], int]:
    """How many bytes SQLite has, if it can be asked: Python may have one of its own inside."""
    name = ctypes.util.find_library("sqlite3")
    used = ctypes.CDLL(name).sqlite3_memory_used if name is not None else None
    if used is None or not _counts(used):
        pytest.skip("this Python has its SQLite inside")
    used.restype = ctypes.c_int64
    return lambda: int(used())


def _counts(used: Callable[[], int]) -> bool:
    before = used()
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (x)")
        return used() > before


def test_pages_of_games_long_over_are_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = sqlite_memory()
    engine = create_engine(f"sqlite:///{tmp_path / 't.db'}")
    prepare_sqlite(engine, ROOMY)
    tended = Checkpoints(engine)
    with engine.connect() as committing:
        before = memory()
        with committing.begin():
            committing.execute(text("CREATE TABLE t (x)"))
            committing.execute(text("INSERT INTO t VALUES (zeroblob(6000000))"))
        tended.after_commit(committing)
        assert memory() - before > 5_000_000  # it is too soon
        monkeypatch.setattr(checkpoints, "LET_GO_EVERY_S", -1.0)
        tended.after_commit(committing)
        assert memory() - before < 1_000_000
        assert committing.execute(text("SELECT length(x) FROM t")).scalar() == 6_000_000
    engine.dispose()
