"""What a search found, in the law's words: from a tree's numbers to moves.

An action names a place, a move names a card; tokens are given back one by one in the tree and
all at once in the law.  So a line of returns adds up every order of its tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cabochon.kernel.actions import ACTIONS, ActionKind, actions_of, placeless_move
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import (
    BLIND_DRAW,
    CARD_BITS,
    CARD_COUNT,
    DEAL,
    HIDDEN,
    NO_CARD,
    NOTHING,
    States,
)
from cabochon.kernel.step import act_unchecked, pending_level, settle
from cabochon.rules import Buy, ChooseNoble, Gems, Move, Reserve, Return
from cabochon.rules.cards import CARDS, NOBLES, Card
from cabochon.rules.facts import Facts, Phase
from cabochon.rules.taking import excess
from cabochon.search.root import sure_value
from cabochon.search.tree import NO_CHILD, Tree

_VARIATION = 12


@dataclass(frozen=True, slots=True)
class Candidate:
    """One legal move: how often it was tried, the mover's mean share after it (None if it was
    not tried), and how likely the network found it before any search."""

    move: Move
    visits: int
    value: float | None
    prior: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a search.

    `shares`: each seat's expected part of the victory (partners have their team's).  `lines`:
    every legal move, the best first.  `variation`: the moves that were tried most, as far as
    they can be named: a purchase of a card that is still in a deck ends it.
    """

    shares: tuple[float, ...]
    lines: tuple[Candidate, ...]
    variation: tuple[Move, ...]
    visits: int
    seconds: float

    @property
    def best(self) -> Move:
        """The move to play: of the highest value, less what few visits leave in doubt."""
        return self.lines[0].move


def lines_of(
    facts: Facts, moves: Sequence[Move], trees: Sequence[Tree], caution: float
) -> tuple[Candidate, ...]:
    """A line for each legal move, summed over the trees, the best first: as root.best_edge."""
    is_return = facts.phase is Phase.RETURN
    found = _return_statistics(facts, trees) if is_return else _statistics(trees)
    ranked = []
    for move in moves:
        key = tuple(sorted(actions_of(facts, move)))
        visits, total, prior = found.get(key, (0, 0.0, 0.0))
        line = Candidate(move, visits, total / visits if visits else None, prior)
        ranked.append(((sure_value(total, visits, caution), visits, prior), line))
    ranked.sort(key=lambda pair: pair[0], reverse=True)
    return tuple(line for _, line in ranked)


def _statistics(trees: Sequence[Tree]) -> dict[tuple[int, ...], tuple[int, float, float]]:
    found: dict[tuple[int, ...], tuple[int, float, float]] = {}
    for tree in trees:
        for edge in _edges(tree, 0):
            key = (int(edge["action"]),)
            visits, total, prior = found.get(key, (0, 0.0, 0.0))
            share = float(edge["prior"]) / len(trees)
            found[key] = (
                visits + int(edge["visits"]),
                total + float(edge["total"]),
                prior + share,
            )
    return found


def _return_statistics(
    facts: Facts, trees: Sequence[Tree]
) -> dict[tuple[int, ...], tuple[int, float, float]]:
    """By the tokens given back, in whatever order; a prior is the product along the way."""
    count = excess(facts.hands[facts.seat].tokens)
    found: dict[tuple[int, ...], tuple[int, float, float]] = {}

    def walk(tree: Tree, node: int, given: tuple[int, ...], chance: float) -> None:
        for edge in _edges(tree, node):
            key = (*given, int(edge["action"]))
            prior = chance * float(edge["prior"])
            if len(key) < count:
                if edge["child"] != NO_CHILD:
                    walk(tree, int(edge["child"]), key, prior)
                continue
            name = tuple(sorted(key))
            visits, total, before = found.get(name, (0, 0.0, 0.0))
            found[name] = (
                visits + int(edge["visits"]),
                total + float(edge["total"]),
                before + prior,
            )

    for tree in trees:
        walk(tree, 0, (), 1 / len(trees))
    return found


def _edges(tree: Tree, node: int) -> np.ndarray:
    first, count = int(tree.nodes[node]["first"]), int(tree.nodes[node]["count"])
    return tree.edges[first : first + count]


def variation_of(facts: Facts, best: Move, root: States, tree: Tree) -> tuple[Move, ...]:
    """The best move, then the most tried ones, until a card has no name yet or visits run out."""
    states = root.copy()
    node = 0
    for action in actions_of(facts, best):
        node = _child(tree, node, action)
        _advance(states, action)
    moves: list[Move] = []
    while len(moves) < _VARIATION and node != NO_CHILD:
        edges = _edges(tree, node)
        if len(edges) == 0 or edges["visits"].max() == 0:
            break
        edge = edges[int(np.lexsort((edges["total"], edges["visits"]))[-1])]
        action = int(edge["action"])
        move = _move_at(states, action)
        if move is None:
            break
        moves.append(move)
        _advance(states, action)
        node = _follow(tree, edge)
    return (best, *_joined(moves))


def _child(tree: Tree, node: int, action: int) -> int:
    """The node behind an action, or NO_CHILD."""
    if node == NO_CHILD:
        return NO_CHILD
    found = [edge for edge in _edges(tree, node) if edge["action"] == action]
    return _follow(tree, found[0]) if found else NO_CHILD


def _follow(tree: Tree, edge: np.void) -> int:
    """The most visited node behind an edge, whatever card it stands for; NO_CHILD if none."""
    child = best = int(edge["child"])
    while child != NO_CHILD:
        if tree.nodes[child]["visits"] > tree.nodes[best]["visits"]:
            best = child
        child = int(tree.nodes[child]["next"])
    return best


def _move_at(states: States, index: int) -> Move | None:
    """The move that an action means in a record; None when its card has no name there."""
    s, action = states[0], ACTIONS[index]
    if (move := placeless_move(action)) is not None:
        return move
    if action.kind is ActionKind.NOBLE:
        return ChooseNoble(NOBLES[int(s["nobles"][action.place - 1])])
    if action.kind is ActionKind.BUY_RESERVED:
        card = _named(s["reserved"][4 * int(s["seat"]) + action.place - 1])
        return None if card is None else Buy(card)
    card = _named(s["board"][4 * (action.level - 1) + action.place - 1])
    if card is None:
        return None
    return Buy(card) if action.kind is ActionKind.BUY else Reserve(card)


def _named(byte: int) -> Card | None:
    index = int(byte) & CARD_BITS
    return CARDS[index] if index < CARD_COUNT else None


def _joined(moves: list[Move]) -> list[Move]:
    """Returns that follow one another become one."""
    joined: list[Move] = []
    for move in moves:
        if isinstance(move, Return) and joined and isinstance(joined[-1], Return):
            both = Counter(joined[-1].gems.letters + move.gems.letters)
            joined[-1] = Return(Gems.parse("".join(both.elements())))
        else:
            joined.append(move)
    return joined


@compiled
def _advance(states: States, action: int) -> None:
    """The action; a card that would be dealt stays unknown."""
    s = states[0]
    act_unchecked(s, action)
    if s.phase == DEAL:
        level = pending_level(s)
        if s.pending >= BLIND_DRAW:
            slot = 4 * np.int64(s.seat)
            while s.reserved[slot] != NO_CARD:
                slot += 1
            s.reserved[slot] = HIDDEN + level
        s.decks[level] -= 1
        s.pending = NOTHING
        settle(s)
