"""Finding the levels: from the strongest down, each where the one above beats it as it should.

Candidates lie on a path from strong to weak; a place on it is a number, 2.5 halfway from the third
to the fourth. The next level is looked for by matches with the level above it, and with nobody
else: a search and a look at one move beat one another by other margins than their ratings through
others say. A match is a sample with an error, so the step at a place is read from a line through
all matches near it, not from its own match alone: else the luckiest of several would be chosen. A
right step is played on to be sure of it.

The ladder itself is measured rung by rung: pairs that are close in strength play one another, and
one fit over all their games rates everybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log
from pathlib import Path

from cabochon.arena.botgame import GameResult
from cabochon.arena.elo import Contest, Ratings, fit
from cabochon.arena.entrants import parse_entrant
from cabochon.arena.match import Match, Seating
from cabochon.arena.report import Report
from cabochon.arena.tournament import GameCache, play_match
from cabochon.bots.levels import PREFIX, Judgement
from cabochon.ratings.strength import ELO_SCALE
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
    return 1 / (1 + exp(-difference / ELO_SCALE))


def _contests(games: Iterable[GameResult], names: Sequence[int]) -> list[Contest]:
    found = []
    for game in games:
        shares = game.shares(2)
        seats = Counter(names[who] for who in game.seats)
        found.append(Contest(game.deal, seats, {names[i]: shares[i] for i in (0, 1)}))
    return found


PROMISE = (0.64, 0.80)
"""What a step between neighbouring levels must be."""
_SAFE = 30.0
"""A step is right when it is this near to the plan's, in Elo."""
_PROBES = 7
_LEAST, _FARTHEST = 0.05, 2.0
"""How far a place moves at once, on the path."""
_NEAR = 1.2
"""Matches farther away on the path say nothing of a place."""

JudgementPath = tuple[Judgement, ...]


@dataclass(frozen=True, slots=True)
class CalibrationPlan:
    """What is tried: a path from strong to weak; how many levels; the Elo between
    two of them; the games of a pair while looking, and to be sure of a step."""

    path: JudgementPath
    levels: int = 7
    gap: float = 190.0
    looking: int = 120
    measuring: int = 400


@dataclass(frozen=True, slots=True)
class Probe:
    """A place, how far below the level above it was found, and in how many games."""

    place: float
    below: float
    games: int


Tried = dict[Judgement, set[float]]
"""The places that were tried below a judgement."""


def spelling(judgement: Judgement) -> str:
    """The name under which a candidate enters the arena."""
    return f"{PREFIX}{judgement}"


def calibrate(
    ladder: Ladder,
    plan: CalibrationPlan,
    tried: Tried | None = None,
    places: Sequence[float] = (0.0,),
) -> list[float]:
    """The places of the levels, the strongest first; those that are given stay. Games that are on
    the ladder already count, so that doing it again with more of them, and with the places that
    were tried before, corrects what they have shown."""
    tried = {} if tried is None else tried
    found = list(places)
    while len(found) < plan.levels:
        above = candidate(plan.path, found[-1])
        found.append(_below(ladder, plan, found[-1], above, tried.setdefault(above, set())))
    return found


def _below(
    ladder: Ladder, plan: CalibrationPlan, top: float, above: Judgement, tried: set[float]
) -> float:
    """The place of the next level: the first that is right, or the nearest."""

    def play(place: float, games: int) -> Rung:
        return ladder.play(spelling(above), spelling(candidate(plan.path, place)), games)

    def error(place: float) -> float:
        return abs(expected(place, top, _probes(found)) - plan.gap)

    found = {place: play(place, plan.looking) for place in sorted(tried)}
    for _ in range(_PROBES):
        place = next_place(top, _probes(found), plan.gap)
        while candidate(plan.path, place) == above:
            place += _LEAST
        place = next((p for p in found if abs(p - place) < _LEAST), place)
        tried.add(place)
        found[place] = play(place, plan.measuring if place in found else plan.looking)
        if error(place) <= _SAFE:
            found[place] = play(place, plan.measuring)
            if error(place) <= _SAFE:
                return place
    return min(found, key=error)


def _probes(found: dict[float, Rung]) -> list[Probe]:
    return [Probe(place, rung.difference, rung.games) for place, rung in found.items()]


def expected(place: float, top: float, probes: Sequence[Probe]) -> float:
    """How far below `top` a place is: read from a rising line through the probes near it, each
    with the weight of its games. The level above is known to be no step below itself."""
    known = [Probe(top, 0.0, max(probe.games for probe in probes)), *probes]
    near = [(max(0.0, 1 - abs(p.place - place) / _NEAR) * p.games, p) for p in known]
    total = sum(weight for weight, _ in near)
    if total == 0:
        nearest = min(known, key=lambda p: abs(p.place - place))
        return nearest.below
    x = sum(weight * p.place for weight, p in near) / total
    y = sum(weight * p.below for weight, p in near) / total
    spread = sum(weight * (p.place - x) ** 2 for weight, p in near)
    rise = sum(weight * (p.place - x) * (p.below - y) for weight, p in near)
    return y + max(0.0, rise / spread if spread else 0.0) * (place - x)


def next_place(top: float, probes: Sequence[Probe], gap: float) -> float:
    """Where the gap is right, judging by the probes."""
    if not probes:
        return top + 1.0
    last = max(probes, key=lambda p: p.place)
    place = top + _LEAST
    while place <= last.place:
        if expected(place, top, probes) >= gap:
            return place
        place += _LEAST
    reached = expected(last.place, top, probes)
    slope = max(reached, 20.0) / (last.place - top)
    return last.place + min(max((gap - reached) / slope, _LEAST), _FARTHEST)


def candidate(path: JudgementPath, place: float) -> Judgement:
    """Between neighbours of one sight a mixture: visits on a logarithmic scale, blur on a plain
    one; between sights the nearer; past the end ever more blurred."""
    last = len(path) - 1
    if place >= last:
        blur = path[-1].blur + (place - last) * (path[-1].blur - path[-2].blur)
        return replace(path[-1], blur=round(min(blur, 99.0), 2))
    index = int(place)
    part = place - index
    upper, lower = path[index], path[index + 1]
    if upper.sight is not lower.sight:
        return upper if part < 0.5 else lower
    visits = round(exp((1 - part) * log(upper.visits) + part * log(lower.visits)))
    blur = round((1 - part) * upper.blur + part * lower.blur, 2)
    return replace(upper, visits=visits, blur=blur)
