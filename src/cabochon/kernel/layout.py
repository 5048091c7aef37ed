"""The record: one game in 288 bytes.

Counts of gems are *lanes*, eight bits each in one word, so that six counts are added at once:

      63      56      48      40      32      24      16       8       0
       |   -   |   -   | gold  | black |  red  | green | blue  | white |   bank, tokens[seat]
       |   -   | cards |points | black |  red  | green | blue  | white |   sides[side]

A *side* is what shares bonuses and points: a seat, or in teams the two partners.  The side of a
seat is ``seat & side_mask`` (3: everybody alone, 1: partners sit opposite).

The pool of a level is the set of its cards that nobody has seen, one bit per card, bit 0 the
level's first card id.  Decks have no order: a card is drawn when it is needed.

    board       place of level l, column c = 4 * l + c (l from 0); NO_CARD: a hole
    prices      per column, the prices of its three cards (picture in ``legal``)
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

from cabochon.kernel.actions import ACTIONS, ActionKind, whole
from cabochon.rules.cards import CARDS, DECK_SIZES, LEVELS, NOBLES
from cabochon.rules.errors import wrong
from cabochon.rules.gems import COLOURS, Gem
from cabochon.rules.ruleset import TAKE_COLOURS, TOKENS_OF_COLOUR

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

    Raises WrongArgument for anything but a count.
    """
    number = whole(count)
    if number is None or not 0 <= number <= MOST_RECORDS:
        raise wrong("count", "count", count)
    return np.zeros(number, STATE)


# The cards as words, computed from the one home of the prices, ``cabochon.rules.cards``.
#
# Numba freezes these arrays into the machine code; the cache's name depends on the card data. A
# card index is a byte & 127, so every table of cards has 128 rows: no byte can point outside.


LANE = 8
GOLD_LANE = int(Gem.GOLD)
"""Of tokens ..."""
POINTS_LANE = 5
"""... and of sides, which have no gold, points there."""
CARDS_LANE = 6
UNAFFORDABLE = 127
"""The price of an empty place, in one lane only so that a sum of lanes stays below 256."""

COLOUR_COUNT = len(COLOURS)


def lanes(counts: tuple[int, ...]) -> int:
    """Counts as one word, the first in the lowest lane."""
    return sum(count << (LANE * lane) for lane, count in enumerate(counts))


def _card_words() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    price = np.full(128, UNAFFORDABLE, np.uint64)
    gain = np.zeros(128, np.uint64)
    level = np.zeros(128, np.uint8)
    for card in CARDS:
        price[card.id] = lanes(card.cost[:COLOUR_COUNT])
        gain[card.id] = (
            (1 << LANE * card.bonus)
            + (card.points << LANE * POINTS_LANE)
            + (1 << LANE * CARDS_LANE)
        )
        level[card.id] = card.level - 1
    for hidden in range(3):
        level[NO_CARD + 1 + hidden] = hidden
    return price, gain, level


def _noble_words() -> tuple[np.ndarray, np.ndarray]:
    price = np.full(16, UNAFFORDABLE, np.uint64)
    gain = np.zeros(16, np.uint64)
    for noble in NOBLES:
        price[noble.id] = lanes(noble.cost[:COLOUR_COUNT])
        gain[noble.id] = noble.points << LANE * POINTS_LANE
    return price, gain


PRICE, GAIN, LEVEL = _card_words()
NOBLE_PRICE, NOBLE_GAIN = _noble_words()

LEVEL_START = np.array(LEVEL_FIRST, np.uint8)
FULL_POOL = np.array(
    [(1 << sum(card.level == level for card in CARDS)) - 1 for level in LEVELS], np.uint64
)
TOKENS = np.array([TOKENS_OF_COLOUR.get(seats, 0) for seats in range(5)], np.uint64)

DIFFERENT = tuple(
    tuple(int(gem) for gem in COLOURS if action.gems[gem])
    for action in ACTIONS
    if action.kind is ActionKind.TAKE and max(action.gems) == 1
)
"""The colours of each take of different colours: actions 0..24."""


def _take_words() -> np.ndarray:
    """The tokens of every take, by its action; two empty words fill up the table."""
    words = [lanes(action.gems) for action in ACTIONS if action.kind is ActionKind.TAKE]
    return np.array([*words, 0, 0], np.uint64)


def _legal_different() -> np.ndarray:
    """[scarce, colours in the bank as five bits] -> legal actions 0..24 as bits."""
    table = np.zeros((2, 32), np.uint64)
    for available in range(32):
        wanted = min(TAKE_COLOURS, available.bit_count())
        bits = 0
        for action, colours in enumerate(DIFFERENT):
            if len(colours) == wanted and all(available >> colour & 1 for colour in colours):
                bits |= 1 << action
        table[1, available] = bits
        table[0, available] = bits if wanted == TAKE_COLOURS else 0
    return table


TAKE = _take_words()
LEGAL_DIFFERENT = _legal_different()

assert len(CARDS) == CARD_COUNT
assert [int(LEVEL[first]) for first in LEVEL_FIRST] == [0, 1, 2]
