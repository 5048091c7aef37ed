"""The cards as words, computed from the one home of the prices, ``cabochon.rules.cards``.

Numba freezes these arrays into the machine code; the cache's name depends on the card data.
A card index is a byte & 127, so every table of cards has 128 rows: no byte can point outside.
"""

from __future__ import annotations

import numpy as np

from cabochon.kernel.actions import ACTIONS, ActionKind
from cabochon.kernel.layout import CARD_COUNT, LEVEL_FIRST, NO_CARD
from cabochon.rules.cards import CARDS, LEVELS, NOBLES
from cabochon.rules.gems import COLOURS, Gem
from cabochon.rules.ruleset import TAKE_COLOURS, TOKENS_OF_COLOUR

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
