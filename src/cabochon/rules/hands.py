"""What lies in front of one seat."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from typing import TypeAlias

from cabochon.rules.cards import Card, Noble
from cabochon.rules.gems import NO_GEMS, Gems


@dataclass(frozen=True, slots=True)
class Reserved:
    """A reserved card that is known: to its owner, or, when it lay face up, to everybody."""

    card: Card
    blind: bool = False

    @property
    def level(self) -> int:
        return self.card.level


@dataclass(frozen=True, slots=True)
class Hidden:
    """A card that somebody else drew from a deck: only its level shows. Never in a Position."""

    level: int


HeldCard: TypeAlias = Reserved | Hidden


@dataclass(frozen=True, slots=True)
class Hand:
    """Tokens, bought cards (by id: the order of buying is no fact of a position), reserved cards
    in the order they were reserved, and nobles in the order they came."""

    tokens: Gems = NO_GEMS
    bought: tuple[Card, ...] = ()
    reserved: tuple[HeldCard, ...] = ()
    nobles: tuple[Noble, ...] = ()

    @property
    def bonuses(self) -> Gems:
        """One a bought card; gold is never a bonus."""
        counts = [0, 0, 0, 0, 0, 0]
        for card in self.bought:
            counts[card.bonus] += 1
        return Gems(*counts)

    @property
    def points(self) -> int:
        total = 0
        for card in self.bought:
            total += card.points
        for noble in self.nobles:
            total += noble.points
        return total

    def holds(self, card: Card) -> bool:
        """Whether the card is among the reserved ones, as far as this hand shows them."""
        return any(isinstance(r, Reserved) and r.card is card for r in self.reserved)

    def with_tokens(self, tokens: Gems) -> Hand:
        return Hand(tokens, self.bought, self.reserved, self.nobles)

    def with_reserved(self, reserve: HeldCard) -> Hand:
        return Hand(self.tokens, self.bought, (*self.reserved, reserve), self.nobles)

    def with_noble(self, noble: Noble) -> Hand:
        return Hand(self.tokens, self.bought, self.reserved, (*self.nobles, noble))

    def with_bought(self, card: Card, tokens: Gems) -> Hand:
        """The card among the bought ones, gone from the reserve if it came from there."""
        bought = list(self.bought)
        insort(bought, card, key=lambda c: c.id)
        reserved = self.reserved
        if reserved:
            reserved = tuple(r for r in reserved if getattr(r, "card", None) is not card)
        return Hand(tokens, tuple(bought), reserved, self.nobles)


EMPTY_HAND = Hand()
