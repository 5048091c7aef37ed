"""PostgreSQL's log is archived: a mistake made at noon is undone, and what was played before noon
is there."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from cabochon.play.events import Moved
from cabochon.server.admin.databases import engine_for
from cabochon.server.storage.database import database_url, open_database
from cabochon.server.storage.sqlstore import SqlStore
from tests.server.cluster import Backup, Cluster
from tests.server.serving import Here, serving
from tests.server.test_admin import Host

pytestmark = pytest.mark.servers


@pytest.fixture
def archive() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="cabochon-wal-") as folder:
        path = Path(folder)
        path.chmod(0o777)
        yield path


async def ask(db: str, *queries: str) -> Any:
    """The answer to the last of them, each by itself."""
    engine = engine_for(database_url(db))
    try:
        async with engine.connect() as connection:
            found = None
            for query in queries:
                found = (await connection.execute(text(query))).scalar()
            return found
    finally:
        await engine.dispose()


def move(here: Here, table: str, key: str) -> None:
    state = here.full(table, key)
    body = {"moves": state["legal"][:1], "version": state["version"]}
    here.post(f"/tables/{table}/move", body, key)


async def moves_at(db: str, table: str) -> int:
    engine = await open_database(db)
    try:
        events = await SqlStore(engine, "check").events(table)
    finally:
        await engine.dispose()
    return sum(isinstance(event, Moved) for event in events)


def test_a_table_deleted_by_mistake_is_back_as_it_was_at_that_moment(archive: Path) -> None:
    copied = f"archive_command='cp %p {archive}/%f'"
    cluster = Cluster("wal_level=replica", "archive_mode=on", copied, "max_wal_senders=4")
    try:
        db = cluster.database("noon")
        with serving(db) as here:
            early, keys = here.strangers()
            move(here, early, keys[0])
            base = cluster.base_backup()
            move(here, early, keys[1])
            late, (ada, bo) = here.strangers()
            move(here, late, ada)
            here.post(f"/tables/{late}/resign", {}, bo)
            noon = asyncio.run(ask(db, "SELECT clock_timestamp()::text"))
            move(here, early, keys[0])
            Host(db).do("delete", late)
        _archive_everything(db)
        restored = Cluster(of=Backup(base, archive, noon))
    finally:
        cluster.close()
    try:
        again = restored.at(db)
        assert asyncio.run(moves_at(again, early)) == 2
        assert asyncio.run(moves_at(again, late)) == 1
        with serving(again) as here:
            assert here.get(f"/tables/{late}")["state"] == "finished"
            move(here, early, keys[0])
    finally:
        restored.close()


def _archive_everything(db: str) -> None:
    """Until the archiver says that it has the last piece of the log."""
    last = asyncio.run(ask(db, "SELECT pg_walfile_name(pg_switch_wal())"))
    until = time.monotonic() + 60
    while (asyncio.run(ask(db, "SELECT last_archived_wal FROM pg_stat_archiver")) or "") < last:
        assert time.monotonic() < until, f"{last} was never archived"
        time.sleep(0.1)
