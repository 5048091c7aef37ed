"""What an attacker would try first: to hold on to things, to fill things up, to confuse."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from benchmarks.yardstick import slowness
from websockets.exceptions import InvalidStatus

from cabochon.server.access.addresses import client_network
from cabochon.server.storage.database import open_database
from cabochon.server.storage.ledger import SqliteLedger
from cabochon.server.thinking.botpool import LEAST_BOT_S, BotPool
from cabochon.server.web import wire
from cabochon.server.web.routes import health, streams
from tests.server.serving import Here, Talk, serving

ME: Any = {"kind": "me", "name": "Ada"}


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    """A server that waits for requests only a moment."""
    patch = pytest.MonkeyPatch()
    patch.setattr(wire, "ARRIVAL_S", 0.5)
    patch.setattr(health, "ANSWER_S", 0.2)
    with serving(tmp_path_factory.mktemp("hurried") / "t.db") as here:
        yield here
    patch.undo()


def raw(here: Here) -> socket.socket:
    return socket.create_connection(("127.0.0.1", here.port), timeout=10)


def until(done: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 30
    while not done():
        assert time.monotonic() < end, what
        time.sleep(0.02)


@pytest.mark.timing
@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET /api/meta HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{",
    ],
)
def test_a_request_that_does_not_arrive_is_not_waited_for(hurried: Here, said: bytes) -> None:
    with raw(hurried) as slow:
        slow.sendall(said)
        began = time.monotonic()
        try:
            while slow.recv(1000):
                pass
        except ConnectionResetError:
            pass
        assert time.monotonic() - began < 8 * slowness()


def test_who_is_in_time_stays(hurried: Here) -> None:
    table, keys = hurried.strangers()
    with hurried.socket(table, keys[0]) as talk, raw(hurried) as kept:
        talk.hear("gameFull")
        for _ in range(2):
            kept.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = kept.recv(1000)
            while not answer.endswith(b"ok\n"):
                answer += kept.recv(1000)
            assert answer.startswith(b"HTTP/1.1 200")
            time.sleep(0.8)
        assert talk.ask(type="ping")["type"] == "pong"


def test_a_head_without_end_is_not_read_on(here: Here) -> None:
    with raw(here) as endless, contextlib.suppress(ConnectionResetError, BrokenPipeError):
        endless.sendall(b"GET /api/meta HTTP/1.1\r\n")
        for number in range(100_000):
            endless.sendall(b"X-%d: " % number + b"y" * 500 + b"\r\n")
        raise AssertionError("fifty megabytes of headers were read")


def test_pings_are_answered_only_as_fast_as_they_are_read() -> None:
    aborted: list[bool] = []
    transport = SimpleNamespace(
        get_write_buffer_size=lambda: wire.MOST_UNREAD + 1, abort=lambda: aborted.append(True)
    )
    wire.Socket.handle_ping(cast(wire.Socket, SimpleNamespace(transport=transport)))
    assert aborted


def test_streams_that_are_dropped_at_once_leave_nothing(here: Here) -> None:
    table, keys = here.strangers()
    app: Any = here.app  # type: ignore[attr-defined]
    head = (
        f"GET /api/tables/{table}/stream HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {keys[0]}\r\n\r\n"
    )
    for number in range(60):
        dropped = raw(here)
        dropped.sendall(head.encode())
        if number % 2:  # a reset rather than an end
            dropped.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        dropped.close()
    live = app.state.hub.in_memory(table)
    until(lambda: not live.local, "a dropped stream still counts as a player who is there")
    until(lambda: not app.state.access._connections, "a dropped stream still counts")


def test_a_stream_that_is_not_read_is_cut_off(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "UNREAD_S", 0.2)
    monkeypatch.setattr(streams, "KEEP_ALIVE_S", 0.001)
    app: Any = here.app  # type: ignore[attr-defined]
    table, _ = here.strangers()

    async def never(_message: Any) -> None:
        await asyncio.sleep(60)

    left: list[bool] = []

    async def begin() -> Callable[[], None]:
        return lambda: left.append(True)

    async def lines() -> Any:
        yield b"\n"

    async def receive() -> Any:
        await asyncio.sleep(60)

    async def run() -> None:
        stream = streams.LineStream(lines(), begin, lambda: left.append(True))
        scope = {"type": "http", "asgi": {"spec_version": "2.3"}}
        with pytest.raises(BaseException):  # noqa: B017, PT011
            await asyncio.wait_for(stream(scope, receive, never), 5)

    asyncio.run(run())
    assert left == [True, True]
    assert app.state.hub.in_memory(table) is not None


@pytest.mark.parametrize(
    "table", ["abc%00defg", "..%2f..%2fx", "ABCDEFGH", "a" * 40, "%F0%9F%92%8E"]
)
def test_what_is_no_table_s_name_is_not_looked_for(here: Here, table: str) -> None:
    app: Any = here.app  # type: ignore[attr-defined]

    async def looked(*_: object) -> Any:
        raise AssertionError("the database was asked")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app.state.hub.store, "events", looked)
        assert here.try_get(f"/tables/{table}").status_code in (404, 422)
        assert here.try_get(f"/invites/{table}-abcdefgh").status_code == 404
        if "%2f" in table:
            return  # that is another path, and no socket's
        with Talk(here.port, table) as talk:
            talk.say(type="hello")
            assert talk.hear("refused")["problem"]["code"] == "no-such-table"


@pytest.mark.parametrize("said", ["1 abc\0def", "x", "1 2 3", "9" * 70])
def test_a_cursor_of_somebody_s_own_making(here: Here, said: str) -> None:
    cursor = base64.urlsafe_b64encode(said.encode()).decode()[:80]
    response = here.try_get(f"/tables?cursor={cursor}")
    assert (response.status_code, response.json()["code"]) == (422, "bad-request")
    assert here.try_get("/tables?variant=a%00b").status_code == 422


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("阿达", 201),
        ("Zoë 👩‍🚀", 201),
        ("x" * 30, 201),
        ("‮egassem", 422),
        ("a\u2028b", 422),
        ("a\x9bb", 422),
        ("​", 422),
        ("x" * 31, 422),
    ],
)
def test_a_name_is_what_can_be_seen(here: Here, name: str, status: int) -> None:
    chairs = [{"kind": "me", "name": name}, {"kind": "open"}]
    assert here.try_post("/tables", {"chairs": chairs}).status_code == status


@pytest.mark.parametrize("origin", ["http://[", "null", "https://evil.example", "http://127.0.0.1"])
def test_a_strange_origin_opens_no_socket(here: Here, origin: str) -> None:
    table, _ = here.strangers()
    with pytest.raises(InvalidStatus) as refused, Talk(here.port, table, Origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_rematches_count_as_tables(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", most_tables_per_address=3) as here:
        table, keys = here.duel()
        codes = []
        for _ in range(4):
            here.post(f"/tables/{table}/resign", {"seat": 0}, keys[0])
            answer = here.try_post(f"/tables/{table}/rematch", {"action": "offer"}, keys[0])
            codes.append(answer.status_code)
            if answer.status_code != 200:
                break
            table, keys = answer.json()["table"], keys[::-1]
        assert codes == [200, 200, 429]
        with here.socket(table, keys[0]) as talk:
            talk.hear("gameFull")
            answer = talk.ask(type="rematch", action="offer")
            assert answer["problem"]["code"] == "too-fast"


def test_a_move_that_is_refused_only_now_says_when_to_come_back(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db") as here:
        table, keys = here.duel()
        here.app.state.hub.stopping = True  # type: ignore[attr-defined]
        answer = here.try_post(
            f"/tables/{table}/move", {"moves": ["take wug"], "version": 1}, keys[0]
        )
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) >= 1


def test_a_database_that_hangs_is_told_in_time(
    hurried: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang() -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(hurried.app.state.hub.store, "ping", hang)  # type: ignore[attr-defined]
    assert hurried.http.get("/readyz", timeout=5).status_code == 503
    assert hurried.http.get("/healthz").status_code == 200


def test_a_database_s_errors_name_no_values(tmp_path: Path) -> None:
    async def run() -> None:
        engine = await open_database(str(tmp_path / "t.db"))
        ledger = SqliteLedger(engine, "node")
        assert engine.sync_engine.hide_parameters
        assert ledger._engine.hide_parameters
        await ledger.close()
        await engine.dispose()

    asyncio.run(run())


def test_a_network_of_one_household_is_one_address() -> None:
    assert (
        client_network("2001:db8::1") == client_network("2001:db8:0:ff::2%eth0") == "2001:db8::/56"
    )
    assert client_network("2001:db8:0:100::1") != client_network("2001:db8::1")
    assert client_network("::ffff:10.0.0.1") == "10.0.0.1"
    assert client_network("10.0.0.1") == "10.0.0.1"
    assert client_network("not:an:address") == "not:an:address"


def test_a_crowd_of_bots_shares_the_time() -> None:
    bots = BotPool(workers=2, nice=0, seconds=1.0)
    allowed = []
    for bots._waiting in (1, 2, 20, 10_000):
        allowed.append(bots.seconds_now())
    assert allowed == [1.0, 1.0, pytest.approx(0.1), LEAST_BOT_S]


def test_somebody_far_behind_pays_for_it(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", requests_per_s=5.0) as here:
        table, keys = here.duel()
        for _ in range(25):
            here.post(f"/tables/{table}/chat", {"phrase": "hello", "seat": 0}, keys[0])
        codes: list[str] = []
        while "refused" not in codes and len(codes) < 40:
            with here.socket(table, keys[0], since=1) as talk:
                first = json.loads(talk.ws.recv(10))
                codes.append(first["type"])
        assert "refused" in codes
