"""Watching a match: how many games are done, who is ahead, how long it will take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import TextIO

from cabochon.arena.botgame import BlockResult, Forfeit, GameResult
from cabochon.arena.match import Match
from cabochon.words import text
from cabochon.workers.progress import PLAIN_SECONDS, ProgressLine

_FORFEITS_TOLD = 3


class MatchProgress:
    """Writes to a stream, usually stderr; never to where the result goes."""

    def __init__(self, stream: TextIO, lang: str, clock: Callable[[], float] = monotonic) -> None:
        self._line = ProgressLine(stream, PLAIN_SECONDS, clock)
        self._lang = lang
        self._clock = clock
        self._began = 0.0
        self._won: list[float] = []
        self._played: list[int] = []
        self._forfeits: Counter[str] = Counter()
        self._match: Match | None = None

    def started(self, match: Match) -> None:
        self._match = match
        self._won = [0.0] * len(match.entrants)
        self._played = [0] * len(match.entrants)
        self._began = self._clock()

    def progressed(self, games: list[GameResult], result: BlockResult) -> None:
        assert self._match is not None
        for game in result.games:
            self._count(game)
        for forfeit in result.forfeits:
            self._tell(forfeit)
        done, total = len(games), self._match.deals * self._match.games_a_round
        self._line.show(done, total, lambda: self._text(done, total))

    def finished(self) -> None:
        self._line.clear()

    def _tell(self, forfeit: Forfeit) -> None:
        """The first few of each entrant; the table has the number of all."""
        self._forfeits[forfeit.entrant] += 1
        if self._forfeits[forfeit.entrant] <= _FORFEITS_TOLD:
            why = forfeit.why[self._lang]
            self._line.say(text("arena.forfeited", self._lang, who=forfeit.entrant, why=why))

    def _count(self, game: GameResult) -> None:
        for who, won in enumerate(game.shares(len(self._won))):
            self._won[who] += won
            self._played[who] += who in game.seats

    def _text(self, done: int, total: int) -> str:
        seconds = self._clock() - self._began
        left = _duration(seconds / done * (total - done))
        facts = {"done": done, "total": total, "score": self._score(), "left": left}
        return text("arena.progress", self._lang, **facts)

    def _score(self) -> str:
        assert self._match is not None
        parts = []
        for entrant, won, played in zip(self._match.entrants, self._won, self._played, strict=True):
            part = f"{100 * won / played:.1f} %" if played else "-"
            parts.append(f"{entrant.text[:24]} {part}")
        return ", ".join(parts[:4]) + (", ..." if len(parts) > 4 else "")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
