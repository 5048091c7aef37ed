"""Every frame counts: whoever sends frames that carry nothing is sent off, and nobody notices."""

from __future__ import annotations

import base64
import contextlib
import os
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cabochon.server.web import wire
from tests.bars import keeps
from tests.server.serving import Here, Process, Talk

MASK = bytes(4)
PING = bytes([0x89, 0x80]) + MASK
PONG = bytes([0x8A, 0x80]) + MASK
BEGUN = bytes([0x01, 0x80]) + MASK
GOING_ON = bytes([0x00, 0x80]) + MASK
EMPTY = bytes([0x81, 0x80]) + MASK

BYTES_PER_S = 1_500_000
FLOODS = {
    "pings": PING,
    "pongs": PONG,
    "empty continuations": GOING_ON,
    "empty messages": EMPTY,
}


def upgraded(port: int, path: str) -> socket.socket:
    """A socket past its handshake, with nothing between us and the bytes."""
    raw = socket.create_connection(("127.0.0.1", port), timeout=10)
    key = base64.b64encode(os.urandom(16)).decode()
    raw.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
    )
    head = b""
    while b"\r\n\r\n" not in head:
        head += raw.recv(1)
    assert b" 101 " in head.split(b"\r\n")[0]
    return raw


def close_code(raw: socket.socket) -> int:
    """The code of the close frame that ends what the server says."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while more := raw.recv(65536):
            said += more
    at = said.rfind(b"\x88")
    assert at >= 0, f"no close frame in {said[-40:]!r}"
    code: int = struct.unpack("!H", said[at + 2 : at + 4])[0]
    return code


@pytest.mark.parametrize("kind", FLOODS)
@pytest.mark.parametrize("path", ["/api/lobby", "/api/tables/abcdefghij/socket"])
def test_a_flood_of_frames_that_carry_nothing_ends_with_1008(
    here: Here, kind: str, path: str
) -> None:
    with upgraded(here.port, path) as raw:
        raw.sendall((BEGUN if kind == "empty continuations" else b"") + FLOODS[kind] * 400)
        assert close_code(raw) == 1008


def test_a_message_in_a_few_pieces_among_pings_is_a_message(here: Here) -> None:
    table, keys = here.strangers()
    with here.socket(table, keys[0]) as talk:
        talk.hear("gameFull")
        for _ in range(20):
            talk.ws.ping()
            talk.ws.send(['{"type":"pi', 'ng","id":', '"q"}'])
            assert talk.hear("pong")["id"] == "q"


def test_messages_that_arrive_together_are_all_answered_in_order(here: Here) -> None:
    """One read holds many messages: they wait for their reader, and none is lost."""
    table, keys = here.strangers()
    said = b"".join(_text(b'{"type":"ping","id":"%d"}' % n) for n in range(50))
    with here.socket(table, keys[0]) as talk:
        talk.hear("gameFull")
        talk.ws.socket.sendall(said)
        assert [talk.hear("pong")["id"] for _ in range(50)] == [str(n) for n in range(50)]


def _text(data: bytes) -> bytes:
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data)]) + MASK + data


def test_a_read_is_worked_through_a_little_at_a_time() -> None:
    """However much arrives at once, the number of frames is asked about every few hundred."""
    assert wire.READ_AT_ONCE // len(PING) + wire.FRAMES_AT_ONCE < 500


@contextlib.contextmanager
def flood(port: int, table: str) -> Iterator[None]:
    """Control frames at 1.5 MB/s over one connection, and over a new one whenever it is cut."""
    stop = threading.Event()

    def run() -> None:
        piece = (PING + PONG) * (BYTES_PER_S // 100 // 12)
        while not stop.is_set():
            with contextlib.suppress(OSError), upgraded(port, path) as raw:
                raw.setblocking(False)
                while not stop.is_set():
                    with contextlib.suppress(BlockingIOError):
                        raw.send(piece)
                    with contextlib.suppress(BlockingIOError):
                        if not raw.recv(1 << 20):
                            break
                    time.sleep(0.01)
            time.sleep(0.1)

    path = f"/api/tables/{table}/socket"
    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(20)


@pytest.mark.alone
def test_a_flood_of_control_frames_leaves_another_player_s_p99_alone(tmp_path: Path) -> None:
    with Process(str(tmp_path / "t.db")) as process:
        here = process.here
        table, keys = here.strangers()
        with here.socket(table, keys[0]) as talk:
            talk.hear("gameFull")
            _asks(talk, 50)

            def ratio() -> float:
                quiet: list[float] = []
                busy: list[float] = []
                for _ in range(4):
                    quiet += _asks(talk, 75)
                    with flood(here.port, table):
                        busy += _asks(talk, 75)
                calm, troubled = _p99(quiet), _p99(busy)
                print(f"p99 {calm * 1000:.2f} ms quiet, {troubled * 1000:.2f} ms in the flood")
                return troubled / calm

            keeps(2, ratio)


def _asks(talk: Talk, count: int) -> list[float]:
    took = []
    for _ in range(count):
        began = time.perf_counter()
        talk.ask(type="ping")
        took.append(time.perf_counter() - began)
        time.sleep(0.005)
    return took


def _p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]
