"""Hostile input: limits, quotas, headers, and a hundred clients that know no manners."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import socket
import threading
import time
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import pytest
from benchmarks.yardstick import slowness
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import connect as connect_now

from tests.server.serving import Here, Process, serving

ME: Any = {"kind": "me", "name": "Ada"}
BOT: Any = {"kind": "bot", "bot": "uniform"}


def test_protective_headers_on_everything(here: Here) -> None:
    for path in ("/", "/api/meta", "/api/nothing", "/healthz", "/assets/nothing.js"):
        headers = here.http.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "script-src" not in policy
        assert "'unsafe-eval'" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"


def test_an_unknown_address_is_a_page_for_people_and_a_problem_for_programs(here: Here) -> None:
    browser = {"Accept": "text/html,*/*;q=0.8"}
    page = here.http.get("/nothing/here", headers=browser)
    assert page.status_code == 404
    assert page.text == here.http.get("/", headers=browser).text
    assert page.headers["cache-control"] == "no-cache"
    for path, headers in (("/nothing/here", {}), ("/api/nothing", browser)):
        answer = here.http.get(path, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (404, "no-such-page")


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc/passwd",
        "/assets/../../settings.py",
        "/assets/%2e%2e/%2e%2e/app.py",
        "/static/../app.py",
        "//etc/passwd",
    ],
)
def test_no_path_leads_out(here: Here, path: str) -> None:
    with socket.create_connection(("127.0.0.1", here.port)) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        raw.settimeout(20)
        while more := raw.recv(65536):
            answer += more
    assert b" 404 " in answer.split(b"\r\n")[0] or b" 400 " in answer.split(b"\r\n")[0]
    assert b"root:" not in answer
    assert b"import" not in answer


def test_a_large_body_is_refused_unread(here: Here) -> None:
    response = here.http.post("/api/tables", content=b"x" * 20_000)
    assert (response.status_code, response.json()["code"]) == (413, "too-large")
    response = here.http.post("/api/tables", content=iter([b"{}"]))
    assert response.status_code == 413


@pytest.mark.timing
def test_too_many_requests_are_told_when_to_come_back(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", requests_per_s=0.3) as here:
        codes = [here.http.get("/api/cards").status_code for _ in range(12)]
        assert codes[:3] == [200] * 3
        assert 429 in codes
        _use_up(here)
        response = here.http.get("/api/cards", headers={"Accept-Language": "zh"})
        assert int(response.headers["retry-after"]) >= 1
        assert response.json()["code"] == "too-fast"
        assert response.json()["detail"] == response.json()["sentence"]["zh"]
        assert here.http.get("/healthz").status_code == 200
        _use_up(here)
        with pytest.raises(Exception, match="429"), _lobby(here):
            pass


def _use_up(here: Here) -> None:
    while here.http.get("/api/cards").status_code == 200:
        pass


def _lobby(here: Here) -> Any:
    return connect_now(f"ws://127.0.0.1:{here.port}/api/lobby")


def test_tables_and_connections_have_quotas(tmp_path: Path) -> None:
    with serving(
        tmp_path / "t.db",
        most_tables_per_address=3,
        most_tables=2,
        most_connections_per_address=2,
    ) as here:
        for _ in range(2):
            here.post("/tables", {"chairs": [ME, {"kind": "open"}]})
        response = here.try_post("/tables", {"chairs": [ME, BOT]})
        assert (response.status_code, response.json()["code"]) == (429, "too-many-tables")
        assert response.headers["retry-after"]
        response = here.try_post("/tables", {"chairs": [ME, BOT]})
        assert (response.status_code, response.json()["code"]) == (429, "too-fast")
        with _lobby(here), _lobby(here), pytest.raises(Exception, match="429"), _lobby(here):
            pass
        until = time.monotonic() + 20
        while True:
            with contextlib.suppress(InvalidStatus), _lobby(here):
                break
            assert time.monotonic() < until


def test_behind_a_proxy_clients_are_told_apart(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", requests_per_s=1.0, trust_proxy=True) as here:
        for number in range(15):
            headers = {"X-Forwarded-For": f"10.0.0.9, 10.0.0.{number}"}
            assert here.http.get("/api/cards", headers=headers).status_code == 200
        one = {"X-Forwarded-For": "10.1.1.1"}
        codes = {here.http.get("/api/cards", headers=one).status_code for _ in range(15)}
        assert codes == {200, 429}


def test_nothing_is_loaded_by_a_client_s_name(here: Here) -> None:
    for name in ("os", "cabochon.bots.greedy:GreedyBot", "../greedy", "greedy\x00"):
        response = here.try_post("/tables", {"chairs": [ME, {"kind": "bot", "bot": name}]})
        assert response.status_code == 422


async def _rude(port: int, table: str, number: int, stop: threading.Event) -> None:
    """One client without manners, of a kind that depends on its number."""
    chance = random.Random(number)
    address = f"ws://127.0.0.1:{port}/api/tables/{table}/socket"
    while not stop.is_set():
        with contextlib.suppress(OSError, WebSocketException, TimeoutError, httpx.HTTPError):
            kind = number % 5
            if kind == 0:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(os.urandom(chance.randrange(1, 2000)) + b"\r\n\r\n")
                await writer.drain()
                await asyncio.wait_for(reader.read(100), 1)
                writer.close()
            elif kind == 1:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(
                    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{"
                )
                await writer.drain()
                await asyncio.sleep(0.5)
                writer.close()
            elif kind == 2:
                async with connect(address, open_timeout=2, close_timeout=0.2, proxy=None) as ws:
                    await ws.send(os.urandom(chance.randrange(0, 5000)))
                    await ws.send("{" * chance.randrange(1, 4000))
                    await asyncio.wait_for(ws.recv(), 1)
            elif kind == 3:
                async with connect(address, open_timeout=2, close_timeout=0.2, proxy=None) as ws:
                    await ws.send('{"type":"hello"}')
                    for _ in range(200):
                        await ws.send('{"type":"move","id":"x","version":1,"moves":["take wug"]}')
                    await asyncio.sleep(0.2)
            else:
                async with httpx.AsyncClient(timeout=2) as http:
                    body = bytes(chance.randrange(256) for _ in range(300))
                    await http.post(f"http://127.0.0.1:{port}/api/tables", content=body)
        await asyncio.sleep(0.05)


@pytest.mark.alone
def test_a_hundred_malformed_clients_leave_the_others_alone(tmp_path: Path) -> None:
    environment = {"CABOCHON_REQUESTS_PER_S": "50", "CABOCHON_MOST_TABLES_PER_ADDRESS": "9999"}
    with Process(str(tmp_path / "t.db"), environment) as process:
        here = process.here
        table, keys = here.strangers()
        stop = threading.Event()

        async def crowd() -> None:
            await asyncio.gather(*(_rude(here.port, table, n, stop) for n in range(100)))

        thread = threading.Thread(target=lambda: asyncio.run(crowd()))
        with here.socket(table, keys[0]) as talk:
            talk.hear("gameFull")
            calm = [_ping(talk) for _ in range(40)]
            thread.start()
            time.sleep(1.0)
            busy = [_ping(talk) for _ in range(40)]
            stop.set()
            thread.join(30)
        assert not thread.is_alive()
        ready = httpx.get(f"{here.base}/readyz", timeout=20)
        assert ready.status_code == 200
        print(f"median {median(calm) * 1000:.1f} ms alone, {median(busy) * 1000:.1f} ms among them")
        assert median(busy) < 0.1 * slowness()


def _ping(talk: Any) -> float:
    began = time.perf_counter()
    talk.ask(type="ping")
    took = time.perf_counter() - began
    time.sleep(0.03)
    return took
