"""Self-play beside the loop: weights come from the trainer's folder, positions go back there.

Any number of workers can help one loop: processes on this or another machine that see the same
folder, or a cluster, to which the weights are sent and from which the positions come back.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.search.net import Weights, load_weights
from cabochon.search.simulate import SearchSettings
from cabochon.train.config import TrainingConfig
from cabochon.train.samples import Samples, new_samples
from cabochon.train.selfplay import (
    ROOM_SAMPLES,
    STATISTICS,
    SelfPlayBuffers,
    Statistics,
    new_buffers,
    new_statistics,
    play_games,
)
from cabochon.workers import Executor

GAMES = 40
WAIT_SECONDS = 2.0
MOST_WAITING = 50
"""Files that may lie in the folder unread before a worker pauses."""

_OLDER_FILES = {
    "games": 0,
    "decisions": 1,
    "first_seat_share": 2,
    "rounds": 3,
    "winner_points": 4,
    "quick_games": 6,
    "reservations": 7,
    "searches": 8,
    "shy_share": 11,
    "shy_seats": 12,
}
"""Where the statistics are in the plain ``tally`` that workers wrote until November 2026."""


def incoming(folder: Path) -> Path:
    """Where workers put their files."""
    return folder / "incoming"


class SelfPlayTask(NamedTuple):
    """Some games to be played with these weights."""

    weights: Weights
    config: TrainingConfig
    seed: int
    games: int = GAMES


class SelfPlayResult(NamedTuple):
    """The positions of those games, and what the games add up to."""

    seed: int
    samples: Samples
    statistics: Statistics


def play_task(task: SelfPlayTask) -> SelfPlayResult:
    """Play them: the same task gives the same positions wherever it runs."""
    buffers, samples = _room()
    config = task.config
    count = play_games(
        buffers,
        _writable(task.weights),
        SearchSettings(exploration=config.exploration, uniform=config.uniform),
        config.selfplay,
        config.mix,
        np.uint64(task.seed),
        task.games,
        samples,
    )
    return SelfPlayResult(task.seed, samples.copied(int(count)), buffers.statistics.copy())


def _writable(weights: Weights) -> Weights:
    """A cluster hands over read-only arrays, for which all of self-play would be compiled again."""
    return Weights._make(array if array.flags.writeable else array.copy() for array in weights)


@cache
def _room() -> tuple[SelfPlayBuffers, Samples]:
    """Working memory, once per process."""
    return new_buffers(), new_samples(ROOM_SAMPLES)


def work(config: TrainingConfig, home: Path, stop: threading.Event, executor: Executor) -> None:
    """Play with the newest weights on all of the executor's workers until ``stop`` is set."""
    folder = config.folder(home)
    incoming(folder).mkdir(parents=True, exist_ok=True)
    for done in executor.map(play_task, _tasks(config, folder, stop)):
        write_file(incoming(folder) / f"{done.seed:016x}.npz", done.samples, done.statistics)


def _tasks(config: TrainingConfig, folder: Path, stop: threading.Event) -> Iterator[SelfPlayTask]:
    generator = np.random.default_rng()
    current = folder / "current.npz"
    while not stop.is_set():
        if not current.exists() or len(list(incoming(folder).glob("*.npz"))) >= MOST_WAITING:
            stop.wait(WAIT_SECONDS)
            continue
        yield SelfPlayTask(load_weights(current), config, int(generator.integers(1, 2**63)))


def write_file(path: Path, samples: Samples, statistics: Statistics) -> None:
    """Positions and the statistics of their games, all or nothing."""
    draft = path.with_suffix(".draft")
    with draft.open("wb") as file:
        np.savez(file, allow_pickle=False, statistics=statistics, **samples.to_arrays())
    draft.replace(path)


def take_files(folder: Path) -> list[tuple[Samples, Statistics]]:
    """Read and remove what workers have finished."""
    found = []
    for path in sorted(incoming(folder).glob("*.npz")):
        with np.load(path, allow_pickle=False) as archive:
            samples = Samples.from_archive(archive)
            if "statistics" in archive:
                statistics = archive["statistics"].astype(STATISTICS)
            else:
                statistics = _from_tally(archive["tally"])
        found.append((samples, statistics))
        path.unlink()
    return found


def _from_tally(tally: npt.NDArray[np.float64]) -> Statistics:
    statistics = new_statistics()
    for name, place in _OLDER_FILES.items():
        statistics[name] = tally[place]
    return statistics
