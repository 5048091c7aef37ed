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
from cabochon.kernel.bits import COLOURS, at_least, covers, excess, lane
from cabochon.kernel.cache import compiled, inlined
from cabochon.kernel.layout import (
    ACT,
    CARD_BITS,
    CARDS_LANE,
    LEGAL_DIFFERENT,
    NO_CARD,
    NOBLE,
    NOBLE_PRICE,
    PHASES,
    PRICE,
    RETURN,
    UNAFFORDABLE,
    Number,
    StateRow,
)
from cabochon.rules.cards import FEWEST_FOR_NOBLE
from cabochon.rules.ruleset import NEEDED_FOR_TWO

# Which cards a seat can pay for, three cards to a word: the kernel's hottest loop.
#
# A price never exceeds 7, so a colour fits four bits (three and one to catch a borrow) and a card
# 21 bits; means (tokens + bonuses) above 7 count as 7.  One card's group, lowest bit right:
#
#      20    19..16   15..12   11..8     7..4     3..0
#     none   black     red     green     blue    white
#
# A word holds three groups: the cards of levels 1, 2 and 3 in one column of the rows
# (``prices[column]`` in the record), or the three reserved cards of a seat.


u64 = np.uint64

GROUP = 21
_THREE = u64(1 | 1 << GROUP | 1 << 2 * GROUP)
"""Times this, one group becomes three."""
_BORROW = u64(0x88888) * _THREE
_EVEN = u64(0xF0F0F) * _THREE
_ODD = u64(0x00F0F) * _THREE
_LOW_FOUR = u64(0x0000F) * _THREE
_SUM = u64(0x0003F) * _THREE
_ENOUGH = u64(0x00040) * _THREE
_SEVENS = u64(0x07_07_07_07_07)
_FOUR = u64(15)
_ONE = u64(1)


def _group_of(price: int) -> int:
    if price == UNAFFORDABLE:
        return 1 << 20
    return sum((price >> 8 * colour & 7) << 4 * colour for colour in range(5))


PRICE_GROUP = np.array(
    [
        [_group_of(int(PRICE[byte & CARD_BITS])) << GROUP * group for byte in range(256)]
        for group in range(3)
    ],
    np.uint64,
)
"""By group in the word and by the byte in the record, BLIND or not."""
WHOLE_GROUP = np.array([((1 << GROUP) - 1) << GROUP * group for group in range(3)], np.uint64)


@inlined
def affordable(s: StateRow) -> np.uint64:
    """Bits 0..11: the places, bits 12..14: own reserved cards that the seat to move can pay."""
    tokens = s.tokens[s.seat]
    means = (tokens & COLOURS) + (s.sides[s.seat & s.side_mask] & COLOURS)
    have = to_group(means) * _THREE
    gold = (lane(tokens, 5) * _THREE) | _ENOUGH
    return _payable_places(s, have, gold) | _payable_reserved(s, have, gold)


@inlined
def _payable_places(s: StateRow, have: np.uint64, gold: np.uint64) -> np.uint64:
    """Column c of level l answers in bit 6 of group l, shifted to 6 + c: place 4 * l + c."""
    found = u64(0)
    for column in range(4):
        found |= (_payable(s.prices[column], have, gold) & _ENOUGH) << u64(column)
    places = (
        ((found >> u64(6)) & _FOUR)
        | (((found >> u64(GROUP + 6)) & _FOUR) << u64(4))
        | (((found >> u64(2 * GROUP + 6)) & _FOUR) << u64(8))
    )
    return places & u64(s.reservable)


@inlined
def _payable_reserved(s: StateRow, have: np.uint64, gold: np.uint64) -> np.uint64:
    first = 4 * np.int64(s.seat)
    price = (
        PRICE_GROUP[0, s.reserved[first]]
        | PRICE_GROUP[1, s.reserved[first + 1]]
        | PRICE_GROUP[2, s.reserved[first + 2]]
    )
    found = u64(_payable(price, have, gold) & ~(price >> u64(14)))
    return (
        ((found >> u64(6)) & _ONE) << u64(12)
        | ((found >> u64(GROUP + 6)) & _ONE) << u64(13)
        | ((found >> u64(2 * GROUP + 6)) & _ONE) << u64(14)
    )


@inlined
def to_group(lanes: np.uint64) -> np.uint64:
    """Five 8-bit lanes as one group of 4-bit ones, values above 7 as 7."""
    lanes -= excess(lanes, _SEVENS)
    lanes |= lanes >> u64(4)  # now each pair of lanes has its two nibbles side by side
    return (
        (lanes & u64(0xFF))
        | ((lanes >> u64(8)) & u64(0xFF00))
        | ((lanes >> u64(16)) & u64(0xF0000))
    )


@inlined
def _payable(price: np.uint64, have: np.uint64, gold: np.uint64) -> np.uint64:
    """Bit 6 of each group: what the means leave of the price is no more than the gold.

    Sum of five nibbles: even + odd ones, then bytes 0 + 1 + 2 of the group.
    """
    # A colour with more means than the price asks for borrows its guard bit, and what is left of
    # it means nothing; the mask made of the surviving guard bits clears it.
    short = (price | _BORROW) - have
    kept = short & _BORROW
    short &= kept - (kept >> u64(3))
    short = (short & _EVEN) + ((short >> u64(4)) & _ODD)
    total = (short + (short >> u64(8)) + ((short >> u64(16)) & _LOW_FOUR)) & _SUM
    return gold - total


@inlined
def lay_card(s: StateRow, place: Number, card: Number) -> None:
    """The card face up in an empty place."""
    s.board[place] = card
    s.reservable |= 1 << place
    s.prices[place & 3] |= PRICE_GROUP[place >> 2, card]


@inlined
def lift_card(s: StateRow, place: Number) -> None:
    """Leave the place empty."""
    s.board[place] = NO_CARD
    s.reservable &= ~(1 << place)
    s.prices[place & 3] &= ~WHOLE_GROUP[place >> 2]


_FIVE_BITS = u64(31)

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
