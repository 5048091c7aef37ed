"""What can be read off a table: the ground that `Position` and `View` share."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from importlib import import_module
from operator import attrgetter
from typing import Any

from cabochon.rules.cards import Card, Noble, is_card
from cabochon.rules.errors import no_seat, wrong
from cabochon.rules.gems import Gems
from cabochon.rules.hands import Hand
from cabochon.rules.ruleset import Ruleset


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
        """Where the card lies face up, if it does. Raises WrongArgument for what is no card."""
        if not is_card(card):
            raise wrong("card", "card", card)
        row = self.rows[card.level - 1]
        return Place(card.level, row.index(card)) if card in row else None

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows. The law knows no pictures, so it asks by name for
        whoever draws them; None, and so plain text, where nobody does."""
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
