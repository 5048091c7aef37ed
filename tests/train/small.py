"""A little self-play to test with."""

from __future__ import annotations

import numpy as np

from cabochon.search.net import zero_weights
from cabochon.search.simulate import PLAYOUT, SearchSettings
from cabochon.train.config import GameMix, SelfPlayConfig
from cabochon.train.samples import Samples, new_samples
from cabochon.train.selfplay import SelfPlayBuffers, new_buffers, play_games

MIXES = (GameMix(2, quick=0.5), GameMix(3), GameMix(4, quick=0.3, teams=0.5))


def play_some(mix: GameMix, games: int = 2) -> tuple[Samples, SelfPlayBuffers]:
    """The positions of a few games with short searches, and the buffers they were played in."""
    samples, buffers = new_samples(4000), new_buffers(100)
    config = SelfPlayConfig(full_visits=16, quick_visits=4)
    settings, seed = SearchSettings(PLAYOUT), np.uint64(9)
    count = play_games(buffers, zero_weights(), settings, config, mix, seed, games, samples)
    return samples.rows(slice(0, int(count))), buffers


def some_samples(mix: GameMix, games: int = 2) -> Samples:
    """The positions alone."""
    return play_some(mix, games)[0]
