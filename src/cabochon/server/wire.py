"""Below the application: what uvicorn's protocols let a client do for as long as it likes.

A request must arrive within a while, head and body, and its head has an end. Pings are answered
only as fast as the answers are read.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

ARRIVAL_S = 15.0
"""How long a request may take to arrive, also the first of a connection to begin."""
MOST_HEAD = 32_768
MOST_UNREAD = 65_536
"""A socket that has so many bytes of ours unread and asks for more is cut off."""


class Http(HttpToolsProtocol):
    """Cuts off whoever dawdles over a request, or never comes to the end of its head."""

    _patience: asyncio.TimerHandle | None = None
    _in_head = True
    _head = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self._in_head
        super().data_received(data)
        if before and self._in_head:
            self._head += len(data)
            if self._head > MOST_HEAD:
                self.transport.abort()

    def handle_websocket_upgrade(self) -> None:
        self._arrived()
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._wait()

    def on_headers_complete(self) -> None:
        self._in_head, self._head = False, 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._arrived()
        self._in_head = True
        super().on_message_complete()

    def _wait(self) -> None:
        self._arrived()
        self._patience = self.loop.call_later(ARRIVAL_S, self.transport.abort)

    def _arrived(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class Socket(WebSocketsSansIOProtocol):
    """Cuts off whoever asks for answers and does not read them."""

    def handle_ping(self) -> None:
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()
            return
        super().handle_ping()
