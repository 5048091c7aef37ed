"""The events of a finished game as one small value: a tenth of what their rows take.

A packed game is a byte that says how it was packed, then zlib with a dictionary of what every game
says. Times are written as differences. What only a running game needs is left out: by which id of
its client a move came, so that an answer could be given twice.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

import orjson

_FIRST = 1
_LEFT_OUT = ("key", "ask")


class BadPacking(ValueError):
    """It was not packed by this version or an earlier one, or it is damaged."""


def pack(bodies: Sequence[str]) -> bytes:
    """What `unpack` gives back, except for the ids of clients."""
    squeezed = zlib.compressobj(9, memLevel=9, zdict=_dictionary(_FIRST))
    text = b"\n".join(_shortened(bodies))
    return bytes((_FIRST,)) + squeezed.compress(text) + squeezed.flush()


def unpack(packed: bytes) -> list[str]:
    """The bodies of all events, in order. Raises BadPacking."""
    if packed[:1] != bytes((_FIRST,)):
        raise BadPacking(f"packed in an unknown way: {packed[:1].hex() or '-'}")
    try:
        wide = zlib.decompressobj(zdict=_dictionary(_FIRST))
        text = wide.decompress(packed[1:]) + wide.flush()
    except zlib.error as error:
        raise BadPacking(str(error)) from None
    if not wide.eof:
        raise BadPacking("the end is missing")
    return list(_lengthened(text.split(b"\n")))


def _shortened(bodies: Sequence[str]) -> Iterator[bytes]:
    before = 0
    for body in bodies:
        event = orjson.loads(body)
        if event["type"] == "Moved":
            for name in _LEFT_OUT:
                event.pop(name, None)
        at = event["at"]
        event["at"], before = at - before, at
        yield orjson.dumps(event)


def _lengthened(lines: Sequence[bytes]) -> Iterator[str]:
    now = 0
    for line in lines:
        event = orjson.loads(line)
        now += event["at"]
        event["at"] = now
        yield orjson.dumps(event).decode()


@cache
def _dictionary(way: int) -> bytes:
    """What was packed with it can only be read with it: a better one is a new way."""
    files = resources.files("cabochon.server.storage").joinpath("data")
    return files.joinpath(f"packed-{way}.txt").read_bytes()
