"""Reserving: a face-up card or the unseen top of a deck, at most three, with a gold if any."""

from __future__ import annotations

from cabochon.rules.cards import CARDS, LEVELS, Card, is_card
from cabochon.rules.errors import IllegalMove, Refusal, quoted
from cabochon.rules.facts import Facts
from cabochon.rules.hands import Hand
from cabochon.rules.moves import DECKS, Deck, Reserve
from cabochon.rules.ruleset import RESERVE_LIMIT

_FACE_UP = tuple(Reserve(card) for card in CARDS)
_BLIND = tuple(Reserve(deck) for deck in DECKS)
ALL_RESERVES = _FACE_UP + _BLIND


def legal_reserves(facts: Facts, hand: Hand) -> list[Reserve]:
    """Face-up cards by level and place, then decks."""
    if len(hand.reserved) >= RESERVE_LIMIT:
        return []
    moves = [_FACE_UP[card.id] for row in facts.rows for card in row if card is not None]
    moves += [move for move, left in zip(_BLIND, facts.decks, strict=True) if left]
    return moves


def reserve_refusal(facts: Facts, hand: Hand, move: Reserve) -> IllegalMove | None:
    target = move.target
    if not isinstance(target, Deck):
        refusal = unknown_card(target)
    elif type(target.level) is not int or target.level not in LEVELS:
        refusal = IllegalMove(Refusal.UNKNOWN_DECK, level=quoted(target.level))
    else:
        refusal = None
    if refusal:
        return refusal
    if len(hand.reserved) >= RESERVE_LIMIT:
        return IllegalMove(Refusal.RESERVE_LIMIT)
    if isinstance(target, Deck):
        if not facts.decks[target.level - 1]:
            return IllegalMove(Refusal.DECK_EMPTY, level=target.level)
    elif facts.place_of(target) is None:
        return IllegalMove(Refusal.RESERVE_NOT_FACE_UP, card=target.code)
    return None


def unknown_card(card: Card) -> IllegalMove | None:
    if is_card(card):
        return None
    return IllegalMove(Refusal.UNKNOWN_CARD, card=quoted(getattr(card, "code", card)))
