"""People in tests: each with a browser's cookie, and an listener for the pools."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from tests.server.serving import NO_TLS, Here


class Somebody:
    """A guest with a session; `kept` once their name is."""

    def __init__(self, base: str, name: str) -> None:
        self.http = httpx.Client(base_url=base, timeout=20, verify=NO_TLS)
        answer = self.http.post("/api/me", json={"name": name})
        assert answer.is_success, answer.text
        self.id: str = answer.json()["id"]
        self.name = name

    def post(self, path: str, body: Any = None) -> Any:
        answer = self.try_post(path, body)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def try_post(self, path: str, body: Any = None) -> httpx.Response:
        return self.http.post(f"/api{path}", json=body or {})

    def get(self, path: str) -> Any:
        answer = self.http.get(f"/api{path}")
        assert answer.is_success, answer.text
        return answer.json()

    def delete(self, path: str) -> httpx.Response:
        return self.http.delete(f"/api{path}")

    def join(self, pool: str = "two-5-3", **asked: Any) -> Any:
        return self.post(f"/pools/{pool}/join", asked)

    @contextlib.contextmanager
    def listening(self) -> Iterator[PoolNews]:
        """The pools' stream, open meanwhile."""
        news = PoolNews(self.http)
        try:
            yield news
        finally:
            news.close()

    def close(self) -> None:
        self.http.close()


class PoolNews:
    """What the stream has said, read in a thread."""

    def __init__(self, http: httpx.Client) -> None:
        self.heard: list[Any] = []
        self._open = threading.Event()
        self._stack = contextlib.ExitStack()
        self._response = self._stack.enter_context(
            http.stream("GET", "/api/pools/stream", timeout=60)
        )
        assert self._response.status_code == 200, self._response.read()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(httpx.HTTPError, httpx.StreamError, OSError, ValueError):
            for line in self._response.iter_lines():
                if line.strip():
                    self.heard.append(json.loads(line))

    def hear(self, kind: str, timeout: float = 20) -> Any:
        """The first message of that kind."""
        return self.wait(lambda: next((m for m in self.heard if m["type"] == kind), None), timeout)

    def wait(self, found: Callable[[], Any], timeout: float = 20) -> Any:
        until = time.monotonic() + timeout
        while (what := found()) is None:
            assert time.monotonic() < until, self.heard
            time.sleep(0.02)
        return what

    def close(self) -> None:
        self._stack.close()
        self._thread.join(5)


@contextlib.contextmanager
def people(here: Here, *names: str) -> Iterator[list[Somebody]]:
    found = [Somebody(here.base, name) for name in names]
    try:
        yield found
    finally:
        for one in found:
            one.close()
