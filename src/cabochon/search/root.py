"""What happens at the root only: noise for self-play, the move to play, the policy to learn."""

from __future__ import annotations

import numpy as np

from cabochon.kernel.actions import BUY, RESERVE
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import Floats, Number
from cabochon.search.simulate import SearchSettings, pull_of
from cabochon.search.tree import Tree

f32 = np.float32


@compiled
def seed_generator(seed: Number) -> None:
    """Seed Numba's generator of this thread: only self-play draws from it."""
    np.random.seed(seed)


@compiled
def soften(tree: Tree, power: float, flatten: float) -> None:
    """Raise the root's priors to a power below 1, then mix a uniform part in: a policy that has
    made up its mind has to look again."""
    root = tree.nodes[0]
    first, count = np.int64(root.first), np.int64(root.count)
    total = f32(0)
    for where in range(first, first + count):
        edge = tree.edges[where]
        edge.prior = edge.prior**power
        total += edge.prior
    for where in range(first, first + count):
        edge = tree.edges[where]
        edge.prior = (1 - flatten) * edge.prior / total + flatten / count


@compiled
def add_noise(tree: Tree, weight: float, concentration: float) -> None:
    """Mix Dirichlet noise of that total concentration into the root's priors."""
    root = tree.nodes[0]
    first, count = np.int64(root.first), np.int64(root.count)
    alpha = concentration / count
    total = 1e-12
    noise = np.empty(count, np.float64)
    for k in range(count):
        noise[k] = np.random.gamma(alpha, 1.0)
        total += noise[k]
    for k in range(count):
        edge = tree.edges[first + k]
        edge.prior = (1 - weight) * edge.prior + weight * noise[k] / total


@compiled
def drop_reservations(tree: Tree) -> bool:
    """Take the root's edges of reservations out, if others stay; returns whether it did."""
    root = tree.nodes[0]
    first, count = np.int64(root.first), np.int64(root.count)
    kept = np.int64(0)
    total = f32(0)
    for where in range(first, first + count):
        action = tree.edges[where].action
        if action < RESERVE or action >= BUY:
            tree.edges[first + kept] = tree.edges[where]
            total += tree.edges[where].prior
            kept += 1
    if kept == 0 or kept == count:
        return False
    for where in range(first, first + kept):
        tree.edges[where].prior /= total
    root.count = kept
    root.room = kept
    root.opened = kept
    return True


@compiled
def read_priors(tree: Tree, priors: Floats) -> None:
    """The root's priors by action."""
    root = tree.nodes[0]
    priors[:] = 0
    for where in range(np.int64(root.first), np.int64(root.first + root.count)):
        priors[tree.edges[where].action] = tree.edges[where].prior


@compiled
def most_visited(tree: Tree) -> Number:
    """The root's edge with the most visits, then the highest value, then the lowest action."""
    root = tree.nodes[0]
    best = np.int64(root.first)
    for where in range(np.int64(root.first), np.int64(root.first + root.count)):
        if _is_tried_more(tree, where, best):
            best = np.int64(where)
    return best


@compiled
def _is_tried_more(tree: Tree, one: Number, other: Number) -> bool:
    a, b = tree.edges[one], tree.edges[other]
    if a.visits != b.visits:
        return bool(a.visits > b.visits)
    if a.visits != 0 and a.total != b.total:
        return bool(a.total > b.total)
    return bool(a.action < b.action)


@compiled
def best_edge(tree: Tree, caution: float) -> Number:
    """The root's edge to play: its value, less what few visits leave in doubt, is the highest."""
    root = tree.nodes[0]
    best = most_visited(tree)
    for where in range(np.int64(root.first), np.int64(root.first + root.count)):
        if _sure_value(tree, where, caution) > _sure_value(tree, best, caution):
            best = np.int64(where)
    return best


@compiled
def _sure_value(tree: Tree, where: Number, caution: float) -> float:
    edge = tree.edges[where]
    return float(sure_value(edge.total, edge.visits, caution))


@compiled
def sure_value(total: float, visits: Number, caution: float) -> float:
    """A mean value less a doubt that shrinks with the square root of its visits."""
    if visits == 0:
        return -np.inf
    return float(total / visits - caution / np.sqrt(visits))


@compiled
def read_policy(tree: Tree, priors: Floats, settings: SearchSettings, policy: Floats) -> None:
    """Visits by action, less those that only noise paid for: each edge keeps what ``priors``,
    without noise, would have given it beside the best one.  They sum to 1.

    Fractions of a visit count: if they were cut off, a good action that fell out of favour could
    never come back."""
    root = tree.nodes[0]
    policy[:] = 0
    best = most_visited(tree)
    top = tree.edges[best]
    pull = pull_of(root.visits, settings)
    goal = top.total / max(top.visits, 1) + pull * priors[top.action] / (1 + top.visits)
    total = f32(0)
    for where in range(np.int64(root.first), np.int64(root.first + root.count)):
        edge = tree.edges[where]
        kept = f32(edge.visits)
        if where != best and edge.visits > 0:
            behind = goal - edge.total / edge.visits
            if behind > 0:
                fair = pull * priors[edge.action] / behind - 1
                kept = min(kept, f32(max(fair, 0)))
        policy[edge.action] = kept
        total += kept
    if total == 0:
        policy[top.action] = 1
        total = f32(1)
    policy /= total
