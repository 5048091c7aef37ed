"""What a turn is worth: the one estimator behind skill and luck.

A turn is priced where it ends, by what its player knows there: the chance to win that short
searches of equal size find. A card that chance may deal on the way is averaged over all cards that
the player could not rule out. Every figure of a review's sum comes from here, and none of them had
a say in which move was called best, so no move looks good because it was picked for looking good.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import TypeVar

from cabochon.rules import Card, Deal, Move, Phase, Place, Position, View
from cabochon.rules.facts import Hand, Reserved
from cabochon.search import Limit, Searcher
from cabochon.search.reference import imagined

T = TypeVar("T")
SeatShares = tuple[float, ...]
"""A part of the victory for each seat."""

PRICE_PARTS = 12
"""One value costs so small a part of the visits that a decision gets."""
DRAWS = 6
"""This many searches value a place that isn't averaged over cards: then it is as steady as one that
is."""
CONTINUATION_PARTS = 8
"""For what is left of a turn (a noble, tokens to give back) a search of that part is enough."""


@dataclass(frozen=True, slots=True)
class Price:
    """A move's worth to its player before any card is dealt, and, by card, after each."""

    mean: float
    by_card: dict[Card, float]


class Appraiser:
    """Prices turns of one seat after the other. Equal seeds and visits give equal prices."""

    def __init__(self, searcher: Searcher, visits: int, seed: int, *, open_hands: bool) -> None:
        self._searcher = searcher
        self._visits = max(8, visits // PRICE_PARTS)
        self._choosing = max(16, visits // CONTINUATION_PARTS)
        self._seed = seed
        self._open_hands = open_hands

    def look(self, position: Position, seat: int) -> View:
        """What the seat knows; with open hands also the cards that others drew unseen."""
        view = position.view(seat)
        return replace(view, hands=position.hands) if self._open_hands else view

    # Values of places where a turn has ended

    def shares(self, view: View, draws: int = DRAWS) -> SeatShares:
        """Every seat's part by what the viewer knows, the mean of so many searches."""
        found = [self._once(view, draw) for draw in range(draws)]
        return tuple(sum(parts) / draws for parts in zip(*found, strict=True))

    def _once(self, view: View, draw: int) -> SeatShares:
        return self._searcher.shares(view, Limit(visits=self._visits, seed=self.seed(view, draw)))

    def seed(self, view: View, draw: int = 0) -> int:
        """Depends on the place in the game and on nothing that a card changes: cards are compared
        with the same luck of the search."""
        place = f"{self._seed} {view.turn} {view.viewer} {draw}".encode()
        return int.from_bytes(blake2b(place, digest_size=8).digest(), "big") >> 1

    # Prices of moves

    def price(self, view: View, move: Move) -> Price:
        """What the move is worth to the viewer, who is to decide."""
        seat, turn = view.seat, view.turn
        after = world_of(view).play(move)
        if after.phase is not Phase.DEAL:
            value = self.rest(self.look(after, seat), turn, seat, DRAWS)
            return Price(value, {})
        by_card = {
            card: self.rest(seen, turn, seat, 1) for card, seen in self._dealt(view, after, seat)
        }
        return Price(sum(by_card.values()) / len(by_card), by_card)

    def rest(self, view: View, turn: int, seat: int, draws: int = DRAWS) -> float:
        """The seat's chance if it makes the most of what is left of its turn."""
        while view.turn == turn and view.phase is not Phase.OVER:
            view = self.look(world_of(view).play(self.continuation(view)), seat)
        return self.shares(view, draws)[seat]

    def continuation(self, view: View) -> Move:
        """How the viewer would go on with its turn, by a short search."""
        moves = view.legal_moves()
        if len(moves) == 1:
            return moves[0]
        limit = Limit(visits=self._choosing, seed=self.seed(view))
        return self._searcher.analyse(view, limit).best

    def _dealt(self, view: View, after: Position, seat: int) -> Sequence[tuple[Card, View]]:
        """The place after each card that the viewer could not rule out."""
        place = after.pending
        assert place is not None
        cards = [card for card in view.unseen() if card.level == place.level]
        first = next(card for card in cards if after.in_deck(card))
        seen = self.look(after.deal(Deal(first)), seat)
        return [(card, with_card(seen, place, seat, card)) for card in cards]


def with_card(view: View, place: Place, seat: int, card: Card) -> View:
    """The same view if another card had been dealt to that place."""
    if place.column is not None:
        row = _put(view.rows[place.level - 1], place.column, card)
        return replace(view, rows=_put(view.rows, place.level - 1, row))
    hand = view.hands[seat]
    held = (*hand.reserved[:-1], Reserved(card, blind=True))
    drawn = Hand(hand.tokens, hand.bought, held, hand.nobles)
    return replace(view, hands=_put(view.hands, seat, drawn))


def _put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


@lru_cache(maxsize=256)
def world_of(view: View) -> Position:
    """A position that the viewer cannot rule out: to apply the rules to. Which one does not
    matter to what the viewer sees of it."""
    return imagined(view, Random(0))
