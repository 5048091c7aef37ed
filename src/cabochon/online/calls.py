"""Calls of a server's HTTP API: JSON out and in."""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

PATIENCE_S = 20.0
MOST_BYTES = 16 * 1024 * 1024


class NoServer(Exception):
    """Nobody answers there, or not as a server of ours does."""


class CallRefused(Exception):
    """The server says no; `problem` is its problem document."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.problem = problem
        super().__init__(problem.get("detail", ""))

    @property
    def code(self) -> str:
        return str(self.problem.get("code", ""))


class Calls:
    """One server, as whoever holds the token (or nobody) asks it."""

    def __init__(self, base: str, token: str | None = None, lang: str = "en") -> None:
        self.base = base
        self._headers = {"Accept-Language": lang, "Content-Type": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Any:
        """Raises CallRefused and NoServer."""
        return json.loads(self._answer(Request(f"{self.base}/api{path}", headers=self._headers)))

    def get_text(self, path: str, key: str | None = None) -> str:
        request = Request(f"{self.base}/api{path}", headers=self._headers)
        if key is not None:
            request.add_header("Authorization", f"Bearer {key}")
        return self._answer(request).decode("utf-8", "replace")

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Raises CallRefused and NoServer."""
        data = json.dumps(body).encode()
        address = f"{self.base}/api{path}"
        return json.loads(self._answer(Request(address, data, self._headers, method="POST")))

    def _answer(self, request: Request) -> bytes:
        try:
            with urlopen(request, timeout=PATIENCE_S) as response:
                found: bytes = response.read(MOST_BYTES)
                return found
        except HTTPError as error:
            with error:
                raise CallRefused(_problem(error)) from None
        except (URLError, OSError, HTTPException, ValueError) as error:
            raise NoServer(str(getattr(error, "reason", error))) from None


def _problem(error: HTTPError) -> dict[str, Any]:
    try:
        said = json.loads(error.read(MOST_BYTES))
    except (ValueError, OSError):
        said = None
    return said if isinstance(said, dict) else {"detail": f"HTTP {error.code}"}
