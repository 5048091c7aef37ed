"""What can be read off a table: the hand in front of a seat, and the ground that `Position` and
`View` share."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, fields
from enum import StrEnum
from importlib import import_module
from operator import attrgetter
from typing import Any, TypeAlias

from cabochon.rules.cards import Card, Noble, is_card
from cabochon.rules.errors import no_seat, wrong
from cabochon.rules.gems import NO_GEMS, Gems
from cabochon.rules.ruleset import Ruleset

# What lies in front of one seat.


@dataclass(frozen=True, slots=True)
class Reserved:
    """A reserved card that is known: to its owner, or, when it lay face up, to everybody."""

    card: Card
    blind: bool = False

    @property
    def level(self) -> int:
        return self.card.level


@dataclass(frozen=True, slots=True)
class Hidden:
    """A card that somebody else drew from a deck: only its level shows. Never in a Position."""

    level: int


HeldCard: TypeAlias = Reserved | Hidden


@dataclass(frozen=True, slots=True)
class Hand:
    """Tokens, bought cards (by id: the order of buying isn't part of a position), reserved cards in
    the order they were reserved, and nobles in the order they came."""

    tokens: Gems = NO_GEMS
    bought: tuple[Card, ...] = ()
    reserved: tuple[HeldCard, ...] = ()
    nobles: tuple[Noble, ...] = ()

    @property
    def bonuses(self) -> Gems:
        """One a bought card; gold is never a bonus."""
        counts = [0, 0, 0, 0, 0, 0]
        for card in self.bought:
            counts[card.bonus] += 1
        return Gems(*counts)

    @property
    def points(self) -> int:
        total = 0
        for card in self.bought:
            total += card.points
        for noble in self.nobles:
            total += noble.points
        return total

    def holds(self, card: Card) -> bool:
        """Whether the card is among the reserved ones, as far as this hand shows them."""
        return any(isinstance(r, Reserved) and r.card is card for r in self.reserved)

    def with_tokens(self, tokens: Gems) -> Hand:
        return Hand(tokens, self.bought, self.reserved, self.nobles)

    def with_reserved(self, reserve: HeldCard) -> Hand:
        return Hand(self.tokens, self.bought, (*self.reserved, reserve), self.nobles)

    def with_noble(self, noble: Noble) -> Hand:
        return Hand(self.tokens, self.bought, self.reserved, (*self.nobles, noble))

    def with_bought(self, card: Card, tokens: Gems) -> Hand:
        """The card among the bought ones, gone from the reserve if it came from there."""
        bought = list(self.bought)
        insort(bought, card, key=lambda c: c.id)
        reserved = self.reserved
        if reserved:
            reserved = tuple(r for r in reserved if getattr(r, "card", None) is not card)
        return Hand(tokens, tuple(bought), reserved, self.nobles)


EMPTY_HAND = Hand()


# What can be read off a table: the ground that `Position` and `View` share.


class Phase(StrEnum):
    """Whose decision is due, and of which kind."""

    ACT = "act"
    DEAL = "deal"
    NOBLE = "noble"
    RETURN = "return"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card is to be dealt: a place of a level's row, or (`column` None) the hand of the
    seat that reserved from the deck."""

    level: int
    column: int | None


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything on the table.

        rows[0]  level 1   [ 0 | 1 | 2 | 3 ]   decks[0] cards face down
        rows[1]  level 2   ...
        rows[2]  level 3   ...

    `nobles` are all the nobles of the game in their places; one that a hand has is claimed.
    `turn` counts finished turns, so the seat to act is `turn % seats`.
    """

    ruleset: Ruleset
    bank: Gems
    rows: tuple[tuple[Card | None, ...], ...]
    decks: tuple[int, int, int]
    nobles: tuple[Noble, ...]
    hands: tuple[Hand, ...]
    turn: int
    phase: Phase
    pending: Place | None
    passes: int
    last_round: bool

    @property
    def seat(self) -> int:
        """The seat whose turn it is; in a finished game, the one that would be next."""
        return self.turn % self.ruleset.seats

    @property
    def round(self) -> int:
        """Counted from 1; in a finished game, the one in which it ended."""
        ended = self.phase is Phase.OVER and self.turn > 0
        return (self.turn - ended) // self.ruleset.seats + 1

    @property
    def open_nobles(self) -> tuple[Noble, ...]:
        """The nobles that nobody has yet."""
        claimed = {noble for hand in self.hands for noble in hand.nobles}
        return tuple(noble for noble in self.nobles if noble not in claimed)

    def bonuses(self, seat: int) -> Gems:
        """What counts for the seat's prices and nobles: in teams, the partner's as well. Raises
        WrongArgument for a seat that is not there."""
        if not self.ruleset.teams:
            if type(seat) is not int or not 0 <= seat < self.ruleset.seats:
                raise no_seat(seat, self.ruleset.seats)
            return self.hands[seat].bonuses
        mine, theirs = (self.hands[mate].bonuses for mate in self.ruleset.side(seat))
        return mine.plus(theirs)

    def points(self, seat: int) -> int:
        """The seat's points: in teams, the sum of both partners. Raises WrongArgument for a seat
        that is not there."""
        mates = self.ruleset.side(seat)
        if len(mates) == 1:
            return self.hands[seat].points
        return sum(self.hands[mate].points for mate in mates)

    def place_of(self, card: Card) -> Place | None:
        """Where the card lies face up, if it does. Raises WrongArgument for anything but a card."""
        if not is_card(card):
            raise wrong("card", "card", card)
        row = self.rows[card.level - 1]
        return Place(card.level, row.index(card)) if card in row else None

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows. The rules don't know about pictures, so the module
        that draws them is looked up by name; without it this is None, and the notebook shows plain
        text."""
        try:
            drawn: str = import_module("cabochon.render.svg").svg(self)
        except ImportError:
            return None
        return drawn


FIELDS = tuple(field.name for field in fields(Facts))
_values = attrgetter(*FIELDS)


def fields_of(facts: Facts) -> dict[str, Any]:
    """Every fact by its name, not the viewer: what something with other facts is made from.

    The steps of a turn in `Position` spell the names out instead: they must be quick.
    """
    return dict(zip(FIELDS, _values(facts), strict=True))
