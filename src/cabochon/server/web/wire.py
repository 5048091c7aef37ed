"""Below the application: what uvicorn's protocols let a client do for as long as it likes.

A request must arrive within a while, head and body, and its head has an end. On a socket every
frame counts, also those that carry no message, and no read is worked through in one go.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

from cabochon.server import metrics
from cabochon.server.limits import Bucket
from cabochon.server.web.socketframes import POLICY, SWITCHED, FrameTrack, text_frame, whole_text

ARRIVAL_S = 15.0
"""How long a request may take to arrive, also the first of a connection to begin."""
MOST_HEAD = 32_768
MOST_UNREAD = 65_536
"""A socket that has this many bytes of ours unread and asks for more is cut off."""


FRAMES_PER_S = 10.0
FRAMES_AT_ONCE = 200
"""Frames of one socket besides its messages. Ours are asked for a pong every twenty seconds."""
READ_AT_ONCE = 1024
"""Bytes that are taken apart before anybody asks how many frames there were: 170 at most."""
PARTING_S = 1.0
"""How long a socket that was sent off may still be read from, unheard."""
MOST_READ_DIRECTLY = 4096
MESSAGES = (Opcode.TEXT, Opcode.BINARY)


class Http(HttpToolsProtocol):
    """Cuts off clients that dawdle over a request, or never come to the end of its head."""

    _patience: asyncio.TimerHandle | None = None
    _in_head = True
    _head_ended = False
    _head = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before, self._head_ended = self._in_head, False
        super().data_received(data)
        if before and self._in_head and not self._head_ended:
            self._head += len(data)
            if self._head > MOST_HEAD:
                self.transport.abort()

    def handle_websocket_upgrade(self) -> None:
        self._arrived()
        super().handle_websocket_upgrade()
        # The two know one another, and nobody needs them any more.
        self.parser = None  # type: ignore[assignment]

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._wait()

    def on_headers_complete(self) -> None:
        self._in_head, self._head, self._head_ended = False, 0, True
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
    """Counts frames that no message comes of, and reads a little at a time.

    Pings, pongs, fragments and empty frames have a budget of their own; a client that spends it is
    cut off with 1008. Once a message has been found the rest of what arrived waits until the
    message has been taken, so that a reader who pauses the connection pauses all of it.

    A text that arrives alone, in one frame, goes straight to who waits for it, and texts can be
    sent without the application's layers in between: the application finds this object as
    `state["line"]` of its scope.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._idle_frames = Bucket(FRAMES_PER_S, FRAMES_AT_ONCE)
        self._arrived = b""
        self._done = 0
        self._sent_off = False
        self._track: FrameTrack | None = None
        self._awaited = False
        self._runs = False
        self.when_free: Callable[[], None] | None = None
        """Called when more can be written again."""
        self.on_text: Callable[[str], bool] | None = None
        """Asked first about a text that comes while the application waits for one: whether that is
        all there is to do about it. Otherwise the application receives it."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == SWITCHED:
            self.scope["state"]["line"] = self

    async def run_asgi(self) -> None:
        self._runs = True
        try:
            await super().run_asgi()
        finally:
            self._runs = False
            self._let_go()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._let_go()

    def _let_go(self) -> None:
        """A connection that is over, with its application, is freed at once: 20 KB that know one
        another would wait for the collector, which looks at everything only now and then."""
        if self.disconnected and not self._runs:
            if self.handshake_initiated:
                self.scope["state"].clear()
                self.scope = {}  # type: ignore[typeddict-item]
            self.conn.parser.close()
            self.conn.parser = None  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        if self._sent_off or self.disconnected:
            return  # read, so that our last frame is not lost to a reset, but not looked at
        if self._is_between_messages and not self._left and not self.read_paused:
            text = whole_text(data, MOST_READ_DIRECTLY)
            if text is not None:
                self._hand_over(text)
                return
        self._arrived = self._arrived[self._done :] + data if self._left else data
        self._done = 0
        self._read_on()

    @property
    def _left(self) -> int:
        return len(self._arrived) - self._done

    def _read_on(self) -> None:
        while self._left and not (self.read_paused or self._sent_off):
            piece = self._arrived[self._done : self._done + READ_AT_ONCE]
            self._done += len(piece)
            self._parse(piece)
        if not self._left:
            self._arrived, self._done = b"", 0

    def _parse(self, piece: bytes) -> None:
        if self._track is None:
            self._track = FrameTrack()  # what comes first is the request, whole
        else:
            self._track.follow(piece)
        super().data_received(piece)

    @property
    def _is_between_messages(self) -> bool:
        """Whether a new message may begin with what arrives next."""
        return (
            self._track is not None
            and self._track.at_start
            and self.conn.current_size is None
            and self._is_open
        )

    @property
    def _is_open(self) -> bool:
        return self.conn.state is State.OPEN and self.handshake_complete and not self.close_sent

    def _hand_over(self, text: str) -> None:
        if self._awaited and self.on_text is not None and self.on_text(text):
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self._awaited:
            self._awaited = False
        else:  # as uvicorn does: nobody reads more than one message ahead
            self.read_paused = True
            self.transport.pause_reading()

    async def receive(self) -> ASGIReceiveEvent:
        self._awaited = self.queue.empty()
        message = await super().receive()
        self._read_on()
        return message

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = (
                True  # refused in due form: nothing for uvicorn to complain of
            )
        self._read_on()

    # Writing without the application's layers

    @property
    def is_free(self) -> bool:
        """Whether the client reads what it is sent."""
        return self.writable.is_set()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.when_free is not None:
            self.when_free()

    def write_texts(self, messages: Iterable[bytes]) -> None:
        """All of them in one go; nothing if the connection is about to end."""
        if self._is_open and not self.disconnected and not self.transport.is_closing():
            self.transport.write(b"".join(map(text_frame, messages)))

    # Frames

    def handle_events(self) -> None:
        """As uvicorn does, unless the frames of this piece are too many."""
        counted = sum(map(self._counts, self.conn.events))
        if counted and self._idle_frames.take(counted):
            self._send_off("too many frames")
        else:
            super().handle_events()

    def _counts(self, event: object) -> bool:
        """Whether a frame is on top of the messages, which their reader counts."""
        if not isinstance(event, Frame):
            return False
        whole = event.opcode in MESSAGES and event.fin and len(event.data) > 0
        return self.close_sent or not whole

    def handle_ping(self) -> None:
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()
            return
        super().handle_ping()

    def _send_off(self, why: str) -> None:
        """Close with 1008; what still comes is thrown away until the connection ends."""
        metrics.LIMITED.inc()
        self._sent_off = True
        self.conn.events.clear()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": POLICY, "reason": why})
        try:
            if not self.close_sent:
                self.conn.send_close(POLICY, why)
        except InvalidState:  # before the handshake, or while the client says goodbye
            self.transport.abort()
            return
        self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()))
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(PARTING_S, self.transport.abort)
