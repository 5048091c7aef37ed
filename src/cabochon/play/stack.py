"""A sequence that grows and is cut back at its end, as a value: what two of them have in common is
there only once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Generic, TypeVar

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
        blocks, tail = self._blocks, (*self._tail, *items)
        while len(tail) >= BLOCK:
            blocks, tail = (*blocks, tail[:BLOCK]), tail[BLOCK:]
        return Stack(blocks, tail)

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
