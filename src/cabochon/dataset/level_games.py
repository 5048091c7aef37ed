"""Whole games by compiled bots, every decision written down with what the search said of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.bots.greedy_twin import MIX_WORDS, too_many
from cabochon.bots.level_twin import BIASED, IMPRESSION, ONE_MOVE, UNIFORM, Minds, chosen, likeliest
from cabochon.dataset.fast_games import begin_logged, play_logged, write_result
from cabochon.kernel.actions import ACTION_COUNT, GIVE_BACK
from cabochon.kernel.bits import lowest_bit, next_word, popcount, stream_seed
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import OVER, RETURN, Floats, Number, StateRow, States
from cabochon.kernel.legal import first_action, legal_mask
from cabochon.kernel.playout import TURN_LIMIT, biased_action, random_action
from cabochon.search.tree import Tree

u64 = np.uint64
POLICY_SCALE = 255
ROOM = 64
"""Rows that one move can need at most, and some."""


class SearchLog(NamedTuple):
    """What searches said, one row per decision: visits (0: there was none), the policy by action in
    255ths of its highest number, and the value, a share for each seat."""

    visits: npt.NDArray[np.int32]
    policies: npt.NDArray[np.uint8]
    values: npt.NDArray[np.float32]


def new_log(count: int) -> SearchLog:
    return SearchLog(
        np.zeros(count, np.int32),
        np.zeros((count, ACTION_COUNT), np.uint8),
        np.zeros((count, 4), np.float32),
    )


@compiled
def play_level_games(
    states: States,
    who: npt.NDArray[np.int64],
    minds: Minds,
    seed: np.uint64,
    first: Number,
    games: np.ndarray,
    rows: np.ndarray,
    log: SearchLog,
    observations: Floats,
) -> Number:
    """Play games ``first``, ``first + 1``, ... in ``states[0]`` as long as there is room for one
    more move, mind ``who[seat]`` in each seat; returns how many were played."""
    filled: Number = 0
    s = states[0]
    for number in range(len(games)):
        game = games[number]
        begin_logged(s, game, stream_seed(seed, u64(first + number)), filled)
        while s.phase != OVER and s.turn < TURN_LIMIT:
            if filled + ROOM > len(rows):
                return number
            filled = _move(s, who[s.seat], minds, rows, log, observations, filled)
        game.stop = filled
        write_result(s, game)
    return len(games)


@compiled
def _move(
    s: StateRow,
    mind: Number,
    minds: Minds,
    rows: np.ndarray,
    log: SearchLog,
    observations: Floats,
    row: Number,
) -> Number:
    """One move and its rows, one for each token that goes back; returns the next row."""
    kind = minds.rows[mind].kind
    if kind in (UNIFORM, BIASED):
        action = biased_action(s) if kind == BIASED else random_action(s)
    elif popcount(legal_mask(s)) == u64(1):
        action = first_action(s.phase) + np.int64(lowest_bit(legal_mask(s)))
    elif kind == IMPRESSION:
        action = likeliest(s, minds.net, minds.buffers.scratch)
    else:
        choice = chosen(s, mind, minds, next_word(s))
        if kind != ONE_MOVE:
            visits = minds.rows[mind].visits
            if visits == 1 and s.phase != RETURN:
                shares = minds.buffers.scratch.shares
                _write_glance(s, minds.found[0], shares, log, row)
            else:
                _write_search(s, minds.tree, log, row)
        if s.phase == RETURN:
            return _give_back(s, MIX_WORDS[too_many(s), choice], rows, observations, row)
        action = choice
    play_logged(s, action, rows[row], observations, row)
    return row + 1


@compiled
def _give_back(
    s: StateRow, tokens: np.uint64, rows: np.ndarray, observations: Floats, row: Number
) -> Number:
    for gem in range(6):
        for _ in range(np.int64((tokens >> u64(8 * gem)) & u64(255))):
            play_logged(s, GIVE_BACK + gem, rows[row], observations, row)
            row += 1
    return row


@compiled
def _write_search(s: StateRow, tree: Tree, log: SearchLog, row: Number) -> None:
    """The root's visits, and what it expects for each seat."""
    root, policy = tree.nodes[0], log.policies[row]
    log.visits[row] = root.visits
    most: Number = 1
    for where in range(root.first, root.first + root.count):
        visits: Number = np.int64(tree.edges[where].visits)
        most = visits if visits > most else most
    for where in range(root.first, root.first + root.count):
        edge = tree.edges[where]
        policy[edge.action] = np.uint8(POLICY_SCALE * edge.visits / most + 0.5)
    for seat in range(np.int64(s.seats)):
        log.values[row, seat] = tree.shares[seat] / tree.used[2]


@compiled
def _write_glance(s: StateRow, found: Any, shares: Floats, log: SearchLog, row: Number) -> None:
    """The network's priors and what it expects."""
    log.visits[row] = 1
    mask, base, most = legal_mask(s), first_action(s.phase), 1e-9
    for action in range(ACTION_COUNT):
        bit = action - base
        if 0 <= bit < 64 and (mask >> u64(bit)) & u64(1) != u64(0):
            most = max(most, found.priors[action])
    for action in range(ACTION_COUNT):
        bit = action - base
        if 0 <= bit < 64 and (mask >> u64(bit)) & u64(1) != u64(0):
            log.policies[row, action] = np.uint8(POLICY_SCALE * found.priors[action] / most + 0.5)
    for seat in range(np.int64(s.seats)):
        log.values[row, seat] = shares[seat]
