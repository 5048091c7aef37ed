"""How strong people are: one rating a kind of game, on the scale of the bots' measured ones."""

from cabochon.ratings.method import Contestant, rated
from cabochon.ratings.strength import (
    FixedPoint,
    RatingKind,
    Strength,
    first_strength,
    fixed_point,
    fixed_points,
    is_ratable,
    kind_of,
)

__all__ = [
    "Contestant",
    "FixedPoint",
    "RatingKind",
    "Strength",
    "first_strength",
    "fixed_point",
    "fixed_points",
    "is_ratable",
    "kind_of",
    "rated",
]
