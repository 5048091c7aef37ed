"""A benchmark to cite: a frozen schedule of deals against frozen opponents, and one row about it.

`data/benchmark-v1.json` names the opponents by their parameters, so that measuring the levels
again changes nothing here, with the ratings they had when it was frozen (greedy is 1000). An agent
sits alone against copies of each, every deal in all seats; its rating is the one that makes what it
won most likely while the others' stay fixed. A later version gets another file.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from math import exp, sqrt
from pathlib import Path
from typing import Any

from cabochon.arena.botgame import Forfeit, GameResult
from cabochon.arena.entrants import Entrant, parse_entrant
from cabochon.arena.match import Match, Seating
from cabochon.arena.report import game_row
from cabochon.arena.statistics import Z95
from cabochon.arena.tournament import GameCache, play_match
from cabochon.bots.levels import FROZEN_PREFIX, PREFIX
from cabochon.bots.roster import SEARCH_EDITION
from cabochon.ratings.strength import ELO_SCALE
from cabochon.rules import Ruleset
from cabochon.version import __version__
from cabochon.workers import Executor

VERSION = "v1"
PLAYERS = (2, 3, 4)
_FIRST, _STEPS = 1000.0, 100
_PRIOR_GAMES = 1.0
"""Shared games with an opponent of 1000, so that a clean sweep stays finite."""


@dataclass(frozen=True, slots=True)
class LadderRung:
    """One frozen opponent."""

    name: str
    text: str
    elo: float


@dataclass(frozen=True, slots=True)
class LadderMeeting:
    """The agent's games with one opponent."""

    rung: LadderRung
    games: tuple[GameResult, ...]
    forfeits: tuple[Forfeit, ...] = ()
    """Why games were forfeited; of games that were kept it isn't known any more."""

    @property
    def forfeited(self) -> int:
        return sum(game.ending == "forfeit" for game in self.games)

    @property
    def won(self) -> float:
        return sum(game.shares(2)[0] for game in self.games)


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """One number of players: the rating with half its 95 % interval, and every meeting."""

    players: int
    elo: float
    error: float
    meetings: tuple[LadderMeeting, ...]

    @property
    def games(self) -> int:
        return sum(len(meeting.games) for meeting in self.meetings)

    @property
    def forfeits(self) -> int:
        return sum(meeting.forfeited for meeting in self.meetings)


@cache
def schedule() -> dict[str, Any]:
    """The frozen file."""
    file = resources.files("cabochon.arena").joinpath("data", f"benchmark-{VERSION}.json")
    data: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return data


def is_frozen() -> bool:
    """Whether this installation still has the search of the frozen opponents; their networks are
    kept for them."""
    return bool(schedule()["search"] == SEARCH_EDITION)


def rungs(players: int) -> tuple[LadderRung, ...]:
    rows = schedule()["players"][str(players)]["opponents"]
    return tuple(LadderRung(row["name"], row["text"], row["elo"]) for row in rows)


def run_benchmark(
    agent: str,
    players: int,
    executor: Executor,
    deals: int | None = None,
    told: Callable[[LadderMeeting], None] = lambda meeting: None,
    keep: Path | None = None,
) -> BenchmarkResult:
    """Play the schedule for that many players; fewer `deals` than the schedule's make a trial run,
    not a result to cite. Games that end are kept in the folder `keep` and not played again. Raises
    UnknownBot, ArenaError, BadWeights or EngineFailed, and KeyboardInterrupt when interrupted."""
    meetings = []
    wanted = deals or int(schedule()["players"][str(players)]["deals"])
    for rung in rungs(players):
        match = _match(parse_entrant(agent), rung, players, wanted)
        cache = None if keep is None else GameCache(keep, match)
        report = play_match(match, executor, cache=cache)
        if report.match != match:
            raise KeyboardInterrupt
        meeting = LadderMeeting(rung, report.games, report.forfeits)
        meetings.append(meeting)
        told(meeting)
    elo, error = rated(meetings, players)
    return BenchmarkResult(players, elo, error, tuple(meetings))


def _match(agent: Entrant, rung: LadderRung, players: int, deals: int) -> Match:
    other = Entrant(f"{VERSION}:{rung.name}", opponent_of(rung, players))
    seed = f"{schedule()['seed']} {players} {rung.name}"
    return Match((agent, other), Ruleset(players), deals * players, seed, Seating.GAUNTLET)


def opponent_of(rung: LadderRung, players: int) -> str:
    """The bot's name, with the network that it had when the schedule was frozen."""
    if not rung.text.startswith(PREFIX):
        return rung.text
    return f"{FROZEN_PREFIX}{schedule()['players'][str(players)]['network']}:{rung.text}"


def rated(meetings: Sequence[LadderMeeting], players: int) -> tuple[float, float]:
    """The rating of maximum likelihood and half its 95 % interval, clustered by deal."""
    elo = _FIRST
    for _ in range(_STEPS):
        slope, curve, _ = _likelihood(meetings, players, elo)
        step = max(-400.0, min(400.0, ELO_SCALE * slope / curve))
        elo += step
        if abs(step) < 1e-6:
            break
    _, curve, spread = _likelihood(meetings, players, elo)
    return elo, Z95 * ELO_SCALE * sqrt(spread) / curve


def _likelihood(
    meetings: Sequence[LadderMeeting], players: int, elo: float
) -> tuple[float, float, float]:
    """Slope and curvature of the log-likelihood, and the sum of squared slopes of the deals."""
    chance = _chance(elo - _FIRST, 1)
    slope = _PRIOR_GAMES * (0.5 - chance)
    curve = _PRIOR_GAMES * chance * (1 - chance)
    spread = slope * slope + curve
    for meeting in meetings:
        chance = _chance(elo - meeting.rung.elo, players - 1)
        by_deal: defaultdict[int, float] = defaultdict(float)
        for game in meeting.games:
            by_deal[game.deal] += game.shares(2)[0] - chance
            curve += chance * (1 - chance)
        slope += sum(by_deal.values())
        spread += sum(value * value for value in by_deal.values())
    return slope, curve, spread


def _chance(difference: float, others: int) -> float:
    """The chance of a victory, this many points above the others."""
    return 1 / (1 + others * exp(-difference / ELO_SCALE))


def fingerprint(results: Sequence[BenchmarkResult]) -> str:
    """Twelve digits of a hash of the schedule and every game: equal ones are the same games."""
    digest = sha256(json.dumps(schedule(), sort_keys=True).encode())
    for result in results:
        for meeting in result.meetings:
            rows = [game_row(game) for game in meeting.games]
            digest.update(json.dumps([result.players, meeting.rung.name, rows]).encode())
    return digest.hexdigest()[:12]


def row_of(agent: str, results: Sequence[BenchmarkResult], deals: int | None = None) -> str:
    """The row of a table: agent, rating for each number of players, schedule, version, hash."""
    by_players = {result.players: result for result in results}
    cells = [
        f"{by_players[n].elo:.0f} ± {by_players[n].error:.0f}" if n in by_players else "–"
        for n in PLAYERS
    ]
    name = VERSION if deals is None else f"{VERSION}, {deals} deal{'s' * (deals != 1)} only"
    version = f"cabochon {__version__}"
    return "| " + " | ".join((agent, *cells, name, version, f"`{fingerprint(results)}`")) + " |"


def as_json(agent: str, results: Sequence[BenchmarkResult]) -> dict[str, Any]:
    """Everything, for a file: the games too."""
    return {
        "benchmark": VERSION,
        "agent": agent,
        "version": __version__,
        "hash": fingerprint(results),
        "results": [
            {
                "players": result.players,
                "elo": round(result.elo, 2),
                "error95": round(result.error, 2),
                "forfeits": result.forfeits,
                "meetings": [
                    {
                        "opponent": meeting.rung.name,
                        "parameters": meeting.rung.text,
                        "opponent_elo": meeting.rung.elo,
                        "won": round(meeting.won, 4),
                        "games": [game_row(game) for game in meeting.games],
                    }
                    for meeting in result.meetings
                ],
            }
            for result in results
        ],
    }
