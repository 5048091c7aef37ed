"""What stands before every request: limits, protective headers, and the log of requests."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cabochon.server.access.accesslimits import AccessLimits
from cabochon.server.access.cookies import has_cookie
from cabochon.server.logs import HEADER, current, request_id
from cabochon.server.problems import (
    CONTENT_TYPE,
    ServerFault,
    ServerRefused,
    language_of,
    problem,
    retry_after,
)
from cabochon.server.web.socketframes import SWITCHED

log = logging.getLogger("cabochon.requests")

MOST_BODY = 16_384
MOST_STUDY_BODY = 262_144
STUDIES = ("/api/studies", "/api/reviews")
"""Where whole records come in, with all that somebody found out about them."""
READING = ("GET", "HEAD", "OPTIONS")
OF_SOMEBODY = ("/api/me", "/api/signin", "/api/signout")
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

    def __init__(self, app: ASGIApp, access: AccessLimits) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        name = request_id(Headers(scope=scope).get(HEADER))
        answer = _Answer(send, name)
        began = time.perf_counter()
        known_as = current.set(name)
        try:
            await self._check(scope)
            await self._app(scope, receive, answer.send)
        except ServerRefused as refusal:
            await _refuse(refusal, Headers(scope=scope), answer.send)
        finally:
            _note(scope, answer.status, time.perf_counter() - began)
            current.reset(known_as)

    async def _check(self, scope: Scope) -> None:
        """Raises ServerRefused."""
        if scope["path"].startswith("/api/"):
            await self._access.slow_down(HTTPConnection(scope))
        if scope["type"] == "http":
            self._check_request(scope)

    def _check_request(self, scope: Scope) -> None:
        if scope["path"] not in UNDER_ANY_NAME:
            self._access.check_host(HTTPConnection(scope))
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        known = length.isascii() and length.isdigit() and len(length) < 10
        most = MOST_STUDY_BODY if scope["path"].startswith(STUDIES) else MOST_BODY
        if not known or int(length) > most or "transfer-encoding" in headers:
            raise ServerRefused(ServerFault.TOO_LARGE, most=most)
        if scope["path"].startswith("/api/"):
            self._check_writing(HTTPConnection(scope))
            self._access.check_request(HTTPConnection(scope))

    def _check_writing(self, connection: HTTPConnection) -> None:
        """Whatever is done in somebody's name, or makes somebody of a browser, must come from our
        own pages or from a program."""
        if connection.scope["method"] in READING:
            return
        if has_cookie(connection) or connection.scope["path"].startswith(OF_SOMEBODY):
            self._access.check_origin(connection)


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
