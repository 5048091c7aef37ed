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
from cabochon.server.requestids import HEADER, current, request_id

log = logging.getLogger("cabochon.requests")

MOST_BODY = 16_384
SWITCHED = 101
UNDER_ANY_NAME = ("/healthz", "/readyz", "/metrics")
"""Probes call a server by its address, and learn nothing but how it is."""
_BEGINNINGS = ("http.response.start", "websocket.accept", "websocket.http.response.start")

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
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        name = request_id(Headers(scope=scope).get(HEADER))
        answer = _Answer(send, name)
        began = time.perf_counter()
        known_as = current.set(name)
        try:
            if scope["type"] == "http":
                self._check(scope)
            await self._app(scope, receive, answer.send)
        except ServerRefused as refusal:
            await _refuse(refusal, Headers(scope=scope), answer.send)
        finally:
            _note(scope, answer.status, time.perf_counter() - began)
            current.reset(known_as)

    def _check(self, scope: Scope) -> None:
        if scope["path"] not in UNDER_ANY_NAME:
            self._doorkeeper.check_host(HTTPConnection(scope))
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        known = length.isascii() and length.isdigit() and len(length) < 10
        if not known or int(length) > MOST_BODY or "transfer-encoding" in headers:
            raise ServerRefused(ServerFault.TOO_LARGE, most=MOST_BODY)
        if scope["path"].startswith("/api/"):
            self._doorkeeper.check_request(HTTPConnection(scope))


class _Answer:
    """Adds the headers to what is sent, and remembers the status."""

    def __init__(self, send: Send, request: str) -> None:
        self._send = send
        self._request = request
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] in _BEGINNINGS:
            self.status = message.get("status", SWITCHED)
            headers = MutableHeaders(raw=list(message.get("headers", ())))
            message["headers"] = headers.raw
            headers[HEADER] = self._request
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)


def _note(scope: Scope, status: int, seconds: float) -> None:
    """By route, never by address: what stands in a path may be a code."""
    if log.isEnabledFor(logging.INFO):
        route = getattr(scope.get("route"), "path", "-")
        extra = {
            "method": scope.get("method", "SOCKET"),
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
