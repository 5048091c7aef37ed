"""Bits, lanes and the generator: the small arithmetic everything stands on."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np
import pytest

from cabochon.kernel import bits
from cabochon.kernel.bits import lowest_bit, nth_bit, nth_bit_portable, popcount
from cabochon.kernel.cache import has_bmi2
from cabochon.kernel.legal import to_group

u64 = np.uint64


@cache
def _one(function: Any) -> Callable[[Any], Any]:
    """An inlined function of one argument, in compiled code that Python may call."""
    return numba.njit(lambda word: function(word))  # type: ignore[no-any-return]


@cache
def _two(function: Any) -> Callable[[Any, Any], Any]:
    return numba.njit(lambda a, b: function(a, b))  # type: ignore[no-any-return]


def _words(count: int) -> list[int]:
    rng = random.Random(1)
    dense = [rng.getrandbits(64) for _ in range(count)]
    sparse = [rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64) for _ in dense]
    return [*dense, *sparse, 1, 1 << 63, (1 << 64) - 1]


def _lanes(rng: random.Random, most: int) -> list[int]:
    return [rng.randint(0, most) for _ in range(5)]


def _word(counts: list[int]) -> np.uint64:
    return u64(sum(count << 8 * lane for lane, count in enumerate(counts)))


@pytest.mark.parametrize("function", [nth_bit, nth_bit_portable], ids=["chosen", "portable"])
def test_the_nth_bit(function: object) -> None:
    assert callable(function)
    for word in _words(60):
        expected = [bit for bit in range(64) if word >> bit & 1]
        assert [int(function(u64(word), u64(n))) for n in range(len(expected))] == expected


def test_popcount_and_lowest_bit() -> None:
    for word in filter(None, _words(60)):
        assert int(popcount(u64(word))) == word.bit_count()
        assert int(lowest_bit(u64(word))) == (word & -word).bit_length() - 1


def test_both_paths_exist_where_the_machine_has_both() -> None:
    chosen_is_portable = bits.nth_bit is bits.nth_bit_portable
    assert chosen_is_portable != has_bmi2()


def test_lane_arithmetic_against_plain_counts() -> None:
    rng = random.Random(2)
    for _ in range(300):
        a, b = _lanes(rng, 127), _lanes(rng, 127)
        wa, wb = _word(a), _word(b)
        assert _two(bits.excess)(wa, wb) == _word(
            [max(0, x - y) for x, y in zip(a, b, strict=True)]
        )
        assert _two(bits.covers)(wa, wb) == all(x >= y for x, y in zip(a, b, strict=True))
        few = _lanes(rng, 50)
        assert int(_one(bits.sum_colours)(_word(few))) == sum(few)
        six = [*_lanes(rng, 30), rng.randint(0, 5)]
        assert int(_one(bits.sum_tokens)(_word(six))) == sum(six)
        assert [int(_two(bits.lane)(_word(six), lane)) for lane in range(6)] == six
        for least in (1, 4):
            expected = sum(1 << lane for lane, count in enumerate(six) if count >= least)
            assert int(_two(bits.at_least)(_word(six), least)) == expected


def test_means_above_seven_count_as_seven() -> None:
    rng = random.Random(3)
    for _ in range(200):
        counts = _lanes(rng, 46)
        group = int(_one(to_group)(_word(counts)))
        assert [group >> 4 * lane & 15 for lane in range(5)] == [min(7, n) for n in counts]
        assert group < 1 << 20


def test_the_generator_is_splitmix64() -> None:
    """The published outputs for seed 1234567."""
    state, step = 1234567, 0x9E3779B97F4A7C15
    outputs = []
    for _ in range(3):
        state = (state + step) & (2**64 - 1)
        outputs.append(int(_one(bits.mix)(u64(state))))
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_below_stays_below_and_is_even() -> None:
    rng = random.Random(4)
    counts = np.zeros(7, int)
    for _ in range(7000):
        counts[int(_two(bits.below)(u64(rng.getrandbits(64)), u64(7)))] += 1
    assert counts.min() > 850
    assert int(_two(bits.below)(u64(2**64 - 1), u64(40))) == 39


def test_streams_of_one_seed_differ() -> None:
    starts = {int(bits.stream_seed(u64(9), u64(k))) for k in range(2000)}
    assert len(starts) == 2000


def test_what_is_put_into_compiled_code_is_not_called_from_python() -> None:
    """It has no wrapper for that; a call would end the process."""
    with pytest.raises(TypeError, match="lane is for compiled code"):
        bits.lane(u64(1), 0)
    _two(bits.lane)(u64(1), 0)
    with pytest.raises(TypeError, match="lane is for compiled code"):
        bits.lane(u64(1), 0)
