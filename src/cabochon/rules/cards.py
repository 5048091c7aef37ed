"""The 90 development cards and 10 nobles, read once from the package's data files.

A code names a card wherever it is: level, bonus letter, number within those, as in `2u5`.
A noble's code is what it asks for: `rk4` wants four red and four black bonuses.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib import resources
from typing import TypeGuard

from cabochon.rules.errors import Refusal, UnknownCode, quoted
from cabochon.rules.gems import COLOURS, LETTERS, Gem, Gems

LEVELS = (1, 2, 3)


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A development card. There is one object per card, so equality is identity."""

    id: int
    code: str
    level: int
    bonus: Gem
    points: int
    cost: Gems

    def __repr__(self) -> str:
        return f"card({self.code!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (self.code,)


@dataclass(frozen=True, slots=True, eq=False)
class Noble:
    """A noble tile; `cost` is counted in bonuses and never paid."""

    id: int
    code: str
    name: str
    points: int
    cost: Gems

    def __repr__(self) -> str:
        return f"noble({self.code!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return noble, (self.code,)


def _rows(name: str) -> list[dict[str, str]]:
    text = resources.files("cabochon.rules").joinpath("data", name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def _cost(row: dict[str, str]) -> Gems:
    return Gems(*(int(row[gem.name.lower()]) for gem in COLOURS))


def _load_cards() -> tuple[Card, ...]:
    cards: list[Card] = []
    for row in _rows("cards.csv"):
        level, bonus = int(row["level"]), Gem[row["bonus"].upper()]
        number = 1 + sum(c.level == level and c.bonus == bonus for c in cards)
        code = f"{level}{bonus.letter}{number}"
        cards.append(Card(len(cards), code, level, bonus, int(row["points"]), _cost(row)))
    return tuple(cards)


def _load_nobles() -> tuple[Noble, ...]:
    nobles: list[Noble] = []
    for row in _rows("nobles.csv"):
        cost = _cost(row)
        asked = "".join(letter for letter, n in zip(LETTERS, cost, strict=True) if n)
        code = f"{asked}{max(cost)}"
        nobles.append(Noble(len(nobles), code, row["name"], int(row["points"]), cost))
    return tuple(nobles)


CARDS = _load_cards()
NOBLES = _load_nobles()
DECK_SIZES = tuple(sum(card.level == level for card in CARDS) for level in LEVELS)
NOBLE_POINTS = max(noble.points for noble in NOBLES)
"""All nobles are worth the same."""
FEWEST_FOR_NOBLE = min(noble.cost.total for noble in NOBLES)
"""No noble visits anybody with fewer bonuses."""

_NINETY = frozenset(CARDS)
_TEN = frozenset(NOBLES)
_CARD_BY_CODE = {card.code: card for card in CARDS}
_NOBLE_BY_CODE = {noble.code: noble for noble in NOBLES}


def is_card(thing: object) -> TypeGuard[Card]:
    """One of the ninety: a card made by hand is not."""
    return isinstance(thing, Card) and thing in _NINETY


def is_noble(thing: object) -> TypeGuard[Noble]:
    """One of the ten: a noble made by hand is not."""
    return isinstance(thing, Noble) and thing in _TEN


def card(code: str) -> Card:
    """The card of that code. Raises UnknownCode, a KeyError, when there is none."""
    try:
        return _CARD_BY_CODE[code]
    except (KeyError, TypeError):
        raise UnknownCode(Refusal.UNKNOWN_CARD, card=quoted(code)) from None


def noble(code: str) -> Noble:
    """The noble of that code. Raises UnknownCode, a KeyError, when there is none."""
    try:
        return _NOBLE_BY_CODE[code]
    except (KeyError, TypeError):
        raise UnknownCode(Refusal.UNKNOWN_NOBLE, noble=quoted(code)) from None
