"""Addresses of tables, as people are given them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

_PLACE = re.compile(r"/(?P<what>t|replay|join)/(?P<name>[A-Za-z0-9_-]{4,64})/?")
_KEYS = re.compile(r"k=([\w.-]+)")
MOST_KEYS = 8


@dataclass(frozen=True, slots=True)
class TableLink:
    """A server and, there, a table, an invitation, the keys of seats or a watcher's code.

    http://host/t/TABLE            a table
    http://host/t/TABLE#k=KEY.KEY  seats at it: the keys after # reach no server
    http://host/t/TABLE?watch=CODE a table that is watched by link
    http://host/join/CODE          an invitation
    http://host                    the server alone
    """

    base: str
    table: str | None = None
    code: str | None = None
    keys: tuple[str, ...] = ()
    watch: str | None = None

    @property
    def socket(self) -> str:
        """The server's address for sockets."""
        return "ws" + self.base.removeprefix("http")


def parse_link(text: str) -> TableLink | None:
    """What the address leads to; None for anything but an address of ours."""
    text = text.strip()
    try:
        parts = urlsplit(text if "//" in text else f"http://{text}")
        known = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        return None
    if not known or parts.username is not None:
        return None
    base = f"{parts.scheme}://{parts.netloc}"
    if parts.path in ("", "/"):
        return TableLink(base)
    place = _PLACE.fullmatch(parts.path)
    if place is None:
        return None
    if place["what"] == "join":
        return TableLink(base, table=place["name"].partition("-")[0], code=place["name"])
    found = _KEYS.fullmatch(parts.fragment)
    keys = tuple(dict.fromkeys(found[1].split(".")))[:MOST_KEYS] if found else ()
    watch = parse_qs(parts.query).get("watch", [None])[0]
    return TableLink(base, table=place["name"], keys=keys, watch=watch)


def format_link(base: str, table: str, keys: tuple[str, ...] = ()) -> str:
    return f"{base}/t/{table}" + (f"#k={'.'.join(keys)}" if keys else "")


# Calls of a server's HTTP API: JSON out and in.


PATIENCE_S = 20.0
MOST_BYTES = 16 * 1024 * 1024


class NoServer(Exception):
    """Nobody answers there, or not as a server of ours does; `cause` is what came instead."""

    def __init__(self, cause: object) -> None:
        self.cause = cause
        super().__init__(str(cause))


class CallRefused(Exception):
    """The server says no; `problem` is its problem document."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.problem = problem
        super().__init__(problem.get("detail", ""))

    @property
    def code(self) -> str:
        return str(self.problem.get("code", ""))


class Calls:
    """One server, asked with a token, or without one."""

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
            raise NoServer(getattr(error, "reason", error)) from None


def _problem(error: HTTPError) -> dict[str, Any]:
    try:
        said = json.loads(error.read(MOST_BYTES))
    except (ValueError, OSError):
        said = None
    return said if isinstance(said, dict) else {"detail": f"HTTP {error.code}"}
