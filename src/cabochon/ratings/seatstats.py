"""One finished game in figures, seat by seat: from its record, and later from its review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cabochon.record import Record
from cabochon.rules import Buy, Hand, Position, Reserve
from cabochon.rules.gems import COLOURS

NOBLES_SOURCE = "nobles"
MISTAKES = ("?", "??")
"""The marks that are worth learning from."""


@dataclass(frozen=True, slots=True)
class SeatStats:
    """What one seat has made of a game. `sources` are its points by the colour of the card they
    stand on, and those of nobles; `colours` are its cards by colour."""

    points: int
    cards: int
    nobles: int
    sources: Mapping[str, int]
    colours: Mapping[str, int]
    reserved: int
    reserved_bought: int
    turns: int


@dataclass(frozen=True, slots=True)
class SeatReview:
    """What a review says of one seat: accuracy in per cent (None without a choice), luck in
    points of win chance, and how many mistakes."""

    accuracy: float | None
    luck: float
    mistakes: int


def seat_stats(record: Record) -> tuple[SeatStats, ...]:
    """By seat. Raises RecordError at a ply that cannot be played."""
    seats = record.ruleset.seats
    turns, reserved, bought = ([0] * seats for _ in range(3))
    positions = list(record.replay())
    for position, event, after in zip(positions, record.events, positions[1:], strict=False):
        seat = position.seat
        if isinstance(event, Reserve):
            reserved[seat] += 1
        elif isinstance(event, Buy):
            bought[seat] += position.hands[seat].holds(event.card)
        turns[seat] += _is_last(position, after)
    hands = positions[-1].hands
    return tuple(
        _of_hand(hands[seat], reserved[seat], bought[seat], turns[seat]) for seat in range(seats)
    )


def rounds_of(stats: Sequence[SeatStats]) -> int:
    """How many rounds were begun."""
    return max((seat.turns for seat in stats), default=0)


def _is_last(position: Position, after: Position) -> bool:
    """Whether that decision ended the seat's turn."""
    return after.turn != position.turn or after.outcome() is not None


def _of_hand(hand: Hand, reserved: int, bought: int, turns: int) -> SeatStats:
    sources = {
        colour.letter: sum(card.points for card in hand.bought if card.bonus is colour)
        for colour in COLOURS
    }
    from_nobles = sum(noble.points for noble in hand.nobles)
    return SeatStats(
        points=hand.points,
        cards=len(hand.bought),
        nobles=len(hand.nobles),
        sources=sources | {NOBLES_SOURCE: from_nobles},
        colours={colour.letter: hand.bonuses[colour] for colour in COLOURS},
        reserved=reserved,
        reserved_bought=bought,
        turns=turns,
    )


def seat_reviews(review: Mapping[str, Any]) -> tuple[SeatReview, ...]:
    """By seat, from a whole review as JSON (docs/analysis.md)."""
    found = sorted(review["summary"], key=lambda summary: int(summary["seat"]))
    return tuple(
        SeatReview(
            summary["accuracy"],
            round(summary["luck"] * 100, 2),
            sum(summary["marks"].get(mark, 0) for mark in MISTAKES),
        )
        for summary in found
    )
