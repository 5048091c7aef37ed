"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Ending(StrEnum):
    TARGET = "target"
    """Somebody reached the points, and the round was finished."""
    STALLED = "stalled"
    """A whole round of forced passes: nothing could change any more."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Per seat: rank (1 is best, equal ranks are shared), points and bought cards, pooled in
    teams."""

    ranking: tuple[int, ...]
    ending: Ending
    points: tuple[int, ...]
    cards: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the victory; usually one, or the two partners of a team."""
        return tuple(seat for seat, rank in enumerate(self.ranking) if rank == 1)
