"""What a puzzle asks."""

from __future__ import annotations

from enum import StrEnum


class PuzzleTheme(StrEnum):
    """The point of a puzzle; the value is its name in files and addresses."""

    WIN_IN_TWO = "win2"
    WIN_IN_THREE = "win3"
    ONLY_MOVE = "only"
    STOP_THEM = "stop"
    NOBLE = "noble"
    GIVE_BACK = "return"
    GOLD = "gold"

    @property
    def is_forced(self) -> bool:
        """Whether its answer is proved by going through everything, not judged by the engine."""
        return self in (PuzzleTheme.WIN_IN_TWO, PuzzleTheme.WIN_IN_THREE)


class Hunt(StrEnum):
    """What games are searched for: everything, or only what is rare."""

    ALL = "all"
    FORCED = "forced"
    NOBLES = "nobles"
