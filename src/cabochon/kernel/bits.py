"""Words of 64 bits: sets of small numbers, lanes of eight bits, random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from cabochon.kernel.cache import compiled, has_bmi2, inlined
from cabochon.kernel.layout import Number, StateRow

# Sets of small numbers as bits of one word: how many, the n-th, the lowest.
#
# ``nth_bit`` is one pdep and one tzcnt where the CPU has BMI2, and a binary search by counts
# elsewhere. Both are compiled and tested on every machine that has both.


u64 = np.uint64
_ONE = u64(1)
_HAS_BMI2 = has_bmi2()


@intrinsic
def _ctpop(typingctx: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def _cttz(typingctx: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


@intrinsic
def _pdep(typingctx: Any, word: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word64 = ir.IntType(64)
        function = builder.module.declare_intrinsic(
            "llvm.x86.bmi.pdep.64", (), ir.FunctionType(word64, [word64, word64])
        )
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), codegen


@compiled
def popcount(word: np.uint64) -> np.uint64:
    """How many bits are set."""
    return _ctpop(word)  # type: ignore[call-arg]


@compiled
def lowest_bit(word: np.uint64) -> np.uint64:
    """Index of the lowest set bit; 64 for an empty word."""
    return _cttz(word)  # type: ignore[call-arg]


@compiled
def nth_bit_portable(word: np.uint64, n: np.uint64) -> np.uint64:
    """``nth_bit`` with no special instruction: halve the word six times, following the count."""
    index = u64(0)
    width = u64(32)
    while width:
        below = popcount(word & ((_ONE << width) - _ONE))
        if n >= below:
            n -= below
            word >>= width
            index += width
        width >>= _ONE
    return index


if _HAS_BMI2:

    @compiled
    def nth_bit(word: np.uint64, n: np.uint64) -> np.uint64:
        """Index of the n-th set bit, from 0; ``n`` must be below ``popcount(word)``."""
        return _cttz(_pdep(_ONE << n, word))  # type: ignore[call-arg]

else:
    nth_bit = nth_bit_portable


# Arithmetic on words of 8-bit lanes (picture in ``layout``): five or six counts at once.
#
# Every lane stays below 128, so its high bit is free to catch a borrow:
#
#     (a | HIGH) - b        per lane: high bit still set  <=>  a >= b, and the rest is a - b


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


# SplitMix64 on the word that a record carries, or on one of your own.
#
# Randomness is an argument: nothing here has a state of its own. A copy of a record copies its
# generator, so a search must reseed every copy (``playout.imagine`` does), or it would read the
# future of the true game.


_STEP = u64(0x9E3779B97F4A7C15)
_MIX_1 = u64(0xBF58476D1CE4E5B9)
_MIX_2 = u64(0x94D049BB133111EB)


@inlined
def mix(word: np.uint64) -> np.uint64:
    """A bijection of words that looks random: the output function of SplitMix64."""
    word = (word ^ (word >> u64(30))) * _MIX_1
    word = (word ^ (word >> u64(27))) * _MIX_2
    return word ^ (word >> u64(31))


@compiled
def stream_seed(seed: np.uint64, stream: np.uint64) -> np.uint64:
    """A generator state for the ``stream``-th of many independent generators from one seed."""
    return mix(mix(seed + _STEP) ^ (stream * _MIX_2 + _STEP))


@inlined
def next_word(s: StateRow) -> np.uint64:
    """The next 64 random bits from the record's generator."""
    s.rng += _STEP
    return mix(s.rng)


@inlined
def below(word: np.uint64, n: np.uint64) -> np.uint64:
    """A number in 0..n-1 from a random word, by its upper half; uneven by less than n / 2**32."""
    return ((word >> u64(32)) * n) >> u64(32)
