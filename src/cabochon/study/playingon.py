"""Playing on from any position: the decisions of a turn, with the cards that chance or somebody's
choice brings."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.staging import MOST_MOVES, line_of
from cabochon.rules import CARDS, Card, Deal, Move, Phase, Place, Position
from cabochon.study.gametree import GameNode


@dataclass(frozen=True, slots=True)
class Wanted:
    """A card must come there before it goes on: one of these."""

    place: Place
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Onward:
    """The decisions that were played, and the card that the next of them waits for."""

    nodes: tuple[GameNode, ...]
    wanted: Wanted | None = None


def wanted_in(position: Position) -> Wanted | None:
    """What the position waits for, if it is a card."""
    place = position.pending
    if place is None:
        return None
    cards = [card for card in CARDS if card.level == place.level and position.in_deck(card)]
    return Wanted(place, tuple(cards))


def play_on(
    position: Position,
    moves: Sequence[Move],
    deal: Card | random.Random | None = None,
    ply: int = 0,
) -> Onward:
    """The nodes of these decisions, counted on from `ply`. A card that must come is `deal`, once;
    or drawn, each as likely as any other that is unseen; with None it is asked for, and its
    decision is not made yet. With no moves, only a card that the position waits for comes.
    Raises IllegalMove, IllegalDeal, and TableRefused for no moves or too many."""
    if len(moves) > MOST_MOVES:
        raise TableRefused(TableFault.TOO_MANY_MOVES, count=len(moves), most=MOST_MOVES)
    if not moves and position.phase is not Phase.DEAL:
        raise TableRefused(TableFault.NO_MOVES)
    source = _Source(deal)
    nodes: list[GameNode] = []
    if position.phase is Phase.DEAL:
        dealt = source.card(position)
        if dealt is None:
            return Onward((), wanted_in(position))
        position = position.deal(Deal(dealt))
        nodes.append(GameNode(position, ply, None, dealt))
    for number, move in enumerate(moves, start=ply + 1):
        before, position = position, position.play(move)
        dealt = None
        if position.phase is Phase.DEAL:
            dealt = source.card(position)
            if dealt is None:
                return Onward(tuple(nodes), wanted_in(position))
            position = position.deal(Deal(dealt))
        line = line_of(before, before.completed(move), position, dealt, number, 0)
        nodes.append(GameNode(position, number, line, dealt))
    return Onward(tuple(nodes))


class _Source:
    """Where the cards come from."""

    def __init__(self, deal: Card | random.Random | None) -> None:
        self._deal = deal

    def card(self, position: Position) -> Card | None:
        """The one for the pending place; None when nobody has said which."""
        deal = self._deal
        if isinstance(deal, random.Random):
            wanted = wanted_in(position)
            assert wanted is not None
            return deal.choice(wanted.cards)
        self._deal = None
        return deal
