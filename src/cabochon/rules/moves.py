"""What a seat can decide (`Move`) and what chance can decide (`Deal`, `Opening`).

Moves name cards, never places, so a move means the same wherever it is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from cabochon.rules.cards import LEVELS, Card, Noble
from cabochon.rules.gems import Gems


@dataclass(frozen=True, slots=True)
class Deck:
    """The face-down pile of a level, as something one can reserve from."""

    level: int


DECKS = tuple(Deck(level) for level in LEVELS)


@dataclass(frozen=True, slots=True)
class Take:
    """Tokens from the bank: one each of different colours, or two of one."""

    gems: Gems


@dataclass(frozen=True, slots=True)
class Reserve:
    """A face-up card, or the unseen top card of a deck; with one gold if there is any."""

    target: Card | Deck


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy a face-up card, or one that the seat has reserved. Without a payment, the one with the
    least gold is used."""

    card: Card
    payment: Gems | None = None


@dataclass(frozen=True, slots=True)
class Return:
    """The tokens above ten, back to the bank, all at once."""

    gems: Gems


@dataclass(frozen=True, slots=True)
class ChooseNoble:
    """Which of several nobles visits."""

    noble: Noble


@dataclass(frozen=True, slots=True)
class Pass:
    """Only when nothing else is legal."""


Move: TypeAlias = Take | Reserve | Buy | Return | ChooseNoble | Pass


@dataclass(frozen=True, slots=True)
class Deal:
    """The card that chance put into the pending place."""

    card: Card


@dataclass(frozen=True, slots=True)
class Opening:
    """What lies on the table at the start: the nobles, and the rows with level 1 first."""

    nobles: tuple[Noble, ...]
    rows: tuple[tuple[Card, ...], ...]


Event: TypeAlias = Move | Deal
