"""Servers for tests: one in a thread of this process, one as a process that can be killed."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from cabochon.cli import main
from cabochon.server.settings import Settings
from cabochon.server.tables.hub import now_ms
from cabochon.server.web.app import make_app
from cabochon.server.web.wire import Http, Socket

FAST = {
    "requests_per_s": 5000.0,
    "most_tables_per_address": 10**6,
    "most_unfinished_per_address": 10_000,
    "most_bot_tables": 400,
    "review_workers": 0,
    "quick_reviews": False,
    "review_nice": 0,
    "engine_nice": 0,
    "bot_nice": 0,
    "bot_workers": 1,
}
"""One address plays for everybody here. Who tests reviews asks for them."""


NO_TLS = False
"""Reading the certificate authorities costs each client 30 ms, and nobody here needs them."""


class Here:
    """A server that listens at `base`."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.base = f"http://127.0.0.1:{port}"
        self.http = httpx.Client(base_url=self.base, timeout=20, verify=NO_TLS)

    def post(self, path: str, body: Any = None, key: str | None = None, **headers: str) -> Any:
        """The answer to a POST, which must succeed."""
        response = self.try_post(path, body, key, **headers)
        assert response.is_success, response.text
        return response.json()

    def try_post(
        self, path: str, body: Any = None, key: str | None = None, **headers: str
    ) -> httpx.Response:
        return self.http.post(f"/api{path}", json=body or {}, headers=_headers(key, headers))

    def get(self, path: str, key: str | None = None, **headers: str) -> Any:
        response = self.try_get(path, key, **headers)
        assert response.is_success, response.text
        return response.json()

    def try_get(self, path: str, key: str | None = None, **headers: str) -> httpx.Response:
        return self.http.get(f"/api{path}", headers=_headers(key, headers))

    def duel(self, **options: Any) -> tuple[str, list[str]]:
        """A table of two people at one device: its id and their keys by seat."""
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "local", "name": "Bo"}]
        made = self.post("/tables", {"chairs": chairs, "seat_order": "fixed", **options})
        return made["table"]["id"], [entry["key"] for entry in made["keys"]]

    def strangers(self, **options: Any) -> tuple[str, list[str]]:
        """A table of two people who do not know one another."""
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
        made = self.post("/tables", {"chairs": chairs, "seat_order": "fixed", **options})
        table, code = made["table"]["id"], made["invites"][0]["code"]
        joined = self.post(f"/tables/{table}/join", {"name": "Bo", "code": code})
        return table, [made["keys"][0]["key"], joined["key"]]

    def socket(self, table: str, *keys: str, **hello: Any) -> Talk:
        talk = Talk(self.port, table)
        talk.say(type="hello", keys=list(keys), **hello)
        return talk

    def full(self, table: str, key: str | None = None, **hello: Any) -> Any:
        """What a new connection is told first."""
        with self.socket(table, *([key] if key else []), **hello) as talk:
            return talk.hear("gameFull")

    def close(self) -> None:
        self.http.close()


class Talk:
    """A socket to a table."""

    def __init__(self, port: int, table: str, **headers: str) -> None:
        self.heard: list[Any] = []
        self._stack = contextlib.ExitStack()
        address = f"ws://127.0.0.1:{port}/api/tables/{table}/socket"
        self.ws: ClientConnection = self._stack.enter_context(
            connect(
                address,
                additional_headers=headers,
                max_size=None,
                ping_interval=None,
                close_timeout=0.2,  # who has not read everything would wait for ten seconds
            )
        )

    def say(self, **message: Any) -> None:
        self.ws.send(json.dumps(message))

    def next(self, timeout: float = 10) -> Any:
        message = json.loads(self.ws.recv(timeout))
        self.heard.append(message)
        return message

    def hear(self, *kinds: str, timeout: float = 10) -> Any:
        """The next message of one of these kinds; others are kept in `heard`."""
        until = time.monotonic() + timeout
        while True:
            message = self.next(max(0.01, until - time.monotonic()))
            if message["type"] in kinds:
                return message

    def ask(self, **message: Any) -> Any:
        """A command and its answer."""
        self.say(id="q", **message)
        return self.hear("accepted", "refused", "checked", "pong")

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._stack.close()

    def hear_out(self) -> None:
        """Everything until the server ends the talk. Raises ConnectionClosed."""
        while True:
            self.next()


def _headers(key: str | None, more: dict[str, str]) -> dict[str, str]:
    headers = {name.replace("_", "-"): value for name, value in more.items()}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    return headers


def free_socket() -> socket.socket:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    return listening


@contextlib.contextmanager
def serving(
    db: Path | str, clock: Callable[[], int] | None = now_ms, **options: Any
) -> Iterator[Here]:
    """A server in a thread of this process."""
    app = make_app(Settings(db=str(db), **{**FAST, **options}), clock)
    config = uvicorn.Config(
        app,
        log_config=None,
        http=Http,
        ws=Socket,
        ws_per_message_deflate=False,
        lifespan="on",
        date_header=False,
        proxy_headers=False,
        access_log=False,
        timeout_graceful_shutdown=2,
        timeout_keep_alive=75,  # as it is served
    )
    server = uvicorn.Server(config)
    listening = free_socket()
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started and thread.is_alive() and time.monotonic() < until:
        time.sleep(0.01)
    assert server.started, "the server did not start"
    here = Here(listening.getsockname()[1])
    here.app = app  # type: ignore[attr-defined]
    try:
        yield here
    finally:
        here.close()
        app.state.hub.depart()
        server.should_exit = True
        thread.join(20)
        listening.close()
        assert not thread.is_alive(), "the server did not stop"


FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["cabochon.server.web.running", "cabochon.server.web.app"])
"""To import all that a server needs takes a second and a half of processor time; here a process has
done so already, and each server is a copy of it. Those that other tests start by their command
import everything."""


def _serve(said: Connection, environment: dict[str, str], arguments: list[str]) -> None:
    """In the new process: what `cabochon serve` does."""
    os.dup2(sys.stdin.fileno(), 0)  # whose own processes expect it there
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(os.dup(said.fileno()), "w", encoding="utf-8")
    os.environ.clear()
    os.environ.update(environment)
    sys.exit(main(["serve", "--lang", "en", *arguments]))


class Process:
    """`cabochon serve` as a process of its own, on a port that stays the same."""

    def __init__(self, db: str, environment: dict[str, str] | None = None) -> None:
        self.db = db
        self.port = 0
        self._environment = environment or {}
        self.start()

    def start(self) -> None:
        environment = os.environ | {
            "CABOCHON_REQUESTS_PER_S": "5000",
            "CABOCHON_LOG_LEVEL": "warning",
            "CABOCHON_MOST_TABLES_PER_ADDRESS": "1000000",
            "CABOCHON_MOST_UNFINISHED_PER_ADDRESS": "10000",
            "CABOCHON_MOST_BOT_TABLES": "400",
            "CABOCHON_REVIEW_WORKERS": "0",
            "CABOCHON_QUICK_REVIEWS": "no",
            "CABOCHON_REVIEW_NICE": "0",
            "CABOCHON_ENGINE_NICE": "0",
            "CABOCHON_BOT_NICE": "0",
            **self._environment,
        }
        heard, said = FORKING.Pipe(duplex=False)
        arguments = ["--port", str(self.port), "--db", self.db]
        self._process = FORKING.Process(target=_serve, args=(said, environment, arguments))
        self._process.start()
        said.close()
        with open(heard.fileno(), encoding="utf-8", closefd=False) as lines:
            line = lines.readline()
        self._heard = heard
        found = re.search(r":(\d+)/", line)
        assert found, f"no address in {line!r}"
        self.port = int(found[1])
        self.here = Here(self.port)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop; gives the exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        self.here.close()
        if self._process.is_alive():
            os.kill(self.pid, number)
        self._process.join(20)
        code = self._process.exitcode
        assert code is not None, "the server did not stop"
        self._heard.close()
        return code

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.is_alive():
            self.kill()


def table_news(lobby: ClientConnection) -> Any:
    """What is told of tables next: the line tells of pools and invitations too."""
    while not (told := json.loads(lobby.recv(5)))["type"].startswith("lobby"):
        pass
    return told
