"""Positions worth learning from: the rows that self-play writes, the buffer that keeps the newest
of them, and the batches that the model learns from."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.kernel.actions import ACTION_COUNT, GIVE_BACK
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import STATE, Bools, Floats, StateRow, States, new_states
from cabochon.kernel.legal import first_action, legal_mask
from cabochon.search import rows
from cabochon.search.encoding import Lists, encode

u64 = np.uint64
_ONE = u64(1)
Indexes = npt.NDArray[np.int64]

POLICY_SCALE = 255
_MARGIN_SCALE, _ROUNDS_SCALE = 10, 15
"""The two extra targets are divided by these, so that all losses have about the same size."""


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

    def copied(self, count: int) -> Samples:
        """A copy of the first ``count`` rows."""
        return Samples._make(column[:count].copy() for column in self)

    def to_arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """As a file keeps them: records as plain bytes, since a reader need not know the dtype."""
        arrays: dict[str, npt.NDArray[np.generic]] = dict(self._asdict())
        states = np.ascontiguousarray(self.states)
        arrays["states"] = states.view(np.uint8).reshape(len(states), STATE.itemsize)
        return arrays

    @classmethod
    def from_archive(cls, archive: np.lib.npyio.NpzFile) -> Samples:
        """What ``to_arrays`` put into a file."""
        arrays = {name: archive[name] for name in cls._fields}
        arrays["states"] = arrays["states"].reshape(-1).view(STATE)
        return cls(**arrays)


def new_samples(count: int) -> Samples:
    """Room for ``count`` rows."""
    return Samples(
        states=new_states(count),
        policy=np.zeros((count, ACTION_COUNT), np.uint8),
        value=np.zeros((count, 4), np.float32),
        result=np.zeros((count, 4), np.float32),
        margin=np.zeros(count, np.float32),
        left=np.zeros(count, np.float32),
        full=np.zeros(count, np.uint8),
    )


class ReplayBuffer:
    """The newest ``capacity`` positions: a ring in memory that can be saved to disk."""

    def __init__(self, capacity: int) -> None:
        self.samples = new_samples(capacity)
        self.capacity = capacity
        self.added = 0

    def __len__(self) -> int:
        return min(self.added, self.capacity)

    def add(self, fresh: Samples) -> None:
        """Copy the rows of ``fresh`` in."""
        count = len(fresh.full)
        where = (self.added + np.arange(count)) % self.capacity
        new = fresh._asdict()
        for name, column in self.samples._asdict().items():
            column[where] = new[name]
        self.added += count

    def draw(self, generator: np.random.Generator, count: int, window: int) -> Indexes:
        """The places of ``count`` positions out of the newest ``window``."""
        newest = min(window, len(self))
        age = generator.integers(1, newest + 1, count)
        return (self.added - age) % self.capacity

    def save(self, path: Path) -> None:
        """Write the positions, all or nothing."""
        count = len(self)
        where = (self.added - count + np.arange(count)) % self.capacity
        ordered = Samples._make(column[where] for column in self.samples)
        draft = path.with_suffix(".draft")
        with draft.open("wb") as file:
            np.savez(file, allow_pickle=False, **ordered.to_arrays())
        draft.replace(path)

    def load(self, path: Path) -> None:
        """Add the positions of a file, if there is one."""
        if not path.exists():
            return
        with np.load(path) as archive:
            kept = Samples.from_archive(archive)
        self.add(kept.rows(slice(-self.capacity, None)))


class TrainingBatch(NamedTuple):
    """Inputs as lists of rows, then the targets, by side in the mover's order (0 is the mover)."""

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


def new_batch(size: int) -> TrainingBatch:
    """Room for ``size`` positions."""
    return TrainingBatch(
        cards=np.zeros((size, rows.CARD_PLACES, rows.CARD_LIST), np.int32),
        others=np.zeros((size, rows.OTHER_PLACES, rows.OTHER_LIST), np.int32),
        nobles=np.zeros((size, rows.NOBLE_PLACES, rows.NOBLE_LIST), np.int32),
        facts=np.zeros((size, 1, rows.FACT_LIST), np.int32),
        counts=np.zeros((size, rows.COUNTS), np.int32),
        legal=np.zeros((size, ACTION_COUNT), np.bool_),
        policy=np.zeros((size, ACTION_COUNT), np.float32),
        policy_weight=np.zeros(size, np.float32),
        value=np.zeros((size, 4), np.float32),
        sides=np.zeros((size, 4), np.bool_),
        extra=np.zeros((size, 2), np.float32),
    )


@compiled
def fill_batch(samples: Samples, which: Indexes, root_share: float, batch: TrainingBatch) -> None:
    """Write the positions ``which`` into the first places of the batch.

    The value to learn is the result, mixed with ``root_share`` of what the search thought.
    """
    for k in range(len(which)):
        row = which[k]
        # The very function that play uses, so a network is never trained on other inputs.
        encode(
            samples.states[row],
            Lists(
                batch.cards[k], batch.others[k], batch.nobles[k], batch.facts[k, 0], batch.counts[k]
            ),
        )
        _fill_policy(samples, row, batch, k)
        _fill_values(samples, row, root_share, batch, k)
        batch.extra[k, 0] = samples.margin[row] / _MARGIN_SCALE
        batch.extra[k, 1] = samples.left[row] / _ROUNDS_SCALE


@compiled
def fill_legal(s: StateRow, legal: Bools) -> None:
    """The legal actions of the seat to move, a flag each."""
    mask = legal_mask(s)
    base = first_action(s.phase)
    for action in range(ACTION_COUNT):
        bit = action - base
        # No phase has more actions than ACT, whose bits end at GIVE_BACK; a longer shift of a
        # 64-bit word would be undefined.
        legal[action] = 0 <= bit < GIVE_BACK and (mask >> u64(bit)) & _ONE != u64(0)


@compiled
def _fill_policy(samples: Samples, row: int, batch: TrainingBatch, k: int) -> None:
    fill_legal(samples.states[row], batch.legal[k])
    total = np.float32(0)
    for action in range(ACTION_COUNT):
        batch.policy[k, action] = samples.policy[row, action]
        total += batch.policy[k, action]
    for action in range(ACTION_COUNT):
        batch.policy[k, action] /= max(total, np.float32(1))
    batch.policy_weight[k] = samples.full[row]


@compiled
def _fill_values(
    samples: Samples, row: int, root_share: float, batch: TrainingBatch, k: int
) -> None:
    s = samples.states[row]
    sides = 2 if s.side_mask == 1 else np.int64(s.seats)
    for side in range(4):
        seat = (np.int64(s.seat) + side) % np.int64(s.seats)
        mixed = (1 - root_share) * samples.result[row, seat]
        mixed += root_share * samples.value[row, seat]
        batch.value[k, side] = mixed if side < sides else 0
        batch.sides[k, side] = side < sides
