"""Whole games that end because nobody can do anything: hard to meet by chance with four players,
so here they are played towards it, on purpose and from a scripted deck."""

from __future__ import annotations

import random

from cabochon.rules import (
    CARDS,
    DECKS,
    LEVELS,
    NOBLES,
    Buy,
    Card,
    Event,
    Gems,
    Move,
    Opening,
    Phase,
    Position,
    Reserve,
    Return,
    Ruleset,
    ScriptedDealer,
)
from tests.arrange import STUCK_RESERVED, STUCK_ROWS, STUCK_TOKENS, cards

MOST_EVENTS = 400


def stalling_game(ruleset: Ruleset, seed: int) -> tuple[Opening, list[Event]]:
    """Everybody draws three cards that it will not be able to pay, buys nothing while anything
    else is legal, and collects the colours that the others would need."""
    rng = random.Random(seed)
    dealer, wanted = _script(ruleset)
    opening = dealer.opening(ruleset)
    position = Position.start(ruleset, opening)
    events: list[Event] = []
    while position.phase is not Phase.OVER and len(events) < MOST_EVENTS:
        if position.phase is Phase.DEAL:
            event: Event = dealer.deal(position)
        else:
            event = _decided(position, wanted[position.seat], rng)
        events.append(event)
        position = position.apply(event)
    return opening, events


def _script(ruleset: Ruleset) -> tuple[ScriptedDealer, list[tuple[Card, ...]]]:
    """Rows that ask for everybody's colours, and on top of the decks the cards to be drawn."""
    rows = tuple(cards(STUCK_ROWS[level])[: ruleset.row_width] for level in LEVELS)
    wanted = [cards(STUCK_RESERVED[seat]) for seat in range(ruleset.seats)]
    drawn = [mine[number] for number in range(3) for mine in wanted]
    shown = {card for row in rows for card in row}
    order = [*drawn, *(card for card in CARDS if card not in drawn and card not in shown)]
    one, two, three = ([card for card in order if card.level == level] for level in LEVELS)
    opening = Opening(NOBLES[: ruleset.noble_count], rows)
    return ScriptedDealer(opening, (one, two, three)), wanted


def _decided(position: Position, wanted: tuple[Card, ...], rng: random.Random) -> Move:
    held = len(position.hands[position.seat].reserved)
    if position.phase is Phase.ACT and held < len(wanted):
        return Reserve(DECKS[wanted[held].level - 1])
    moves = position.legal_moves()
    frugal = [move for move in moves if not isinstance(move, Buy)] or moves
    return max(frugal, key=lambda move: _worth(position, move) + 0.9 * rng.random())


def _worth(position: Position, move: Move) -> float:
    """How near the seat comes to its colours; when giving back, gold goes first."""
    seat = position.seat
    goal = Gems.parse(STUCK_TOKENS[position.ruleset.seats][seat])
    tokens = position.play_unchecked(move).hands[seat].tokens
    near = sum(map(min, tokens, goal))
    return near - (0.5 * tokens.gold if isinstance(move, Return) else 0)
