"""What is trained, and how: one configuration for each number of players."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

GENERATION, EVALUATION, PROGRESS, STARTED = "generation", "exam", "progress", "course"
"""Kinds of notices; the first two are lines of the log as well.  The words are those of the first
log, and old logs are still read."""


class SelfPlayConfig(NamedTuple):
    """How self-play games are played.

    Most decisions get a quick search, some a full one; full ones and a part of the quick ones are
    written down.  ``crowded`` scales the exploration with three or more sides, whose shares lie
    closer together.  A *shy* seat reserves nothing in its first rounds: nearly every game opens
    with three reservations, so without shy seats nothing would be learnt about games that don't.
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


class GameMix(NamedTuple):
    """Which rulesets are played: seats, and the shares of quick games and of teams."""

    seats: int = 2
    quick: float = 0.12
    teams: float = 0.0


@dataclass(frozen=True)
class TrainingConfig:
    """The training for one number of players."""

    players: int
    mix: GameMix
    selfplay: SelfPlayConfig
    window_least: int = 60_000
    window_most: int = 600_000
    window_share: float = 0.2
    exploration: float = 1.0
    uniform: float = 0.1
    """Of self-play, which explores more widely than a bot does."""
    reuse: float = 7.0
    """How often each position is learnt from."""
    root_share: float = 0.4
    """How much of the value to learn is what the search thought; the rest is the result."""
    rate_first: float = 1.3e-3
    rate_last: float = 1.6e-4
    rate_half: float = 60_000.0
    """Games after which the learning rate has halved."""
    generation: int = 40_000
    """New positions per generation."""
    evaluate_every: int = 10
    """Generations between evaluations."""

    def rate(self, games: int) -> float:
        """The learning rate after that many games."""
        return max(self.rate_last, float(self.rate_first * 0.5 ** (games / self.rate_half)))

    def window(self, used: int) -> int:
        """How many of the newest positions to learn from, once ``used`` have been learnt from.

        ``used`` counts repeats, and those of earlier runs: a well-trained network keeps its wide
        window even when the replay buffer of an earlier run is gone.
        """
        share = self.window_share * used / self.reuse
        return int(min(max(share, self.window_least), self.window_most))

    def folder(self, home: Path) -> Path:
        """Where its checkpoint, log and replay buffer are kept."""
        return home / f"players-{self.players}"


CONFIGS = {
    2: TrainingConfig(
        2,
        GameMix(2, quick=0.12),
        SelfPlayConfig(full_visits=320, quick_visits=24),
        rate_last=4e-5,
    ),
    3: TrainingConfig(
        3,
        GameMix(3, quick=0.12),
        SelfPlayConfig(full_visits=320, quick_visits=24, early_turns=12, crowded=0.6),
        rate_first=8e-4,
        rate_last=4e-5,
        rate_half=25_000.0,
    ),
    4: TrainingConfig(
        4,
        GameMix(4, quick=0.15, teams=0.3),
        SelfPlayConfig(full_visits=320, quick_visits=24, early_turns=16, crowded=0.6),
        rate_first=8e-4,
        rate_last=4e-5,
        rate_half=25_000.0,
    ),
}
