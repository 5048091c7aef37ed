"""Which actions are legal, as the bits of one word.

The 72 actions do not fit a word, but no phase has more than 61, so bit b stands for the action
``first_action(phase) + b``:

    ACT      0..24 take different   25..29 take two   30..41 reserve a place   42..44 a deck
            45..56 buy a place      57..59 buy reserved   60 pass
    RETURN   0..5  give back one white, blue, green, red, black, gold   (actions 61..66)
    NOBLE    0..4  the noble at that place                              (actions 67..71)

A purchase pays the least gold: the kernel's only abstraction of the rules.
"""

from __future__ import annotations

import numpy as np

from cabochon.kernel.actions import BUY, CHOOSE_NOBLE, GIVE_BACK, PASS, RESERVE, TAKE_TWO
from cabochon.kernel.affordable import affordable
from cabochon.kernel.cache import compiled, inlined
from cabochon.kernel.card_words import CARDS_LANE, LEGAL_DIFFERENT, NOBLE_PRICE
from cabochon.kernel.lanes import COLOURS, at_least, covers, lane
from cabochon.kernel.layout import ACT, NO_CARD, NOBLE, PHASES, RETURN, Number, StateRow
from cabochon.rules.cards import FEWEST_FOR_NOBLE
from cabochon.rules.ruleset import NEEDED_FOR_TWO

u64 = np.uint64

_FIVE_BITS = u64(31)
_ONE = u64(1)

FIRST_ACTION = tuple({RETURN: GIVE_BACK, NOBLE: CHOOSE_NOBLE}.get(phase, 0) for phase in PHASES)
"""What ``first_action`` answers, by phase: for Python, which need not wait for a compiler."""


@inlined
def first_action(phase: Number) -> Number:
    """The action that bit 0 of the legal word means in this phase."""
    if phase == RETURN:
        return GIVE_BACK
    if phase == NOBLE:
        return CHOOSE_NOBLE
    return 0


@inlined
def legal_mask(s: StateRow) -> np.uint64:
    """The legal actions of the seat to move; no bits when a card is to be dealt or it is over."""
    if s.phase == ACT:
        return legal_acts(s)
    if s.phase == RETURN:
        return at_least(s.tokens[s.seat], 1)
    if s.phase == NOBLE:
        return visiting_nobles(s)
    return u64(0)


@inlined
def legal_acts(s: StateRow) -> np.uint64:
    """Takes, reservations and purchases; the forced pass only if there is none of them."""
    mask = legal_takes(s) | (affordable(s) << u64(BUY))
    has_room = u64(s.reserved[4 * np.int64(s.seat) + 2] == NO_CARD)
    mask |= (has_room * u64(s.reservable)) << u64(RESERVE)
    if mask == u64(0):
        return _ONE << u64(PASS)
    return mask


@inlined
def legal_takes(s: StateRow) -> np.uint64:
    present = at_least(s.bank, 1) & _FIVE_BITS
    plenty = at_least(s.bank, NEEDED_FOR_TWO) & _FIVE_BITS
    return u64(LEGAL_DIFFERENT[s.scarce, present] | (plenty << u64(TAKE_TWO)))


@compiled
def visiting_nobles(s: StateRow) -> np.uint64:
    """The places of the unclaimed nobles that the moving side's bonuses satisfy."""
    side = s.sides[s.seat & s.side_mask]
    if lane(side, CARDS_LANE) < u64(FEWEST_FOR_NOBLE) or s.open_nobles == 0:
        return u64(0)
    bonuses = side & COLOURS
    mask = u64(0)
    for place in range(5):
        mask |= u64(covers(bonuses, NOBLE_PRICE[s.nobles[place] & 15])) << u64(place)
    return mask & u64(s.open_nobles)
