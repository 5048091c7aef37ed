"""SplitMix64 on the word that a record carries, or on one of your own.

Randomness is an argument: nothing here has a state of its own.  A copy of a record copies its
generator, so a search must reseed every copy (``hidden.imagine`` does), or it would read the future
of the true game.
"""

from __future__ import annotations

import numpy as np

from cabochon.kernel.cache import compiled, inlined
from cabochon.kernel.layout import StateRow

u64 = np.uint64
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
