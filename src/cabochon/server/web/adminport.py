"""A second port for the host: health and metrics, and nothing else."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send


class AdminPort:
    """ASGI middleware: what came in by `port` goes to `inside`, all else to the public side."""

    def __init__(self, app: ASGIApp, inside: ASGIApp, port: int) -> None:
        self._app = app
        self._inside = inside
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        server = scope.get("server")
        by_side = server is not None and server[1] == self._port
        if by_side and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        await (self._inside if by_side else self._app)(scope, receive, send)
