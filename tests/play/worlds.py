"""Two worlds that one viewer cannot tell apart: the same game, with everything that the viewer
does not know shuffled among itself."""

from __future__ import annotations

from random import Random

from cabochon.play.table import Table
from cabochon.rules import (
    CARDS,
    LEVELS,
    Card,
    Dealer,
    Deck,
    Reserve,
    Reserved,
    Ruleset,
    ScriptedDealer,
    ShuffledDealer,
)
from cabochon.rules.dealer import shuffled


def other_world(table: Table, viewer: int | None, seed: int) -> Dealer:
    """A dealer under which the game so far looks the same to the viewer: the cards left in the
    decks and those that others have drawn and still hide have changed places."""
    random = Random(seed)
    opening = table.dealer.opening(table.options.ruleset)
    hidden = {
        reserve.card
        for seat, hand in enumerate(table.running.hands)
        if seat != viewer
        for reserve in hand.reserved
        if isinstance(reserve, Reserved) and reserve.blind
    }
    decks = []
    for level in LEVELS:
        deck = list(deck_of(table.opened.seed, level, table.options.ruleset))
        drawn = len(deck) - table.running.decks[level - 1]
        free = [i for i, card in enumerate(deck) if i >= drawn or card in hidden]
        cards = [deck[i] for i in free]
        random.shuffle(cards)
        for place, card in zip(free, cards, strict=True):
            deck[place] = card
        decks.append(deck)
    return ScriptedDealer(opening, (decks[0], decks[1], decks[2]))


def deck_of(seed: str, level: int, ruleset: Ruleset) -> tuple[Card, ...]:
    """The face-down cards after the opening, next card first."""
    cards = [card for card in CARDS if card.level == level]
    deck = shuffled(cards, seed, f"deck{level}")
    assert ShuffledDealer(seed).opening(ruleset).rows[level - 1] == deck[: ruleset.row_width]
    return deck[ruleset.row_width :]


def has_blind_draws(table: Table) -> bool:
    return any(
        isinstance(move, Reserve) and isinstance(move.target, Deck)
        for event in table.moved
        for move in event.moves
    )
