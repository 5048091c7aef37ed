"""Honest readiness: what is said to be ready keeps what it is told, and what cannot start says so
in one sentence."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from cabochon.cli import main
from cabochon.server import logs
from cabochon.server.access.hosts import Hosts
from cabochon.server.logs import current
from cabochon.server.settings import Settings
from cabochon.server.storage.database import open_database
from cabochon.server.storage.occupancy import Occupied, is_served, lock_file, occupy
from cabochon.server.tables import readiness
from cabochon.server.web.looplag import EVERY_S
from tests.server.serving import Here, Process, Talk, serving


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question of these tests is answered anew."""
    monkeypatch.setattr(readiness, "PROBE_S", 0.0)


# Ready


@pytest.mark.parametrize("replaced", [False, True])
def test_a_database_file_that_was_deleted_or_replaced_is_not_ready(
    tmp_path: Path, replaced: bool
) -> None:
    path = tmp_path / "t.db"
    with serving(path) as here:
        table, keys = here.duel()
        assert here.http.get("/readyz").status_code == 200
        copy = path.read_bytes()
        path.unlink()
        if replaced:
            (tmp_path / "other.db").write_bytes(copy)
            (tmp_path / "other.db").rename(path)
        answer = here.http.get("/readyz")
        assert (answer.status_code, "removed or replaced" in answer.text) == (503, True)
        body = {"moves": ["take wug"], "version": 1}
        refused = here.try_post(f"/tables/{table}/move", body, keys[0])
        assert (refused.status_code, refused.json()["code"]) == (503, "database-away")
        assert here.http.get("/healthz").status_code == 200


def test_a_database_that_takes_no_writes_is_not_ready(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with serving(path) as here:
        assert here.http.get("/readyz").status_code == 200
        with _writing_elsewhere(path), pytest.MonkeyPatch.context() as patch:
            patch.setattr(readiness, "PATIENCE_S", 0.3)
            answer = here.http.get("/readyz", timeout=30)
            assert (answer.status_code, answer.text[:12]) == (503, "the database")
        _until_ready(here)


@contextlib.contextmanager
def _writing_elsewhere(path: Path) -> Iterator[None]:
    """Somebody holds the database's write lock: reading goes on, writing does not."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_a_disk_without_room_is_not_ready(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "_free_bytes", lambda _folder: readiness.LEAST_FREE - 1)
    answer = here.http.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "the disk is full\n")


def test_however_often_it_is_asked_the_database_is_tried_once_in_a_while(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "PROBE_S", 60.0)
    tried: list[bool] = []
    app: Any = here.app  # type: ignore[attr-defined]

    async def ping() -> None:
        tried.append(True)

    monkeypatch.setattr(app.state.hub.store, "ping", ping)
    app.state.hub.readiness._probe = None
    for _ in range(20):
        assert here.http.get("/readyz").status_code == 200
    assert len(tried) == 1
    app.state.hub.readiness._probe = None


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of six megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    made = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)], capture_output=True
    )
    if not made or made.returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def _fill(folder: Path) -> Path:
    """Everything that is left."""
    filler = folder / "filler"
    with contextlib.suppress(OSError), filler.open("ab", buffering=0) as out:
        while out.write(bytes(4096)) == 4096:
            pass
    return filler


def test_a_disk_that_fills_up_is_told_and_forgotten_when_there_is_room(small_disk: Path) -> None:
    with serving(small_disk / "t.db") as here:
        table, keys = here.duel()
        assert here.http.get("/readyz").status_code == 200
        filler = _fill(small_disk)
        assert here.http.get("/readyz").text == "the disk is full\n"
        codes = set()
        for number in range(60):
            body = {"chairs": [{"kind": "me", "name": f"N{number}"}, {"kind": "open"}]}
            codes.add(here.try_post("/tables", body).status_code)
        assert codes <= {201, 503}
        assert 503 in codes
        filler.unlink()
        _until_ready(here)
        version = here.full(table)["version"]
        move = {"moves": ["take wug"], "version": version}
        assert here.post(f"/tables/{table}/move", move, keys[0])["ok"]


def _until_ready(here: Here) -> None:
    end = time.monotonic() + 30
    while here.http.get("/readyz", timeout=30).status_code != 200:
        assert time.monotonic() < end
        time.sleep(0.05)


# Starting


def _one_sentence(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["serve", "--port", "0", *arguments]) != 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(("lang", "words"), [("en", "disk is full"), ("zh", "磁盘已满")])
@pytest.mark.parametrize("known", [False, True])
def test_a_start_on_a_full_disk_ends_with_one_sentence(
    small_disk: Path, capsys: pytest.CaptureFixture[str], lang: str, words: str, known: bool
) -> None:
    path = small_disk / "t.db"
    if known:
        asyncio.run(_made(str(path)))
    _fill(small_disk)
    assert words in _one_sentence(capsys, "--lang", lang, "--db", str(path))


@pytest.mark.parametrize(("lang", "words"), [("en", "newer version"), ("zh", "更新版本")])
def test_a_database_of_the_future_ends_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, words: str
) -> None:
    path = tmp_path / "t.db"
    asyncio.run(_made(str(path)))
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    said = _one_sentence(capsys, "--lang", lang, "--db", str(path))
    assert words in said
    assert "9999" in said


async def _made(address: str) -> None:
    await (await open_database(address)).dispose()


@pytest.mark.parametrize(("lang", "words"), [("en", "another server"), ("zh", "另一个服务器")])
def test_a_second_server_on_one_file_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, words: str
) -> None:
    path, link = tmp_path / "t.db", tmp_path / "link.db"
    with serving(path) as here:
        link.symlink_to(path)
        for way in (path, link):
            assert words in _one_sentence(capsys, "--lang", lang, "--db", str(way))
        assert here.http.get("/readyz").status_code == 200
        with contextlib.closing(sqlite3.connect(path)) as reader:  # who reads may do so
            assert reader.execute("SELECT count(*) FROM tables").fetchone() == (0,)
        assert is_served(str(path))
    assert not is_served(str(path))


@pytest.mark.servers
def test_a_server_that_was_killed_leaves_its_database_free(tmp_path: Path) -> None:
    db = str(tmp_path / "t.db")
    with Process(db) as process:
        assert is_served(db)
        with pytest.raises(Occupied):
            occupy(db)
        process.kill()
        assert not is_served(db)
        process.start()
        assert process.here.http.get("/readyz").status_code == 200
    assert lock_file(db) == tmp_path / "t.db.lock"
    assert lock_file("postgresql://a@b/c") is None
    assert not is_served("postgresql://a@b/c")


# Names of hosts


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST.:9", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example:80", 421),
        ("", 421),
    ],
)
def test_at_home_only_home_s_names_are_answered(here: Here, host: str, status: int) -> None:
    for path in ("/api/meta", "/"):
        answer = here.http.get(path, headers={"Host": host})
        assert answer.status_code == status
    if status == 421:
        assert here.http.get("/api/meta", headers={"Host": host}).json()["code"] == "bad-host"
    assert here.http.get("/healthz", headers={"Host": host}).status_code == 200


def test_a_page_that_points_its_own_name_here_opens_no_socket(here: Here) -> None:
    table, _ = here.strangers()
    strange = {"Host": "evil.example", "Origin": "http://evil.example"}
    with _upgrade(here, f"/api/tables/{table}/socket", strange) as raw:
        assert b" 421 " in raw.recv(4096).split(b"\r\n")[0]


def _upgrade(here: Here, path: str, headers: dict[str, str]) -> socket.socket:
    raw = socket.create_connection(("127.0.0.1", here.port), timeout=10)
    usual = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    lines = [f"{name}: {value}" for name, value in {**usual, **headers}.items()]
    raw.sendall("\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode())
    return raw


def test_which_names_are_answered_by_the_settings() -> None:
    assert Hosts(Settings(host="0.0.0.0")).allows("anything.example")
    assert Hosts(Settings(trust_proxy=True)).allows("table.example")
    assert Hosts(Settings(host="127.0.0.2")).allows("127.0.0.2:1")
    named = Hosts(Settings(host="0.0.0.0", hosts="table.example, Other.example:443"))
    assert named.allows("TABLE.example:8000")
    assert named.allows("other.example")
    assert not named.allows("localhost")
    assert not named.allows(None)
    assert Hosts(Settings(hosts="*")).allows(None)


# Logs and metrics


def test_a_request_has_an_id_in_its_answer(here: Here) -> None:
    made = [here.http.get("/api/cards").headers["x-request-id"] for _ in range(2)]
    assert made[0] != made[1]
    said = {"X-Request-Id": "proxy-1234.abc"}
    assert here.http.get("/api/nothing", headers=said).headers["x-request-id"] == "proxy-1234.abc"
    for odd in ("short", "x" * 65, "a b c d e f", 'ab"}\tinjected'):
        answer = here.http.get("/api/cards", headers={"X-Request-Id": odd})
        assert answer.headers["x-request-id"] != odd
    table, _ = here.strangers()
    with Talk(here.port, table, **{"X-Request-Id": "socket-1234"}) as talk:
        assert talk.ws.response is not None
        assert talk.ws.response.headers["X-Request-Id"] == "socket-1234"


def test_what_is_logged_says_for_which_request(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up_logs("info", as_json=True)
    token = current.set("abcdefgh")
    logging.getLogger("cabochon.somewhere").info("something happened")
    current.reset(token)
    logging.getLogger("cabochon.somewhere").info("and more")
    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert first["request"] == "abcdefgh"
    assert "request" not in second


def test_refused_origins_do_not_flood_the_log(
    here: Here, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.set_up_logs("warning", as_json=False)
    table, _ = here.strangers()
    capsys.readouterr()  # a socket of the test before may have ended only now
    for _ in range(30):
        strange = {"Origin": "https://evil.example"}
        with pytest.raises(InvalidStatus) as refused, Talk(here.port, table, **strange):
            pass
        assert refused.value.response.status_code == 403
    assert capsys.readouterr().err == ""
    assert 'cabochon_turned_away_total{why="origin"}' in here.http.get("/metrics").text


def test_the_same_warning_over_and_over_is_counted_and_not_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.set_up_logs("warning", as_json=False)
    for number in range(500):
        logging.getLogger("uvicorn.error").warning("nonsense from %s", number)
    logging.getLogger("uvicorn.error").warning("something else")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == logs.ALIKE_AT_ONCE + 1
    assert "something else" in lines[-1]


def test_a_loop_that_is_held_up_is_measured(here: Here) -> None:
    app: Any = here.app  # type: ignore[attr-defined]
    before = _late(here)
    here.http.get("/readyz")
    loop = app.state.hub.readiness._probe.get_loop()
    loop.call_soon_threadsafe(time.sleep, EVERY_S + 0.6)
    end = time.monotonic() + 30
    while _late(here) == before:
        assert time.monotonic() < end
        time.sleep(0.1)


def _late(here: Here) -> float:
    """How often the loop was more than half a second late."""
    text = here.http.get("/metrics", timeout=30).text
    counts = dict(
        line.split(" ") for line in text.splitlines() if "loop_lag_seconds_bucket" in line
    )
    name = 'cabochon_loop_lag_seconds_bucket{le="%s"}'
    return float(counts[name % "+Inf"]) - float(counts[name % "0.5"])


@pytest.mark.servers
def test_a_start_that_fails_late_has_an_exit_code(tmp_path: Path) -> None:
    """Two servers that start in the same moment: one of them ends, and says so by its code."""
    db = str(tmp_path / "t.db")
    command = [sys.executable, "-m", "cabochon", "serve", "--port", "0", "--db", db]
    both = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ)
        for _ in range(2)
    ]
    try:
        end = time.monotonic() + 60
        while all(one.poll() is None for one in both):
            assert time.monotonic() < end
            time.sleep(0.05)
        (ended,) = [one for one in both if one.poll() is not None]
        assert ended.returncode not in (0, None)
    finally:
        for one in both:
            if one.poll() is None:
                one.send_signal(signal.SIGKILL)
            one.communicate()
