"""What a search found, in the law's words."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.rules import Move


@dataclass(frozen=True, slots=True)
class Line:
    """One legal move: how often it was tried, the mover's mean share after it (None if it was
    not tried), and how likely the network found it before any search."""

    move: Move
    visits: int
    value: float | None
    prior: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a search.

    `shares`: each seat's expected part of the victory (partners have their team's).  `lines`:
    every legal move, the best first.  `variation`: the moves that were tried most, as far as
    they can be named: a purchase of a card that is still in a deck ends it.
    """

    shares: tuple[float, ...]
    lines: tuple[Line, ...]
    variation: tuple[Move, ...]
    visits: int
    seconds: float

    @property
    def best(self) -> Move:
        """The move to play: of the highest value, less what few visits leave in doubt."""
        return self.lines[0].move
