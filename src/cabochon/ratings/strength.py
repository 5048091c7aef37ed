"""How strong somebody is in one kind of game, and how well that is known."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.ratings.kinds import RatingKind

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
