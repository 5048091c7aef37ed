"""Looking after a server from outside, through its database, while people play."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from cabochon.cli.admin import ACT, LOOK
from cabochon.notation import parse_record
from cabochon.record import verify
from cabochon.render.width import width
from cabochon.server.problems import ServerRefused
from cabochon.server.secrets import hashed
from cabochon.server.storage.bans import Ban, BanKind, Bans, network_of
from tests.cli.driver import Done, run
from tests.server.serving import Here, Process, Talk, serving

NOTICED_S = 10.0
"""A server looks every second; a busy machine takes a while."""


class Host:
    """`cabochon admin` on one database."""

    def __init__(self, db: Path | str) -> None:
        self.db = db

    def __call__(self, *argv: str, stdin: str = "") -> Done:
        return run("admin", *argv, "--db", str(self.db), stdin=stdin)

    def do(self, *argv: str) -> Any:
        """What is answered in JSON; it must succeed."""
        done = self(*argv, "--json", "--yes")
        assert done.code == 0, done.err
        return json.loads(done.out)

    def refused(self, *argv: str) -> str:
        done = self(*argv, "--yes")
        assert (done.code, done.out) == (2, "")
        assert done.err.count("\n") == 1
        return done.err


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("admin") / "tables.db"


@pytest.fixture(scope="module")
def house(db: Path) -> Iterator[Here]:
    with serving(db) as here:
        yield here


@pytest.fixture(scope="module")
def host(db: Path) -> Host:
    return Host(db)


def soon(done: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + NOTICED_S
    while not done():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def ended_with(talk: Talk) -> str:
    """The code of the sentence with which the server ends the talk."""
    problem = talk.hear("refused", timeout=NOTICED_S)["problem"]
    assert problem["sentence"]["en"] != problem["sentence"]["zh"]
    with pytest.raises(ConnectionClosed):
        talk.hear_out()
    return str(problem["code"])


def token_of(here: Here, name: str = "Robo") -> tuple[str, str]:
    made = here.post("/tokens", {"name": name})
    return made["id"], made["token"]


# Looking


def test_the_lists_name_tables_people_and_tokens_but_no_secret(house: Here, host: Host) -> None:
    table, keys = house.strangers()
    token_id, secret = token_of(house)
    shown = host("tables").out + host("seats").out + host("tokens").out
    shown += json.dumps([host.do("tables"), host.do("seats"), host.do("tokens")])
    seed = _seed(host.db, table)
    for hidden in (*keys, *map(hashed, keys), secret, hashed(secret), seed):
        assert hidden not in shown
    found = {entry["id"]: entry for entry in host.do("tables", "--state", "running")}
    assert found[table]["players"] == ["Ada", "Bo"]
    assert found[table]["events"] == 2
    seats = host.do("seats", "--table", table)
    assert [(p["seat"], p["name"], p["key"]) for p in seats] == [
        (0, "Ada", hashed(keys[0])[:12]),
        (1, "Bo", hashed(keys[1])[:12]),
    ]
    assert token_id in {entry["id"] for entry in host.do("tokens")}
    assert table not in {entry["id"] for entry in host.do("tables", "--idle", "1h")}
    assert table not in {entry["id"] for entry in host.do("tables", "--state", "open")}
    assert host.do("seats", "--name", "nobody of that name") == []


def _seed(db: Path | str, table: str) -> str:
    with sqlite3.connect(db) as connection:
        query = "SELECT body FROM events WHERE table_id = ? AND seq = 1"
        return str(json.loads(connection.execute(query, (table,)).fetchone()[0])["seed"])


def test_the_lists_are_read_by_people_in_both_languages(house: Here, host: Host) -> None:
    house.strangers()
    assert "players" in host("tables", "--lang", "en").out.splitlines()[0]
    assert "玩家" in host("tables", "--lang", "zh").out.splitlines()[0]
    assert host("seats", "--table", "nowhere", "--lang", "zh").out == "没有。\n"


# Tables and seats


def test_a_game_that_is_closed_ends_for_everybody_with_a_reason(house: Here, host: Host) -> None:
    table, keys = house.strangers()
    with house.socket(table, keys[0]) as ada, house.socket(table, keys[1]) as bo:
        version = ada.hear("gameFull")["version"]
        assert ada.ask(type="move", version=version, moves=["take wug"])["type"] == "accepted"
        host.do("close", table)
        for talk in (ada, bo):
            finish = talk.hear("gameFinish", timeout=NOTICED_S)
            assert (finish["result"]["reason"], finish["result"]["winners"]) == ("closed", [])
        answer = bo.ask(type="move", version=version + 1, moves=["take wug"])
        assert answer["problem"]["code"] == "table-finished"
    record = parse_record(house.http.get(f"/api/tables/{table}/record").text)
    assert verify(record).ok
    assert str(record.result).endswith("abandoned")
    assert "finished" in host.refused("close", table)


def test_a_table_that_is_closed_before_the_start_sends_everybody_off(
    house: Here, host: Host
) -> None:
    made = house.post("/tables", {"chairs": [{"kind": "me", "name": "Ada"}, {"kind": "open"}]})
    table, code = made["table"]["id"], made["invites"][0]["code"]
    with house.socket(table, made["keys"][0]["key"]) as ada:
        ada.hear("gameFull")
        host.do("close", table)
        assert ended_with(ada) == "closed-by-host"
    answer = house.try_post(f"/tables/{table}/join", {"name": "Bo", "code": code})
    assert (answer.status_code, answer.json()["code"]) == (404, "closed-by-host")
    assert house.try_get(f"/tables/{table}").json()["code"] == "closed-by-host"


def test_joining_just_when_a_table_is_closed_does_not_open_it_again(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db") as here:
        app: Any = here.app  # type: ignore[attr-defined]
        made = here.post("/tables", {"chairs": [{"kind": "me", "name": "A"}, {"kind": "open"}]})
        table, code = made["table"]["id"], made["invites"][0]["code"]
        assert app.state.hub.in_memory(table) is not None
        Host(tmp_path / "t.db").do("close", table)
        answer = here.try_post(f"/tables/{table}/join", {"name": "Bo", "code": code})
        assert answer.json()["code"] in ("table-finished", "closed-by-host")


def test_somebody_who_is_kicked_is_told_and_their_key_is_good_for_nothing(
    house: Here, host: Host
) -> None:
    table, keys = house.strangers()
    with house.socket(table, keys[0]) as ada, house.socket(table, keys[1]) as bo:
        ada.hear("gameFull")
        host.do("kick", table, "1")
        assert ended_with(bo) == "removed-by-host"
        finish = ada.hear("gameFinish", timeout=NOTICED_S)
        assert (finish["result"]["winners"], finish["result"]["reason"]) == ([0], "abandon")
    with house.socket(table, keys[1]) as bo:
        assert bo.hear("gameFull")["seats_held"] == []  # whoever passes by may watch, no more
    assert "finished" in host.refused("kick", table, "0")
    log = house.full(table, keys[0])["log"]
    assert log[-1]["text"] == {"en": "was removed by the host", "zh": "被管理员移出"}


def test_after_a_kick_the_others_play_on_and_a_rematch_has_a_bot_in_that_seat(
    house: Here, host: Host
) -> None:
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}]
    made = house.post("/tables", {"seats": 3, "chairs": chairs, "seat_order": "fixed"})
    table, keys = made["table"]["id"], [made["keys"][0]["key"]]
    for invite in made["invites"]:
        body = {"name": f"P{invite['seat']}", "code": invite["code"]}
        keys.append(house.post(f"/tables/{table}/join", body)["key"])
    host.do("kick", table, "1")
    soon(lambda: house.get(f"/tables/{table}")["chairs"][1]["out"], "the server has not noticed")
    with house.socket(table, keys[0]) as ada:
        state = ada.hear("gameFull")
        moved = ada.ask(type="move", version=state["version"], moves=["take wug"])
        assert moved["type"] == "accepted"
    house.post(f"/tables/{table}/resign", {}, keys[2])
    house.post(f"/tables/{table}/rematch", {"action": "offer"}, keys[0])
    again = house.post(f"/tables/{table}/rematch", {"action": "accept"}, keys[2])["table"]
    kinds = [chair["kind"] for chair in house.get(f"/tables/{again}")["chairs"]]
    assert sorted(kinds) == ["bot", "human", "human"]


def test_a_chair_is_free_again_when_somebody_is_kicked_before_the_start(
    house: Here, host: Host
) -> None:
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}]
    made = house.post("/tables", {"seats": 3, "chairs": chairs, "seat_order": "fixed"})
    table, code = made["table"]["id"], made["invites"][0]["code"]
    house.post(f"/tables/{table}/join", {"name": "Bo", "code": code})
    host.do("kick", table, "1")
    soon(
        lambda: house.get(f"/tables/{table}")["chairs"][1]["kind"] == "open",
        "the chair is not free",
    )
    assert "Nobody sits at seat 1" in host.refused("kick", table, "1")
    assert "no seat 3" in host.refused("kick", table, "3")


def test_a_new_name_is_shown_everywhere(house: Here, host: Host) -> None:
    table, keys = house.strangers()
    with house.socket(table, keys[0]) as ada:
        ada.hear("gameFull")
        host.do("rename", f"{table}:1", "Guest 7")
        seats = ada.hear("seats", timeout=NOTICED_S)
        assert seats["table"]["chairs"][1]["name"] == "Guest 7"
        version = house.full(table)["version"]
        assert ada.ask(type="move", version=version, moves=["take wug"])["type"] == "accepted"
    house.post(f"/tables/{table}/resign", {}, keys[0])
    record = parse_record(house.http.get(f"/api/tables/{table}/record").text)
    assert record.players == ("Ada", "Guest 7")
    assert "can't be a name" in host.refused("rename", f"{table}:1", "a\nb")
    assert "isn't an address" in host.refused("rename", "Bo", "Guest")


def test_a_token_s_new_name_is_shown_at_all_its_tables(house: Here, host: Host) -> None:
    token_id, secret = token_of(house, "Rude name")
    chairs = [{"kind": "me", "name": "-"}, {"kind": "bot", "bot": "greedy"}]
    ids = [house.post("/tables", {"chairs": chairs}, secret)["table"]["id"] for _ in range(2)]
    host.do("rename", f"token:{token_id}", "Robin")
    for table in ids:
        soon(
            lambda at=table: "Robin" in json.dumps(house.get(f"/tables/{at}")),  # type: ignore[misc]
            "the old name is still shown",
        )
    assert house.get("/tokens/me", secret)["name"] == "Robin"
    assert "no working token" in host.refused("rename", "token:nothing", "X")


# Tokens


def test_an_owner_looks_at_a_token_and_revokes_it(house: Here) -> None:
    token_id, secret = token_of(house)
    about = house.get("/tokens/me", secret)
    assert (about["id"], about["name"]) == (token_id, "Robo")
    assert about["scopes"] == ["table:create", "table:join", "table:play"]
    assert about["last_used_ms"] >= about["created_ms"] > 0
    assert secret not in json.dumps(about)
    chairs = [{"kind": "me", "name": "-"}, {"kind": "open"}]
    table = house.post("/tables", {"chairs": chairs}, secret)["table"]["id"]
    talk = Talk(house.port, table, Authorization=f"Bearer {secret}")
    talk.say(type="hello")
    talk.hear("gameFull")
    headers = {"Authorization": f"Bearer {secret}"}
    with house.http.stream("GET", "/api/stream/event", headers=headers) as stream:
        assert house.http.delete("/api/tokens/me", headers=headers).status_code == 204
        lines = [json.loads(line) for line in stream.iter_lines() if line]
    assert lines[-1]["problem"]["code"] == "token-revoked"
    assert ended_with(talk) == "token-revoked"
    talk.close()
    assert house.try_get("/tokens/me", secret).status_code == 403
    assert house.try_post("/tables", {"chairs": chairs}, secret).status_code == 403


def test_only_a_token_asks_about_itself(house: Here) -> None:
    _, keys = house.duel()
    for key in (None, keys[0]):
        answer = house.try_get("/tokens/me", key)
        assert (answer.status_code, answer.json()["code"]) == (401, "token-needed")


def test_a_token_that_the_host_revokes_loses_its_open_connections(house: Here, host: Host) -> None:
    token_id, secret = token_of(house)
    chairs = [{"kind": "me", "name": "-"}, {"kind": "open"}]
    table = house.post("/tables", {"chairs": chairs}, secret)["table"]["id"]
    with Talk(house.port, table, Authorization=f"Bearer {secret}") as talk:
        talk.say(type="hello")
        talk.hear("gameFull")
        host.do("revoke", token_id)
        assert house.try_get("/tokens/me", secret).status_code == 403
        assert ended_with(talk) == "token-revoked"
    assert token_id not in {entry["id"] for entry in host.do("tokens")}
    assert token_id in {entry["id"] for entry in host.do("tokens", "--all")}
    assert "no working token" in host.refused("revoke", token_id)


# Bans


def test_a_banned_address_is_refused_and_what_it_has_open_ends(tmp_path: Path) -> None:
    host = Host(tmp_path / "t.db")
    with serving(tmp_path / "t.db") as here:
        table, keys = here.strangers()
        with here.socket(table, keys[0]) as ada, connect(f"ws://127.0.0.1:{here.port}/api/lobby"):
            ada.hear("gameFull")
            made = host.do("ban", "127.0.0.0/24", "--for", "2h", "--reason", "spam")
            assert ended_with(ada) == "banned-until"
        answer = here.try_get("/meta")
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (403, "banned-until")
        assert problem["params"]["reason"] == "spam"
        assert "(spam)" in problem["sentence"]["en"]
        with pytest.raises(InvalidStatus):
            Talk(here.port, table)
        assert here.http.get("/healthz").status_code == 200
        assert [ban["subject"] for ban in host.do("bans")] == ["127.0.0.0/24"]
        host.do("lift", made["ban"])
        soon(lambda: here.try_get("/meta").is_success, "the ban is lifted, and still holds")
        assert host.do("bans") == []


def test_a_banned_person_is_refused_with_their_key_at_every_table(house: Here, host: Host) -> None:
    table, keys = house.strangers()
    with house.socket(table, keys[0]) as ada, house.socket(table, keys[1]) as bo:
        ada.hear("gameFull")
        bo.hear("gameFull")
        made = host.do("ban", f"{table}:1", "--reason", "rude")
        assert ended_with(bo) == "banned"
        version = house.full(table)["version"]
        assert ada.ask(type="move", version=version, moves=["take wug"])["type"] == "accepted"
    body = {"moves": ["take wug"], "version": version + 1}
    assert house.try_post(f"/tables/{table}/move", body, keys[1]).json()["code"] == "banned"
    other = house.post("/tables", {"chairs": [{"kind": "me", "name": "A"}, {"kind": "open"}]})
    joining = {"name": "Bo", "code": other["invites"][0]["code"], "key": keys[1]}
    path = f"/tables/{other['table']['id']}/join"
    assert house.try_post(path, joining).json()["code"] == "banned"
    host.do("lift", made["ban"])
    soon(
        lambda: house.try_post(f"/tables/{table}/move", body, keys[1]).is_success,
        "the ban is lifted, and still holds",
    )


def test_a_token_is_banned_and_comes_back(house: Here, host: Host) -> None:
    token_id, secret = token_of(house)
    host.do("ban", f"token:{token_id}", "--for", "1d")
    soon(lambda: house.try_get("/tokens/me", secret).status_code == 403, "it is not banned")
    host.do("lift", f"token:{token_id}")
    soon(lambda: house.try_get("/tokens/me", secret).is_success, "it is still banned")


def test_a_ban_also_holds_at_a_server_that_starts_later(tmp_path: Path) -> None:
    host = Host(tmp_path / "t.db")
    with serving(tmp_path / "t.db"):
        pass
    host.do("ban", "127.0.0.1")
    with serving(tmp_path / "t.db") as here:
        assert here.try_get("/meta").json()["code"] == "banned"


@pytest.mark.parametrize("who", ["", "nobody", "999.1.1.1", "10.0.0.0/99", "person:zz", "a:b"])
def test_whom_nobody_knows_cannot_be_banned(house: Here, host: Host, who: str) -> None:
    assert host.refused("ban", who)
    assert not [ban for ban in host.do("bans") if ban["subject"] == who]


def test_a_person_is_found_by_the_letters_that_the_list_shows(house: Here, host: Host) -> None:
    table, keys = house.strangers()
    shown = host.do("seats", "--table", table)[1]["key"]
    assert "Nobody is known" in host.refused("ban", f"person:{shown[:3]}")
    made = host.do("ban", f"person:{shown}")
    path = f"/tables/{table}/record"
    soon(lambda: house.try_get(path, keys[1]).status_code == 403, "not banned")
    host.do("lift", made["ban"])
    soon(lambda: house.try_get(path, keys[1]).is_success, "still banned")


@pytest.mark.parametrize(
    ("banned", "address", "holds"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("192.0.2.0/24", "192.0.2.8", True),
        ("192.0.2.7", "::ffff:192.0.2.7", True),
        ("2001:db8::1", "2001:db8::", True),
        ("2001:db8::/32", "2001:db8:ff::1", True),
        ("2001:db8::1", "2001:db9::1", False),
        ("2001:db8::1", "192.0.2.7", False),
        ("0.0.0.0/0", "-", False),
    ],
)
def test_which_addresses_a_ban_is_about(banned: str, address: str, holds: bool) -> None:
    bans = Bans([Ban("x", BanKind.ADDRESS, str(network_of(banned)), "", 0)])
    assert (bans.of_address(address) is not None) == holds


def test_a_ban_runs_out_by_itself() -> None:
    over = Ban("x", BanKind.TOKEN, "abc", "", 0, until_ms=time.time_ns() // 1_000_000 - 1)
    Bans([over]).check_secrets(["abc", None])
    with pytest.raises(ServerRefused):
        Bans([Ban("x", BanKind.TOKEN, "abc", "", 0)]).check_secrets([None, "abc"])


# What is kept, and for how long


def test_a_finished_table_is_deleted_on_request(house: Here, host: Host) -> None:
    table, keys = house.strangers()
    assert "isn't finished" in host.refused("delete", table)
    house.post(f"/tables/{table}/resign", {}, keys[0])
    host.do("delete", table)
    soon(lambda: house.try_get(f"/tables/{table}").status_code == 404, "it is still there")
    with sqlite3.connect(host.db) as connection:
        query = "SELECT count(*) FROM events WHERE table_id = ?"
        assert connection.execute(query, (table,)).fetchone() == (0,)
    assert "no table" in host.refused("delete", table)


def test_an_event_of_a_table_that_was_just_deleted_breaks_nothing(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db") as here:
        table, keys = here.strangers()
        here.post(f"/tables/{table}/resign", {}, keys[0])
        Host(tmp_path / "t.db").do("delete", table)
        here.try_post(f"/tables/{table}/rematch", {"action": "offer"}, keys[0])
    with serving(tmp_path / "t.db") as here:
        assert here.try_get(f"/tables/{table}").status_code == 404


def test_old_finished_tables_are_purged_and_others_stay(tmp_path: Path) -> None:
    db = tmp_path / "t.db"
    day = 86_400_000
    with serving(db, clock=lambda: time.time_ns() // 1_000_000 - 9 * day) as here:
        old, keys = here.strangers()
        here.post(f"/tables/{old}/resign", {}, keys[0])
        running, _ = here.strangers()
    with serving(db) as here:
        fresh, keys = here.strangers()
        here.post(f"/tables/{fresh}/resign", {}, keys[0])
        assert Host(db).do("purge", "--days", "10") == {"count": 0}
        here.get(f"/tables/{old}")
        assert Host(db).do("purge", "--days", "7") == {"count": 1}
        soon(lambda: here.try_get(f"/tables/{old}").status_code == 404, "it is still there")
        assert here.try_get(f"/tables/{fresh}").is_success
        assert here.try_get(f"/tables/{running}").is_success


@pytest.mark.parametrize(("days", "left"), [(0, True), (8, False), (10, True)])
def test_a_server_keeps_finished_tables_as_long_as_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int, left: bool
) -> None:
    monkeypatch.setattr("cabochon.server.tables.maintenance.SWEEP_S", 0.0)
    db = tmp_path / "t.db"
    with serving(db, clock=lambda: time.time_ns() // 1_000_000 - 9 * 86_400_000) as here:
        table, keys = here.strangers()
        here.post(f"/tables/{table}/resign", {}, keys[0])
    with serving(db, keep_finished_days=days, node_dead_s=0.4) as here:
        if left:
            time.sleep(0.6)
            assert here.try_get(f"/tables/{table}").is_success
        else:
            soon(lambda: here.try_get(f"/tables/{table}").status_code == 404, "it stays")


# Backups


def test_a_game_goes_on_after_a_backup_was_restored(tmp_path: Path) -> None:
    db, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    host = Host(db)
    with Process(str(db)) as process:
        here = process.here
        table, keys = here.strangers()
        version = here.full(table)["version"]
        body = {"moves": ["take wug"], "version": version}
        version = here.post(f"/tables/{table}/move", body, keys[0])["version"]
        host.do("backup", str(copy))
        assert copy.stat().st_mode & 0o077 == 0
        body = {"moves": ["take wug"], "version": version}
        here.post(f"/tables/{table}/move", body, keys[1])
        later, _ = here.strangers()
        assert "A server is using" in host.refused("restore", str(copy), "--replace")
        process.stop()
    assert "isn't empty" in host.refused("restore", str(copy))
    host.do("restore", str(copy), "--replace")
    with Process(str(db)) as process:
        here = process.here
        assert here.try_get(f"/tables/{later}").status_code == 404
        full = here.full(table, keys[1])
        assert full["version"] == version
        body = {"moves": [full["legal"][0]], "version": version}
        assert here.post(f"/tables/{table}/move", body, keys[1])["version"] == version + 1
    assert host.do("log")[0]["act"] == "restore"


def test_a_server_that_was_killed_is_not_in_the_way_of_a_restore(tmp_path: Path) -> None:
    db, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    with Process(str(db)) as process:
        table, _ = process.here.strangers()
        Host(db).do("backup", str(copy))
        process.here.strangers()
        process.kill()
    Host(db).do("restore", str(copy), "--replace")
    assert [entry["id"] for entry in Host(db).do("tables")] == [table]
    assert not list(tmp_path.glob("tables.db*restored*"))


@pytest.mark.parametrize("damage", ["cut", "text", "foreign", "future", "missing"])
def test_a_backup_that_is_no_good_changes_nothing(tmp_path: Path, damage: str) -> None:
    db, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    with serving(db) as here:
        table, _ = here.strangers()
    Host(db).do("backup", str(copy))
    _damage(copy, damage)
    before = db.read_bytes()
    message = Host(db).refused("restore", str(copy), "--replace")
    assert "copy.db" in message
    assert db.read_bytes() == before
    assert [entry["id"] for entry in Host(db).do("tables")] == [table]
    assert sorted(p.name for p in tmp_path.iterdir() if "restored" in p.name) == []


def _damage(copy: Path, how: str) -> None:
    if how == "cut":
        data = copy.read_bytes()
        copy.write_bytes(data[: len(data) // 2])
    elif how == "text":
        copy.write_text("This is a letter, and not a database.\n" * 100)
    elif how == "missing":
        copy.unlink()
    else:
        if how == "foreign":
            copy.unlink()
        with sqlite3.connect(copy) as connection:
            if how == "foreign":
                connection.execute("CREATE TABLE recipes (name TEXT)")
            else:
                connection.execute("UPDATE alembic_version SET version_num = '9999'")


def test_a_backup_comes_into_an_empty_place_and_over_a_broken_one(tmp_path: Path) -> None:
    db, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    with serving(db) as here:
        table, _ = here.strangers()
    Host(db).do("backup", str(copy))
    assert "already exists" in Host(db).refused("backup", str(copy))
    Host(db).do("backup", str(copy), "--replace")
    empty = tmp_path / "new" / "tables.db"
    Host(empty).do("restore", str(copy))
    assert [entry["id"] for entry in Host(empty).do("tables")] == [table]
    assert empty.stat().st_mode & 0o077 == 0
    db.write_bytes(os.urandom(9000))
    Host(db).refused("restore", str(copy))
    Host(db).do("restore", str(copy), "--replace")
    assert [entry["id"] for entry in Host(db).do("tables")] == [table]


def test_the_database_is_not_its_own_backup(house: Here, host: Host) -> None:
    assert "the database itself" in host.refused("backup", str(host.db), "--replace")
    assert "the database itself" in host.refused("restore", str(host.db), "--replace")


# Asking, noting, complaining


def test_what_cannot_be_undone_is_asked_about(house: Here, host: Host) -> None:
    table, _ = house.strangers()
    for stdin in ("", "\n", "n\n", "perhaps\n"):
        done = host("close", table, stdin=stdin)
        assert done.code == 1
        assert "Nothing was changed." in done.out
    assert house.get(f"/tables/{table}")["state"] == "running"
    assert "add --yes" in host("close", table, "--json").err
    assert host("close", table, "--lang", "zh", stdin="是\n").out.endswith("已关闭。\n")


def test_every_act_is_in_the_log_with_who_did_it(tmp_path: Path) -> None:
    host = Host(tmp_path / "t.db")
    with serving(tmp_path / "t.db") as here:
        table, keys = here.strangers()
        second, _ = here.strangers()
        token_id, _ = token_of(here)
        host.do("rename", f"{table}:0", "Anne")
        host.do("rename", f"token:{token_id}", "Robin")
        host.do("lift", host.do("ban", "192.0.2.1", "--reason", "spam")["ban"])
        host.do("revoke", token_id)
        host.do("kick", table, "0")
        host.do("close", second)
        host.do("delete", second)
        host.do("purge", "--days", "1")
        host.do("backup", str(tmp_path / "copy.db"))
    log = host.do("log")
    acts = [entry["act"] for entry in reversed(log)]
    assert sorted(acts) == sorted(
        [*("rename", "rename", "ban", "lift", "revoke"), *("kick", "close", "delete", "purge")]
        + ["backup"]
    )
    assert all(entry["who"] and entry["at_ms"] for entry in log)
    kept = json.dumps(log)
    assert "Ada" in kept
    assert "spam" in kept
    assert not any(hashed(key) in kept for key in keys)
    assert "spam" in host("log").out


def test_a_refused_act_is_not_in_the_log(tmp_path: Path) -> None:
    host = Host(tmp_path / "t.db")
    with serving(tmp_path / "t.db"):
        host.refused("close", "nowhere")
        host.refused("revoke", "nothing")
        host.refused("lift", "nothing")
        host.refused("ban", "nobody")
    assert host.do("log") == []


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["sing"], "there is no sing; choose from tables, seats, people"),
        (["close"], "missing: TABLE"),
        (["close", "x", "--db", "/nowhere/at/all.db"], "There's no database at /nowhere/at/all.db"),
        (["close", "NOT A TABLE"], "There is no table NOT A TABLE"),
        (["kick", "abcdef", "9"], "9 must be a whole number from 0 to 3"),
        (["ban", "10.0.0.1", "--for", "a while"], "isn't a length of time"),
        (["tables", "--state", "lost"], "lost must be one of open, running, finished"),
        (["purge"], "missing: --days"),
        (["backup", "/nowhere/at/all"], "/nowhere/at/all"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    house: Here, host: Host, argv: list[str], message: str
) -> None:
    done = run("admin", "--db", str(host.db), *argv, "--yes")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_database_of_another_version_is_not_touched(tmp_path: Path) -> None:
    db = tmp_path / "t.db"
    with serving(db):
        pass
    with sqlite3.connect(db) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    assert "has schema 0001" in Host(db).refused("tables")
    assert "结构为 0001" in run("admin", "tables", "--db", str(db), "--lang", "zh").err


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("verb", [*LOOK, *ACT])
def test_every_verb_has_help_that_fits(verb: str, lang: str) -> None:
    done = run("admin", verb, "--help", "--lang", lang)
    assert (done.code, done.err) == (0, "")
    assert all(width(line) <= 80 for line in done.out.splitlines())
    assert "--db" in done.out
