"""What costs the server much to answer is answered once, or only as far as it helps."""

from __future__ import annotations

import gzip
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from cabochon.server import metrics
from cabochon.server.people import exporting
from cabochon.server.settings import Settings
from cabochon.server.storage import longwork
from cabochon.server.tables.answercache import AnswerCache
from cabochon.server.tables.replies import MOST_SINCE
from cabochon.server.web.routes import leaving, records
from cabochon.server.web.running import CannotServe, serve
from tests.play.longlogs import long_log
from tests.server.browsers import Browser
from tests.server.planted import KEYS, one_person, plant
from tests.server.serving import Here, Process, free_socket, serving

TABLE = "longlong02"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    db: Path = tmp_path_factory.mktemp("costly") / "t.db"
    plant(db, TABLE, events=long_log(300, 0, one_person()))
    with serving(db) as server:
        yield server


class Counted:
    """A function that counts its calls."""

    def __init__(self, work: Callable[..., Any]) -> None:
        self.work = work
        self.calls = 0

    def __call__(self, *args: Any) -> Any:
        self.calls += 1
        return self.work(*args)


@pytest.mark.parametrize(("path", "name"), [("record", "record_of"), ("replay", "_steps")])
def test_what_many_ask_for_is_written_once(
    here: Here, monkeypatch: pytest.MonkeyPatch, path: str, name: str
) -> None:
    counted = Counted(getattr(records, name))
    monkeypatch.setattr(records, name, counted)
    answers = {here.try_get(f"/tables/{TABLE}/{path}", KEYS[0]).text for _ in range(5)}
    assert len(answers) == 1
    assert counted.calls == 1
    assert here.try_get(f"/tables/{TABLE}/{path}").text not in answers  # what a watcher may know
    assert counted.calls == 2


@pytest.mark.parametrize(
    ("module", "name", "path"),
    [
        (leaving, "record_to_json", "/me/export"),
        (exporting, "format_record", "/me/games/export?format=records"),
        (exporting, "record_to_json", "/me/games/export?format=ndjson"),
        (exporting, "format_record", "/me/games/export?format=parquet"),
    ],
)
def test_whoever_takes_all_their_games_with_them_stops_nobody(
    here: Here, monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, path: str
) -> None:
    """Long records are written in a thread of their own, not where everybody is served."""
    threads: list[str] = []
    write = getattr(module, name)

    def noted(*args: Any) -> Any:
        threads.append(threading.current_thread().name)
        return write(*args)

    monkeypatch.setattr(module, name, noted)
    with Browser(here) as ada:
        ada.be("Ada")
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "calcite"}]
        asked = {"chairs": chairs, "seat_order": "fixed"}
        table = ada.do("POST", "/tables", asked)["table"]["id"]
        ada.do("POST", f"/tables/{table}/move", {"moves": ["take wug"], "version": 1})
        ada.do("POST", f"/tables/{table}/resign", {})
        until = time.monotonic() + 20
        while not ada.ask("GET", f"/tables/{table}/game").is_success:
            assert time.monotonic() < until
            time.sleep(0.05)
        monkeypatch.setattr(longwork, "SHORT", -1)
        assert ada.ask("GET", path).is_success
    assert threads
    assert all(thread.startswith("tell") for thread in threads)


def test_a_record_is_written_anew_when_the_table_has_moved_on(here: Here) -> None:
    table, keys = here.strangers()
    first = here.try_get(f"/tables/{table}/record", keys[0]).text
    here.post(f"/tables/{table}/move", {"moves": ["take wug"], "version": 2}, keys[0])
    second = here.try_get(f"/tables/{table}/record", keys[0]).text
    assert "take wug" in second
    assert "take wug" not in first
    here.post(f"/tables/{table}/resign", {}, keys[1])
    assert "Seed" in here.try_get(f"/tables/{table}/record", keys[0]).text


def test_each_reader_gets_the_record_that_they_may_read(here: Here) -> None:
    table, keys = here.strangers()
    here.post(f"/tables/{table}/move", {"moves": ["reserve deck1"], "version": 2}, keys[0])
    for _ in range(2):
        own, other, public = (
            here.try_get(f"/tables/{table}/record", key).text for key in (*keys, None)
        )
        assert "deal ?" not in own
        assert "deal ?" in other
        assert "deal ?" in public


def test_a_stale_client_is_told_the_last_of_what_happened(here: Here) -> None:
    refused = here.try_post(
        f"/tables/{TABLE}/move", {"moves": ["take wug"], "version": 1, "seat": 0}, KEYS[0]
    ).json()
    assert refused["code"] == "stale-version"
    since = refused["since"]
    assert (since["seq"], since["after"]) == (301, 301 - MOST_SINCE)
    assert len(since["events"]) == MOST_SINCE


def test_a_client_that_is_a_little_stale_is_told_everything(here: Here) -> None:
    table, keys = here.strangers()
    here.post(f"/tables/{table}/move", {"moves": ["take wug"], "version": 2}, keys[0])
    refused = here.try_post(
        f"/tables/{table}/move", {"moves": ["take wug"], "version": 2}, keys[1]
    ).json()
    assert refused["since"]["after"] == 2
    assert refused["since"]["events"] == [{"seat": 0, "events": ["take wug"]}]


def test_metrics_are_written_down_once_a_second(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db") as here, pytest.MonkeyPatch.context() as patch:
        counted = Counted(metrics.exposition)
        patch.setattr(metrics, "exposition", counted)
        texts = [here.http.get("/metrics").text for _ in range(20)]
        assert all("cabochon_commands_total" in text for text in texts)
        assert counted.calls < 10


def test_health_and_metrics_have_a_port_of_their_own(tmp_path: Path) -> None:
    with free_socket() as free:
        port = free.getsockname()[1]
    environment = {"CABOCHON_ADMIN_PORT": str(port)}
    with Process(str(tmp_path / "t.db"), environment) as process:
        public = process.here.http
        assert public.get("/metrics").status_code == 404
        assert public.get("/healthz").text == "ok\n"
        assert public.get("/api/meta").status_code == 200
        with httpx.Client(base_url=f"http://127.0.0.1:{port}") as admin:
            assert "cabochon_live_tables" in admin.get("/metrics").text
            assert admin.get("/healthz").text == "ok\n"
            assert admin.get("/readyz").text == "ready\n"
            for path in ("/", "/api/meta", "/api/tables", f"/api/tables/{TABLE}/socket"):
                assert admin.get(path).status_code == 404
        assert process.stop() in (0, -signal.SIGTERM)


def test_one_port_cannot_be_both(tmp_path: Path) -> None:
    settings = Settings(db=str(tmp_path / "t.db"), port=8123, admin_port=8123)
    with pytest.raises(CannotServe, match="same-port"):
        serve(settings, lambda _: None)


def test_keepsakes_have_little_room_and_the_oldest_go() -> None:
    kept = AnswerCache(most_bytes=100)
    kept.keep("large", b"x" * 26)
    assert kept.get("large") is None
    for name in "abcd":
        kept.keep(name, name.encode() * 25)
    assert kept.get("a") == b"a" * 25
    kept.keep("a", b"something else")
    assert kept.get("a") == b"a" * 25
    kept.keep("e", b"e" * 20)
    assert kept.get("b") is None
    assert [kept.get(name) is not None for name in "acde"] == [True] * 4


def test_a_long_study_that_is_kept_is_not_free_for_whoever_asks_again(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Packing it takes longer than a move, and its bytes must be sent: neither where everybody is
    served, nor for the price of a plain request."""
    threads: list[str] = []
    compress = gzip.compress

    def packed(*args: Any, **more: Any) -> bytes:
        threads.append(threading.current_thread().name)
        return compress(*args, **more)

    monkeypatch.setattr(gzip, "compress", packed)
    access = here.app.state.access  # type: ignore[attr-defined]
    paid: list[float] = []
    check = access.check_request

    def counted(by: Any, amount: float = 1.0) -> None:
        paid.append(amount)
        check(by, amount)

    monkeypatch.setattr(access, "check_request", counted)
    for _ in range(2):
        paid.clear()
        size = len(here.http.post("/api/studies/open", json={"table": TABLE}).content)
    assert size > 500_000
    assert sum(paid) > 1 + size / 200_000
    assert len(threads) == 2
    assert all(name.startswith("tell") for name in threads)
