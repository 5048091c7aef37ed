"""Databases that earlier releases have written, with games in the middle, are upgraded; and the way
back."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Boolean, Connection, MetaData, insert, select
from sqlalchemy.exc import OperationalError

from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.record import verify
from cabochon.server.admin.databases import engine_for, revision
from cabochon.server.storage import migrate
from cabochon.server.storage.database import database_url, open_database
from cabochon.server.storage.schema import tables
from cabochon.server.storage.sqlstore import SqlStore
from tests.server.cluster import Cluster
from tests.server.serving import Here, serving
from tests.server.test_admin import Host

DATA = Path(__file__).parent / "data"
FIRST = "0001"
RELEASES = {"first-release": FIRST, "before-people": "0005"}
"""And the schema of each."""
AGED_MS = 60_000


def kept_of(release: str) -> Any:
    """The secrets that play its seats."""
    return json.loads((DATA / f"{release}.json").read_text("utf-8"))


KEPT: Any = kept_of("first-release")


def as_then(kept: Any = KEPT) -> Callable[[], int]:
    """A minute after the database was written, whenever this is run."""
    began = time.monotonic_ns()
    return lambda: int(kept["made_ms"]) + AGED_MS + (time.monotonic_ns() - began) // 1_000_000


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return old_file(tmp_path, "first-release")


def old_file(folder: Path, release: str) -> Path:
    path = folder / "tables.db"
    shutil.copy(DATA / f"{release}.db", path)
    return path


async def check_every_table(db: str, kept: Any = KEPT) -> None:
    """Each replays, and those that have begun are sound records."""
    engine = await open_database(db)
    store = SqlStore(engine, "check")
    try:
        async with engine.connect() as connection:
            assert await connection.run_sync(revision) == migrate.HEAD
            ids = [row.id for row in await connection.execute(select(tables.c.id))]
        assert len(ids) == len(kept) - 1
        for table_id in ids:
            table = Table.of(table_id, await store.events(table_id))
            if table.position is not None:
                assert verify(record_of(table)).ok
    finally:
        await engine.dispose()


def check_games_go_on(here: Here, kept: Any = KEPT) -> None:
    running = kept["running"]
    table, (ada, bo) = running["table"], running["keys"]
    full = here.full(table, ada)
    assert full["takeback"]["by"] == 0
    assert [line["phrase"] for line in full["chat"]] == ["hello"]
    here.post(f"/tables/{table}/takeback", {"action": "agree"}, bo)
    state = here.full(table, ada)
    body = {"moves": state["legal"][:1], "version": state["version"]}
    done = here.post(f"/tables/{table}/move", body, ada)
    assert done["version"] == state["version"] + 1

    for name in ("bot", "clock"):
        _move_and_be_answered(here, kept[name]["table"], kept[name]["keys"][0])

    opened = kept["open"]
    joining = {"name": "Eve", "code": opened["code"]}
    assert here.post(f"/tables/{opened['table']}/join", joining)["table"]["state"] == "running"

    finished = kept["finished"]
    again = {"action": "accept"}
    made = here.post(f"/tables/{finished['table']}/rematch", again, finished["keys"][1])
    assert here.get(f"/tables/{made['table']}")["state"] == "running"

    about = here.get("/tokens/me", kept["token"]["token"])
    assert (about["name"], about["created_ms"] > 0) == ("Robo", True)
    if "hot-seat" in kept:
        _check_hot_seat(here, kept["hot-seat"])


def _check_hot_seat(here: Here, held: Any) -> None:
    """Two chairs of one person: nobody else need agree to anything, and each key plays its own."""
    table, (ada, bo) = held["table"], held["keys"]
    assert here.full(table, ada)["you"] == 0
    here.post(f"/tables/{table}/takeback", {"action": "ask"}, ada)
    assert here.full(table, bo)["takeback"] is None
    here.post(f"/tables/{table}/resign", {}, bo)
    again = here.post(f"/tables/{table}/rematch", {"action": "offer"}, ada)["table"]
    assert here.full(again, bo)["you"] == 0


def _move_and_be_answered(here: Here, table: str, key: str) -> None:
    """The bot's answer shows that somebody looks after the table."""
    with here.socket(table, key) as talk:
        state = talk.hear("gameFull")
        assert state["legal"]
        talk.say(type="move", id="after", version=state["version"], moves=state["legal"][:1])
        while state.get("by") != 1:
            state = talk.hear("gameState")


@pytest.mark.parametrize("release", RELEASES)
def test_the_file_is_what_the_release_wrote(release: str) -> None:
    assert (DATA / f"{release}.db").stat().st_size <= 80_000
    with sqlite3.connect(DATA / f"{release}.db") as connection:
        found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        states = [row[0] for row in connection.execute("SELECT state FROM tables ORDER BY 1")]
    assert found == (RELEASES[release],)
    assert states[:3] == ["finished", "open", "running"]
    assert len(states) == len(kept_of(release)) - 1


@pytest.mark.parametrize("release", RELEASES)
def test_games_of_a_release_go_on_after_the_upgrade(release: str, tmp_path: Path) -> None:
    old, kept = old_file(tmp_path, release), kept_of(release)
    asyncio.run(check_every_table(str(old), kept))
    with serving(old, clock=as_then(kept)) as here:
        check_games_go_on(here, kept)


def test_a_copy_from_before_the_upgrade_is_the_way_back(old: Path) -> None:
    before = _rows(old)
    with serving(old, clock=as_then()) as here:
        here.strangers()
    kept = old.with_name(f"tables.db.before-{migrate.HEAD}")
    assert kept.stat().st_mode & 0o077 == 0
    assert _rows(kept) == before
    assert before["alembic_version"] == [(FIRST,)]
    Host(old).do("restore", str(kept), "--replace")
    asyncio.run(check_every_table(str(old)))


def test_an_upgraded_database_is_not_copied_again(old: Path) -> None:
    for _ in range(2):
        with serving(old, clock=as_then()):
            pass
        kept = list(old.parent.glob("tables.db.before-*"))
        assert [path.name for path in kept] == [f"tables.db.before-{migrate.HEAD}"]
        stamp = kept[0].stat().st_mtime_ns
    assert kept[0].stat().st_mtime_ns == stamp


def test_a_new_database_has_nothing_to_be_copied(tmp_path: Path) -> None:
    with serving(tmp_path / "new.db"):
        pass
    assert [path.name for path in tmp_path.glob("*before*")] == []


def test_an_upgrade_that_breaks_off_has_changed_nothing(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _rows(old)

    def broken(config: Config, target: str) -> None:
        connection: Connection = config.attributes["connection"]
        connection.exec_driver_sql("ALTER TABLE tokens ADD COLUMN half_done INTEGER")
        connection.exec_driver_sql("CREATE TABLE nonsense AS SELECT * FROM nowhere")

    monkeypatch.setattr(command, "upgrade", broken)
    with pytest.raises(OperationalError):
        asyncio.run(_open(str(old)))
    monkeypatch.undo()
    assert _rows(old) == before
    asyncio.run(check_every_table(str(old)))


async def _open(db: str) -> None:
    engine = await open_database(db)
    await engine.dispose()


def test_the_schema_goes_back_without_losing_a_game(old: Path) -> None:
    asyncio.run(_open(str(old)))
    asyncio.run(_at_revision(str(old), FIRST))
    before, after = _rows(DATA / "first-release.db"), _rows(old)
    assert after.keys() == before.keys()
    assert after["events"] == before["events"]
    assert after["tokens"] == before["tokens"]


def _rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    with sqlite3.connect(path) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table'"
        names = [row[0] for row in connection.execute(query)]
        return {name: sorted(connection.execute(f"SELECT * FROM {name}")) for name in names}


async def _at_revision(db: str, target: str) -> None:
    """The schema of that revision, up or down."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))

    def change(connection: Connection) -> None:
        config.attributes["connection"] = connection
        if revision(connection) is None:
            command.upgrade(config, target)
        else:
            command.downgrade(config, target)

    engine = engine_for(database_url(db))
    async with engine.begin() as connection:
        await connection.run_sync(change)
    await engine.dispose()


# PostgreSQL


async def _copy_rows(db: str, release: str) -> None:
    """What the release wrote, in a PostgreSQL of its schema."""
    await _at_revision(db, RELEASES[release])
    rows = _rows(DATA / f"{release}.db")
    engine = engine_for(database_url(db))
    async with engine.begin() as connection:
        known = MetaData()
        await connection.run_sync(known.reflect)
        for name, table in known.tables.items():
            if name == "alembic_version" or not rows[name]:
                continue
            columns = [column.name for column in table.columns]
            values = [dict(zip(columns, row, strict=True)) for row in rows[name]]
            for value in values:
                for column in table.columns:
                    if isinstance(column.type, Boolean):
                        value[column.name] = bool(value[column.name])
            await connection.execute(insert(table), values)
    await engine.dispose()


@pytest.mark.servers
@pytest.mark.parametrize("release", RELEASES)
def test_games_of_a_release_go_on_in_postgres(cluster: Cluster, release: str) -> None:
    db, kept = cluster.database(release.replace("-", "_")), kept_of(release)
    asyncio.run(_copy_rows(db, release))
    asyncio.run(check_every_table(db, kept))
    with serving(db, clock=as_then(kept)) as here:
        check_games_go_on(here, kept)
