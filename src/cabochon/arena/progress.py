"""Watching a match: on a terminal one line that is drawn over and over, elsewhere a plain line now
and then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import TextIO

from cabochon.arena.game import BlockResult, Forfeit, GameResult
from cabochon.arena.match import Match
from cabochon.arena.phrases import phrase

_BAR = 20
_REDRAW = 0.1
_PLAIN_EVERY = 30.0
_FORFEITS_TOLD = 3


class MatchProgress:
    """Writes to a stream, usually stderr; never to where the result goes."""

    def __init__(self, stream: TextIO, lang: str, clock: Callable[[], float] = monotonic) -> None:
        self._stream = stream
        self._lang = lang
        self._clock = clock
        self._live = stream.isatty()
        self._began = self._drawn = 0.0
        self._won: list[float] = []
        self._played: list[int] = []
        self._forfeits: Counter[str] = Counter()
        self._match: Match | None = None
        self._total = 0

    def started(self, match: Match) -> None:
        self._match = match
        self._total = match.deals * match.games_a_round
        self._won = [0.0] * len(match.entrants)
        self._played = [0] * len(match.entrants)
        self._began = self._drawn = self._clock()

    def progressed(self, games: list[GameResult], result: BlockResult) -> None:
        for game in result.games:
            self._count(game)
        for forfeit in result.forfeits:
            self._tell(forfeit)
        now, done = self._clock(), len(games)
        wait = _REDRAW if self._live else _PLAIN_EVERY
        if now - self._drawn >= wait or done == self._total:
            self._drawn = now
            self._show(done, now - self._began)

    def finished(self) -> None:
        if self._live and self._match is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _tell(self, forfeit: Forfeit) -> None:
        """The first few of each entrant; the table has the number of all."""
        self._forfeits[forfeit.entrant] += 1
        if self._forfeits[forfeit.entrant] <= _FORFEITS_TOLD:
            why = forfeit.why[self._lang]
            self._line(phrase(self._lang, "forfeited", who=forfeit.entrant, why=why))

    def _count(self, game: GameResult) -> None:
        for who, won in enumerate(game.shares(len(self._won))):
            self._won[who] += won
            self._played[who] += who in game.seats

    def _show(self, done: int, seconds: float) -> None:
        text = phrase(
            self._lang,
            "progress",
            done=done,
            total=self._total,
            score=self._score(),
            left=_duration(seconds / done * (self._total - done)),
        )
        if self._live:
            filled = _BAR * done // self._total
            text = f"[{'#' * filled}{'.' * (_BAR - filled)}] {text}"
            self._stream.write(f"\r{text}\x1b[K")
            self._stream.flush()
        else:
            self._line(text)

    def _line(self, text: str) -> None:
        self._stream.write(("\r\x1b[K" if self._live else "") + text + "\n")
        self._stream.flush()

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
