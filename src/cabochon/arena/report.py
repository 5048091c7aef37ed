"""A match written down: who played what under which seed, every result, and the figures that
follow. The bytes depend on nothing else, no clock and no machine, so a match without time limits
gives the same file whenever and wherever it is played again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabochon.arena.botgame import Forfeit, GameResult
from cabochon.arena.entrants import ArenaError, ArenaFault, Entrant, format_limit, parse_limit
from cabochon.arena.match import Hypotheses, Match, Seating
from cabochon.arena.standings import Summary, summarise
from cabochon.bots import NO_LIMIT
from cabochon.ratings.strength import ELO_SCALE
from cabochon.rules import CabochonError, Ruleset

FORMAT = "cabochon arena report 1"
MODEL = "winner takes all (Bradley-Terry; first choice of Plackett-Luce), clustered by deal"
assert 173 < ELO_SCALE < 174, "the model's unit is the usual Elo point"


@dataclass(frozen=True, slots=True)
class Report:
    """A match and the games that were played of it, in order; `engines` says which weights or
    version each entrant was."""

    match: Match
    engines: tuple[str, ...]
    games: tuple[GameResult, ...]
    forfeits: tuple[Forfeit, ...] = ()
    """Why games were forfeited, as far as that is known: games out of a cache don't say."""

    @property
    def summary(self) -> Summary:
        return summarise(self.match, self.games)

    def __str__(self) -> str:
        """The table that `cabochon arena` prints."""
        from cabochon.arena.scoreboard import scoreboard

        return scoreboard(self, "en")


def format_report(report: Report) -> str:
    """The report as JSON, one game per line."""
    head = _head(report)
    head["summary"] = _summary(report.summary, report.match)
    if report.forfeits:
        head["forfeits"] = [
            {"game": f.game, "entrant": f.entrant, "code": f.code, "why": f.why}
            for f in report.forfeits
        ]
    text = json.dumps(head, indent=1, ensure_ascii=False)
    lines = ",\n".join("  " + json.dumps(game_row(game)) for game in report.games)
    return f'{text[:-2]},\n "games": [\n{lines}\n ]\n}}\n'


def parse_report(text: str, path: str = "-") -> Report:
    """Read a report and prove that its figures follow from its games. Raises ArenaError."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ArenaError(ArenaFault.NOT_A_REPORT, path=path, why=str(data["format"])[:60])
        forfeits = tuple(
            Forfeit(f["entrant"], f["code"], f["why"], int(f["game"]))
            for f in data.get("forfeits", ())
        )
        games = read_games(data["games"])
        report = Report(_match(data), tuple(data["engines"]), games, forfeits)
    except ArenaError:
        raise
    except CabochonError as error:
        raise ArenaError(ArenaFault.NOT_A_REPORT, path=path, why=error.en) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"{type(error).__name__} {error}"[:80]
        raise ArenaError(ArenaFault.NOT_A_REPORT, path=path, why=why) from error
    if format_report(report) != text:
        raise ArenaError(ArenaFault.REPORT_ALTERED, path=path)
    return report


def read_report(path: Path) -> Report:
    """Raises ArenaError for a file that is no report, or an altered one."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ArenaError(ArenaFault.NOT_A_REPORT, path=str(path), why=str(error)) from error
    return parse_report(text, str(path))


def _head(report: Report) -> dict[str, Any]:
    match = report.match
    return {
        "format": FORMAT,
        "ruleset": str(match.ruleset),
        "entrants": [
            {"text": entrant.text, "name": entrant.name, "limit": format_limit(entrant.limit)}
            for entrant in match.entrants
        ],
        "engines": list(report.engines),
        "tables": match.seating.value,
        "games_a_table": match.games,
        "seed": match.seed,
        "sprt": None if match.stop is None else _hypotheses(match.stop),
        "reproducible": match.is_reproducible,
        "model": MODEL,
    }


def _hypotheses(stop: Hypotheses) -> dict[str, float]:
    return {"low": stop.low, "high": stop.high, "error": stop.error}


def _summary(summary: Summary, match: Match) -> dict[str, Any]:
    name = [entrant.text for entrant in match.entrants]
    test = summary.test
    return {
        "games": summary.games,
        "deals": summary.deals,
        "standings": [
            {
                "entrant": name[s.entrant],
                "games": s.games,
                "won": round(s.won, 4),
                "share": round(s.share, 6),
                "interval95": [round(s.interval.low, 6), round(s.interval.high, 6)],
                "equal_share": round(s.equal, 6),
                "elo": round(s.elo, 2),
                "elo_error95": round(s.error, 2),
                "forfeits": s.forfeits,
            }
            for s in summary.standings
        ],
        "encounters": [
            {
                "pair": [name[e.one], name[e.other]],
                "games": e.games,
                "part": round(e.part, 6),
                "interval95": [round(e.interval.low, 6), round(e.interval.high, 6)],
                "elo_difference": round(e.difference, 2),
                "elo_error95": round(e.error, 2),
            }
            for e in summary.encounters
        ],
        "seat_shares": [round(value, 6) for value in summary.seats],
        "turns": round(summary.turns, 4),
        "endless": summary.endless,
        "test": None
        if test is None
        else {
            "log_ratio": round(test.ratio, 4),
            "bound": round(test.bound, 4),
            "verdict": test.verdict.value,
        },
    }


def game_row(game: GameResult) -> list[Any]:
    """What is written down of a game."""
    return [
        game.deal,
        list(game.seats),
        list(game.ranking),
        list(game.points),
        list(game.cards),
        game.turns,
        game.ending,
    ]


def _match(data: dict[str, Any]) -> Match:
    stop = data["sprt"]
    return Match(
        tuple(_entrant(entry) for entry in data["entrants"]),
        Ruleset.parse(data["ruleset"]),
        int(data["games_a_table"]),
        str(data["seed"]),
        Seating(data["tables"]),
        None if stop is None else Hypotheses(stop["low"], stop["high"], stop["error"]),
    )


def _entrant(entry: dict[str, str]) -> Entrant:
    limit = parse_limit(entry["limit"]) if entry["limit"] else NO_LIMIT
    if limit is None:
        raise ArenaError(ArenaFault.BAD_LIMIT, text=entry["limit"])
    return Entrant(entry["text"], entry["name"], limit)


def read_games(rows: Sequence[Sequence[Any]]) -> tuple[GameResult, ...]:
    """The games of such rows. Raises ValueError or TypeError for what is none."""
    return tuple(
        GameResult(
            deal=int(deal),
            seats=tuple(map(int, seats)),
            ranking=tuple(map(int, ranking)),
            points=tuple(map(int, points)),
            cards=tuple(map(int, cards)),
            turns=int(turns),
            ending=str(ending),
        )
        for deal, seats, ranking, points, cards, turns, ending in rows
    )
