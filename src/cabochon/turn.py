"""All decisions until the next seat, as one value, and the deal that a viewer may not read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import TypeAlias

from cabochon.rules import (
    Buy,
    Card,
    ChooseNoble,
    Deal,
    Deck,
    Event,
    Gems,
    Noble,
    Pass,
    Position,
    Reserve,
    Return,
    Take,
)
from cabochon.rules.gems import NO_GEMS

SEAT_LETTERS = "abcd"


def label_of(turn: int, seats: int) -> str:
    """Round and seat of a turn counted from 0: `3b` is the second seat's third turn."""
    return f"{turn // seats + 1}{SEAT_LETTERS[turn % seats]}"


@dataclass(frozen=True, slots=True)
class HiddenDeal:
    """A card was drawn from a deck into somebody else's hand: that much is public, no more."""


SeenEvent: TypeAlias = Event | HiddenDeal
"""A move or a deal as far as one viewer may know it."""

TurnAction: TypeAlias = Take | Reserve | Buy | Pass


@dataclass(frozen=True, slots=True)
class Turn:
    """What one seat did, and what it brought.

    `round` counts from 1. `action` is None only where a record begins in the middle of a turn.
    `gold` says that a gold came with the reserved card. `dealt` refilled the row or, after
    reserving from a deck, is the card drawn. A noble came by itself unless it was `chosen`.
    """

    round: int
    seat: int
    action: TurnAction | None = None
    gold: bool = False
    dealt: Card | HiddenDeal | None = None
    noble: Noble | None = None
    chosen: bool = False
    returned: Gems = NO_GEMS

    def events(self) -> tuple[SeenEvent, ...]:
        """The same turn as a record holds it: nobles that come by themselves are no event."""
        return tuple(self._events())

    def _events(self) -> Iterator[SeenEvent]:
        if self.action is not None:
            yield self.action
        if self.dealt is not None:
            yield Deal(self.dealt) if isinstance(self.dealt, Card) else self.dealt
        if self.noble is not None and self.chosen:
            yield ChooseNoble(self.noble)
        if self.returned.total:
            yield Return(self.returned)

    def seen_by(self, viewer: int | None) -> Turn:
        """What that seat, or a watcher (None), may know of it. Where the action isn't known, a
        dealt card may have gone to the hand, so it is hidden too."""
        drawn = self.action is None or (
            isinstance(self.action, Reserve) and isinstance(self.action.target, Deck)
        )
        if self.dealt is None or not drawn or viewer == self.seat:
            return self
        return replace(self, dealt=HiddenDeal())


def turns_of(positions: Iterable[Position], events: Iterable[Event]) -> tuple[Turn, ...]:
    """The events in turns. `positions` are those before, between and after them."""
    steps = zip(pairwise(positions), events, strict=True)
    by_turn = groupby(steps, key=lambda step: step[0][0].turn)
    return tuple(_turn(list(run)) for _, run in by_turn)


_Step: TypeAlias = tuple[tuple[Position, Position], Event]


def _turn(steps: list[_Step]) -> Turn:
    first = steps[0][0][0]
    turn = Turn(first.turn // first.ruleset.seats + 1, first.seat)
    for (before, after), event in steps:
        turn = _with_event(turn, before, event)
        nobles = after.hands[turn.seat].nobles
        if len(nobles) > len(before.hands[turn.seat].nobles):
            turn = replace(turn, noble=nobles[-1])
    return turn


def _with_event(turn: Turn, before: Position, event: Event) -> Turn:
    if isinstance(event, Deal):
        return replace(turn, dealt=event.card)
    if isinstance(event, ChooseNoble):
        return replace(turn, chosen=True)
    if isinstance(event, Return):
        return replace(turn, returned=event.gems)
    gold = isinstance(event, Reserve) and before.bank.gold > 0
    return replace(turn, action=event, gold=gold)
