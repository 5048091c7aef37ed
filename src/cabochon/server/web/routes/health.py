"""For the host: health, readiness and metrics."""

from __future__ import annotations

import time
from typing import cast

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from cabochon.server import metrics
from cabochon.server.web.routes.common import HubHere

router = APIRouter(tags=["health"])
numbers = APIRouter(tags=["health"])
"""Apart, since not everybody wants to show them to the public."""

ANSWER_S = 3.0
WRITTEN_FOR_S = 1.0


@router.get("/healthz", operation_id="healthz", response_class=PlainTextResponse)
async def healthz() -> str:
    """The process is alive."""
    return "ok\n"


@router.get("/readyz", operation_id="readyz", response_class=PlainTextResponse)
async def readyz(hub: HubHere) -> Response:
    """Ready to store what is sent: the database is there and takes a write, and the server isn't
    stopping."""
    if hub.stopping:
        return PlainTextResponse("stopping\n", 503)
    trouble = await hub.readiness.trouble(ANSWER_S)
    return PlainTextResponse(
        "ready\n" if trouble is None else f"{trouble}\n", 503 if trouble else 200
    )


@numbers.get("/metrics", operation_id="metrics", response_class=PlainTextResponse)
async def get_metrics(request: Request) -> Response:
    """Prometheus text, at most a second old."""
    written = cast(Exposition, request.app.state.exposition)()
    return Response(written, media_type="text/plain; version=0.0.4")


class Exposition:
    """Writes the numbers down at most once a second, however many ask."""

    def __init__(self) -> None:
        self._written = b""
        self._until = 0.0

    def __call__(self) -> bytes:
        now = time.monotonic()
        if now >= self._until:
            self._written, self._until = metrics.exposition(), now + WRITTEN_FOR_S
        return self._written
