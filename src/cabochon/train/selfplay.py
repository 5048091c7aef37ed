"""Whole games of self-play inside compiled code, one thread per call.

Most moves are decided by a quick search, some by a full one; all full and some quick positions
are written down.  Many games begin with random turns, so that the network sees every kind of table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.kernel.actions import ACTION_COUNT, BUY, RESERVE
from cabochon.kernel.bits import popcount, stream_seed
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import OVER, Floats, Number, StateRow, States, new_states
from cabochon.kernel.legal import legal_mask
from cabochon.kernel.opening import new_game_unchecked
from cabochon.kernel.playout import biased_action, forget, random_action
from cabochon.kernel.step import points_of, step_unchecked, write_shares
from cabochon.rules import Ruleset
from cabochon.search.forward import new_scratch
from cabochon.search.net import Weights
from cabochon.search.root import (
    add_noise,
    drop_reservations,
    most_visited,
    read_policy,
    read_priors,
    seed_generator,
    soften,
)
from cabochon.search.simulate import SearchBuffers, SearchSettings, clear, grow
from cabochon.search.tree import Tree, new_tree
from cabochon.train.config import GameMix, SelfPlayConfig
from cabochon.train.samples import POLICY_SCALE, Samples

u64 = np.uint64
MOST_TURNS = 400
"""A game that goes on longer is scored as it stands."""
ROOM_VISITS, ROOM_SAMPLES = 1100, 40_000
"""Enough for the deepest search of any configuration, and for the games of one call."""

_STANDARD, _QUICK = Ruleset.preset("standard"), Ruleset.preset("quick")
_TARGET, _WIDTH = _STANDARD.target, _STANDARD.row_width
_QUICK_TARGET, _QUICK_WIDTH = _QUICK.target, _QUICK.row_width

STATISTICS = np.dtype(
    [
        ("games", np.float64),
        ("decisions", np.float64),
        ("searches", np.float64),
        ("first_seat_share", np.float64),
        ("rounds", np.float64),
        ("winner_points", np.float64),
        ("quick_games", np.float64),
        ("reservations", np.float64),
        ("shy_share", np.float64),
        ("shy_seats", np.float64),
    ]
)
"""What the games of one call add up to.  ``shy_share`` is what shy seats won in games that had
others as well, ``shy_seats`` how many those were.  All are floats, so that sums of calls add up."""

CARRIED = np.dtype([("last_value", np.float64), ("shy_seats", np.int64)])
"""What one decision of a game leaves for the next: the value of its search for the seat that
moved, and the game's shy seats as bits."""

Statistics = npt.NDArray[np.void]


def new_statistics() -> Statistics:
    """An array of one, all zeroes."""
    return np.zeros(1, STATISTICS)


def add_statistics(total: Statistics, part: Statistics) -> None:
    """Add every number of ``part`` to ``total``."""
    total.view(np.float64)[:] += part.view(np.float64)


class SelfPlayBuffers(NamedTuple):
    """What one thread works on: a tree, the search's own memory, the true game, room by action."""

    tree: Tree
    search: SearchBuffers
    game: States
    priors: Floats
    policy: Floats
    statistics: Statistics
    carried: npt.NDArray[np.void]


def new_buffers(visits: int = ROOM_VISITS) -> SelfPlayBuffers:
    """Working memory for searches of up to ``visits``."""
    return SelfPlayBuffers(
        tree=new_tree(visits),
        search=SearchBuffers(new_states(1), new_states(1), new_scratch()),
        game=new_states(1),
        priors=np.zeros(ACTION_COUNT, np.float32),
        policy=np.zeros(ACTION_COUNT, np.float32),
        statistics=new_statistics(),
        carried=np.zeros(1, CARRIED),
    )


@compiled
def play_games(
    buffers: SelfPlayBuffers,
    net: Weights,
    settings: SearchSettings,
    config: SelfPlayConfig,
    mix: GameMix,
    seed: np.uint64,
    games: Number,
    samples: Samples,
) -> np.int64:
    """Play up to ``games`` games, fewer if ``samples`` fills up; returns the rows written.

    ``buffers.statistics`` is about these games alone.
    """
    seed_generator(np.int64(seed & u64(0x7FFFFFFF)))
    statistics, carried = buffers.statistics[0], buffers.carried[0]
    _clear_statistics(statistics)
    written = np.int64(0)
    s = buffers.game[0]
    for game in range(games):
        # A game writes at most one row per decision; twice the turns leaves room for returns and
        # nobles, which are decisions of their own.
        if written + 2 * MOST_TURNS > len(samples.states):
            break
        game_seed = stream_seed(seed, u64(game))
        _start(s, mix, game_seed)
        _play_randomly(s, config)
        first, decision = written, 0
        carried.last_value = 0.5
        carried.shy_seats = _draw_shy_seats(config)
        weighing = _weighing(s, settings, config)
        while s.phase != OVER and s.turn < MOST_TURNS:
            decision += 1
            if popcount(legal_mask(s)) == u64(1):
                step_unchecked(s, random_action(s))
            else:
                think_seed = stream_seed(~game_seed, u64(decision))
                written = _decide(buffers, net, weighing, config, think_seed, samples, written)
        statistics.decisions += decision
        shares = np.zeros(4, np.float32)
        write_shares(s, shares)
        _write_results(s, shares, samples, first, written)
        _count_game(s, shares, np.int64(carried.shy_seats), statistics)
    return written


@compiled
def _clear_statistics(statistics: Any) -> None:
    statistics.games = 0
    statistics.decisions = 0
    statistics.searches = 0
    statistics.first_seat_share = 0
    statistics.rounds = 0
    statistics.winner_points = 0
    statistics.quick_games = 0
    statistics.reservations = 0
    statistics.shy_share = 0
    statistics.shy_seats = 0


@compiled
def _start(s: StateRow, mix: GameMix, seed: np.uint64) -> None:
    is_quick = np.random.random() < mix.quick
    teams = np.random.random() < mix.teams
    target, width = (_QUICK_TARGET, _QUICK_WIDTH) if is_quick else (_TARGET, _WIDTH)
    new_game_unchecked(s, seed, mix.seats, target, width, teams, True)


@compiled
def _weighing(s: StateRow, settings: SearchSettings, config: SelfPlayConfig) -> SearchSettings:
    """How the search weighs in this game."""
    exploration = settings.exploration
    if s.seats > 2 and s.side_mask == 3:
        exploration *= config.crowded
    return SearchSettings(
        settings.judge,
        exploration,
        settings.growth,
        settings.pessimism,
        settings.uniform,
        settings.keyed,
        settings.caution,
    )


@compiled
def _play_randomly(s: StateRow, config: SelfPlayConfig) -> None:
    if np.random.random() < config.random_share:
        end = s.turn + 1 + np.random.randint(config.random_turns)
        while s.turn < end and s.phase != OVER:
            step_unchecked(s, biased_action(s))


@compiled
def _draw_shy_seats(config: SelfPlayConfig) -> Number:
    """The shy seats of a game, as bits."""
    shy = 0
    for seat in range(4):
        if np.random.random() < config.shy_share:
            shy |= 1 << seat
    return shy


@compiled
def _is_open(value: float) -> bool:
    """Whether the last search left anything to think about: decided games teach little."""
    return 0.03 < value < 0.97


@compiled
def _decide(
    buffers: SelfPlayBuffers,
    net: Weights,
    settings: SearchSettings,
    config: SelfPlayConfig,
    seed: np.uint64,
    samples: Samples,
    written: np.int64,
) -> np.int64:
    """Search for the seat to move from what it may know, write down, play; returns the rows."""
    s, tree, search = buffers.game[0], buffers.tree, buffers.search
    statistics, carried = buffers.statistics[0], buffers.carried[0]
    share = config.early_share if s.turn < config.early_turns else config.full_share
    is_full = np.random.random() < share and _is_open(carried.last_value)
    search.root[0] = buffers.game[0]
    forget(search.root[0], np.int64(s.seat))
    visits = config.quick_visits
    clear(tree)
    # The root first, alone: its priors are changed below, before any simulation follows them.
    grow(tree, search, net, settings, seed, np.int64(0))
    if is_full:
        visits = config.full_visits
        soften(tree, config.soften, config.flatten)
        read_priors(tree, buffers.priors)
        add_noise(tree, config.noise, config.concentration)
    is_early = np.int64(s.turn) < config.shy_rounds * np.int64(s.seats)
    if is_early and (np.int64(carried.shy_seats) >> np.int64(s.seat)) & 1:
        # A policy without its reservations is not one to learn.
        is_full = not drop_reservations(tree) and is_full
    grow(tree, search, net, settings, seed, visits)
    statistics.searches += 1
    carried.last_value = tree.nodes[0].total / tree.nodes[0].visits
    if is_full or np.random.random() < config.quick_kept:
        _write_down(buffers, settings, is_full, samples, written)
        written += 1
    action = _choose(tree, np.int64(s.turn) // np.int64(s.seats), config)
    statistics.reservations += RESERVE <= action < BUY
    step_unchecked(s, action)
    return written


@compiled
def _write_down(
    buffers: SelfPlayBuffers,
    settings: SearchSettings,
    is_full: bool,
    samples: Samples,
    row: np.int64,
) -> None:
    samples.states[row] = buffers.search.root[0]
    samples.policy[row] = 0
    if is_full:
        read_policy(buffers.tree, buffers.priors, settings, buffers.policy)
        for action in range(ACTION_COUNT):
            samples.policy[row, action] = np.uint8(buffers.policy[action] * POLICY_SCALE + 0.5)
    for seat in range(4):
        samples.value[row, seat] = buffers.tree.shares[seat] / buffers.tree.used[2]
    samples.full[row] = is_full


@compiled
def _choose(tree: Tree, played: np.int64, config: SelfPlayConfig) -> np.int64:
    """By visits in the first rounds, by their square in the next, then the best."""
    if played >= config.cool_rounds:
        return np.int64(tree.edges[most_visited(tree)].action)
    root = tree.nodes[0]
    first, end = np.int64(root.first), np.int64(root.first + root.count)
    power = 1.0 if played < config.warm_rounds else 2.0
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
def _write_results(
    s: StateRow, shares: Floats, samples: Samples, first: np.int64, end: np.int64
) -> None:
    """How the game ended, into all its rows."""
    for row in range(first, end):
        then = samples.states[row]
        mover = np.int64(then.seat)
        best: Number = np.int64(-1)
        for seat in range(np.int64(s.seats)):
            samples.result[row, seat] = shares[seat]
            if (seat & s.side_mask) != (mover & s.side_mask):
                best = max(best, points_of(s, seat))
        samples.margin[row] = points_of(s, mover) - best
        samples.left[row] = (np.int64(s.turn) - np.int64(then.turn)) / np.float64(s.seats)


@compiled
def _count_game(s: StateRow, shares: Floats, shy: np.int64, statistics: Any) -> None:
    points: Number = np.int64(0)
    for seat in range(np.int64(s.seats)):
        points = max(points, points_of(s, seat))
    everybody = (1 << np.int64(s.seats)) - 1
    if 0 < shy & everybody < everybody:
        for seat in range(np.int64(s.seats)):
            if (shy >> seat) & 1:
                statistics.shy_share += shares[seat]
                statistics.shy_seats += 1
    statistics.games += 1
    statistics.first_seat_share += shares[0]
    statistics.rounds += np.float64(s.turn) / np.float64(s.seats)
    statistics.winner_points += points
    statistics.quick_games += s.target == _QUICK_TARGET
