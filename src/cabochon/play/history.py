"""The course of a sitting: the submissions that stand and how the game was before each of them, so
that a take-back drops to it; and how it ended."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Generic, TypeVar

from cabochon.play.chairs import Chair, Kind, Out
from cabochon.play.clock import Times
from cabochon.play.events import Moved
from cabochon.play.staging import replayed
from cabochon.rules import Position, Ruleset
from cabochon.rules.ending import outcome_of, ranking_without

# How it ended: the rules' outcome, with seats that went out ranked after all others


CLOSED = "closed"
"""The reason of a game that was neither played out nor given up: nobody has won it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Per seat: rank (1 is best), points and cards. `reason` is the rules' ending, or why the last
    rival went out, or that the host closed the table."""

    ranking: tuple[int, ...]
    points: tuple[int, ...]
    cards: tuple[int, ...]
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        if self.reason == CLOSED:
            return ()
        return tuple(seat for seat, rank in enumerate(self.ranking) if rank == 1)


def ended_by_rules(position: Position, chairs: tuple[Chair, ...]) -> Ended:
    """The result of a game that was played to its end."""
    return _ended(position, chairs, outcome_of(position).ending.value)


def ended_by_leaving(position: Position, chairs: tuple[Chair, ...], why: Out) -> Ended | None:
    """The result if the seats that are out leave nothing to play for, else None."""
    sides = _sides(position.ruleset)
    playing = [side for side in sides if not _is_out(side, chairs)]
    someone = any(
        chairs[seat].out is None and (chairs[seat].kind is Kind.HUMAN or chairs[seat].has_say)
        for side in playing
        for seat in side
    )
    if len(playing) > 1 and someone:
        return None
    return _ended(position, chairs, why.value)


def ended_by_closing(position: Position | None, chairs: tuple[Chair, ...]) -> Ended:
    """The standing when the table was closed, which may have been before the start."""
    if position is None:
        nothing = (0,) * len(chairs)
        return Ended((1,) * len(chairs), nothing, nothing, CLOSED)
    return _ended(position, chairs, CLOSED)


def _ended(position: Position, chairs: tuple[Chair, ...], reason: str) -> Ended:
    outcome = outcome_of(position)
    out = [seat for seat, chair in enumerate(chairs) if chair.out is not None]
    return Ended(ranking_without(position, out), outcome.points, outcome.cards, reason)


def _sides(ruleset: Ruleset) -> list[tuple[int, ...]]:
    return list(dict.fromkeys(ruleset.side(seat) for seat in range(ruleset.seats)))


def _is_out(side: tuple[int, ...], chairs: tuple[Chair, ...]) -> bool:
    return any(chairs[seat].out is not None for seat in side)


# A sequence that grows and is cut back at its end, as a value: what two of them have in common is
# there only once


T = TypeVar("T")

BLOCK = 32


class Stack(Generic[T]):
    """Whole blocks, and a tail that is not full. To add an item copies the tail and, once in a
    block, the list of blocks: next to nothing for the few thousand items of a table."""

    __slots__ = ("_blocks", "_tail")

    def __init__(self, blocks: tuple[tuple[T, ...], ...] = (), tail: tuple[T, ...] = ()) -> None:
        self._blocks = blocks
        self._tail = tail

    def plus(self, *items: T) -> Stack[T]:
        """The same with these on top."""
        blocks, tail = self._blocks, self._tail + items
        while len(tail) >= BLOCK:
            blocks, tail = (*blocks, tail[:BLOCK]), tail[BLOCK:]
        return Stack(blocks, tail)

    def top(self) -> T | None:
        """The last item, if there is any."""
        if self._tail:
            return self._tail[-1]
        return self._blocks[-1][-1] if self._blocks else None

    def cut(self, count: int) -> Stack[T]:
        """Only the first `count`; with that many or fewer there is nothing to cut."""
        if count >= len(self):
            return self
        block, rest = divmod(count, BLOCK)
        tail = self._blocks[block] if block < len(self._blocks) else self._tail
        return Stack(self._blocks[:block], tail[:rest])

    def __len__(self) -> int:
        return len(self._blocks) * BLOCK + len(self._tail)

    def __getitem__(self, index: int) -> T:
        """From the end when negative. Raises IndexError."""
        if index < 0:
            index += len(self)
        if index < 0:
            raise IndexError(index)
        block, rest = divmod(index, BLOCK)
        return self._blocks[block][rest] if block < len(self._blocks) else self._tail[rest]

    def __iter__(self) -> Iterator[T]:
        return chain(chain.from_iterable(self._blocks), self._tail)

    def __reversed__(self) -> Iterator[T]:
        yield from reversed(self._tail)
        for block in reversed(self._blocks):
            yield from reversed(block)

    def since(self, count: int) -> tuple[T, ...]:
        """All but the first `count`."""
        full = len(self._blocks) * BLOCK
        if count >= full:
            return self._tail[count - full :]
        return tuple(self[index] for index in range(count, len(self)))

    def common(self, other: Stack[T]) -> int:
        """How many of the first items are the very same ones, if both grew out of one stack."""
        count = min(len(self), len(other))
        while count and self[count - 1] is not other[count - 1]:
            count -= 1
        return count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stack) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Stack of {len(self)}"


# The submissions that stand


RECENT = 1
"""This many of the last positions are kept at hand, ..."""
EVERY = 16
"""... and of the older ones one in this many: a position takes half a kilobyte."""


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

    def over(self) -> History:
        """When nothing can be taken back any more: without what only that needs."""
        return History(self.moved, self.seqs, Stack(), Stack(), (), self.asked)

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
