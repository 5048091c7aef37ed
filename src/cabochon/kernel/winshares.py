"""How the sides stand: points, then fewest bought cards; equal is shared."""

from __future__ import annotations

import numpy as np

from cabochon.kernel.cache import compiled
from cabochon.kernel.card_words import CARDS_LANE, POINTS_LANE
from cabochon.kernel.lanes import lane
from cabochon.kernel.layout import Floats, Number, StateRow


@compiled
def points_of(s: StateRow, seat: Number) -> Number:
    """The points of the seat's side."""
    return np.int64(lane(s.sides[seat & s.side_mask], POINTS_LANE))


@compiled
def cards_of(s: StateRow, seat: Number) -> Number:
    """How many cards the seat's side has bought."""
    return np.int64(lane(s.sides[seat & s.side_mask], CARDS_LANE))


@compiled
def merit(s: StateRow, seat: Number) -> Number:
    """A number that is higher for the side that ranks higher, and equal for a shared rank."""
    side = s.sides[seat & s.side_mask]
    # Points first, then fewer cards: a lane stays below 256, so cards can never outweigh a point.
    return np.int64(lane(side, POINTS_LANE)) * 256 - np.int64(lane(side, CARDS_LANE))


@compiled
def write_shares(s: StateRow, shares: Floats) -> None:
    """Each seat's part of the victory as things stand, 0 for an empty chair.

    One winning side gets 1, k that share it get 1/k each; partners both get their team's part.
    """
    seats = np.int64(s.seats)
    best: Number = -1000
    winners = 0
    for seat in range(seats):
        mine = merit(s, seat)
        if mine > best:
            best, winners = mine, 0
        winners += mine == best
    sides = winners // 2 if s.side_mask == 1 else winners
    for seat in range(4):
        won = seat < seats and merit(s, seat) == best
        shares[seat] = np.float32(1) / np.float32(sides) if won else np.float32(0)
