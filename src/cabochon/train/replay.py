"""The newest positions of self-play, a ring in memory that can be kept on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cabochon.kernel.layout import STATE
from cabochon.train.batch import Indexes
from cabochon.train.sample import Samples, new_samples


class Replay:
    """Up to ``capacity`` positions; the oldest give way."""

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
        """Places of ``count`` positions out of the newest ``window``."""
        newest = min(window, len(self))
        age = generator.integers(1, newest + 1, count)
        return (self.added - age) % self.capacity

    def save(self, path: Path) -> None:
        """Write the positions, whole or not at all."""
        count = len(self)
        draft = path.with_suffix(".draft")
        where = (self.added - count + np.arange(count)) % self.capacity
        arrays = {name: column[where] for name, column in self.samples._asdict().items()}
        arrays["states"] = arrays["states"].view(np.uint8).reshape(count, STATE.itemsize)
        with draft.open("wb") as file:
            np.savez(file, **arrays)
        draft.replace(path)

    def load(self, path: Path) -> None:
        """Add the positions of a file, if it is there."""
        if not path.exists():
            return
        with np.load(path) as archive:
            arrays = {name: archive[name] for name in Samples._fields}
        arrays["states"] = arrays["states"].reshape(-1).view(STATE)
        self.add(Samples(**arrays).rows(slice(-self.capacity, None)))
