"""Games to the end by chance: uniform over the legal actions, or cheaply biased to sensible ones.

The biased policy buys when it can (15 times in 16), else takes tokens (7 in 8), and gives gold
back last.  It looks at nothing but the legal word, so it costs as much as the uniform one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cabochon.kernel.actions import BUY, PASS, RESERVE
from cabochon.kernel.bits import below, next_word, nth_bit, popcount, stream_seed
from cabochon.kernel.cache import compiled, inlined
from cabochon.kernel.layout import (
    ACT,
    BLIND,
    CARD_BITS,
    HIDDEN,
    LEVEL,
    LEVEL_START,
    NO_CARD,
    NO_NOBLE,
    OVER,
    RETURN,
    Number,
    StateRow,
    States,
)
from cabochon.kernel.legal import first_action, legal_mask
from cabochon.kernel.opening import deal_opening
from cabochon.kernel.step import draw, step_unchecked, write_shares

# What a seat cannot know: removed from a record, and imagined afresh.
#
#     full record --forget(viewer)--> information record --imagine(seed)--> a full record that
#                                                                     the viewer cannot rule out
#
# In an information record a blind reserved card of another seat is HIDDEN + level, its pool
# contains it, and there is no generator.  ``packing.pack`` makes the same record from a View.
# ``decks`` keeps the true sizes throughout, so pool size = deck size + hidden cards of the level.


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


TURN_LIMIT = 2000
"""Random games to 15 last some 30 to 60 turns; some far targets could never be reached."""

_ALL_TAKES = u64((1 << RESERVE) - 1)
_ALL_BUYS = u64((1 << PASS) - (1 << BUY))
_ALL_COLOURS = u64(0b011111)


@inlined
def random_action(s: StateRow) -> Number:
    """One of the legal actions, each alike, by the record's generator."""
    return _pick(s, legal_mask(s), next_word(s))


@compiled
def biased_action(s: StateRow) -> Number:
    """A legal action of the biased policy, by the record's generator."""
    word = next_word(s)
    return _pick(s, _preferred(s, legal_mask(s), word), word)


@inlined
def _pick(s: StateRow, mask: np.uint64, word: np.uint64) -> Number:
    """One of the actions in the mask, by the upper half of the word: the lower half may have been
    used up by ``_preferred``."""
    bit = nth_bit(mask, below(word, popcount(mask)))
    return first_action(s.phase) + np.int64(bit)


@inlined
def _preferred(s: StateRow, mask: np.uint64, word: np.uint64) -> np.uint64:
    """The part of the legal actions that the biased policy chooses from, by the word's low bits."""
    if s.phase == ACT:
        if mask & _ALL_BUYS and word & u64(15):
            return mask & _ALL_BUYS
        if mask & _ALL_TAKES and word & u64(0x70):
            return mask & _ALL_TAKES
    elif s.phase == RETURN and mask & _ALL_COLOURS:
        return mask & _ALL_COLOURS
    return mask


@compiled
def play_out(s: StateRow, turn_limit: Number) -> Number:
    """Uniform random actions to the end, or to the turn limit; returns how many decisions."""
    decisions = 0
    while s.phase != OVER and s.turn < turn_limit:
        step_unchecked(s, random_action(s))
        decisions += 1
    return decisions


@compiled
def sum_playouts(
    states: States,
    index: Number,
    work: States,
    seed: np.uint64,
    count: Number,
    biased: bool,
    shares: npt.NDArray[np.float64],
) -> Number:
    """Add each seat's parts of the victory over ``count`` games from ``states[index]`` to
    ``shares``; returns how many decisions.  ``work`` is room for one record.

    Every game has a generator of its own and imagines hidden cards anew.  A table that is only
    cleared is dealt for each game, so the same function plays whole games.
    """
    one = np.zeros(4, np.float32)
    decisions = 0
    s = work[0]
    for game in range(count):
        work[0] = states[index]
        imagine(s, stream_seed(seed, u64(game)))
        if s.nobles[0] == NO_NOBLE:
            deal_opening(s)
        limit = np.int64(s.turn) + TURN_LIMIT
        while s.phase != OVER and s.turn < limit:
            step_unchecked(s, biased_action(s) if biased else random_action(s))
            decisions += 1
        write_shares(s, one)
        for seat in range(4):
            shares[seat] += one[seat]
    return decisions
