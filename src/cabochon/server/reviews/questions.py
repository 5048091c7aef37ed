"""Positions that the live engine is asked about, and games that it must keep out of."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cabochon.notation.positions import format_view, parse_position, parse_view
from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.rules import Card, Facts, Noble, View
from cabochon.rules.view import choices

CHANGED = 2
"""How many cards on the table may differ for it to count as the same game: nobody should get advice
by changing a card."""


def decider(text: str, knowledge: str) -> View:
    """What the seat to decide knows, from the text of a position or of a seat's view. With
    `all-cards` the reserved cards in a position's text are known. Raises NotationError, BadRuleset
    and BadSetup; IllegalMove when nobody must decide, or not the seat whose view it is."""
    if text.lstrip().startswith(("seat", "watch")):
        view = parse_view(text)
    else:
        position = parse_position(text)
        view = position.view(position.seat)
        if knowledge == "all-cards":
            view = replace(view, hands=position.hands)
    choices(view)
    return view


def question_of(view: View) -> str:
    """The same for everything that the engine cannot tell apart."""
    return format_view(view)


@dataclass(frozen=True, slots=True)
class AskedFace:
    """What can be told apart of a position that somebody asks about."""

    seats: int
    cards: frozenset[Card]
    nobles: frozenset[Noble]

    @classmethod
    def of(cls, facts: Facts) -> AskedFace:
        return cls(facts.ruleset.seats, face_up(facts), nobles_of(facts))


@dataclass(frozen=True, slots=True)
class GameFace:
    """What is public of a running game, and cannot be mistaken for another's: the cards that lie
    there now, all that have lain there, and the nobles."""

    seats: int
    now: frozenset[Card]
    shown: frozenset[Card]
    nobles: frozenset[Noble]

    @classmethod
    def of(cls, table: Table) -> GameFace:
        """The face of a table where a game is under way."""
        assert table.position is not None
        position = table.position
        shown = set(face_up(record_of(table).first()))
        shown |= {card for moved in table.moved for card in moved.deals}
        return cls(
            position.ruleset.seats,
            face_up(position),
            frozenset(shown) | face_up(position),
            nobles_of(position),
        )

    def is_of(self, asked: AskedFace) -> bool:
        """Whether the position is one of this game, or nearly so."""
        if asked.seats != self.seats:
            return False
        if len(asked.cards - self.now) <= CHANGED and len(self.now - asked.cards) <= CHANGED:
            return True
        return asked.nobles == self.nobles and len(asked.cards - self.shown) <= CHANGED


def face_up(facts: Facts) -> frozenset[Card]:
    """The cards on the table."""
    return frozenset(card for row in facts.rows for card in row if card is not None)


def nobles_of(facts: Facts) -> frozenset[Noble]:
    """The nobles of the game, those who have visited somebody as well."""
    visited = (noble for hand in facts.hands for noble in hand.nobles)
    return frozenset((*facts.nobles, *visited))
