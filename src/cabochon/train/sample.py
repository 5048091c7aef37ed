"""What self-play writes down: one row a position that is worth learning from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.kernel.layout import States, new_states

POLICY_SCALE = 255


class Samples(NamedTuple):
    """Columns of equal length.

    The mover's information record; the root's policy in 255ths; the root's value and the result
    by seat (absolute); the mover's final lead in points and the rounds that were left; whether
    it was a full search, so that its policy is to be learnt.
    """

    states: States
    policy: npt.NDArray[np.uint8]
    value: npt.NDArray[np.float32]
    result: npt.NDArray[np.float32]
    margin: npt.NDArray[np.float32]
    left: npt.NDArray[np.float32]
    full: npt.NDArray[np.uint8]

    def rows(self, which: slice) -> Samples:
        """A view of some rows."""
        return Samples._make(column[which] for column in self)


def new_samples(count: int) -> Samples:
    """Room for ``count`` rows."""
    return Samples(
        new_states(count),
        np.zeros((count, 72), np.uint8),
        np.zeros((count, 4), np.float32),
        np.zeros((count, 4), np.float32),
        np.zeros(count, np.float32),
        np.zeros(count, np.float32),
        np.zeros(count, np.uint8),
    )
