"""Frames by hand: the same as websockets', and nothing is taken for a text that is none."""

from __future__ import annotations

import pytest
from websockets.frames import Frame, Opcode
from websockets.speedups import apply_mask

from cabochon.server.web.socketframes import FrameTrack, text_frame, whole_text

MASK = b"\x01\x02\x03\x04"
MOST = 4096


def sent(payload: bytes, opcode: int = Opcode.TEXT, fin: bool = True) -> bytes:
    """As a client sends it."""
    size, head = len(payload), bytes([opcode | (0x80 if fin else 0)])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65_536:
        head += b"\xfe" + size.to_bytes(2, "big")
    else:
        head += b"\xff" + size.to_bytes(8, "big")
    return head + MASK + apply_mask(payload, MASK)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536])
def test_what_is_written_is_what_websockets_writes(size: int) -> None:
    message = b"x" * size
    assert text_frame(message) == Frame(Opcode.TEXT, message).serialize(mask=False)


@pytest.mark.parametrize("size", [1, 125, 126, 4096])
def test_a_whole_text_is_read(size: int) -> None:
    assert whole_text(sent(b"x" * size), MOST) == "x" * size
    assert whole_text(sent("宝石".encode()), MOST) == "宝石"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        sent(b""),
        sent(b"x" * 4097),
        sent(b"half")[:-1],
        sent(b"two") + sent(b"two"),
        sent(b"part", fin=False),
        sent(b"bytes", Opcode.BINARY),
        sent(b"ping", Opcode.PING),
        sent(b"\xff\xfe"),
        b"\x81\x04text",
        b"\xc1" + sent(b"reserved bit")[1:],
    ],
)
def test_anything_else_is_left_to_the_parser(data: bytes) -> None:
    assert whole_text(data, MOST) is None


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000, 100_000])
def test_the_track_knows_where_frames_begin_however_they_arrive(step: int) -> None:
    frames = [sent(b"x" * size) for size in (0, 5, 125, 126, 300, 65_536)]
    starts, at = set(), 0
    for frame in frames:
        at += len(frame)
        starts.add(at)
    data, track = b"".join(frames), FrameTrack()
    for begin in range(0, len(data), step):
        track.follow(data[begin : begin + step])
        assert track.at_start == (min(begin + step, len(data)) in starts)
