"""Games to find positions in: self-play inside compiled code, every decision written down with what
a short search thought of it.

Seats differ in how they choose, so that there are errors to punish: the network's first impression
taken by chance, a short search followed by chance, or its best move.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.kernel.bits import below, next_word, popcount, stream_seed
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import OVER, Number, StateRow, States, new_states
from cabochon.kernel.legal import legal_mask
from cabochon.kernel.opening import new_game_unchecked
from cabochon.kernel.playout import forget, random_action
from cabochon.kernel.step import step_unchecked
from cabochon.search.forward import new_scratch
from cabochon.search.net import Weights
from cabochon.search.simulate import SearchBuffers, SearchSettings, clear, grow
from cabochon.search.tree import Tree, new_tree

u64 = np.uint64
MOST_TURNS = 240
MOST_DECISIONS = 600
IMPRESSION, BY_VISITS, BEST = range(3)
"""How a seat chooses."""

GLANCE = np.dtype(
    [
        ("first", np.int32),
        ("best", np.int32),
        ("prior", np.float32),
        ("value", np.float32),
        ("second", np.float32),
    ]
)
"""What a short search thought of a decision: the action with the highest prior, the best one with
its prior and value, and the value of the next best."""


class QuarryBuffers(NamedTuple):
    """One thread's memory: a tree, the search's own, the true game, and the decisions found."""

    tree: Tree
    search: SearchBuffers
    game: States
    draws: States
    """A record used for its generator alone: what the players' moods are drawn from."""
    states: States
    truths: States
    """What each mover knows, and the whole truth."""
    glances: npt.NDArray[np.void]


def new_quarry(visits: int) -> QuarryBuffers:
    """Memory for games whose decisions get so many visits."""
    return QuarryBuffers(
        new_tree(visits),
        SearchBuffers(new_states(1), new_states(1), new_scratch()),
        new_states(1),
        new_states(1),
        new_states(MOST_DECISIONS),
        new_states(MOST_DECISIONS),
        np.zeros(MOST_DECISIONS, GLANCE),
    )


@compiled
def play_game(
    buffers: QuarryBuffers,
    net: Weights,
    settings: SearchSettings,
    seats: Number,
    visits: Number,
    seed: np.uint64,
) -> np.int64:
    """Play one standard game; returns how many decisions were written down. Each record is what
    its mover knows."""
    s = buffers.game[0]
    new_game_unchecked(s, seed, seats, 15, 4, False, True)
    buffers.draws[0] = buffers.game[0]
    draws = buffers.draws[0]
    draws.rng = stream_seed(~seed, u64(1))
    styles = np.zeros(4, np.int64)
    for seat in range(4):
        styles[seat] = np.int64(below(next_word(draws), u64(3)))
    count = np.int64(0)
    while s.phase != OVER and s.turn < MOST_TURNS and count < MOST_DECISIONS:
        if popcount(legal_mask(s)) == u64(1):
            step_unchecked(s, random_action(s))
            continue
        buffers.search.root[0] = buffers.game[0]
        forget(buffers.search.root[0], np.int64(s.seat))
        clear(buffers.tree)
        grow(buffers.tree, buffers.search, net, settings, stream_seed(seed, u64(count)), visits)
        buffers.states[count] = buffers.search.root[0]
        buffers.truths[count] = buffers.game[0]
        read_glance(buffers.tree, buffers.glances[count])
        action = choose(buffers.tree, styles[s.seat], next_word(draws))
        count += 1
        step_unchecked(s, action)
    return count


@compiled
def read_glance(tree: Tree, glance: StateRow) -> None:
    """What the root's edges say."""
    root = tree.nodes[0]
    glance.value, glance.second, glance.prior = -1.0, -1.0, 0.0
    top = np.float32(-1)
    for where in range(np.int64(root.first), np.int64(root.first + root.count)):
        edge = tree.edges[where]
        if edge.prior > top:
            top = edge.prior
            glance.first = edge.action
        if edge.visits == 0:
            continue
        value = edge.total / np.float32(edge.visits) - np.float32(0.4) / np.sqrt(
            np.float32(edge.visits)
        )
        if value > glance.value:
            glance.second = glance.value
            glance.value = value
            glance.best = edge.action
            glance.prior = edge.prior
        elif value > glance.second:
            glance.second = value


@compiled
def choose(tree: Tree, style: Number, word: np.uint64) -> np.int64:
    """An action of the root: by priors, by visits, or the most visited."""
    root = tree.nodes[0]
    first, end = np.int64(root.first), np.int64(root.first + root.count)
    total = 0.0
    for where in range(first, end):
        total += weight_of(tree, where, style)
    drawn = np.float64(word >> u64(11)) / 9007199254740992.0 * total
    best = first
    for where in range(first, end):
        if tree.edges[where].visits > tree.edges[best].visits:
            best = np.int64(where)
    if style == BEST:
        return np.int64(tree.edges[best].action)
    for where in range(first, end):
        drawn -= weight_of(tree, where, style)
        if drawn < 0:
            return np.int64(tree.edges[where].action)
    return np.int64(tree.edges[best].action)


@compiled
def weight_of(tree: Tree, where: Number, style: Number) -> float:
    """How likely an edge is to be chosen."""
    edge = tree.edges[where]
    if style == IMPRESSION:
        return np.float64(edge.prior)
    return np.float64(edge.visits) ** 2
