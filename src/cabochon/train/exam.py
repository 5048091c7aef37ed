"""How strong is it now?  Matches of fixed visits, seats rotated, inside compiled code."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

import numpy as np

from cabochon.rules import Ruleset
from cabochon.search.net import Floats, Weights, zero_weights
from cabochon.search.searcher import usual_settings
from cabochon.search.simulate import NETWORK, PLAYOUT, Settings
from cabochon.train.match import Rules, play_match
from cabochon.train.selfplay import new_bench


@dataclass(frozen=True)
class Contender:
    """Something that takes part: a network, or playouts if there is none, and its visits."""

    weights: Weights | None
    visits: int
    settings: Settings

    @classmethod
    def as_in_play(cls, weights: Weights | None, visits: int, ruleset: Ruleset) -> Self:
        """It weighs as a bot at such a table does."""
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
    rules: Rules | None = None,
    threads: int = 1,
) -> Score:
    """``games`` games (rounded up to whole rotations) on so many threads."""
    deals = play_deals(challenger, champion, games, seed, rules or Rules(), threads)
    means = deals.mean(1)
    error = 1.96 * float(means.std()) / math.sqrt(len(means))
    return Score(float(means.mean()), error, deals.size)


def play_deals(
    challenger: Contender,
    champion: Contender,
    games: int,
    seed: int,
    rules: Rules,
    threads: int = 1,
) -> Floats:
    """The challenger's shares of the same games: a row a deal, a column a seat it sat in."""
    rotations = math.ceil(games / rules.seats / threads)

    def part(index: int) -> Floats:
        results = np.zeros(rotations * rules.seats, np.float32)
        play_match(
            new_bench(max(challenger.visits, champion.visits)),
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
