"""A ladder of bots measured rung by rung: pairs that are close in strength play one another, and
one fit over all their games rates everybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import exp
from pathlib import Path

from cabochon.arena.botgame import GameResult
from cabochon.arena.elo import SCALE, Contest, Ratings, fit
from cabochon.arena.entrants import parse_entrant
from cabochon.arena.gamecache import GameCache
from cabochon.arena.match import Match, Seating
from cabochon.arena.report import Report
from cabochon.arena.tournament import play_match
from cabochon.rules import Ruleset
from cabochon.workers import Executor

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Rung:
    """The chance that the stronger wins when one of the two seats wins, from games between the
    two alone: with two players its share of victories; with more, each sits alone against copies
    of the other, and the fitted difference is turned into such a chance."""

    stronger: str
    weaker: str
    difference: float
    error: float
    games: int

    @property
    def chance(self) -> float:
        return chance_of(self.difference)

    @property
    def interval(self) -> tuple[float, float]:
        """95 %."""
        return chance_of(self.difference - self.error), chance_of(self.difference + self.error)


@dataclass(slots=True)
class Ladder:
    """Games between pairs, gathered; a pair that has played is not played again. With a folder
    they are kept there, and a measurement that was stopped goes on where it was."""

    ruleset: Ruleset
    seed: str
    executor: Executor
    tell: Tell
    folder: Path | None = None
    games: dict[tuple[str, str], list[GameResult]] = field(default_factory=dict)

    def play(self, one: str, other: str, games: int) -> Rung:
        """Let the two play, each in every seat of every deal, and compare them."""
        known = self.games.get((one, other), [])
        if len(known) < games:
            entrants = (parse_entrant(one), parse_entrant(other))
            seed = f"{self.seed} {one} {other}"  # other luck for every pair
            match = Match(entrants, self.ruleset, 1, seed, Seating.LONE)
            match = match.shortened(-(-games // match.games_a_round))
            known = list(self._report(match).games)
            self.games[one, other] = known
        rung = self.rung(one, other)
        low, high = rung.interval
        self.tell(
            f"{self.ruleset}  {one} : {other}  {100 * rung.chance:.1f} % "
            f"({100 * low:.1f}-{100 * high:.1f}), {rung.difference:+.0f} Elo, {rung.games} games"
        )
        return rung

    def _report(self, match: Match) -> Report:
        """All of the match: half a measurement is none. Raises KeyboardInterrupt."""
        cache = None if self.folder is None else GameCache(self.folder, match)
        report = play_match(match, self.executor, cache=cache)
        if report.match != match:
            raise KeyboardInterrupt
        return report

    def rung(self, one: str, other: str) -> Rung:
        games = self.games[one, other]
        ratings = fit(_contests(games, (0, 1)), 2)
        return Rung(one, other, *ratings.difference(0, 1), len(games))

    def rate(self) -> tuple[dict[str, int], Ratings]:
        """Everybody who played, by one fit; the numbers are indexes into the ratings."""
        names = list(dict.fromkeys(name for pair in self.games for name in pair))
        index = {name: i for i, name in enumerate(names)}
        contests: list[Contest] = []
        for (one, other), games in self.games.items():
            contests += _contests(games, (index[one], index[other]))
        return index, fit(contests, len(names))

    def played(self, name: str) -> int:
        """In how many games."""
        return sum(len(games) for pair, games in self.games.items() if name in pair)


def chance_of(difference: float) -> float:
    """Elo difference to the chance of the stronger one."""
    return 1 / (1 + exp(-difference / SCALE))


def _contests(games: Iterable[GameResult], names: Sequence[int]) -> list[Contest]:
    found = []
    for game in games:
        shares = game.shares(2)
        seats = Counter(names[who] for who in game.seats)
        found.append(Contest(game.deal, seats, {names[i]: shares[i] for i in (0, 1)}))
    return found
