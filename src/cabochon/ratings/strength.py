"""How strong somebody is in one kind of game, and how well that is known.

The kinds of games that people have a rating in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from math import log
from typing import Any

from cabochon.bots.roster import LEVEL_NAMES, STYLE_NAMES, ratings
from cabochon.rules import Ruleset
from cabochon.words import languages, template, text

ELO_SCALE = 400 / log(10)
"""Elo points for each unit of log-strength."""


class RatingKind(StrEnum):
    """Puzzles are no games, but have a rating of their own as well."""

    TWO = "two"
    MORE = "more"
    QUICK = "quick"
    TEAMS = "teams"
    PUZZLES = "puzzles"


GAME_KINDS = (RatingKind.TWO, RatingKind.MORE, RatingKind.QUICK, RatingKind.TEAMS)


def kind_of(ruleset: Ruleset) -> RatingKind:
    """Where a game belongs; one with rules of its own, beside what it is nearest to."""
    if ruleset.teams:
        return RatingKind.TEAMS
    if ruleset.variant == "quick":
        return RatingKind.QUICK
    return RatingKind.TWO if ruleset.seats == 2 else RatingKind.MORE


def is_ratable(ruleset: Ruleset) -> bool:
    """Whether everybody plays these rules: a variant as it is, without options."""
    return ruleset == Ruleset.preset(ruleset.variant, ruleset.seats)


SETTLED = 80.0
"""With a larger deviation a rating is provisional: some twenty games at the right level."""

FIRST_DEVIATION = 350.0
_FIRST_VALUES = {
    RatingKind.TWO: 1200.0,
    RatingKind.MORE: 900.0,
    RatingKind.QUICK: 1100.0,
    RatingKind.TEAMS: 900.0,
    RatingKind.PUZZLES: 1500.0,
}


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating with its standard deviation: two of them to either side hold 95 % of all people
    with such a rating. `games` is how many it rests on."""

    value: float
    deviation: float
    games: int = 0

    @property
    def is_provisional(self) -> bool:
        return self.deviation > SETTLED


def first_strength(kind: RatingKind) -> Strength:
    """Before the first game: somewhere among the softer bots, and we hardly know where."""
    return Strength(_FIRST_VALUES[kind], FIRST_DEVIATION)


# The bots' measured ratings: what everybody else is measured by. No game changes them.


DATA = "anchors.json"
WHOLE_INTERVAL = 1.96
"""Standard deviations in half a 95 % interval."""
ELSEWHERE = 60.0
"""How much further off a bot may be in a game that it was not measured in, as one deviation."""
_SHOWN_SEATS = {
    RatingKind.TWO: Ruleset.preset("standard", 2),
    RatingKind.MORE: Ruleset.preset("standard", 3),
    RatingKind.QUICK: Ruleset.preset("quick", 2),
    RatingKind.TEAMS: Ruleset.preset("teams", 4),
}


@dataclass(frozen=True, slots=True)
class FixedPoint:
    """One bot: its rating, the standard deviation of that, and the games it was measured in."""

    bot: str
    value: float
    deviation: float
    games: int


@cache
def fixed_point(bot: str, ruleset: Ruleset) -> FixedPoint | None:
    """What a bot is worth in that game; None for one that nobody has measured."""
    row = _measured_elsewhere().get(str(ruleset), {}).get(bot)
    if row is not None:
        return FixedPoint(bot, row["elo"], row["error"] / WHOLE_INTERVAL, row["games"])
    found = ratings(ruleset.seats).get(bot)
    if found is None:
        return None
    deviation = found.error / WHOLE_INTERVAL
    if ruleset.variant != "standard":
        deviation = (deviation**2 + ELSEWHERE**2) ** 0.5
    return FixedPoint(bot, found.elo, deviation, found.games)


@cache
def _measured_elsewhere() -> Mapping[str, Mapping[str, Any]]:
    """By ruleset and bot, from `benchmarks/anchors.py`."""
    text = resources.files("cabochon.ratings").joinpath("data", DATA).read_text("utf-8")
    found: Mapping[str, Mapping[str, Any]] = json.loads(text)["ratings"]
    return found


@cache
def fixed_points(kind: RatingKind) -> tuple[FixedPoint, ...]:
    """The bots among the people of that kind, the strongest first: at its smallest table."""
    ruleset = _SHOWN_SEATS.get(kind)
    if ruleset is None:
        return ()
    found = (fixed_point(name, ruleset) for name in (*LEVEL_NAMES, *STYLE_NAMES))
    return tuple(sorted((p for p in found if p is not None), key=lambda p: -p.value))


# Whom to play next: the bot with whom somebody would win about every second game.


ENOUGH = 3
"""Games with a bot that are worth a sentence."""


@dataclass(frozen=True, slots=True)
class LadderStep:
    """How somebody has fared against one level."""

    bot: str
    played: int
    won: int


@dataclass(frozen=True, slots=True)
class LadderAdvice:
    """The level that would be a fair match, and why, by language."""

    fair: str
    why: Mapping[str, str]


def advise(kind: RatingKind, strength: Strength, ladder: Mapping[str, LadderStep]) -> LadderAdvice:
    """The nearest level by rating, with what was played against its neighbours as the reason."""
    fair = nearest_level(kind, strength.value)
    place = LEVEL_NAMES.index(fair)
    softer = [ladder[name] for name in reversed(LEVEL_NAMES[:place]) if name in ladder]
    harder = [ladder[name] for name in LEVEL_NAMES[place + 1 :] if name in ladder]
    for step in softer:
        if step.played >= ENOUGH and step.won * 2 > step.played:
            return LadderAdvice(fair, _why("beaten", fair, step.bot, step.won, step.played))
    for step in harder:
        lost = step.played - step.won
        if step.played >= ENOUGH and lost * 2 > step.played:
            return LadderAdvice(fair, _why("lost", fair, step.bot, lost, step.played))
    known = ladder.get(fair)
    return LadderAdvice(fair, _why("even" if known and known.played else "begin", fair, fair, 0, 0))


def nearest_level(kind: RatingKind, value: float) -> str:
    """The level whose rating is nearest."""
    levels = [point for point in fixed_points(kind) if point.bot in LEVEL_NAMES]
    return min(levels, key=lambda point: abs(point.value - value)).bot


def _why(key: str, fair: str, bot: str, count: int, played: int) -> Mapping[str, str]:
    return {
        lang: text(
            f"ladder.{key}",
            lang,
            bot=template(f"bots.{bot}.title", lang),
            fair=template(f"bots.{fair}.title", lang),
            count=count,
            played=played,
        )
        for lang in languages()
    }
