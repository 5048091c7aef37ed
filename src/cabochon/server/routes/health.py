"""For whoever runs the server."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from cabochon.server import metrics
from cabochon.server.routes.common import HubHere

router = APIRouter(tags=["health"])

ANSWER_S = 3.0


@router.get("/healthz", operation_id="healthz", response_class=PlainTextResponse)
async def healthz() -> str:
    """The process is alive."""
    return "ok\n"


@router.get("/readyz", operation_id="readyz", response_class=PlainTextResponse)
async def readyz(hub: HubHere) -> Response:
    """What is told here will be kept: the database is there and takes a write, and the server is
    not stopping."""
    if hub.stopping:
        return PlainTextResponse("stopping\n", 503)
    trouble = await hub.readiness.trouble(ANSWER_S)
    return PlainTextResponse(
        "ready\n" if trouble is None else f"{trouble}\n", 503 if trouble else 200
    )


@router.get("/metrics", operation_id="metrics", response_class=PlainTextResponse)
async def get_metrics() -> Response:
    """Prometheus text."""
    return Response(metrics.exposition(), media_type="text/plain; version=0.0.4")
