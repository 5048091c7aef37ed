"""How strong is it now?  Matches with fixed visits and rotated seats inside compiled code, and a
sample game to look at.

One seat is the challenger, the others are copies of the champion; every deal is played with the
challenger in every seat, so that luck in the deal cancels out.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from cabochon.game import Game, play_on
from cabochon.kernel.bits import stream_seed
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import OVER, Floats
from cabochon.kernel.opening import new_game_unchecked
from cabochon.kernel.playout import forget
from cabochon.kernel.step import step_unchecked, write_shares
from cabochon.limit import Limit
from cabochon.notation import format_move
from cabochon.rules import Move, Ruleset, View
from cabochon.search.net import Weights, zero_weights
from cabochon.search.root import best_edge
from cabochon.search.searcher import Searcher, usual_settings
from cabochon.search.simulate import NETWORK, PLAYOUT, SearchSettings, clear, grow
from cabochon.train.selfplay import MOST_TURNS, SelfPlayBuffers, new_buffers

u64 = np.uint64
_SHOWN = 3
"""Moves that the sample game lists for each decision."""


class MatchRules(NamedTuple):
    """The ruleset of a match, as numbers."""

    seats: int = 2
    target: int = 15
    width: int = 4
    teams: bool = False


@dataclass(frozen=True)
class Contender:
    """One side of a match: a network, or playouts if there is none, and its visits."""

    weights: Weights | None
    visits: int
    settings: SearchSettings

    @classmethod
    def as_in_play(cls, weights: Weights | None, visits: int, ruleset: Ruleset) -> Self:
        """With the settings of a bot in such a game."""
        judge = PLAYOUT if weights is None else NETWORK
        return cls(weights, visits, usual_settings(ruleset, judge))


@dataclass(frozen=True)
class Score:
    """The challenger's mean share over the games, and the half width of its 95 % interval."""

    share: float
    error: float
    games: int

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} ± {100 * self.error:.1f} % of {self.games}"


def play(
    challenger: Contender,
    champion: Contender,
    games: int,
    seed: int,
    rules: MatchRules | None = None,
    threads: int = 1,
) -> Score:
    """The score over ``games`` games, rounded up to whole rotations."""
    deals = play_deals(challenger, champion, games, seed, rules or MatchRules(), threads)
    means = deals.mean(1)
    error = 1.96 * float(means.std()) / math.sqrt(len(means))
    return Score(float(means.mean()), error, deals.size)


def play_deals(
    challenger: Contender,
    champion: Contender,
    games: int,
    seed: int,
    rules: MatchRules,
    threads: int = 1,
) -> Floats:
    """The challenger's shares of the same games: one row per deal, one column per seat it had."""
    rotations = math.ceil(games / rules.seats / threads)

    def part(index: int) -> Floats:
        results = np.zeros(rotations * rules.seats, np.float32)
        play_match(
            new_buffers(max(challenger.visits, champion.visits)),
            challenger.weights or zero_weights(),
            challenger.settings,
            challenger.visits,
            champion.weights or zero_weights(),
            champion.settings,
            champion.visits,
            rules,
            np.uint64(seed * 1009 + index),
            results,
        )
        return results

    with ThreadPoolExecutor(threads) as pool:
        results = np.concatenate(list(pool.map(part, range(threads))))
    return results.reshape(-1, rules.seats)


@compiled
def play_match(
    buffers: SelfPlayBuffers,
    challenger: Weights,
    challenger_settings: SearchSettings,
    challenger_visits: int,
    champion: Weights,
    champion_settings: SearchSettings,
    champion_visits: int,
    rules: MatchRules,
    seed: np.uint64,
    results: Floats,
) -> None:
    """Fill ``results`` with the challenger's share of each game.

    Game g is deal g // seats with the challenger in seat g % seats (and its partner, in teams).
    """
    shares = np.zeros(4, np.float32)
    tree, search = buffers.tree, buffers.search
    for game in range(len(results)):
        s = buffers.game[0]
        deal = stream_seed(seed, u64(game // rules.seats))
        new_game_unchecked(s, deal, rules.seats, rules.target, rules.width, rules.teams, True)
        side = (game % rules.seats) & np.int64(s.side_mask)
        decision = 0
        while s.phase != OVER and s.turn < MOST_TURNS:
            # A search starts from what its seat may know, never from the true game.
            search.root[0] = buffers.game[0]
            forget(search.root[0], np.int64(s.seat))
            decision += 1
            think_seed = stream_seed(~deal, u64(decision + 1000 * game))
            if np.int64(s.seat & s.side_mask) == side:
                net, settings, visits = challenger, challenger_settings, challenger_visits
            else:
                net, settings, visits = champion, champion_settings, champion_visits
            clear(tree)
            grow(tree, search, net, settings, think_seed, visits)
            step_unchecked(s, np.int64(tree.edges[best_edge(tree, settings.caution)].action))
        write_shares(s, shares)
        results[game] = shares[side]


def sample_game(weights: Weights, ruleset: Ruleset, seed: str, visits: int = 64) -> str:
    """One game of the network against itself as text: a collapse shows here before any loss.

    One line per decision: turn, seat, its chance, and the best moves as visits / prior.
    """
    searcher, game = Searcher(weights), Game(ruleset=ruleset, seed=seed)
    lines = [f"{ruleset}, seed {seed}, {visits} visits"]

    def choose(view: View) -> Move:
        analysis = searcher.analyse(view, Limit(visits=visits))
        share = analysis.shares[view.seat]
        best = "   ".join(
            f"{format_move(line.move)} {line.visits}/{line.prior:.2f}"
            for line in analysis.lines[:_SHOWN]
        )
        lines.append(f"{view.turn:>3} {view.seat} {100 * share:>3.0f} %  {best}")
        return analysis.best

    for _ in play_on(game, dict.fromkeys(range(ruleset.seats), choose), MOST_TURNS):
        pass
    outcome = game.outcome
    ending = "unfinished" if outcome is None else f"points {outcome.points}, cards {outcome.cards}"
    return "\n".join([*lines, ending, ""])
