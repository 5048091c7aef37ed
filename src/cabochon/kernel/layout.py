"""The record: one game in 288 bytes.

Counts of gems are *lanes*, eight bits each in one word, so that six counts are added at once:

      63      56      48      40      32      24      16       8       0
       |   -   |   -   | gold  | black |  red  | green | blue  | white |   bank, tokens[seat]
       |   -   | cards |points | black |  red  | green | blue  | white |   sides[side]

A *side* is what shares bonuses and points: a seat, or in teams the two partners.  The side of a
seat is ``seat & side_mask`` (3: everybody alone, 1: partners sit opposite).

The pool of a level is the set of its cards that nobody has seen, one bit a card, bit 0 the
level's first card id.  Decks have no order: a card is drawn when it is needed.

    board       place of level l, column c = 4 * l + c (l from 0); NO_CARD: a hole
    prices      per column, the prices of its three cards (picture in ``affordable``)
    reservable  bits 0..11: the places that have a card, 12..14: the decks that are not empty
    reserved    seat's cards = 4 * seat + 0..2 in the order of reserving; BLIND is added to a card
                that came from a deck; HIDDEN + l stands for one that the viewer cannot know
    owner       who bought a card, by card id; NOBODY if nobody did
    claims      per place: seat + 16 * (how many nobles that seat had before), or NOBODY
    spare       zeroes: a record has no bytes that copying could leave behind
    pending     where the card to be dealt goes: a board place, BLIND_DRAW + l, or NOTHING
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cabochon.kernel.numbers import whole
from cabochon.rules.cards import CARDS, DECK_SIZES, LEVELS, NOBLES
from cabochon.rules.errors import wrong

MOST_RECORDS = 1 << 24

CARD_COUNT = len(CARDS)
LEVEL_FIRST = tuple(sum(DECK_SIZES[:level]) for level in range(len(LEVELS)))
"""Id of the first card of each level: they are numbered level by level."""

NO_CARD = CARD_COUNT
HIDDEN = CARD_COUNT + 1
BLIND = 128
CARD_BITS = 127
NO_NOBLE = len(NOBLES)
NOBODY = 255
BLIND_DRAW = 12
NOTHING = 255

ACT, DEAL, NOBLE, RETURN, OVER = PHASES = range(5)
PHASE_NAMES = ("act", "deal", "noble", "return", "over")

STATE = np.dtype(
    [
        ("rng", np.uint64),
        ("bank", np.uint64),
        ("tokens", np.uint64, 4),
        ("sides", np.uint64, 4),
        ("pool", np.uint64, 3),
        ("prices", np.uint64, 4),
        ("turn", np.uint32),
        ("reservable", np.uint16),
        ("board", np.uint8, 12),
        ("reserved", np.uint8, 16),
        ("decks", np.uint8, 3),
        ("nobles", np.uint8, 5),
        ("claims", np.uint8, 5),
        ("open_nobles", np.uint8),
        ("seat", np.uint8),
        ("phase", np.uint8),
        ("passes", np.uint8),
        ("last_round", np.uint8),
        ("pending", np.uint8),
        ("seats", np.uint8),
        ("target", np.uint8),
        ("width", np.uint8),
        ("side_mask", np.uint8),
        ("scarce", np.uint8),
        ("owner", np.uint8, CARD_COUNT),
        ("spare", np.uint8, 4),
    ],
    align=True,
)

States = npt.NDArray[np.void]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Masks = npt.NDArray[np.uint64]
StateRow: TypeAlias = Any
"""One element of States inside compiled code; its fields have no static type."""
Number: TypeAlias = int | np.int64
"""Small numbers and indexes; words and masks are np.uint64, and the two never meet."""


def new_states(count: int) -> States:
    """``count`` records of zeroes; set each up by ``new_game`` or ``packing.pack``.

    Raises WrongArgument for what is no count.
    """
    number = whole(count)
    if number is None or not 0 <= number <= MOST_RECORDS:
        raise wrong("count", "count", count)
    return np.zeros(number, STATE)
