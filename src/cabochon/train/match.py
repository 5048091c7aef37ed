"""Games between two searchers inside compiled code: for the gate and the strength curve.

One seat is the challenger, the others are copies of the champion; every deal is played with the
challenger in every seat, so luck in the deal falls on both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.kernel.cache import compiled
from cabochon.kernel.hidden import forget
from cabochon.kernel.layout import OVER
from cabochon.kernel.opening import new_game_unchecked
from cabochon.kernel.randomness import stream_seed
from cabochon.kernel.results import write_shares
from cabochon.kernel.step import step_unchecked
from cabochon.search.net import Weights
from cabochon.search.root import best_edge
from cabochon.search.simulate import Settings, clear, grow
from cabochon.train.selfplay import MOST_TURNS, Bench

u64 = np.uint64


class Rules(NamedTuple):
    """The ruleset of a match, as numbers."""

    seats: int = 2
    target: int = 15
    width: int = 4
    teams: bool = False


@compiled
def play_match(
    bench: Bench,
    challenger: Weights,
    challenger_settings: Settings,
    challenger_visits: int,
    champion: Weights,
    champion_settings: Settings,
    champion_visits: int,
    rules: Rules,
    seed: np.uint64,
    results: npt.NDArray[np.float32],
) -> None:
    """Fill ``results`` with the challenger's share of each game.

    Game g is deal g // seats with the challenger in seat g % seats (and its partner, in teams).
    """
    shares = np.zeros(4, np.float32)
    for game in range(len(results)):
        s = bench.game[0]
        deal = stream_seed(seed, u64(game // rules.seats))
        new_game_unchecked(s, deal, rules.seats, rules.target, rules.width, rules.teams, True)
        side = (game % rules.seats) & np.int64(s.side_mask)
        decision = 0
        while s.phase != OVER and s.turn < MOST_TURNS:
            bench.desk.root[0] = bench.game[0]
            root = bench.desk.root[0]
            forget(root, np.int64(root.seat))
            decision += 1
            think_seed = stream_seed(~deal, u64(decision + 1000 * game))
            if np.int64(s.seat & s.side_mask) == side:
                net, settings, visits = challenger, challenger_settings, challenger_visits
            else:
                net, settings, visits = champion, champion_settings, champion_visits
            clear(bench.tree)
            grow(bench.tree, bench.desk, net, settings, think_seed, visits)
            best = best_edge(bench.tree, settings.caution)
            step_unchecked(s, np.int64(bench.tree.edges[best].action))
        write_shares(s, shares)
        results[game] = shares[side]
