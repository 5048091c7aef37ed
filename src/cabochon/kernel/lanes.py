"""Arithmetic on words of 8-bit lanes (picture in ``layout``): five or six counts at once.

Every lane stays below 128, so its high bit is free to catch a borrow:

    (a | HIGH) - b        per lane: high bit still set  <=>  a >= b, and the rest is a - b
"""

from __future__ import annotations

import numpy as np

from cabochon.kernel.cache import inlined
from cabochon.kernel.layout import Number

u64 = np.uint64

HIGH = u64(0x80_80_80_80_80)
"""The high bit of the five colour lanes."""
HIGH_SIX = u64(0x80_80_80_80_80_80)
COLOURS = u64(0xFF_FF_FF_FF_FF)
_GATHER = u64(0x0102040810204080)
_LANE = u64(0xFF)
_ONES_SIX = u64(0x01_01_01_01_01_01)


@inlined
def lane(word: np.uint64, index: Number) -> np.uint64:
    """One count of a word."""
    return (word >> (u64(index) << u64(3))) & _LANE


@inlined
def excess(a: np.uint64, b: np.uint64) -> np.uint64:
    """``max(0, a - b)`` in each colour lane; other lanes must be empty."""
    difference = (a | HIGH) - b
    kept = difference & HIGH
    return difference & (kept - (kept >> u64(7)))


@inlined
def sum_colours(word: np.uint64) -> np.uint64:
    """The sum of the five colour lanes, by shifts: LLVM makes vectors of these."""
    word += word >> u64(32)
    word += word >> u64(16)
    word += word >> u64(8)
    return word & _LANE


@inlined
def sum_tokens(word: np.uint64) -> np.uint64:
    """The sum of all six lanes of a token word: a multiplication adds them all into the sixth."""
    return ((word * _ONES_SIX) >> u64(40)) & _LANE


@inlined
def covers(a: np.uint64, b: np.uint64) -> bool:
    """Whether ``a >= b`` in every colour lane; other lanes must be empty."""
    return bool(((a | HIGH) - b) & HIGH == HIGH)


@inlined
def at_least(word: np.uint64, least: Number) -> np.uint64:
    """The lanes of a six-lane word that hold ``least`` or more, as bits 0..5."""
    # A lane that has enough overflows into its high bit; the multiplication then gathers the six
    # high bits, eight apart, into neighbouring ones.
    reach = (word + u64(128 - least) * _ONES_SIX) & HIGH_SIX
    return ((reach >> u64(7)) * _GATHER) >> u64(56)
