"""What follows an action, in the law's order: noble, token limit, the end of the turn.

    act -> [deal] -> settle: nobles -> limit -> end_turn -> next seat, or over

A phase is entered only when somebody must decide; otherwise the turn runs through.
"""

from __future__ import annotations

import numpy as np

from cabochon.kernel.bits import lowest_bit
from cabochon.kernel.cache import compiled, inlined
from cabochon.kernel.card_words import NOBLE_GAIN, POINTS_LANE
from cabochon.kernel.lanes import lane, sum_tokens
from cabochon.kernel.layout import ACT, NOBLE, OVER, RETURN, StateRow
from cabochon.kernel.legal import visiting_nobles
from cabochon.rules.ruleset import TOKEN_LIMIT

u64 = np.uint64
_ONE = u64(1)


@inlined
def settle(s: StateRow) -> None:
    """After the refill: one noble comes by itself, several wait for a choice."""
    visitors = visiting_nobles(s)
    if visitors != u64(0):
        if visitors & (visitors - _ONE) != u64(0):
            s.phase = NOBLE
            return
        claim_noble(s, lowest_bit(visitors))
    check_limit(s)


@compiled
def claim_noble(s: StateRow, place: np.uint64) -> None:
    """The noble goes to the mover; its points to the mover's side."""
    before = 0  # a record keeps in which order a seat's nobles came
    for other in range(5):
        before += (s.claims[other] & 15) == s.seat
    s.claims[place] = s.seat + (before << 4)
    s.open_nobles &= ~(_ONE << place)
    s.sides[s.seat & s.side_mask] += NOBLE_GAIN[s.nobles[place] & 15]
    s.passes = 0  # points were won, so the game is not stuck


@inlined
def check_limit(s: StateRow) -> None:
    """With more than ten tokens the mover gives some back first."""
    if sum_tokens(s.tokens[s.seat]) > u64(TOKEN_LIMIT):
        s.phase = RETURN
    else:
        end_turn(s)


@inlined
def end_turn(s: StateRow) -> None:
    """The next seat acts, unless the round that somebody ended is complete, or all passed."""
    if lane(s.sides[s.seat & s.side_mask], POINTS_LANE) >= u64(s.target):
        s.last_round = 1
    s.turn += 1
    s.seat += 1
    s.phase = ACT
    if s.seat == s.seats:
        s.seat = 0
        if s.last_round != 0:
            s.phase = OVER
    if s.passes >= s.seats:
        s.phase = OVER
