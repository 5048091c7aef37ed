"""Uniform legal actions from masks, compiled: NumPy takes longer for that than the games take for
a step."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cabochon.envs.refusals import BadArgument, EnvFault, shown
from cabochon.kernel.bits import below
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import Ints, Masks

u64 = np.uint64


def sample(mask: npt.ArrayLike, generator: np.random.Generator | None = None) -> Any:
    """An action of each row of the mask, all equally likely: an array for (n, 72), a number for
    (72,). Without a generator they can't be predicted. Raises BadArgument for a malformed mask, one
    that allows nothing, and for anything but a generator."""
    given = _as_mask(mask)
    if not isinstance(generator, np.random.Generator | None):
        raise BadArgument(EnvFault.BAD_GENERATOR, given=shown(generator))
    flags = np.ascontiguousarray(np.atleast_2d(given)).astype(np.uint8, copy=False)
    generator = np.random.default_rng() if generator is None else generator
    words = generator.integers(2**64, size=len(flags), dtype=np.uint64)
    actions = np.empty(len(flags), np.int64)
    empty = int(sample_masks(flags, words, actions))
    if empty >= 0:
        raise BadArgument(EnvFault.EMPTY_MASK, row=empty)
    return int(actions[0]) if given.ndim == 1 else actions


def _as_mask(given: npt.ArrayLike) -> npt.NDArray[Any]:
    """The mask as an array of whole numbers. Raises BadArgument."""
    try:
        mask = np.asarray(given)
    except (ValueError, TypeError):
        raise BadArgument(EnvFault.BAD_MASK, given=shown(given)) from None
    if mask.ndim not in (1, 2) or mask.dtype.kind not in "iub":
        raise BadArgument(EnvFault.BAD_MASK, given=f"{mask.dtype} {mask.shape}")
    return mask


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
