"""What is trained, and how: one course a number of players, its folder, its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cabochon.train.selfplay import Mix, Recipe


@dataclass(frozen=True)
class Course:
    """A number of players and the recipe of its training."""

    players: int
    mix: Mix
    recipe: Recipe
    window_least: int = 60_000
    window_most: int = 600_000
    window_share: float = 0.2
    exploration: float = 1.0
    uniform: float = 0.1
    """Of self-play: a wider look than in play."""
    reuse: float = 7.0
    root_share: float = 0.4
    rate_first: float = 1.3e-3
    rate_last: float = 1.6e-4
    rate_half: float = 60_000.0
    """Games after which the learning rate has halved."""
    generation: int = 40_000
    """New positions a generation."""
    exam_every: int = 10

    def rate(self, games: int) -> float:
        """The learning rate after so many games of this course."""
        return max(self.rate_last, float(self.rate_first * 0.5 ** (games / self.rate_half)))

    def window(self, used: int) -> int:
        """How many of the newest positions are learnt from, when so many, repeats included, were
        used in all sittings: a network that knows much does not narrow its view because the
        replay of an earlier sitting is gone."""
        share = self.window_share * used / self.reuse
        return int(min(max(share, self.window_least), self.window_most))

    def folder(self, home: Path) -> Path:
        """Where its checkpoint, its log and its replay are."""
        return home / f"players-{self.players}"


COURSES = {
    2: Course(2, Mix(2, quick=0.12), Recipe(full_visits=320, quick_visits=24), rate_last=4e-5),
    3: Course(
        3,
        Mix(3, quick=0.12),
        Recipe(full_visits=320, quick_visits=24, early_turns=12, crowded=0.6),
        rate_first=8e-4,
        rate_last=4e-5,
        rate_half=25_000.0,
    ),
    4: Course(
        4,
        Mix(4, quick=0.15, teams=0.3),
        Recipe(full_visits=320, quick_visits=24, early_turns=16, crowded=0.6),
        rate_first=8e-4,
        rate_last=4e-5,
        rate_half=25_000.0,
    ),
}
