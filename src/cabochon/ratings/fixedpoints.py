"""The bots' measured ratings: what everybody else is measured by. No game changes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from cabochon.bots.roster import LEVEL_NAMES, STYLE_NAMES, ratings
from cabochon.ratings.strength import RatingKind
from cabochon.rules import Ruleset

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
