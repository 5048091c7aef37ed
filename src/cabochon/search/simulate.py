"""Simulations: imagine a world, walk down by PUCT, add a leaf, value it, back the value up.

A value is a vector with a share of the victory for each seat; the seat that moves at a node
maximises its own, so two players, four players and teams (partners have equal shares) are the same
code.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cabochon.kernel.bits import lowest_bit, popcount, stream_seed
from cabochon.kernel.borrowing import borrowed
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import ACT, BLIND_DRAW, DEAL, OVER, Floats, Number, StateRow, States
from cabochon.kernel.legal import first_action, legal_mask
from cabochon.kernel.playout import TURN_LIMIT, imagine, play_out
from cabochon.kernel.step import act_unchecked, deal_unchecked, draw, pending_level, write_shares
from cabochon.search.forward import Scratch, evaluate
from cabochon.search.last_turn import is_last_turn, solve_last_turn
from cabochon.search.net import Weights
from cabochon.search.tree import DEPTH, NO_CHILD, NO_KEY, SLACK, Tree

u64 = np.uint64
f32 = np.float32
_ONE = u64(1)
_FALLBACK = 0.06
GROWN = 500
"""From about this many visits to a node, exploration grows with their logarithm."""
PLAYOUT, NETWORK = 0, 1


class SearchSettings(NamedTuple):
    """How the search weighs its options.

    ``exploration`` and its ``growth`` with the visits of a node; ``pessimism`` about untried
    moves; the ``uniform`` part of priors; ``keyed``: after how many visits of an edge the cards
    dealt behind it are told apart; ``caution``: how much less a move counts in the end if it was
    tried less.
    """

    judge: int = NETWORK
    exploration: float = 0.9
    growth: float = 0.3
    pessimism: float = 0.15
    uniform: float = 0.04
    keyed: int = 1500
    caution: float = 0.8


class SearchBuffers(NamedTuple):
    """What one thread works on: the root's information record, a world, scratch memory."""

    root: States
    world: States
    scratch: Scratch


@compiled
def clear(tree: Tree) -> None:
    """An empty tree; the next ``grow`` plants its root."""
    tree.used[:] = 0
    tree.shares[:] = 0


@compiled
def grow(
    tree: Tree,
    buffers: SearchBuffers,
    net: Weights,
    settings: SearchSettings,
    seed: np.uint64,
    count: Number,
) -> None:
    """``count`` simulations from ``buffers.root[0]``; an empty tree gets its root first.

    Their seeds follow from ``seed`` and the visits so far.
    """
    tree, buffers, net = borrowed(tree), borrowed(buffers), borrowed(net)
    shares = buffers.scratch.shares
    if tree.used[0] == 0:
        count += 1
    for _ in range(count):
        buffers.world[0] = buffers.root[0]
        s = buffers.world[0]
        imagine(s, stream_seed(seed, u64(tree.used[0] and tree.nodes[0].visits)))
        depth, leaf = _descend(tree, s, settings)
        if s.phase == OVER:
            write_shares(s, shares)
        else:
            value_leaf(tree, leaf, s, net, settings, buffers.scratch)
        _back_up(tree, depth, shares)


@compiled
def _descend(tree: Tree, s: StateRow, settings: SearchSettings) -> tuple[int, np.int64]:
    """Walk to a leaf; returns the length of the path, and the new node there (or NO_CHILD)."""
    depth = 0
    if tree.used[0] == 0:
        return depth, add_node(tree, s)
    node = np.int64(0)
    while True:
        edge = _select(tree, node, legal_mask(s), settings)
        if edge == NO_CHILD:  # no room for what is legal only in this world
            return depth, np.int64(NO_CHILD)
        tree.path[depth, 0] = node
        tree.path[depth, 1] = edge
        depth += 1
        card = _step(s, tree.edges[edge].action)
        if s.phase == OVER:
            return depth, np.int64(NO_CHILD)
        if tree.edges[edge].visits < settings.keyed:
            card = np.int64(NO_KEY)
        child = find_child(tree, edge, card)
        if child == NO_CHILD:
            return depth, _add_child(tree, edge, card, s)
        here = tree.nodes[child]
        # The same actions can lead elsewhere in another world (a noble came, or not): what the
        # node has learnt is about another decision then, so this simulation ends here.
        if here.seat != s.seat or here.phase != s.phase or depth == DEPTH:
            return depth, np.int64(NO_CHILD)
        node = child


@compiled
def _step(s: StateRow, action: Number) -> np.int64:
    """The action and what chance deals; returns a card dealt face up, or NO_KEY."""
    act_unchecked(s, action)
    card = np.int64(NO_KEY)
    if s.phase == DEAL:
        drawn = np.int64(draw(s, pending_level(s)))
        if s.pending < BLIND_DRAW:
            card = drawn
        deal_unchecked(s, drawn)
    return card


@compiled
def find_child(tree: Tree, edge: np.int64, card: np.int64) -> np.int64:
    """The node behind the edge for this card, or NO_CHILD."""
    child = np.int64(tree.edges[edge].child)
    while child != NO_CHILD and tree.nodes[child].card != card:
        child = np.int64(tree.nodes[child].next)
    return child


@compiled
def _add_child(tree: Tree, edge: np.int64, card: np.int64, s: StateRow) -> np.int64:
    """A new node behind the edge, before its sisters; NO_CHILD when the tree is full."""
    child = add_node(tree, s)
    if child != NO_CHILD:
        tree.nodes[child].card = card
        tree.nodes[child].next = tree.edges[edge].child
        tree.edges[edge].child = child
    return child


@compiled
def add_node(tree: Tree, s: StateRow) -> np.int64:
    """A node for the seat to move in ``s``, without edges yet; NO_CHILD when the tree is full."""
    index = np.int64(tree.used[0])
    # No node needs 80 edges: a phase has at most 61 actions, and SLACK come on top.
    if index == tree.nodes.shape[0] or tree.used[1] + 80 > tree.edges.shape[0]:
        return np.int64(NO_CHILD)
    tree.used[0] += 1
    node = tree.nodes[index]
    node.seat = s.seat
    node.phase = s.phase
    node.visits = 0
    node.total = 0
    node.seen = 0
    node.opened = 0
    node.card = NO_KEY
    node.next = NO_CHILD
    return index


@compiled
def value_leaf(
    tree: Tree,
    index: np.int64,
    s: StateRow,
    net: Weights,
    settings: SearchSettings,
    scratch: Scratch,
) -> None:
    """Shares of the seats into ``scratch``, and edges with priors for the node, if there is one."""
    mask = legal_mask(s)
    if index != NO_CHILD:
        _add_edges(tree, index, s.phase, mask)
    if settings.judge == NETWORK:
        evaluate(s, mask, net, scratch)
        if index != NO_CHILD:
            _keep_logits(tree, index, scratch.logits)
            if index == 0 or s.phase != ACT:
                _set_priors(tree, index, settings.uniform)
    if is_last_turn(s):
        solve_last_turn(s, scratch.shares)
    elif settings.judge == PLAYOUT:
        play_out(s, TURN_LIMIT)
        write_shares(s, scratch.shares)
    if index != NO_CHILD:
        node = tree.nodes[index]
        node.visits = 1
        node.total = scratch.shares[node.seat]
        if index == 0:
            node.opened = node.count


@compiled
def _add_edges(tree: Tree, index: Number, phase: Number, mask: np.uint64) -> None:
    """One edge per legal action, all with the same prior."""
    node = tree.nodes[index]
    node.mask = mask
    node.first = tree.used[1]
    node.count = popcount(mask)
    node.room = node.count + SLACK
    tree.used[1] += node.room
    prior = f32(1) / f32(node.count)
    base = first_action(phase)
    where = np.int64(node.first)
    while mask != u64(0):
        edge = tree.edges[where]
        edge.action = base + np.int64(lowest_bit(mask))
        edge.child = NO_CHILD
        edge.visits = 0
        edge.total = 0
        edge.prior = prior
        mask &= mask - _ONE
        where += 1


@compiled
def _keep_logits(tree: Tree, index: Number, logits: Floats) -> None:
    """Leave them in place of the priors. Half of all nodes are never visited again, so the priors
    of a turn are worked out when somebody chooses among them (`_select`); those of the root and of
    what follows within a turn at once, as they are read from outside."""
    node = tree.nodes[index]
    for where in range(np.int64(node.first), np.int64(node.first + node.count)):
        tree.edges[where].prior = logits[tree.edges[where].action]


@compiled
def _set_priors(tree: Tree, index: Number, uniform: float) -> None:
    """Softmax of the logits that the node's edges have, mixed with a uniform part."""
    node = tree.nodes[index]
    first, end = np.int64(node.first), np.int64(node.first + node.count)
    most = f32(-1e30)
    for where in range(first, end):
        most = max(most, tree.edges[where].prior)
    total = f32(0)
    for where in range(first, end):
        edge = tree.edges[where]
        edge.prior = np.exp(edge.prior - most)
        total += edge.prior
    scale = f32(1 - uniform) / total
    floor = f32(uniform) / f32(node.count)
    for where in range(first, end):
        edge = tree.edges[where]
        edge.prior = edge.prior * scale + floor


@compiled
def pull_of(visits: Number, settings: SearchSettings) -> np.float32:
    """How much a prior weighs at a node with that many visits."""
    growth = 1 + settings.growth * np.log(1 + visits / GROWN)
    return f32(settings.exploration * growth * np.sqrt(visits))


@compiled
def _select(tree: Tree, index: np.int64, mask: np.uint64, settings: SearchSettings) -> np.int64:
    """The edge to follow: highest value + exploration among those legal in this world."""
    node = tree.nodes[index]
    if node.opened == 0 and node.phase == ACT and settings.judge == NETWORK:
        _set_priors(tree, index, settings.uniform)
    new = mask & ~node.mask
    if new != u64(0):
        _add_late_edges(tree, index, new)
    base = first_action(node.phase)
    pull = pull_of(node.visits, settings)
    untried = f32(node.total / node.visits - settings.pessimism * np.sqrt(node.seen))
    best = np.int64(NO_CHILD)
    best_score = f32(-1e30)
    has_untried = False
    first = np.int64(node.first)
    for where in range(first, first + node.opened):
        edge = tree.edges[where]
        if (mask >> u64(edge.action - base)) & _ONE == u64(0):
            continue
        if edge.visits == 0:
            score = untried + pull * edge.prior
            has_untried = True
        else:
            score = edge.total / f32(edge.visits) + pull * edge.prior / f32(1 + edge.visits)
        if score > best_score:
            best_score = score
            best = np.int64(where)
    # An untried edge scores by its prior alone, and waiting edges come in the order of their
    # priors: so one open untried edge speaks for all that wait behind it.
    while not has_untried and node.opened < node.count:
        opened = _open_next(tree, index)
        edge = tree.edges[opened]
        if (mask >> u64(edge.action - base)) & _ONE != u64(0):
            has_untried = True
            if untried + pull * edge.prior > best_score:
                best = opened
    return best


@compiled
def _open_next(tree: Tree, index: Number) -> np.int64:
    """Move the waiting edge with the highest prior behind the open ones; returns its place."""
    node = tree.nodes[index]
    place = np.int64(node.first + node.opened)
    best = place
    for where in range(place + 1, np.int64(node.first + node.count)):
        if tree.edges[where].prior > tree.edges[best].prior:
            best = np.int64(where)
    if best != place:
        action, prior = tree.edges[place].action, tree.edges[place].prior
        tree.edges[place].action = tree.edges[best].action
        tree.edges[place].prior = tree.edges[best].prior
        tree.edges[best].action = action
        tree.edges[best].prior = prior
    node.opened += 1
    return place


@compiled
def _add_late_edges(tree: Tree, index: Number, new: np.uint64) -> None:
    """Edges for actions that were not legal when the node was made, while there is room."""
    node = tree.nodes[index]
    base = first_action(node.phase)
    while new != u64(0) and node.count < node.room:
        edge = tree.edges[node.first + node.count]
        edge.action = base + np.int64(lowest_bit(new))
        edge.child = NO_CHILD
        edge.visits = 0
        edge.total = 0
        edge.prior = _FALLBACK
        node.mask |= new & (~new + _ONE)
        node.count += 1
        new &= new - _ONE


@compiled
def _back_up(tree: Tree, depth: Number, shares: Floats) -> None:
    for step in range(depth):
        node = tree.nodes[tree.path[step, 0]]
        edge = tree.edges[tree.path[step, 1]]
        value = shares[node.seat]
        if edge.visits == 0:
            node.seen += edge.prior
        edge.visits += 1
        edge.total += value
        node.visits += 1
        node.total += value
    tree.used[2] += 1
    for seat in range(4):
        tree.shares[seat] += shares[seat]
