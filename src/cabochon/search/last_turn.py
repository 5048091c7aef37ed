"""The last turn of a game, solved exactly: nothing dealt after it matters."""

from __future__ import annotations

import numpy as np

from cabochon.kernel.actions import BUY, BUY_RESERVED
from cabochon.kernel.bits import COLOURS, covers, lane
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import (
    ACT,
    CARD_BITS,
    CARDS_LANE,
    GAIN,
    NOBLE_PRICE,
    POINTS_LANE,
    Floats,
    Number,
    StateRow,
)
from cabochon.kernel.legal import legal_mask
from cabochon.kernel.step import merit
from cabochon.rules.cards import NOBLE_POINTS

u64 = np.uint64
_ONE = u64(1)


@compiled
def is_last_turn(s: StateRow) -> bool:
    """Whether the seat to move is about to make the last move of the game."""
    return bool(s.last_round != 0 and s.phase == ACT and s.seat + 1 == s.seats)


@compiled
def solve_last_turn(s: StateRow, shares: Floats) -> None:
    """The victory shares after the mover's best move: each purchase is tried, and none."""
    side = s.sides[s.seat & s.side_mask]
    best = _merit_of(s, side)
    mask = legal_mask(s)
    for place in range(12):
        if (mask >> u64(BUY + place)) & _ONE != u64(0):
            best = max(best, _merit_of(s, side + GAIN[s.board[place] & CARD_BITS]))
    for slot in range(3):
        if (mask >> u64(BUY_RESERVED + slot)) & _ONE != u64(0):
            card = s.reserved[4 * np.int64(s.seat) + slot] & CARD_BITS
            best = max(best, _merit_of(s, side + GAIN[card]))
    _share_out(s, best, shares)


@compiled
def _merit_of(s: StateRow, side: np.uint64) -> np.int64:
    """``results.merit`` of the mover's side word at the end of the turn, a noble's visit included.

    Nobles are all worth the same, so it does not matter which of several comes.
    """
    points = np.int64(lane(side, POINTS_LANE))
    bonuses = side & COLOURS
    for place in range(5):
        is_open = (s.open_nobles >> place) & 1 != 0
        if is_open and covers(bonuses, NOBLE_PRICE[s.nobles[place] & 15]):
            points += NOBLE_POINTS
            break
    return np.int64(points * 256 - np.int64(lane(side, CARDS_LANE)))


@compiled
def _share_out(s: StateRow, mine: Number, shares: Floats) -> None:
    mover = np.int64(s.seat & s.side_mask)
    best = mine
    for seat in range(np.int64(s.seats)):
        if np.int64(seat & s.side_mask) != mover:
            best = max(best, merit(s, seat))
    winners = 0
    for seat in range(np.int64(s.seats)):
        is_mine = np.int64(seat & s.side_mask) == mover
        shares[seat] = 1 if (mine if is_mine else merit(s, seat)) == best else 0
        winners += 1 if shares[seat] > 0 else 0
    sides = winners // 2 if s.side_mask == 1 else winners
    for seat in range(np.int64(s.seats)):
        shares[seat] /= np.float32(sides)
