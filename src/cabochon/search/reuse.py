"""Keeping the part of the last search's tree that is about what then happened.

A bot is given views, not moves, so the decisions between two views are worked out from their
differences. If that leaves any doubt, or a card was dealt that the tree didn't distinguish, nothing
is reused: a wrong start would be worse than none.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cabochon.kernel.actions import BUY, BUY_RESERVED, CHOOSE_NOBLE, GIVE_BACK, PASS, RESERVE
from cabochon.kernel.bits import lane, lowest_bit, sum_tokens
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import (
    ACT,
    BLIND_DRAW,
    CARD_BITS,
    CARD_COUNT,
    DEAL,
    LEVEL_START,
    NO_CARD,
    NOBLE,
    OVER,
    TAKE,
    Number,
    StateRow,
    States,
)
from cabochon.kernel.legal import legal_mask
from cabochon.kernel.step import act_unchecked, deal_unchecked
from cabochon.rules.ruleset import TOKEN_LIMIT
from cabochon.search.simulate import find_child
from cabochon.search.tree import NO_CHILD, NO_KEY, Tree

u64 = np.uint64
_ONE = u64(1)
_NONE = -1
_MOST_DECISIONS = 24


@compiled
def follow(tree: Tree, old: States, new: States, work: States) -> np.int64:
    """The node that stands for ``new`` in the tree of ``old``, or NO_CHILD."""
    work[0] = old[0]
    w, n = work[0], new[0]
    node = np.int64(0)
    for _ in range(_MOST_DECISIONS):
        if node == NO_CHILD or _is_same(w, n):
            return node
        action = _action_taken(w, n)
        edge = _edge_of(tree, node, action)
        if action == _NONE or edge == NO_CHILD:
            return np.int64(NO_CHILD)
        act_unchecked(w, action)
        card = np.int64(NO_KEY)
        if w.phase == DEAL:
            if not _is_known_deal(w, n):
                return np.int64(NO_CHILD)
            card = np.int64(n.board[w.pending])
            deal_unchecked(w, card)
        node = find_child(tree, edge, card)
    return np.int64(NO_CHILD)


@compiled
def _is_same(w: StateRow, n: StateRow) -> bool:
    """Whether all that is on the table is equal."""
    if w.turn != n.turn or w.seat != n.seat or w.phase != n.phase or w.bank != n.bank:
        return False
    for seat in range(4):
        if w.tokens[seat] != n.tokens[seat] or w.sides[seat] != n.sides[seat]:
            return False
    for place in range(12):
        if w.board[place] != n.board[place]:
            return False
    for slot in range(16):
        if w.reserved[slot] != n.reserved[slot]:
            return False
    return bool(w.open_nobles == n.open_nobles)


@compiled
def _is_known_deal(w: StateRow, n: StateRow) -> bool:
    """Whether the card that is due is the one that lies there now, and could have come."""
    if w.pending >= BLIND_DRAW or n.board[w.pending] == NO_CARD:
        return False
    level = np.int64(w.pending) >> 2
    bit = u64(n.board[w.pending]) - u64(LEVEL_START[level])
    return bool((w.pool[level] >> bit) & _ONE != u64(0))


@compiled
def _edge_of(tree: Tree, node: np.int64, action: Number) -> np.int64:
    here = tree.nodes[node]
    for where in range(np.int64(here.first), np.int64(here.first + here.count)):
        if tree.edges[where].action == action:
            return np.int64(where)
    return np.int64(NO_CHILD)


@compiled
def _action_taken(w: StateRow, n: StateRow) -> Number:
    """What the mover of ``w`` must have done next, or _NONE."""
    seat = np.int64(w.seat)
    if w.phase == OVER or w.turn > n.turn:
        return _NONE
    if w.phase == NOBLE:
        for place in range(5):
            if (w.open_nobles >> place) & 1 and np.int64(n.claims[place] & 15) == seat:
                return CHOOSE_NOBLE + place
        return _NONE
    if w.phase != ACT:
        for gem in range(6):
            if lane(w.tokens[seat], gem) > lane(n.tokens[seat], gem):
                return GIVE_BACK + gem
        return _NONE
    action = _card_taken(w, n, seat)
    return action if action != _NONE else _tokens_taken(w, n, seat)


@compiled
def _card_taken(w: StateRow, n: StateRow, seat: np.int64) -> Number:
    for place in range(12):
        card = w.board[place]
        if card != NO_CARD:
            if np.int64(n.owner[card]) == seat:
                return BUY + place
            for slot in range(3):
                if n.reserved[4 * seat + slot] == card:
                    return RESERVE + place
    for slot in range(3):
        card = w.reserved[4 * seat + slot] & CARD_BITS
        if card < CARD_COUNT and np.int64(n.owner[card]) == seat:
            return BUY_RESERVED + slot
    return _NONE


@compiled
def _tokens_taken(w: StateRow, n: StateRow, seat: np.int64) -> Number:
    """A take that leads to the tokens that are there, the excess given back."""
    goal = n.tokens[seat]
    mask = legal_mask(w)
    if mask == _ONE << u64(PASS):
        return PASS if goal == w.tokens[seat] else _NONE
    mask &= (_ONE << u64(RESERVE)) - _ONE
    while mask != u64(0):
        action = np.int64(lowest_bit(mask))
        mask &= mask - _ONE
        after = w.tokens[seat] + TAKE[action]
        covered = True
        for gem in range(6):
            covered = covered and bool(lane(after, gem) >= lane(goal, gem))
        over = max(np.int64(sum_tokens(after)) - TOKEN_LIMIT, 0)
        if covered and np.int64(sum_tokens(after)) - np.int64(sum_tokens(goal)) == over:
            return action
    return _NONE


@compiled
def transplant(tree: Tree, node: np.int64, fresh: Tree) -> None:
    """Copy what hangs from ``node`` into ``fresh``, where it becomes the root."""
    fresh.used[:] = 0
    fresh.shares[:] = 0
    origin = np.empty(fresh.nodes.shape[0], np.int64)
    origin[0] = node
    fresh.used[0] = 1
    done = 0
    while done < fresh.used[0]:
        fresh.nodes[done] = tree.nodes[origin[done]]
        here = fresh.nodes[done]
        if here.next != NO_CHILD:
            here.next = done + 1  # sisters are copied one after the other: see _copy_children
        first, count = np.int64(here.first), np.int64(here.count)
        here.first = fresh.used[1]
        fresh.used[1] += here.room
        for k in range(count):
            place = np.int64(here.first) + k
            fresh.edges[place] = tree.edges[first + k]
            _copy_children(tree, fresh, place, origin)
        done += 1
    root = fresh.nodes[0]
    root.card = NO_KEY
    root.next = NO_CHILD
    root.opened = root.count


@compiled
def _copy_children(tree: Tree, fresh: Tree, place: np.int64, origin: npt.NDArray[np.int64]) -> None:
    """Give the nodes behind an edge new numbers, one after the other; they are copied later."""
    child = np.int64(fresh.edges[place].child)
    if child != NO_CHILD:
        fresh.edges[place].child = fresh.used[0]
    while child != NO_CHILD:
        origin[fresh.used[0]] = child
        fresh.used[0] += 1
        child = np.int64(tree.nodes[child].next)
