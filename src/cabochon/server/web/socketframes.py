"""Frames of a socket by hand. Nearly all that comes or goes is a short text in a frame of its own,
for which websockets' parser, made for everything that may come, takes ten times as long."""

from __future__ import annotations

from websockets.speedups import apply_mask

SWITCHED = 101
"""The status of a request that has become a socket."""
POLICY = 1008
"""The code that closes a socket on somebody who does not keep to the rules."""
WHOLE_TEXT = 0x81
MASKED = 0x80
TWO_BYTES = 126
EIGHT_BYTES = 127
_HEAD = 2
_MASK = 4


def text_frame(message: bytes) -> bytes:
    """The frame in which a server sends a text."""
    size = len(message)
    if size < TWO_BYTES:
        return b"\x81%c%b" % (size, message)
    if size < 65_536:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), message)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), message)


def whole_text(data: bytes, most: int) -> str | None:
    """The text, if the data is a single whole frame of a client with a text of 1 to `most` bytes,
    and nothing else. None says only that somebody else has to look at it."""
    if len(data) <= _HEAD + _MASK or data[0] != WHOLE_TEXT:
        return None
    size, at = data[1] - MASKED, _HEAD
    if size == TWO_BYTES:
        size, at = int.from_bytes(data[2:4], "big"), 4
    start = at + _MASK
    if not 0 < size <= most or len(data) != start + size:
        return None
    try:
        return apply_mask(data[start:], data[at:start]).decode()
    except UnicodeDecodeError:
        return None


class FrameTrack:
    """Follows what a client sends, to know whether the next byte is the first of a frame."""

    __slots__ = ("_head", "_left")

    def __init__(self) -> None:
        self._head = b""
        self._left = 0

    @property
    def at_start(self) -> bool:
        return not self._left and not self._head

    def follow(self, data: bytes) -> None:
        at = 0
        while at < len(data):
            if self._left:
                step = min(self._left, len(data) - at)
                self._left -= step
            else:
                step = 1
                self._head += data[at : at + 1]
                self._end_head()
            at += step

    def _end_head(self) -> None:
        """Once the head says how long the frame is, that is what is left of it."""
        head = self._head
        if len(head) < _HEAD:
            return
        size = head[1] & 0x7F
        more = {TWO_BYTES: 2, EIGHT_BYTES: 8}.get(size, 0)
        if len(head) < _HEAD + more:
            return
        if more:
            size = int.from_bytes(head[_HEAD:], "big")
        self._left = size + (_MASK if head[1] & MASKED else 0)
        self._head = b""
