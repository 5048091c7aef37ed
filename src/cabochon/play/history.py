"""The submissions that stand, and how the game was before each, so that a take-back drops to it."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.play.clock import Times
from cabochon.play.events import Moved
from cabochon.play.stack import Stack
from cabochon.play.staging import replayed
from cabochon.rules import Position

RECENT = 8
"""So many positions are kept at hand, ..."""
EVERY = 8
"""... and of the older ones every so many-th: a position takes half a kilobyte."""


@dataclass(frozen=True, slots=True)
class Played:
    """One submission that stands, its number among the events, and what there was before it: the
    count of decisions, the clock and, here and there, the position."""

    event: Moved
    seq: int
    ply: int
    times: Times | None
    position: Position | None


@dataclass(frozen=True, slots=True)
class History:
    """Grows with each submission. `recent` are the positions before the last few of them."""

    played: Stack[Played]
    recent: tuple[Position, ...]

    def __len__(self) -> int:
        return len(self.played)

    def plus(
        self, event: Moved, seq: int, ply: int, before: Position, times: Times | None
    ) -> History:
        """With one more, made at the position `before`."""
        kept = before if len(self.played) % EVERY == 0 else None
        recent = (*self.recent[1 - RECENT :], before)
        return History(self.played.plus(Played(event, seq, ply, times, kept)), recent)

    def dropped(self, kept: int) -> tuple[Position, History]:
        """The position after the first `kept` submissions, and the history up to there.

        Going back step by step costs the same as having come: where the positions at hand end,
        as many are made again as then are at hand.
        """
        undone = len(self.played) - kept
        played = self.played.cut(kept)
        if undone <= len(self.recent):
            return self.recent[-undone], History(played, self.recent[:-undone])
        start = max(0, kept - RECENT) // EVERY * EVERY
        position = self.played[start].position
        assert position is not None
        before: list[Position] = []
        for index in range(start, kept):
            before.append(position)
            position = replayed(position, played[index].event)
        return position, History(played, tuple(before[-RECENT:]))


NOTHING_PLAYED = History(Stack(), ())
