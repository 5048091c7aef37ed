"""Gems, and counts of them.

One order everywhere: white diamond, blue sapphire, green emerald, red ruby, black onyx, gold.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from cabochon.rules.errors import wrong

LETTERS = "wugrko"


class Gem(IntEnum):
    """A kind of token; `COLOURS` are those a card can cost or grant."""

    WHITE = 0
    BLUE = 1
    GREEN = 2
    RED = 3
    BLACK = 4
    GOLD = 5

    @property
    def letter(self) -> str:
        return LETTERS[self]


COLOURS = (Gem.WHITE, Gem.BLUE, Gem.GREEN, Gem.RED, Gem.BLACK)


class Gems(NamedTuple):
    """Six counts, one a gem. Plain arithmetic, nothing is checked: a refusal needs to name
    what was asked for, so bad counts must be able to exist."""

    white: int = 0
    blue: int = 0
    green: int = 0
    red: int = 0
    black: int = 0
    gold: int = 0

    @classmethod
    def of(cls, gems: Iterable[Gem]) -> Gems:
        """One for each gem that is named. Raises WrongArgument for anything but a gem."""
        counts = [0] * 6
        try:
            for gem in gems:
                if not isinstance(gem, Gem):
                    raise wrong("gem", "letters", gem)
                counts[gem] += 1
        except TypeError:
            raise wrong("gems", "gems", gems) from None
        return cls(*counts)

    @classmethod
    def parse(cls, letters: str) -> Gems:
        """`Gems.parse("wwo")` is two white and a gold. Raises WrongArgument, a ValueError, for
        other letters."""
        if not isinstance(letters, str) or not set(letters.lower()) <= set(LETTERS):
            raise wrong("gems", "letters", letters)
        return cls.of(Gem(LETTERS.index(letter)) for letter in letters.lower())

    @property
    def letters(self) -> str:
        """The counts spelled out in the fixed order: `wwo`; nothing at all is the empty text."""
        return "".join(letter * count for letter, count in zip(LETTERS, self, strict=True))

    @property
    def total(self) -> int:
        return sum(self)

    def plus(self, other: Gems) -> Gems:
        a, b, c, d, e, f = self
        u, v, w, x, y, z = other
        return Gems(a + u, b + v, c + w, d + x, e + y, f + z)

    def minus(self, other: Gems) -> Gems:
        a, b, c, d, e, f = self
        u, v, w, x, y, z = other
        return Gems(a - u, b - v, c - w, d - x, e - y, f - z)

    def covers(self, other: Gems) -> bool:
        """At least as many of every gem."""
        a, b, c, d, e, f = self
        u, v, w, x, y, z = other
        return a >= u and b >= v and c >= w and d >= x and e >= y and f >= z


NO_GEMS = Gems()
GOLD = Gems(gold=1)
