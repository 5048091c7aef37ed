"""The submissions that stand, and how the game was before them, so that a take-back drops to it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from cabochon.play.clock import Times
from cabochon.play.events import Moved
from cabochon.play.stack import Stack
from cabochon.play.staging import replayed
from cabochon.rules import Position

RECENT = 1
"""So many of the last positions are kept at hand, ..."""
EVERY = 16
"""... and of the older ones every so many-th: a position takes half a kilobyte."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """How it was before a submission: the position, the clock, and what had been played."""

    position: Position
    times: Times | None
    history: History


@dataclass(frozen=True, slots=True)
class History:
    """Grows with each submission. For each of them there is its number among the events and, if
    the table has clocks, what they showed before it; `marks` are the positions before every
    so many-th, `recent` those before the last few. `asked` has four bytes for each key with which
    something was submitted, also if it was taken back: enough to know a new one by."""

    moved: Stack[Moved]
    seqs: Stack[int]
    times: Stack[Times]
    marks: Stack[Position]
    recent: tuple[Position, ...]
    asked: bytes

    def __len__(self) -> int:
        return len(self.moved)

    def plus(self, event: Moved, seq: int, before: Position, times: Times | None) -> History:
        """With one more, made when position and clock were as is said."""
        return History(
            self.moved.plus(event),
            self.seqs.plus(seq),
            self.times if times is None else self.times.plus(times),
            self.marks if len(self.moved) % EVERY else self.marks.plus(before),
            (*self.recent, before)[-RECENT:],
            self.asked if event.key is None else self.asked + _mark(event.key),
        )

    def index_of(self, seat: int, key: str) -> int | None:
        """The seat's last submission with that key. Asked at every move, and nearly always there
        is none: so the marks are looked at first, which is quick."""
        if _mark(key) not in self.asked:
            return None
        for index in range(len(self.moved) - 1, -1, -1):
            moved = self.moved[index]
            if moved.key == key and moved.seat == seat:
                return index
        return None

    def dropped(self, kept: int) -> Dropped:
        """Before the submission with that index.

        Going back step by step costs about as much as having come: where the positions at hand
        end, all since the next mark are made again and are at hand for the following steps.
        """
        undone = len(self.moved) - kept
        if undone <= len(self.recent):
            position, recent = self.recent[-undone], self.recent[:-undone]
        else:
            position, recent = self._made_again(kept)
        times = self.times[kept] if self.times else None
        history = History(
            self.moved.cut(kept),
            self.seqs.cut(kept),
            self.times.cut(kept),
            self.marks.cut(-(-kept // EVERY)),
            recent,
            self.asked,
        )
        return Dropped(position, times, history)

    def _made_again(self, kept: int) -> tuple[Position, tuple[Position, ...]]:
        mark = max(0, kept - RECENT) // EVERY
        position = self.marks[mark]
        before: list[Position] = []
        for index in range(mark * EVERY, kept):
            before.append(position)
            position = replayed(position, self.moved[index])
        return position, tuple(before)


def _mark(key: str) -> bytes:
    return zlib.crc32(key.encode("utf-8", "surrogatepass")).to_bytes(4, "big")


NOTHING_PLAYED = History(Stack(), Stack(), Stack(), Stack(), (), b"")
