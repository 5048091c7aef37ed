"""Random games written down, and a change of everything that a viewer cannot know."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from cabochon.record import Record, Result
from cabochon.rules import (
    CARDS,
    Card,
    Deal,
    Event,
    Hand,
    Phase,
    Position,
    Reserved,
    Ruleset,
    Setup,
    ShuffledDealer,
    commitment,
)
from cabochon.variation import MAIN_LINE, line_at
from tests.games import RandomGame

SAMPLE = RandomGame(Ruleset.parse("standard/2"), 7, "gambler")


def recorded(game: RandomGame, most: int | None = None) -> Record:
    """The game as a record, with its seed revealed; `most` events of it at the most."""
    events: list[Event] = []
    last = game.start()
    for step in game.steps():
        if len(events) == most:
            break
        events.append(step.event)
        last = step.after
    outcome = last.outcome()
    seed = str(game.seed)
    return Record(
        ruleset=game.ruleset,
        players=tuple(f"player {seat}" for seat in range(game.ruleset.seats)),
        opening=ShuffledDealer(seed).opening(game.ruleset),
        events=tuple(events),
        commitment=commitment(seed),
        seed=seed,
        result=None if outcome is None else Result.of(outcome),
    )


@cache
def sample() -> Record:
    """One finished game with blind reserves."""
    return recorded(SAMPLE)


def studied(record: Record, ply: int) -> Record:
    """The rest of the record, from the position after that ply."""
    return replace(
        record,
        opening=list(record.replay())[ply],
        events=record.events[ply:],
        comments={},
        seed=None,
        commitment=None,
    )


def branched(record: Record, seed: int, count: int = 6) -> Record:
    """The record with so many random variations of one to five plies, some of them on others,
    with comments here and there."""
    rng = random.Random(seed)
    for _ in range(count):
        path = rng.choice([MAIN_LINE, *(path for path, _ in record.lines())])
        line = line_at(record.trunk, path)
        ply = rng.randint(line.ply, line.end)
        events = _anything(rng, list(record.replay(path))[ply - 1])
        if events:
            after = rng.randint(ply - 1, ply - 1 + len(events))
            comments = {after: rng.choice(["", "(so)", "{why} \\ not\n", "更好"])}
            record = record.with_variation(ply, events, path, comments)
    return record


def _anything(rng: random.Random, position: Position) -> list[Event]:
    """Up to five legal moves and possible cards."""
    events: list[Event] = []
    while len(events) < rng.randint(1, 5) and position.phase is not Phase.OVER:
        event: Event
        if position.pending is None:
            event = rng.choice(position.legal_moves())
        else:
            level = position.pending.level
            left = [c for c in CARDS if c.level == level and position.in_deck(c)]
            event = Deal(rng.choice(left))
        position = position.apply(event)
        events.append(event)
    return events


def exchange(unseen: Iterable[Card], seed: int) -> dict[Card, Card]:
    """Another card of the same level for each that a viewer cannot place."""
    rng = random.Random(seed)
    swaps: dict[Card, Card] = {}
    by_level: dict[int, list[Card]] = {}
    for card in unseen:
        by_level.setdefault(card.level, []).append(card)
    for cards in by_level.values():
        others = rng.sample(cards, len(cards))
        swaps.update(zip(cards, others, strict=True))
    return swaps


def exchanged(record: Record, swaps: dict[Card, Card]) -> Record:
    """The same game with other cards where the viewer cannot look."""
    opening = record.opening
    if isinstance(opening, Position):
        opening = exchanged_position(opening, swaps)
    events = tuple(
        Deal(swaps.get(event.card, event.card)) if isinstance(event, Deal) else event
        for event in record.events
    )
    return replace(record, opening=opening, events=events)


def exchanged_position(position: Position, swaps: dict[Card, Card]) -> Position:
    def other(hand: Hand) -> Hand:
        reserved = tuple(
            Reserved(swaps.get(r.card, r.card), r.blind) if isinstance(r, Reserved) else r
            for r in hand.reserved
        )
        return replace(hand, reserved=reserved)

    return replace(Setup.of(position), hands=tuple(map(other, position.hands))).position()
