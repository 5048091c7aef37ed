"""Whole games of self-play inside compiled code, one thread a call.

Most moves are decided by a quick search, some by a full one; all full and some quick positions
are written down.  Many games begin with random turns, so that the net sees every kind of table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.kernel.bits import popcount
from cabochon.kernel.cache import compiled
from cabochon.kernel.hidden import forget
from cabochon.kernel.layout import OVER, Number, Record, States, new_states
from cabochon.kernel.legal import legal_mask
from cabochon.kernel.opening import new_game_unchecked
from cabochon.kernel.playout import biased_action, random_action
from cabochon.kernel.randomness import stream_seed
from cabochon.kernel.results import points_of, write_shares
from cabochon.kernel.step import step_unchecked
from cabochon.search.forward import new_scratch
from cabochon.search.net import Floats, Weights
from cabochon.search.root import (
    add_noise,
    drop_reservations,
    most_visited,
    read_policy,
    read_priors,
    seed_generator,
    soften,
)
from cabochon.search.simulate import Desk, Settings, clear, grow
from cabochon.search.tree import Tree, new_tree
from cabochon.train.sample import POLICY_SCALE, Samples

u64 = np.uint64
MOST_TURNS = 400
"""A game that goes on longer is scored as it stands."""


class Recipe(NamedTuple):
    """The numbers of self-play.

    `crowded` is the part of the exploration with three or more parties, whose shares lie closer
    together. A *shy* seat reserves nothing in its first rounds.  Without such seats nobody would
    find out what a game without early reservations is worth: nearly all begin with three of them.
    """

    full_visits: int = 90
    quick_visits: int = 10
    full_share: float = 0.25
    early_share: float = 0.5
    early_turns: int = 8
    quick_kept: float = 0.25
    random_share: float = 0.45
    random_turns: int = 14
    soften: float = 0.75
    flatten: float = 0.1
    noise: float = 0.25
    concentration: float = 6.0
    warm_rounds: int = 5
    cool_rounds: int = 12
    shy_share: float = 0.3
    shy_rounds: int = 10
    crowded: float = 1.0


class Mix(NamedTuple):
    """Which rulesets are played: seats, and the shares of quick games and of teams."""

    seats: int = 2
    quick: float = 0.12
    teams: float = 0.0


class Bench(NamedTuple):
    """What one thread needs: a tree, a desk, the true game, and room by action."""

    tree: Tree
    desk: Desk
    game: States
    priors: Floats
    policy: Floats
    tally: npt.NDArray[np.float64]


def new_bench(visits: int) -> Bench:
    """Working memory for searches of up to ``visits``."""
    return Bench(
        new_tree(visits),
        Desk(new_states(1), new_states(1), new_scratch()),
        new_states(1),
        np.zeros(72, np.float32),
        np.zeros(72, np.float32),
        np.zeros(16, np.float64),
    )


@compiled
def play_games(
    bench: Bench,
    net: Weights,
    settings: Settings,
    recipe: Recipe,
    mix: Mix,
    seed: np.uint64,
    games: Number,
    samples: Samples,
) -> np.int64:
    """Play up to ``games`` games, fewer if ``samples`` fills up; returns the rows written.

    ``bench.tally``: games, decisions, seat 0's shares, rounds, points of the winner, cards of
    the winner, quick games, reservations, decisions searched, the last value,
    the shy seats of the last game, shares and number of shy seats among others.
    """
    seed_generator(np.int64(seed & u64(0x7FFFFFFF)))
    bench.tally[:] = 0
    written = np.int64(0)
    s = bench.game[0]
    for game in range(games):
        if written + 2 * MOST_TURNS > len(samples.states):
            break
        game_seed = stream_seed(seed, u64(game))
        _start(s, mix, game_seed)
        _play_randomly(s, recipe)
        first, decision = written, 0
        bench.tally[9] = 0.5
        bench.tally[10] = _draw_shy_seats(recipe)
        weighing = _weighing(s, settings, recipe)
        while s.phase != OVER and s.turn < MOST_TURNS:
            decision += 1
            if popcount(legal_mask(s)) == u64(1):
                step_unchecked(s, random_action(s))
            else:
                think_seed = stream_seed(~game_seed, u64(decision))
                written = _decide(bench, net, weighing, recipe, think_seed, samples, written)
        bench.tally[1] += decision
        _finish(s, samples, first, written, bench.tally)
    return written


@compiled
def _start(s: Record, mix: Mix, seed: np.uint64) -> None:
    is_quick = np.random.random() < mix.quick
    teams = np.random.random() < mix.teams
    target, width = (10, 3) if is_quick else (15, 4)
    new_game_unchecked(s, seed, mix.seats, target, width, teams, True)


@compiled
def _weighing(s: Record, settings: Settings, recipe: Recipe) -> Settings:
    """How the search weighs in this game."""
    exploration = settings.exploration
    if s.seats > 2 and s.side_mask == 3:
        exploration *= recipe.crowded
    return Settings(
        settings.judge,
        exploration,
        settings.growth,
        settings.pessimism,
        settings.uniform,
        settings.keyed,
        settings.caution,
    )


@compiled
def _play_randomly(s: Record, recipe: Recipe) -> None:
    if np.random.random() < recipe.random_share:
        end = s.turn + 1 + np.random.randint(recipe.random_turns)
        while s.turn < end and s.phase != OVER:
            step_unchecked(s, biased_action(s))


@compiled
def _draw_shy_seats(recipe: Recipe) -> Number:
    """The shy seats of a game, as bits."""
    shy = 0
    for seat in range(4):
        if np.random.random() < recipe.shy_share:
            shy |= 1 << seat
    return shy


@compiled
def _is_open(value: float) -> bool:
    """Whether the last mover's value leaves something to think about."""
    return 0.03 < value < 0.97


@compiled
def _decide(
    bench: Bench,
    net: Weights,
    settings: Settings,
    recipe: Recipe,
    seed: np.uint64,
    samples: Samples,
    written: np.int64,
) -> np.int64:
    """Search for the seat to move from what it may know, write down, play; returns the rows."""
    s = bench.game[0]
    share = recipe.early_share if s.turn < recipe.early_turns else recipe.full_share
    is_full = np.random.random() < share and _is_open(bench.tally[9])
    bench.desk.root[0] = bench.game[0]
    forget(bench.desk.root[0], np.int64(s.seat))
    visits = recipe.quick_visits
    clear(bench.tree)
    grow(bench.tree, bench.desk, net, settings, seed, np.int64(0))
    if is_full:
        visits = recipe.full_visits
        soften(bench.tree, recipe.soften, recipe.flatten)
        read_priors(bench.tree, bench.priors)
        add_noise(bench.tree, recipe.noise, recipe.concentration)
    is_early = np.int64(s.turn) < recipe.shy_rounds * np.int64(s.seats)
    if is_early and (np.int64(bench.tally[10]) >> np.int64(s.seat)) & 1:
        is_full = not drop_reservations(bench.tree) and is_full
    grow(bench.tree, bench.desk, net, settings, seed, visits)
    bench.tally[8] += 1
    bench.tally[9] = bench.tree.nodes[0].total / bench.tree.nodes[0].visits
    if is_full or np.random.random() < recipe.quick_kept:
        _write_down(bench, settings, is_full, samples, written)
        written += 1
    action = _choose(bench.tree, np.int64(s.turn) // np.int64(s.seats), recipe)
    bench.tally[7] += 30 <= action < 45
    step_unchecked(s, action)
    return written


@compiled
def _write_down(
    bench: Bench, settings: Settings, is_full: bool, samples: Samples, row: np.int64
) -> None:
    samples.states[row] = bench.desk.root[0]
    samples.policy[row] = 0
    if is_full:
        read_policy(bench.tree, bench.priors, settings, bench.policy)
        for action in range(72):
            samples.policy[row, action] = np.uint8(bench.policy[action] * POLICY_SCALE + 0.5)
    for seat in range(4):
        samples.value[row, seat] = bench.tree.shares[seat] / bench.tree.used[2]
    samples.full[row] = is_full


@compiled
def _choose(tree: Tree, played: np.int64, recipe: Recipe) -> np.int64:
    """By visits in the first rounds, by their square in the next, then the best."""
    if played >= recipe.cool_rounds:
        return np.int64(tree.edges[most_visited(tree)].action)
    root = tree.nodes[0]
    first, end = np.int64(root.first), np.int64(root.first + root.count)
    power = 1.0 if played < recipe.warm_rounds else 2.0
    total = 0.0
    for where in range(first, end):
        total += np.float64(tree.edges[where].visits) ** power
    drawn = np.random.random() * total
    for where in range(first, end):
        drawn -= np.float64(tree.edges[where].visits) ** power
        if drawn < 0:
            return np.int64(tree.edges[where].action)
    return np.int64(tree.edges[most_visited(tree)].action)


@compiled
def _finish(
    s: Record, samples: Samples, first: np.int64, end: np.int64, tally: npt.NDArray[np.float64]
) -> None:
    """Results into the rows of one game."""
    shares = np.zeros(4, np.float32)
    write_shares(s, shares)
    points = np.zeros(4, np.int64)
    for seat in range(np.int64(s.seats)):
        points[seat] = points_of(s, seat)
    for row in range(first, end):
        then = samples.states[row]
        mover = np.int64(then.seat)
        best = np.int64(-1)
        for seat in range(np.int64(s.seats)):
            samples.result[row, seat] = shares[seat]
            if (seat & s.side_mask) != (mover & s.side_mask):
                best = max(best, points[seat])
        samples.margin[row] = points[mover] - best
        samples.left[row] = (np.int64(s.turn) - np.int64(then.turn)) / np.float64(s.seats)
    shy, everybody = np.int64(tally[10]), (1 << np.int64(s.seats)) - 1
    if 0 < shy & everybody < everybody:
        for seat in range(np.int64(s.seats)):
            if (shy >> seat) & 1:
                tally[11] += shares[seat]
                tally[12] += 1
    tally[0] += 1
    tally[2] += shares[0]
    tally[3] += np.float64(s.turn) / np.float64(s.seats)
    tally[4] += points.max()
    tally[6] += s.target == 10
