"""The same search written to be read: over the law's positions, slow, with random playouts.

The fast search is checked against it on small cases.  It has no network; priors are uniform.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from cabochon.rules import Move, Position, View
from cabochon.rules.cards import Card
from cabochon.rules.ending import Outcome
from cabochon.rules.facts import Hand, HeldCard, Hidden, Phase, Reserved, fields_of
from cabochon.rules.moves import Deal
from cabochon.rules.view import only_view
from cabochon.search.simulate import GROWN, SearchSettings


@dataclass
class Branch:
    """Statistics of one move at one node, and the node behind it."""

    visits: int = 0
    total: float = 0.0
    node: Node | None = None


@dataclass
class Node:
    """A decision, whatever was dealt on the way to it."""

    branches: dict[Move, Branch] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0


def reference_search(view: View, visits: int, seed: int) -> Node:
    """The root after so many simulations for the viewer, whose turn it is."""
    random, settings, root = Random(seed), SearchSettings(), Node()
    for _ in range(visits):
        _simulate(root, imagined(view, random), random, settings)
    return root


def imagined(view: View, random: Random) -> Position:
    """A position that the viewer cannot rule out, each alike. Raises NotAView."""
    unseen = list(only_view(view).unseen())
    hands = []
    for hand in view.hands:
        reserved: list[HeldCard] = []
        for held in hand.reserved:
            if isinstance(held, Hidden):
                card = random.choice([card for card in unseen if card.level == held.level])
                unseen.remove(card)
                held = Reserved(card, blind=True)
            reserved.append(held)
        hands.append(Hand(hand.tokens, hand.bought, tuple(reserved), hand.nobles))
    return Position(**fields_of(view) | {"hands": tuple(hands)})


def played(position: Position, move: Move, random: Random) -> Position:
    """The position after the move and whatever chance then deals."""
    position = position.play_unchecked(move)
    if position.phase is Phase.DEAL and position.pending is not None:
        level = position.pending.level
        deck = [card for card in _undealt(position) if card.level == level]
        position = position.deal(Deal(random.choice(deck)))
    return position


def _undealt(position: Position) -> tuple[Card, ...]:
    """The cards in the decks: in a position nothing else is unseen."""
    watcher = position.view(None)
    held = {
        reserve.card
        for hand in position.hands
        for reserve in hand.reserved
        if isinstance(reserve, Reserved)
    }
    return tuple(card for card in watcher.unseen() if card not in held)


def _simulate(root: Node, position: Position, random: Random, settings: SearchSettings) -> None:
    node, path = root, []
    while True:
        if node.visits == 0:
            shares = _play_out(position, random)
            node.visits, node.total = 1, shares[position.seat]
            break
        move = _select(node, position.legal_moves(), settings)
        branch = node.branches.setdefault(move, Branch())
        path.append((node, branch, position.seat))
        position = played(position, move, random)
        outcome = position.outcome()
        if outcome is not None:
            shares = shares_of(position, outcome)
            break
        branch.node = branch.node or Node()
        node = branch.node
    for above, branch, seat in path:
        above.visits += 1
        above.total += shares[seat]
        branch.visits += 1
        branch.total += shares[seat]


def _select(node: Node, moves: Sequence[Move], settings: SearchSettings) -> Move:
    """PUCT with uniform priors; a move without visits is worth a little less than the node."""
    prior = 1 / len(moves)
    seen = prior * len(node.branches)
    untried = node.total / node.visits - settings.pessimism * math.sqrt(seen)
    growth = 1 + settings.growth * math.log(1 + node.visits / GROWN)
    pull = settings.exploration * growth * math.sqrt(node.visits) * prior

    def score(move: Move) -> float:
        branch = node.branches.get(move)
        if branch is None or branch.visits == 0:
            return untried + pull
        return branch.total / branch.visits + pull / (1 + branch.visits)

    return max(moves, key=score)


def _play_out(position: Position, random: Random) -> tuple[float, ...]:
    outcome = position.outcome()
    while outcome is None:
        position = played(position, random.choice(position.legal_moves()), random)
        outcome = position.outcome()
    return shares_of(position, outcome)


def shares_of(position: Position, outcome: Outcome) -> tuple[float, ...]:
    """Each seat's part of the victory; partners both have their team's."""
    winners = outcome.ranking.count(1)
    sides = winners // 2 if position.ruleset.teams else winners
    return tuple(1 / sides if rank == 1 else 0.0 for rank in outcome.ranking)
