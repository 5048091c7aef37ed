"""How strong the best bot is: the matches that docs/search.md shows.

    python benchmarks/strength.py [MATCH ...] [--games 400] [--ms 100] [--jobs 2]

    greedy    2 players, against the greedy bot
    playouts  2 players, against the same search with random games in place of the network
    quarter   2 players, against itself at a quarter of the time
    few       2 players, with 64 simulations against 1,000 with playouts
    three     3 players, alone against two copies of the playout searcher
    four      4 players, alone against three copies of it
    quick     2 players, the quick game, with 64 simulations against 1,000 with playouts
    teams     the same for two partners against two
    past      2, 3 and 4 players, against itself with the networks of the benchmark `v1`, which are
              kept; past-2, past-3 and past-4 are one of them

Every deal is played in all seats. A clock needs a quiet machine: as many processes as free cores.
Games are kept in build/strength as they end: stopped, it goes on where it was, and with more
`--games` it goes on further; another network, bot or limit starts anew. Prints a table and, last,
one JSON line. The exit code is 1 when a goal is missed; quick and teams have none. Without a name
all are played but `past`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from cabochon.arena import Match, Report, Seating, parse_entrant, play_match
from cabochon.arena.benchmark import schedule
from cabochon.arena.scoreboard import MatchProgress
from cabochon.arena.standings import EntrantStanding
from cabochon.arena.tournament import GameCache
from cabochon.rules import Ruleset
from cabochon.workers import Executor, local_executor

KEPT = Path(__file__).parent.parent / "build/strength"
BEST = "diamond"


@dataclass(frozen=True, slots=True)
class Challenge:
    """The best bot alone (a team has it twice) against copies of another; `goal` is the share it
    must win."""

    ruleset: Ruleset
    best: str
    other: str
    goal: float | None = None

    @property
    def players(self) -> int:
        return self.ruleset.seats

    def is_reached(self, share: float) -> bool:
        return self.goal is None or share >= self.goal


def challenges(ms: int) -> dict[str, Challenge]:
    best, playouts = f"{BEST}@{ms}ms", f"playouts@{ms}ms"
    few, many = f"{BEST}@64v", "playouts@1000v"
    two, three, four = Ruleset(2), Ruleset(3), Ruleset(4)
    return {
        "greedy": Challenge(two, best, "greedy", 0.95),
        "playouts": Challenge(two, best, playouts, 0.90),
        "quarter": Challenge(two, best, f"{BEST}@{max(1, ms // 4)}ms", 0.60),
        "few": Challenge(two, few, many, 0.95),
        "three": Challenge(three, best, playouts, 2 / 3),
        "four": Challenge(four, best, playouts, 2 / 4),
        "quick": Challenge(Ruleset.preset("quick", seats=2), few, many),
        "teams": Challenge(Ruleset.preset("teams", seats=4), few, many),
    }


PAST = "past"
AHEAD = {2: 80.0, 3: 100.0, 4: 100.0}
"""Elo that Diamond shall be ahead of what it was."""


def past_challenges(ms: int) -> dict[str, Challenge]:
    """Against the Diamond of the day the benchmark was frozen, with equal time."""
    found = {}
    for players, elo in AHEAD.items():
        network = schedule()["players"][str(players)]["network"]
        goal = 1 / (1 + (players - 1) * 10 ** (-elo / 400))
        rival = f"frozen:{network}:{BEST}@{ms}ms"
        found[f"{PAST}-{players}"] = Challenge(Ruleset(players), f"{BEST}@{ms}ms", rival, goal)
    return found


def play(challenge: Challenge, games: int, seed: str, executor: Executor) -> Report:
    """All its games, played or kept. Raises KeyboardInterrupt; what is done is kept."""
    entrants = (parse_entrant(challenge.best), parse_entrant(challenge.other))
    match = Match(entrants, challenge.ruleset, games, seed, Seating.GAUNTLET)
    cache = GameCache(KEPT, match)
    report = play_match(match, executor, MatchProgress(sys.stderr, "en"), cache)
    if report.match != match:
        raise KeyboardInterrupt
    return report


def show(name: str, challenge: Challenge, report: Report, seconds: float) -> dict[str, object]:
    """One line of the table, and its figures."""
    best = best_of(report)
    rounds = report.summary.turns / challenge.players
    print(_line(name, challenge, best, rounds, seconds), flush=True)
    return {
        "players": challenge.players,
        "games": best.games,
        "share": round(best.share, 4),
        "low": round(best.interval.low, 4),
        "high": round(best.interval.high, 4),
        "goal": None if challenge.goal is None else round(challenge.goal, 4),
        "rounds": round(rounds, 1),
    }


def best_of(report: Report) -> EntrantStanding:
    return next(s for s in report.summary.standings if s.entrant == 0)


def _line(
    name: str, challenge: Challenge, best: EntrantStanding, rounds: float, seconds: float
) -> str:
    low, high = 100 * best.interval.low, 100 * best.interval.high
    goal, verdict = f"{'-':>8}", ""
    if challenge.goal is not None:
        goal = f"{100 * challenge.goal:6.1f} %"
        verdict = "reached" if challenge.is_reached(best.share) else "MISSED"
    return (
        f"{name:9} {challenge.players:7} {challenge.best + ' : ' + challenge.other:30} "
        f"{best.games:5}  {100 * best.share:5.1f} % ({low:.1f}-{high:.1f})".ljust(80)
        + f"{goal}  {verdict:8} {rounds:6.1f} {seconds:6.0f} s"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="matches of the best bot")
    parser.add_argument(
        "matches", nargs="*", metavar="MATCH", help=", ".join([*challenges(1), PAST])
    )
    parser.add_argument("--games", type=int, default=400, help="rounded up to whole deals")
    parser.add_argument("--ms", type=int, default=100, help="milliseconds a move")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", default="strength")
    args = parser.parse_args()
    usual, past = challenges(args.ms), past_challenges(args.ms)
    known = usual | past
    asked = [n for name in args.matches for n in (past if name == PAST else [name])]
    for name in asked:
        if name not in known:
            parser.error(f"there is no match {name}; there are {', '.join(known)}")
    executor = local_executor(args.jobs)
    figures, good = {}, True
    print(f"{'match':9} players {'pair':30} games  share of wins (95 %)".ljust(80) + "   goal"
          "             rounds   time")  # fmt: skip
    try:
        for name in asked or usual:
            began = time.monotonic()
            report = play(known[name], args.games, args.seed, executor)
            figures[name] = show(name, known[name], report, time.monotonic() - began)
            good &= known[name].is_reached(best_of(report).share)
    except KeyboardInterrupt:
        print("stopped; run it again to go on", file=sys.stderr)
        good = False
    finally:
        executor.close()
    print(json.dumps(figures))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
