"""A match as people see it: how it stands while it is played, and its result as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TextIO

from cabochon.arena.botgame import BlockResult, Forfeit, GameResult
from cabochon.arena.elo import SprtAnswer
from cabochon.arena.entrants import format_limit
from cabochon.arena.match import Match
from cabochon.arena.report import Report
from cabochon.arena.standings import Encounter, EntrantStanding, Summary
from cabochon.arena.statistics import Interval
from cabochon.render.width import width
from cabochon.words import text
from cabochon.workers.progress import PLAIN_SECONDS, ProgressLine

_REASONS = 10


def scoreboard(report: Report, lang: str) -> str:
    """What was played, who stands where, the encounters, the test: many lines."""
    summary = report.summary
    lines = [*_heading(report, summary, lang), "", *_standings(report, summary, lang)]
    if len(report.match.entrants) > 2:
        lines += ["", *_encounters(report, summary, lang)]
    lines += ["", *_notes(report, summary, lang)]
    return "\n".join(lines) + "\n"


def grid(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Columns as wide as their widest cell; the first `left` are set to the left, the others to
    the right. Chinese characters are two columns wide."""
    widths = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell + " " * (w - width(cell)) if i < left else " " * (w - width(cell)) + cell
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _heading(report: Report, summary: Summary, lang: str) -> list[str]:
    match = report.match
    lines = [
        text(
            "arena.heading",
            lang,
            ruleset=match.ruleset,
            games=summary.games,
            deals=summary.deals,
            seed=match.seed,
            tables=text(f"arena.tables-{match.seating.value}", lang),
        )
    ]
    for entrant, engine in zip(match.entrants, report.engines, strict=True):
        limit = format_limit(entrant.limit) or text("arena.own-limit", lang)
        lines.append(text("arena.entrant", lang, name=entrant.text, engine=engine, limit=limit))
    return lines


def _standings(report: Report, summary: Summary, lang: str) -> list[str]:
    head = [
        text(f"arena.column-{key}", lang)
        for key in ("entrant", "games", "won", "share", "interval", "equal", "elo", "error")
    ]
    forfeits = any(standing.forfeits for standing in summary.standings)
    if forfeits:
        head.append(text("arena.column-forfeits", lang))
    rows = [head]
    for standing in summary.standings:
        row = [report.match.entrants[standing.entrant].text, *_figures(standing)]
        rows.append(row + [str(standing.forfeits)] * forfeits)
    return grid(rows)


def _figures(standing: EntrantStanding) -> list[str]:
    return [
        str(standing.games),
        _count(standing.won),
        _percent(standing.share),
        _interval(standing.interval),
        _percent(standing.equal),
        f"{standing.elo:+.0f}",
        f"±{standing.error:.0f}",
    ]


def _encounters(report: Report, summary: Summary, lang: str) -> list[str]:
    head = [
        text(f"arena.column-{key}", lang)
        for key in ("encounter", "games", "part", "interval", "difference", "error")
    ]
    return grid([head, *(_met(report, encounter) for encounter in summary.encounters)])


def _met(report: Report, encounter: Encounter) -> list[str]:
    entrants = report.match.entrants
    return [
        f"{entrants[encounter.one].text} : {entrants[encounter.other].text}",
        str(encounter.games),
        _percent(encounter.part),
        _interval(encounter.interval),
        f"{encounter.difference:+.0f}",
        f"±{encounter.error:.0f}",
    ]


def _notes(report: Report, summary: Summary, lang: str) -> list[str]:
    seats = ", ".join(_percent(value) for value in summary.seats)
    lines = [text("arena.seats", lang, shares=seats, turns=f"{summary.turns:.1f}")]
    if summary.endless:
        lines.append(text("arena.endless", lang, count=summary.endless))
    lines += _forfeits(report, lang)
    stop, test = report.match.stop, summary.test
    if stop is not None and test is not None:
        verdict = {
            SprtAnswer.LOW: text("arena.verdict-elo", lang, elo=f"{stop.low:+g}"),
            SprtAnswer.HIGH: text("arena.verdict-elo", lang, elo=f"{stop.high:+g}"),
            SprtAnswer.OPEN: text("arena.verdict-open", lang),
        }[test.verdict]
        lines.append(
            text(
                "arena.test",
                lang,
                name=report.match.entrants[0].text,
                low=f"{stop.low:+g}",
                high=f"{stop.high:+g}",
                ratio=f"{test.ratio:+.2f}",
                bound=f"{test.bound:.2f}",
                verdict=verdict,
            )
        )
    lines.append(text("arena.method", lang))
    reproducible = report.match.is_reproducible
    lines.append(text(f"arena.{'reproducible' if reproducible else 'not-reproducible'}", lang))
    return lines


def _forfeits(report: Report, lang: str) -> list[str]:
    """Each reason once for each entrant, with how often it was, the most frequent first."""
    reasons = Counter((f.entrant, f.why.get(lang, f.code)) for f in report.forfeits)
    return [
        text("arena.forfeits", lang, who=who, count=count, why=why)
        for (who, why), count in reasons.most_common(_REASONS)
    ]


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _interval(interval: Interval) -> str:
    return f"{100 * interval.low:.1f}–{100 * interval.high:.1f}"


def _count(won: float) -> str:
    return f"{won:.0f}" if won == int(won) else f"{won:.1f}"


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
