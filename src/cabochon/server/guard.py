"""What stands before every request: limits, protective headers, and the log of requests."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cabochon.server.doorkeeper import Doorkeeper
from cabochon.server.problems import (
    CONTENT_TYPE,
    ServerFault,
    ServerRefused,
    language_of,
    problem,
    retry_after,
)

log = logging.getLogger("cabochon.requests")

MOST_BODY = 16_384

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self'; "
        "style-src-attr 'unsafe-inline'; connect-src 'self'; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """ASGI middleware; pure, so that streams and sockets pass through untouched."""

    def __init__(self, app: ASGIApp, doorkeeper: Doorkeeper) -> None:
        self._app = app
        self._doorkeeper = doorkeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send)
        began = time.perf_counter()
        try:
            self._check(scope)
            await self._app(scope, receive, answer.send)
        except ServerRefused as refusal:
            await _refuse(refusal, Headers(scope=scope), answer.send)
        finally:
            _note(scope, answer.status, time.perf_counter() - began)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        known = length.isascii() and length.isdigit() and len(length) < 10
        if not known or int(length) > MOST_BODY or "transfer-encoding" in headers:
            raise ServerRefused(ServerFault.TOO_LARGE, most=MOST_BODY)
        if scope["path"].startswith("/api/"):
            self._doorkeeper.check_request(HTTPConnection(scope))


class _Answer:
    """Adds the headers to what is sent, and remembers the status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)


def _note(scope: Scope, status: int, seconds: float) -> None:
    """By route, never by address: what stands in a path may be a code."""
    if log.isEnabledFor(logging.INFO):
        route = getattr(scope.get("route"), "path", "-")
        extra = {
            "method": scope["method"],
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 1),
        }
        log.info("request", extra=extra)


async def _refuse(error: ServerRefused, headers: Headers, send: Send) -> None:
    document = problem(error, language_of(headers.get("accept-language")))
    answer = {"Content-Type": CONTENT_TYPE, **retry_after(error)}
    raw = [(name.lower().encode(), value.encode()) for name, value in answer.items()]
    await send({"type": "http.response.start", "status": document["status"], "headers": raw})
    await send({"type": "http.response.body", "body": orjson.dumps(document)})
