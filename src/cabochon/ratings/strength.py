"""How strong somebody is in one kind of game, and how well that is known.

The kinds of games that people have a rating in.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cabochon.rules import Ruleset


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
