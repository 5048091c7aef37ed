"""A puzzle: a position, what is asked, and all that can be answered.

What a puzzle asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from cabochon.notation.turns import WhyGood
from cabochon.rules import CARDS, Card, Deal, Event, Move, Phase, Position


class PuzzleTheme(StrEnum):
    """The point of a puzzle; the value is its name in files and addresses."""

    WIN_IN_TWO = "win2"
    WIN_IN_THREE = "win3"
    ONLY_MOVE = "only"
    STOP_THEM = "stop"
    NOBLE = "noble"
    GIVE_BACK = "return"
    GOLD = "gold"

    @property
    def is_forced(self) -> bool:
        """Whether its answer is proved by going through everything, not judged by the engine."""
        return self in (PuzzleTheme.WIN_IN_TWO, PuzzleTheme.WIN_IN_THREE)


class Hunt(StrEnum):
    """What games are searched for: everything, or only what is rare."""

    ALL = "all"
    FORCED = "forced"
    NOBLES = "nobles"


FOES = ("topaz", "quartz", "corundum")
"""What the others are called, in the order of seats after the solver."""


@dataclass(frozen=True, slots=True)
class Cause(WhyGood):
    """Why a move is good, as the review's reasons say it; kept here without the engine."""


@dataclass(frozen=True, slots=True)
class Retort:
    """What becomes of a move: the solver's chance after it, and the numbers of the events that
    follow it (see `event_at`), to be looked up only when somebody tries the move."""

    value: float
    numbers: tuple[int, ...] = ()

    def events(self, after: Position) -> tuple[Event, ...]:
        """What follows, from the position after the move."""
        return events_at(after, self.numbers)


@dataclass(frozen=True, slots=True)
class PuzzleStep:
    """One decision of the solver. `right` are the moves that answer it, the main one first;
    `events` is what follows that one until the solver decides again. `retorts` are about the
    legal moves, by their place in the list; None for what is right."""

    position: Position
    right: tuple[Move, ...]
    events: tuple[Event, ...]
    retorts: tuple[Retort | None, ...] = ()

    @property
    def main(self) -> Move:
        return self.right[0]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """`found` are the levels that found the first move, `rating` follows from them; `value` is
    the solver's chance with the right move, `source` the seed and the game it was met in."""

    id: str
    theme: PuzzleTheme
    turns: int
    rating: int
    found: tuple[str, ...]
    value: float
    source: str
    steps: tuple[PuzzleStep, ...]
    causes: tuple[Cause, ...]
    finish: tuple[Cause, ...] = ()
    """Why the last move of a win by force is the end."""

    @property
    def position(self) -> Position:
        return self.steps[0].position

    @property
    def seat(self) -> int:
        """Who is to find the move."""
        return self.position.seat

    @property
    def seats(self) -> int:
        return self.position.ruleset.seats

    @property
    def foes(self) -> tuple[str | None, ...]:
        """The bots that the others are called, by seat; None for the solver."""
        return foes_of(self.position)


def foes_of(position: Position) -> tuple[str | None, ...]:
    """What the others at the table are called, by seat; None for the seat to move."""
    seats = position.ruleset.seats
    return tuple(
        None if seat == position.seat else FOES[(seat - position.seat) % seats - 1]
        for seat in range(seats)
    )


def cards_to_come(position: Position) -> list[Card]:
    """What may be dealt to the place that waits, in the order of the cards."""
    place = position.pending
    assert place is not None
    return [card for card in CARDS if card.level == place.level and position.in_deck(card)]


def event_at(position: Position, number: int) -> Event:
    """The event with that number: a card that may come, or a legal move."""
    if position.phase is Phase.DEAL:
        return Deal(cards_to_come(position)[number])
    return position.legal_moves()[number]


def number_of(position: Position, event: Event) -> int:
    """The other way round. Raises ValueError for what cannot happen there."""
    if isinstance(event, Deal):
        return cards_to_come(position).index(event.card)
    whole = [position.completed(move) for move in position.legal_moves()]
    return whole.index(position.completed(event))


def events_at(position: Position, numbers: Sequence[int]) -> tuple[Event, ...]:
    """The events with those numbers, one after the other."""
    found: list[Event] = []
    for number in numbers:
        event = event_at(position, number)
        found.append(event)
        position = position.apply(event)
    return tuple(found)


def numbers_of(position: Position, events: Sequence[Event]) -> tuple[int, ...]:
    """The other way round. Raises ValueError for what cannot happen there."""
    found = []
    for event in events:
        found.append(number_of(position, event))
        position = position.apply(event)
    return tuple(found)


def played(position: Position, events: Sequence[Event]) -> Position:
    """The position after them."""
    for event in events:
        position = position.apply(event)
    return position
