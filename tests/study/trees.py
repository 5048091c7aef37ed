"""Records with variations everywhere, for tests of studies."""

from __future__ import annotations

import random
from collections.abc import Iterator

from cabochon.record import Record, Result
from cabochon.rules import CARDS, Deal, Event, Opening, Phase, Position, ShuffledDealer
from cabochon.variation import Variation
from tests.games import TEMPERAMENTS, RandomGame, paid, picked


def record_with_variations(game: RandomGame, seed: int) -> Record:
    """The game with lines beside it, and lines beside those; some replace only a card, some go on
    after the end."""
    rng = random.Random(seed)
    steps = list(game.steps())
    events = tuple(step.event for step in steps)
    positions = [game.start(), *(step.after for step in steps)]
    first: Position = positions[0]
    record = Record.start(game.ruleset, first if rng.random() < 0.3 else _opening(game))
    outcome = positions[-1].outcome()
    return Record(
        ruleset=game.ruleset,
        players=record.players,
        opening=record.opening,
        events=events,
        comments=_comments(rng, 1, events) | ({0: "First."} if rng.random() < 0.3 else {}),
        variations=tuple(_variations(rng, 1, positions, 2)),
        result=None if outcome is None else Result.of(outcome),
    )


def _opening(game: RandomGame) -> Opening:
    return ShuffledDealer(str(game.seed)).opening(game.ruleset)


def _variations(
    rng: random.Random, first: int, positions: list[Position], depth: int
) -> Iterator[Variation]:
    """Lines that hang at some plies of the line with these positions before and after it."""
    if not depth:
        return
    for _ in range(rng.randint(0, 3)):
        at = rng.randrange(len(positions))
        if positions[at].phase is Phase.OVER:
            continue
        line = list(_line(rng, positions[at], rng.randint(1, 6)))
        events = tuple(event for event, _ in line)
        ply = first + at
        yield Variation(
            ply=ply,
            events=events,
            comments=_comments(rng, ply, events),
            variations=tuple(
                _variations(rng, ply, [positions[at], *(after for _, after in line)], depth - 1)
            ),
        )


def _line(rng: random.Random, position: Position, most: int) -> Iterator[tuple[Event, Position]]:
    for _ in range(most):
        if position.phase is Phase.OVER:
            return
        event = _any_event(rng, position)
        position = position.apply(event)
        yield event, position


def _any_event(rng: random.Random, position: Position) -> Event:
    place = position.pending
    if place is None:
        move = picked(rng, position.legal_moves(), TEMPERAMENTS["gambler"])
        return position.completed(paid(rng, position, move))
    cards = [card for card in CARDS if card.level == place.level and position.in_deck(card)]
    return Deal(rng.choice(cards))


def _comments(rng: random.Random, first: int, events: tuple[Event, ...]) -> dict[int, str]:
    plies = range(first, first + len(events))
    return {ply: f"said at {ply}" for ply in plies if rng.random() < 0.1}
