"""Blocks and reports: who did it knows, the host knows, and nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.driver import run
from tests.server.company import Somebody, people
from tests.server.serving import Here, serving


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("civility") / "t.db"


@pytest.fixture(scope="module")
def here(db: Path) -> Iterator[Here]:
    with serving(db) as server:
        yield server


def test_a_block_is_kept_listed_and_lifted(here: Here) -> None:
    with people(here, "Ann", "Bob") as (ann, bob):
        for _ in range(2):
            assert ann.http.post(f"/api/me/blocks/{bob.id}").status_code == 204
        assert ann.get("/me/blocks") == {"people": [{"id": bob.id, "name": "Bob"}]}
        assert bob.get("/me/blocks") == {"people": []}
        assert ann.delete(f"/me/blocks/{bob.id}").status_code == 204
        assert ann.get("/me/blocks") == {"people": []}


def test_whoever_is_blocked_can_tell_nowhere(here: Here) -> None:
    """Everything that Bob may ask is the same before and after."""
    with people(here, "Cyd", "Dan") as (cyd, dan):
        asked = ("/me", f"/people/{cyd.id}", "/pools", "/me/blocks", "/tables")
        before = [dan.get(path) for path in asked]
        cyd.http.post(f"/api/me/blocks/{dan.id}")
        after = [dan.get(path) for path in asked]
        assert [_steady(one) for one in after] == [_steady(one) for one in before]


def _steady(answer: object) -> str:
    text = json.dumps(answer)
    return text if "seen_ms" not in text else json.dumps(_without(answer, "seen_ms"))


def _without(answer: object, name: str) -> object:
    if isinstance(answer, dict):
        return {key: _without(value, name) for key, value in answer.items() if key != name}
    return [_without(one, name) for one in answer] if isinstance(answer, list) else answer


@pytest.mark.parametrize("path", ["/me/blocks/{me}", "/reports"])
def test_nobody_blocks_or_reports_themselves_or_nobody(here: Here, path: str) -> None:
    with people(here, "Eli") as (eli,):
        for whom, code in ((eli.id, "not-yourself"), ("nobodyhere12", "no-such-person")):
            body = {"person": whom, "kind": "abuse"} if path == "/reports" else None
            refused = eli.try_post(path.format(me=whom), body)
            assert refused.json()["code"] == code


def test_without_a_person_nothing_is_blocked_or_reported(here: Here) -> None:
    assert here.try_post("/me/blocks/abcdefgh").status_code == 401
    assert here.try_get("/me/blocks").status_code == 401
    assert here.try_post("/reports", {"person": "abcdefgh", "kind": "abuse"}).status_code == 401


def game_of(here: Here, one: Somebody, other: Somebody) -> str:
    chairs = [{"kind": "me", "name": one.name}, {"kind": "open"}]
    made = one.post("/tables", {"chairs": chairs, "seat_order": "fixed"})
    code, table = made["invites"][0]["code"], str(made["table"]["id"])
    other.post(f"/tables/{table}/join", {"name": other.name, "code": code})
    return table


def test_a_report_reaches_the_host_with_the_game(here: Here, db: Path) -> None:
    with people(here, "Fee", "Gil") as (fee, gil):
        table = game_of(here, fee, gil)
        body = {"person": gil.id, "kind": "stalling", "table": table, "text": "never moves \x1b[2J"}
        made = fee.post("/reports", body)["id"]
        listed = run("admin", "reports", "--db", str(db))
        assert made in listed.out
        assert "\x1b" not in listed.out
        shown = run("admin", "report", made, "--db", str(db))
        assert '[Seat1 "Gil"]' in shown.out
        assert "[Seed" not in shown.out
        data = json.loads(run("admin", "report", made, "--db", str(db), "--json").out)[0]
        assert (data["person"], data["reporter"], data["table"]) == (gil.id, fee.id, table)
        closed = run("admin", "close-report", made, "--note", "spoke to him", "--db", str(db))
        assert closed.code == 0, closed.err
        assert made not in run("admin", "reports", "--db", str(db)).out
        assert made in run("--lang", "zh", "admin", "reports", "--all", "--db", str(db)).out
        assert "close-report" in run("admin", "log", "--db", str(db)).out


def test_a_report_tells_nobody_but_the_host_who_sat_where(here: Here, db: Path) -> None:
    """Whoever knows a table's id gets the same answer, whether that person plays there or not."""
    with people(here, "Hue", "Ian", "Joy", "Kay") as (hue, ian, joy, kay):
        table = game_of(here, hue, ian)
        made = {}
        for whom in (ian, joy):
            body = {"person": whom.id, "kind": "abuse", "table": table}
            answer = kay.try_post("/reports", body)
            assert (answer.status_code, list(answer.json())) == (201, ["id"])
            made[whom.name] = answer.json()["id"]
        shown = {
            name: json.loads(run("admin", "report", report, "--db", str(db), "--json").out)[0]
            for name, report in made.items()
        }
        assert (shown["Ian"]["at_table"], shown["Joy"]["at_table"]) == (True, False)
        assert "no, never" in run("admin", "report", made["Joy"], "--db", str(db)).out
        unknown = {"person": ian.id, "kind": "abuse", "table": "nosuchtable1"}
        assert kay.try_post("/reports", unknown).json()["code"] == "no-such-table"


def test_whoever_left_before_the_start_can_be_reported(here: Here, db: Path) -> None:
    with people(here, "Lou", "May") as (lou, may):
        chairs = [{"kind": "me", "name": "Lou"}, {"kind": "open"}, {"kind": "open"}]
        made = lou.post("/tables", {"chairs": chairs, "seats": 3})
        code, table = made["invites"][0]["code"], made["table"]["id"]
        may.post(f"/tables/{table}/join", {"name": "May", "code": code})
        may.post(f"/tables/{table}/leave", {})
        report = lou.post("/reports", {"person": may.id, "kind": "stalling", "table": table})["id"]
        shown = json.loads(run("admin", "report", report, "--db", str(db), "--json").out)[0]
        assert (shown["at_table"], shown["record"]) == (True, None)


def test_somebody_new_may_report_a_few_times_a_day(here: Here) -> None:
    with people(here, "Kim", "Lee") as (kim, lee):
        body = {"person": lee.id, "kind": "other"}
        codes = [kim.try_post("/reports", body).status_code for _ in range(5)]
        assert codes == [201, 201, 201, 429, 429]


def test_there_is_no_such_report(here: Here, db: Path) -> None:
    done = run("admin", "report", "nothinghere", "--db", str(db))
    assert done.code == 2
    assert "There is no report nothinghere" in done.err
