"""Sets of small numbers as bits of one word: how many, the n-th, the lowest.

``nth_bit`` is one pdep and one tzcnt where the CPU has BMI2, and a binary search by counts
elsewhere.  Both are compiled and tested on every machine that has both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from cabochon.kernel.cache import compiled, has_bmi2

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
