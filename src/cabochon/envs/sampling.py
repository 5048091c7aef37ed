"""Uniform legal actions from masks, compiled: NumPy takes longer for that than the games take for
a step."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cabochon.envs.refusals import BadArgument, EnvFault
from cabochon.kernel.bits import below
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import Ints, Masks

u64 = np.uint64


def sample(mask: npt.ArrayLike, generator: np.random.Generator | None = None) -> Any:
    """An action of each row of the mask, all equally likely: an array for (n, 72), a number for
    (72,). Without a generator they can't be predicted. Raises BadArgument for a malformed mask, or
    one that allows nothing."""
    given = np.asarray(mask)
    if given.ndim not in (1, 2) or given.dtype.kind not in "iub":
        what = f"{given.dtype} of shape {given.shape}"
        raise _no_mask(what)
    flags = np.ascontiguousarray(np.atleast_2d(given)).astype(np.uint8, copy=False)
    generator = np.random.default_rng() if generator is None else generator
    words = generator.integers(2**64, size=len(flags), dtype=np.uint64)
    actions = np.empty(len(flags), np.int64)
    empty = int(sample_masks(flags, words, actions))
    if empty >= 0:
        raise _no_mask(f"nothing in row {empty}")
    return int(actions[0]) if given.ndim == 1 else actions


def _no_mask(given: str) -> BadArgument:
    known = "an array of 0 and 1 of shape (n, actions) or (actions,) with a 1 in each row"
    return BadArgument(EnvFault.BAD_CHOICE, what="mask", known=known, given=given)


@compiled
def sample_masks(masks: npt.NDArray[np.uint8], words: Masks, actions: Ints) -> int:
    """An action of each row, by a random word; returns the first row that allows none, or -1."""
    for row in range(masks.shape[0]):
        flags = masks[row]
        count = 0
        for action in range(masks.shape[1]):
            count += flags[action] != 0
        if count == 0:
            return row
        left = np.int64(below(words[row], u64(count)))
        for action in range(masks.shape[1]):
            if flags[action] != 0:
                if left == 0:
                    actions[row] = action
                    break
                left -= 1
    return -1
