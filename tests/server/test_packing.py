"""Games that are over are packed, and nobody who looks at them can tell."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import func, select

from cabochon.play.commands import resign
from cabochon.play.events import Moved, Said, event_from_json, event_to_json
from cabochon.play.store import Append, Conflict
from cabochon.play.table import Table
from cabochon.server.settings import Settings
from cabochon.server.storage.database import open_database
from cabochon.server.storage.gamelogs import SETTLES_MS
from cabochon.server.storage.packedgames import BadPacking, pack, unpack
from cabochon.server.storage.schema import events, packed_games, tables
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables.hub import Hub
from cabochon.server.tables.packer import Packer
from tests.play.sittings import opening, people
from tests.server.browsers import PASSWORD, Browser, browsers
from tests.server.cluster import Cluster
from tests.server.planted import farmed
from tests.server.serving import Here, serving
from tests.server.test_admin import Host
from tests.server.test_erasing import eventually, play_against
from tests.server.test_settling import give_up, recomputed

DAY_MS = 86_400_000


def bodies_of(log: list[Any]) -> list[str]:
    return [orjson.dumps(event_to_json(event)).decode() for event in log]


def without_ids(bodies: list[str]) -> list[Any]:
    read = [orjson.loads(body) for body in bodies]
    return [{k: v for k, v in event.items() if k not in ("key", "ask")} for event in read]


def test_a_packed_game_has_every_event_but_not_the_ids_of_clients() -> None:
    bodies = bodies_of(farmed()[:200])
    packed = pack(bodies)
    assert len(packed) < sum(map(len, bodies)) / 8
    assert [orjson.loads(body) for body in unpack(packed)] == without_ids(bodies)
    assert '"key"' in bodies[1]


def test_what_is_no_packed_game_is_refused() -> None:
    packed = pack(bodies_of(farmed()[:9]))
    for damaged in (b"", b"\x02" + packed[1:], packed[:-1], packed[:40] + b"?" + packed[41:]):
        with pytest.raises(BadPacking):
            unpack(damaged)


class Later:
    """A clock that is set forward by hand."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


@contextlib.asynccontextmanager
async def packing(db: str, clock: Later) -> AsyncIterator[tuple[Hub, Packer]]:
    store = SqlStore(await open_database(db), "node")
    store.start()
    hub = Hub(store, Settings(db=db), clock)
    aside = SideWriter(store.engine)
    try:
        yield hub, Packer(hub, aside)
    finally:
        await aside.close()
        await store.close()


async def pack_all(packer: Packer, clock: Later) -> None:
    clock.now += 2 * DAY_MS
    while await packer.pack_some():
        pass
    clock.now += SETTLES_MS + 1
    while await packer.remove_some():
        pass


async def kept(store: SqlStore) -> tuple[int, int]:
    """Rows of events, and packed games."""
    async with store.engine.connect() as connection:
        found = [
            (await connection.execute(select(func.count()).select_from(table))).scalar_one()
            for table in (events, packed_games)
        ]
    return found[0], found[1]


async def finish_a_game(store: SqlStore, table_id: str, at: int, moves: int = 3) -> Table:
    """Some moves, and somebody gives up; settled."""
    opened = opening(*people(2), at=at)
    table = Table.open(table_id, opened)
    await store.append([Append(1, (opened,), table)])
    for number in range(moves):
        position = table.running
        move = position.legal_moves()[0]
        made = table.submit(position.seat, table.version, (move,), at + number, f"id{number}", "x")
        await store.append([Append(table.seq + 1, made.events, made.table)])
        table = made.table
    over = resign(table, 0, at + 9)
    await store.append([Append(table.seq + 1, over.events, over.table)])
    async with store.engine.begin() as connection:
        await connection.execute(tables.update().values(settled=True))
    return over.table


async def check_the_whole_life(db: str) -> None:
    clock = Later()
    async with packing(db, clock) as (hub, packer):
        store = hub.store
        table = await finish_a_game(store, "packedgame", clock.now)
        before = await store.events(table.id)
        clock.now += DAY_MS - 60_000
        assert await packer.pack_some() == 0
        clock.now += 2 * 60_000
        assert await packer.pack_some() == 1
        assert await kept(store) == (table.seq, 1)
        assert await packer.pack_some() == await packer.remove_some() == 0
        clock.now += SETTLES_MS + 1
        assert await packer.remove_some() == 1
        assert await kept(store) == (0, 1)

        after = await store.events(table.id)
        assert without_ids(bodies_of(after)) == without_ids(bodies_of(before))
        assert await store.events(table.id, table.seq - 1) == before[-1:]
        assert await store.events(table.id, table.seq) == []
        assert await store.length(table.id) == table.seq
        await check_nothing_is_decided_twice(store, table)
        await check_what_comes_later(hub, packer, clock, table)
        async with store.engine.connect() as connection:
            row = (await connection.execute(select(tables.c.packed))).scalar_one()
        assert row is True
        await store.remove([table.id])
        assert await kept(store) == (0, 0)


async def check_nothing_is_decided_twice(store: SqlStore, table: Table) -> None:
    """A node that has slept through the end of the game is refused, though no row is in its way."""
    stale = Table.of(table.id, (await store.events(table.id))[:3])
    position = stale.running
    made = stale.submit(position.seat, stale.version, (position.legal_moves()[1],), 5, "late", "x")
    with pytest.raises(Conflict):
        await store.append([Append(stale.seq + 1, made.events, made.table)])
    assert await kept(store) == (0, 1)


async def check_what_comes_later(hub: Hub, packer: Packer, clock: Later, table: Table) -> None:
    said = Said(clock.now, 0, "thanks")
    await hub.store.append([Append(table.seq + 1, (said,), table.after(said))])
    assert await kept(hub.store) == (1, 1)
    assert (await hub.store.events(table.id))[-1] == said
    assert (await hub.store.events(table.id, table.seq)) == [said]
    assert await hub.store.length(table.id) == table.seq + 1
    await pack_all(packer, clock)
    assert await kept(hub.store) == (0, 1)
    read = await hub.store.events(table.id)
    assert (len(read), read[-1]) == (table.seq + 1, said)
    assert sum(isinstance(event, Moved) for event in read) == 3


def test_a_game_is_packed_and_goes_on_in_sqlite(tmp_path: Path) -> None:
    asyncio.run(check_the_whole_life(str(tmp_path / "tables.db")))


def test_games_of_any_length_are_packed_once(tmp_path: Path) -> None:
    async def check() -> None:
        clock = Later()
        async with packing(str(tmp_path / "tables.db"), clock) as (hub, packer):
            for moves in (0, 7, 3):
                await finish_a_game(hub.store, f"packed000{moves}", clock.now, moves)
            clock.now += 2 * DAY_MS
            assert [await packer.pack_some() for _ in range(2)] == [3, 0]
            clock.now += SETTLES_MS + 1
            assert [await packer.remove_some() for _ in range(2)] == [3, 0]
            assert await kept(hub.store) == (0, 3)

    asyncio.run(check())


@pytest.mark.servers
def test_a_game_is_packed_and_goes_on_in_postgres(cluster: Cluster) -> None:
    asyncio.run(check_the_whole_life(cluster.database("packing")))


def served_packed(here: Here) -> None:
    """Pack everything that is over, now, as the packer of that server would in the end."""
    hub: Hub = here.app.state.hub  # type: ignore[attr-defined]
    database = hub.settings.db

    async def pack_now() -> None:
        clock = Later()
        clock.now = hub.clock()
        async with packing(database, clock) as (_, packer):
            await pack_all(packer, clock)

    asyncio.run(pack_now())
    for live in hub.all_live():
        hub.forget(live.table.id)


def rows_of(db: Path, table: str) -> int:
    with contextlib.closing(sqlite3.connect(db)) as connection:
        query = "SELECT count(*) FROM events WHERE table_id = ?"
        return int(connection.execute(query, (table,)).fetchone()[0])


def test_links_history_replay_record_and_rematch_of_a_packed_game_work(tmp_path: Path) -> None:
    db = tmp_path / "tables.db"
    with serving(db) as here, Browser(here) as one, browsers(here, "Opal") as (other,):
        one.keep("Collector")
        table = play_against(one, other)
        other.do("POST", f"/tables/{table}/resign")
        ways = [f"/tables/{table}/{what}" for what in ("record", "replay")]
        eventually(lambda: len(one.do("GET", "/me/games")["games"]) == 1)
        told = [one.ask("GET", way).text for way in ways]
        served_packed(here)
        assert rows_of(db, table) == 0
        assert [one.ask("GET", way).text for way in ways] == told
        assert one.do("GET", f"/tables/{table}")["state"] == "finished"
        assert one.do("GET", "/me/games")["games"][0]["table"] == table
        assert [game["table"] for game in one.do("GET", "/me/export")["games"]] == [table]
        one.do("POST", f"/tables/{table}/rematch", {"action": "offer"})
        made = other.do("POST", f"/tables/{table}/rematch", {"action": "accept"})
        assert here.get(f"/tables/{made['table']}")["state"] == "running"
        host = Host(db)
        assert {row["name"] for row in host.do("seats", "--table", table)} == {"Collector", "Opal"}
        listed = {row["id"]: row for row in host.do("tables")}
        assert listed[table]["events"] > 6
        host.do("rename", f"{table}:1", "Opaline")
        eventually(lambda: "Opaline" in one.ask("GET", f"/tables/{table}/record").text)


def test_a_deleted_name_goes_out_of_packed_games_as_well(tmp_path: Path) -> None:
    db = tmp_path / "tables.db"
    with serving(db) as here, Browser(here) as one, browsers(here, "Opal") as (other,):
        one.keep("Ephemera the Fourth")
        table = play_against(one, other)
        other.do("POST", f"/tables/{table}/resign")
        eventually(lambda: len(one.do("GET", "/me/games")["games"]) == 1)
        served_packed(here)
        assert rows_of(db, table) == 0
        one.do("DELETE", "/me")
        eventually(lambda: "Ephemera" not in other.ask("GET", f"/tables/{table}/record").text)
    with contextlib.closing(sqlite3.connect(db)) as connection:
        [(packed,)] = connection.execute("SELECT body FROM packed_games").fetchall()
    said = unpack(packed)
    assert "Ephemera" not in "".join(said)
    Table.of(table, [event_from_json(orjson.loads(body)) for body in said])


def sitting_at(browser: Browser, table: str) -> list[str | None]:
    return [chair.get("person") for chair in browser.do("GET", f"/tables/{table}")["chairs"]]


def sits_at(browser: Browser, table: str, person: str) -> bool:
    return person in sitting_at(browser, table)


def is_nameless(browser: Browser, record: str) -> bool:
    return "Peridot" not in browser.ask("GET", record).text


def test_a_guests_packed_games_come_along_to_a_kept_name(tmp_path: Path) -> None:
    """And when the name goes, it goes out of those as well."""
    db = tmp_path / "tables.db"
    with serving(db) as here, Browser(here) as home, Browser(here) as phone:
        home.keep("Collector")
        guest = phone.be("Passer-by Peridot")
        brought = [give_up(phone, listed=True), give_up(phone)]
        with browsers(here, "Opal") as (other,):
            brought.append(play_against(phone, other))
            other.do("POST", f"/tables/{brought[-1]}/resign")
            eventually(lambda: phone.me["games"] == 3)
            served_packed(here)
            assert [rows_of(db, table) for table in brought] == [0, 0, 0]
            asked = {"name": "Collector", "password": PASSWORD, "bring": True}
            me = phone.do("POST", "/signin/password", asked)
            assert (me["id"], me["games"]) == (home.me["id"], 3)
            for table in brought:
                eventually(partial(sits_at, phone, table, me["id"]))
                assert guest["id"] not in sitting_at(other, table)
            found = phone.do("GET", "/me/export")
            assert {game["table"] for game in found["games"]} == set(brought)
            assert guest["id"] not in orjson.dumps(found).decode()
            served_packed(here)
            phone.do("DELETE", "/me", {"password": PASSWORD})
            for table in brought:
                record = f"/tables/{table}/record"
                eventually(partial(is_nameless, other, record))
    assert recomputed(db)["changed"] == 0
    with contextlib.closing(sqlite3.connect(db)) as connection:
        packed = connection.execute("SELECT body FROM packed_games").fetchall()
    kept = "".join(body for (one,) in packed for body in unpack(one))
    assert "Peridot" not in kept
    assert "Collector" not in kept
