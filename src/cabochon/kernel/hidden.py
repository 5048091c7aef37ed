"""What a seat cannot know: removed from a record, and imagined afresh.

    full record --forget(viewer)--> information record --imagine(seed)--> a full record that
                                                                          the viewer cannot rule out

In an information record a blind reserved card of another seat is HIDDEN + level, its pool
contains it, and there is no generator.  ``packing.pack`` makes the same record from a View.
``decks`` keeps the true sizes throughout, so pool size = deck size + hidden cards of the level.
"""

from __future__ import annotations

import numpy as np

from cabochon.kernel.cache import compiled
from cabochon.kernel.card_words import LEVEL, LEVEL_START
from cabochon.kernel.layout import BLIND, CARD_BITS, HIDDEN, NO_CARD, Number, StateRow
from cabochon.kernel.step import draw

u64 = np.uint64
_ONE = u64(1)
WATCHER = 4
"""The viewer who holds no cards."""


@compiled
def forget(s: StateRow, viewer: Number) -> None:
    """Leave only what ``viewer`` (a seat, or WATCHER) may know; the generator is wiped."""
    s.rng = 0
    for slot in range(16):
        card = s.reserved[slot]
        if card >= BLIND and slot >> 2 != viewer:
            card &= CARD_BITS
            level = np.int64(LEVEL[card])
            s.pool[level] |= _ONE << (u64(card) - u64(LEVEL_START[level]))
            s.reserved[slot] = HIDDEN + level


@compiled
def imagine(s: StateRow, seed: np.uint64) -> None:
    """Fill in every hidden card from its pool, each consistent world alike, and seed the future.

    Nothing else changes; a record without hidden cards is only seeded.
    """
    s.rng = seed
    for slot in range(16):
        card = s.reserved[slot]
        if HIDDEN <= card < HIDDEN + 3:
            level = np.int64(card) - HIDDEN
            drawn = draw(s, level)
            s.pool[level] &= ~(_ONE << (u64(drawn) - u64(LEVEL_START[level])))
            s.reserved[slot] = drawn | BLIND


@compiled
def has_hidden(s: StateRow) -> bool:
    """Whether the record must be imagined before it can be played."""
    hidden = False
    for slot in range(16):
        hidden |= (s.reserved[slot] & CARD_BITS) > NO_CARD
    return hidden
