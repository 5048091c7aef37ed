"""A game gone through once more: what each decision was worth to the one who made it.

Every decision is analysed from what its maker could know, so luck in the deal is nobody's mistake.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from cabochon.record import Record
from cabochon.rules import Buy, Deal, Move
from cabochon.search.analysis import Analysis, Line
from cabochon.search.searcher import Budget, Searcher, shipped_for


class Mark(StrEnum):
    """How grave a loss is, in the signs of chess."""

    DUBIOUS = "?!"
    MISTAKE = "?"
    BLUNDER = "??"


MARKS = {Mark.BLUNDER: 0.20, Mark.MISTAKE: 0.10, Mark.DUBIOUS: 0.05}
"""From what loss of the expected share on; the gravest first."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One decision; `loss` is how much less its maker could expect after it than after the best."""

    ply: int
    turn: int
    seat: int
    played: Move
    analysis: Analysis

    @property
    def line(self) -> Line:
        """What the search says of the move that was played."""
        return next(line for line in self.analysis.lines if _is_same(line.move, self.played))

    @property
    def loss(self) -> float:
        """A move that was never tried is taken for as bad as the worst that was."""
        tried = [line.value for line in self.analysis.lines if line.value is not None]
        value = min(tried) if self.line.value is None else self.line.value
        return max(0.0, (self.analysis.lines[0].value or 0.0) - value)

    @property
    def mark(self) -> Mark | None:
        return next((mark for mark, least in MARKS.items() if self.loss >= least), None)


def _is_same(move: Move, played: Move) -> bool:
    """However it was paid: the search looks at the payment with the least gold only."""
    if isinstance(move, Buy) and isinstance(played, Buy):
        return move.card == played.card
    return move == played


def review(record: Record, limit: Budget, searcher: Searcher | None = None) -> Iterator[Verdict]:
    """A verdict on every decision that was one: with a choice of moves. Each is thought about from
    the view of its maker. Raises RecordError at a ply that cannot be played."""
    searcher = searcher or Searcher(shipped_for(record.ruleset))
    for ply, (position, event) in enumerate(zip(record.replay(), record.events, strict=False)):
        if isinstance(event, Deal) or len(position.legal_moves()) == 1:
            continue
        analysis = searcher.analyse(position.view(position.seat), limit)
        yield Verdict(ply, position.turn, position.seat, event, analysis)
