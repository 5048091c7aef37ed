"""From rows of samples to the arrays that the model learns from, in compiled code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.kernel.cache import compiled
from cabochon.kernel.legal import first_action, legal_mask
from cabochon.search import rows
from cabochon.search.encoding import Lists, encode
from cabochon.search.net import Floats
from cabochon.train.sample import Samples

u64 = np.uint64
_ONE = u64(1)
Indexes = npt.NDArray[np.int64]


class Batch(NamedTuple):
    """Inputs as lists of rows, then the targets, sides in the mover's order (0 is the mover's)."""

    cards: npt.NDArray[np.int32]
    others: npt.NDArray[np.int32]
    nobles: npt.NDArray[np.int32]
    facts: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]
    legal: npt.NDArray[np.bool_]
    policy: Floats
    policy_weight: Floats
    value: Floats
    sides: npt.NDArray[np.bool_]
    extra: Floats


def new_batch(size: int) -> Batch:
    """Room for ``size`` positions."""
    return Batch(
        np.zeros((size, rows.CARD_PLACES, rows.CARD_LIST), np.int32),
        np.zeros((size, rows.OTHER_PLACES, rows.OTHER_LIST), np.int32),
        np.zeros((size, rows.NOBLE_PLACES, rows.NOBLE_LIST), np.int32),
        np.zeros((size, 1, rows.FACT_LIST), np.int32),
        np.zeros((size, rows.COUNTS), np.int32),
        np.zeros((size, 72), np.bool_),
        np.zeros((size, 72), np.float32),
        np.zeros(size, np.float32),
        np.zeros((size, 4), np.float32),
        np.zeros((size, 4), np.bool_),
        np.zeros((size, 2), np.float32),
    )


@compiled
def fill_batch(samples: Samples, which: Indexes, root_share: float, batch: Batch) -> None:
    """Write the positions ``which`` into the first places of the batch.

    The value to learn is the result, mixed with ``root_share`` of what the search thought.
    """
    for k in range(len(which)):
        row = which[k]
        s = samples.states[row]
        encode(
            s,
            Lists(
                batch.cards[k], batch.others[k], batch.nobles[k], batch.facts[k, 0], batch.counts[k]
            ),
        )
        mask = legal_mask(s)
        base = first_action(s.phase)
        total = np.float32(0)
        for action in range(72):
            bit = action - base
            batch.legal[k, action] = 0 <= bit < 61 and (mask >> u64(bit)) & _ONE != u64(0)
            batch.policy[k, action] = samples.policy[row, action]
            total += batch.policy[k, action]
        for action in range(72):
            batch.policy[k, action] /= max(total, np.float32(1))
        batch.policy_weight[k] = samples.full[row]
        teams = s.side_mask == 1
        sides = 2 if teams else np.int64(s.seats)
        for side in range(4):
            seat = (np.int64(s.seat) + side) % np.int64(s.seats)
            mixed = (1 - root_share) * samples.result[row, seat]
            mixed += root_share * samples.value[row, seat]
            batch.value[k, side] = mixed if side < sides else 0
            batch.sides[k, side] = side < sides
        batch.extra[k, 0] = samples.margin[row] / 10
        batch.extra[k, 1] = samples.left[row] / 15


@compiled
def sum_rows(
    table: Floats,
    lists: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    first: int,
    out: Floats,
) -> None:
    """``out[k, e]`` = the sum of the table's rows in list e of position k."""
    for k in range(lists.shape[0]):
        for e in range(lists.shape[1]):
            target = out[k, e]
            target[:] = 0
            for i in range(counts[k, first + e]):
                row = table[lists[k, e, i]]
                for j in range(target.shape[0]):
                    target[j] += row[j]


@compiled
def add_to_rows(
    table: Floats,
    lists: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    first: int,
    gradient: Floats,
) -> None:
    """The way back of ``sum_rows``: each list's gradient is added to its rows of ``table``."""
    for k in range(lists.shape[0]):
        for e in range(lists.shape[1]):
            source = gradient[k, e]
            for i in range(counts[k, first + e]):
                row = table[lists[k, e, i]]
                for j in range(source.shape[0]):
                    row[j] += source[j]
