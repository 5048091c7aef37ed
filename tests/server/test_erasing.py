"""Everything of mine: downloaded, and deleted. The games stay, the name goes everywhere."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.record import verify
from cabochon.server.access.playernames import looks
from cabochon.server.people import erasing
from cabochon.server.people.accounts import FRESH_MS, NewWay, add_way
from cabochon.server.people.erasing import erase
from cabochon.server.people.guests import make_guest
from cabochon.server.storage.database import open_database
from cabochon.server.storage.people import NameHeld
from cabochon.server.storage.schema import kept_names, people
from cabochon.server.storage.sqlstore import SqlStore
from tests.server.browsers import PASSWORD, Browser, browsers
from tests.server.serving import Here, Process, serving
from tests.server.test_accounts import LongTime

NAME = "Ephemera the Third"
BOT = {"kind": "bot", "bot": "greedy"}


def eventually(check: Callable[[], bool]) -> None:
    """It comes true soon."""
    until = time.monotonic() + 20
    while not check():
        assert time.monotonic() < until
        time.sleep(0.05)


def play_against(one: Browser, other: Browser, moves: int = 4) -> str:
    """A game of two browsers, begun."""
    chairs = [{"kind": "me", "name": one.me["name"]}, {"kind": "open"}]
    made = one.do("POST", "/tables", {"chairs": chairs, "seat_order": "fixed"})
    table, code = str(made["table"]["id"]), made["invites"][0]["code"]
    other.do("POST", f"/tables/{table}/join", {"name": other.me["name"], "code": code})
    for turn in range(moves):
        browser = (one, other)[turn % 2]
        with browser.socket(table) as talk:
            full = talk.hear("gameFull")
        body = {"moves": full["legal"][:1], "version": full["version"]}
        browser.do("POST", f"/tables/{table}/move", body)
    return table


def test_everything_of_mine_can_be_taken_along(here: Here) -> None:
    with Browser(here) as one, browsers(here, "Opal") as (other,):
        one.keep("Collector")
        one.do("POST", "/me/tokens", {"name": "Collector's Bot"})
        finished, running = play_against(one, other), play_against(one, other)
        other.do("POST", f"/tables/{finished}/resign")
        got = one.ask("GET", "/me/export")
        assert "attachment" in got.headers["content-disposition"]
        known = got.json()
        assert known["me"]["name"] == "Collector"
        assert [token["name"] for token in known["tokens"]] == ["Collector's Bot"]
        records = {game["table"]: game["record"] for game in known["games"]}
        assert records.keys() == {finished, running}
        assert "seed" in json.dumps(records[finished])
        assert "seed" not in json.dumps(records[running])
        for secret in ("hash", "password_hash", "cab_b_", "public_key", one.cookie):
            assert secret not in got.text


def test_a_deleted_name_is_gone_everywhere_and_the_games_stay(tmp_path: Path) -> None:
    db = tmp_path / "tables.db"
    with serving(db) as here, Browser(here) as one, browsers(here, "Opal") as (other,):
        one.keep(NAME)
        finished, running = play_against(one, other), play_against(one, other)
        other.do("POST", f"/tables/{finished}/resign")
        waiting = one.do("POST", "/tables", {"chairs": [{"kind": "me", "name": "x"}, OPEN]})
        token = one.do("POST", "/me/tokens", {"name": f"{NAME} b"[-30:]})["token"]
        stolen = one.cookie
        one.do("DELETE", "/me")
        assert one.me is None
        assert here.get("/me", cookie=f"cabochon_session={stolen}")["person"] is None
        assert here.try_get("/tokens/me", token).status_code == 403

        def gone() -> bool:
            told = [other.ask("GET", path).text for path in _told_of(finished, running)]
            return not any(NAME in text for text in told)

        eventually(gone)
        record = other.ask("GET", f"/tables/{finished}/record").text
        assert '[Seat0 "?"]' in record
        assert '[Seat1 "Opal"]' in record
        info = other.do("GET", f"/tables/{finished}")
        assert (info["chairs"][0]["name"], info["chairs"][1]["name"]) == (None, "Opal")
        assert here.get(f"/tables/{waiting['table']['id']}")["chairs"][0]["kind"] == "open"
        over = other.do("GET", f"/tables/{running}")
        assert over["state"] == "finished"
        credentials = {"name": NAME, "password": PASSWORD}
        with Browser(here) as third:
            assert third.code("POST", "/signin/password", credentials) == "not-signed-in"
            third.keep(NAME)
            assert third.me["id"] != info["chairs"][0].get("person")
    with sqlite3.connect(db) as connection:
        bodies = [row[0] for row in connection.execute("SELECT body FROM events")]
        infos = [row[0] for row in connection.execute("SELECT info FROM tables")]
    assert not any(NAME in text for text in bodies + infos)
    asyncio.run(_check_tables(str(db), [finished, running]))


OPEN = {"kind": "open"}


def _told_of(*tables: str) -> list[str]:
    kinds = ("", "/record", "/replay?viewer=all")
    return ["/tables", *(f"/tables/{table}{kind}" for table in tables for kind in kinds)]


async def _check_tables(db: str, ids: list[str]) -> None:
    """They replay from the events that are left, and are sound."""
    engine = await open_database(db)
    store = SqlStore(engine, "check")
    for table_id in ids:
        table = Table.of(table_id, await store.events(table_id))
        assert verify(record_of(table)).ok
    await engine.dispose()


def test_whoever_only_has_the_cookie_cannot_delete_a_kept_name(tmp_path: Path) -> None:
    clock = LongTime()
    with serving(tmp_path / "tables.db", clock) as here, Browser(here) as one:
        codes = one.keep("Steadfast")
        clock.now += FRESH_MS + 1
        assert one.code("DELETE", "/me") == "proof-needed"
        assert one.code("DELETE", "/me", {"password": "wrong password"}) == "not-signed-in"
        assert one.code("DELETE", "/me", {"password": PASSWORD, "code": codes[0]})
        assert one.me["name"] == "Steadfast"
        one.do("DELETE", "/me", {"password": PASSWORD})
        assert one.me is None


def test_a_guest_is_deleted_without_more_ado(here: Here) -> None:
    with browsers(here, "Passing") as (one,):
        one.do("DELETE", "/me")
        assert one.me is None


def test_forgetting_that_was_broken_off_is_finished_when_the_server_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person is gone at once; what follows is done again from wherever it stopped."""
    db = tmp_path / "tables.db"
    steps = iter(range(1000))
    scrubbed: Any = erasing._scrub

    def breaks(*args: Any) -> None:
        if next(steps) == 1:
            raise RuntimeError("the power fails")
        scrubbed(*args)

    with serving(db) as here, Browser(here) as one, browsers(here, "Opal") as (other,):
        one.keep(NAME)
        tables = [play_against(one, other) for _ in range(3)]
        monkeypatch.setattr(erasing, "_scrub", breaks)
        one.do("DELETE", "/me")
        eventually(lambda: next(steps) > 1)
    monkeypatch.undo()
    with serving(db) as here:

        def gone() -> bool:
            return not any(NAME in here.try_get(path).text for path in _told_of(*tables))

        eventually(gone)

        def left() -> bool:
            with sqlite3.connect(db) as connection:
                rows = connection.execute("SELECT body FROM events").fetchall()
            return any(NAME in body for (body,) in rows)

        eventually(lambda: not left())
    asyncio.run(_check_tables(str(db), tables))


@pytest.mark.servers
def test_a_server_killed_right_after_the_deletion_forgets_when_it_is_back(tmp_path: Path) -> None:
    db = tmp_path / "tables.db"
    with Process(str(db)) as process:
        with Browser(process.here) as one, browsers(process.here, "Opal") as (other,):
            one.keep(NAME)
            tables = [play_against(one, other) for _ in range(3)]
            one.do("DELETE", "/me")
            process.kill()
        process.start()
        here = process.here

        def gone() -> bool:
            return not any(NAME in here.try_get(path).text for path in _told_of(*tables))

        eventually(gone)
        with Browser(here) as back:
            credentials = {"name": NAME, "password": PASSWORD}
            assert back.code("POST", "/signin/password", credentials) == "not-signed-in"


def test_who_is_gone_or_has_just_kept_a_name_gets_no_other_by_a_late_request(
    tmp_path: Path,
) -> None:
    """A request that was under way still knows them as they were."""

    async def check() -> None:
        engine = await open_database(str(tmp_path / "t.db"))
        store = SqlStore(engine, "check")
        guest, _ = await make_guest(store, "Ada", "", 5)
        await add_way(store, guest, NewWay(password="-"))
        await store.people.rename(guest, "Bo", looks("Bo"), 6)
        kept = await store.people.person(guest.id)
        assert kept is not None
        assert kept.name == "Ada"
        async with engine.begin() as connection:
            await erase(connection, guest.id, 7)
        for known in (guest, kept):
            with contextlib.suppress(NameHeld):
                await store.people.rename(known, "Bo", looks("Bo"), 8)
        async with engine.connect() as connection:
            assert (await connection.execute(select(people.c.name))).scalars().all() == [None]
            assert (await connection.execute(select(kept_names.c.look))).all() == []
        await engine.dispose()

    asyncio.run(check())
