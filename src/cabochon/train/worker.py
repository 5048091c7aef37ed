"""Self-play beside the loop: weights come from the course's folder, positions go back there.

Any number of workers can help one loop: processes on this or another machine that see the same
folder, or a cluster, to which the weights are sent and from which the positions come back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.kernel.layout import STATE
from cabochon.search.net import Weights, load_weights
from cabochon.search.simulate import Settings
from cabochon.train.course import Course
from cabochon.train.sample import Samples, new_samples
from cabochon.train.selfplay import Bench, new_bench, play_games
from cabochon.workers import Executor

GAMES = 40
WAIT_SECONDS = 2.0
MOST_WAITING = 50
"""Files that may lie in the folder unread before a worker pauses."""

Tally = npt.NDArray[np.float64]


def incoming(folder: Path) -> Path:
    """Where workers put their files."""
    return folder / "incoming"


class Task(NamedTuple):
    """Some games to be played with these weights."""

    weights: Weights
    course: Course
    seed: int
    games: int = GAMES


class Played(NamedTuple):
    """The positions of those games, and their tally."""

    seed: int
    samples: Samples
    tally: Tally


def played(task: Task) -> Played:
    """Play them: the same task gives the same positions, wherever it is done."""
    bench, samples = _room()
    count = play_games(
        bench,
        _writable(task.weights),
        Settings(exploration=task.course.exploration, uniform=task.course.uniform),
        task.course.recipe,
        task.course.mix,
        np.uint64(task.seed),
        task.games,
        samples,
    )
    rows = Samples._make(column[:count].copy() for column in samples)
    return Played(task.seed, rows, bench.tally.copy())


def _writable(weights: Weights) -> Weights:
    """A cluster hands over read-only arrays, for which all of self-play would be compiled anew."""
    return Weights._make(array if array.flags.writeable else array.copy() for array in weights)


@cache
def _room() -> tuple[Bench, Samples]:
    """Working memory, once a process."""
    return new_bench(1100), new_samples(40_000)


def work(course: Course, home: Path, stop: threading.Event, executor: Executor) -> None:
    """Play with the newest weights on all of the executor's hands until ``stop`` is set."""
    folder = course.folder(home)
    incoming(folder).mkdir(parents=True, exist_ok=True)
    for done in executor.map(played, _tasks(course, folder, stop)):
        write_file(incoming(folder) / f"{done.seed:016x}.npz", done.samples, done.tally)


def _tasks(course: Course, folder: Path, stop: threading.Event) -> Iterator[Task]:
    generator = np.random.default_rng()
    current = folder / "current.npz"
    while not stop.is_set():
        if not current.exists() or len(list(incoming(folder).glob("*.npz"))) >= MOST_WAITING:
            stop.wait(WAIT_SECONDS)
            continue
        yield Task(load_weights(current), course, int(generator.integers(1, 2**63)))


def write_file(path: Path, samples: Samples, tally: Tally) -> None:
    """Positions and the tally of their games, whole or not at all."""
    arrays: dict[str, np.ndarray] = dict(samples._asdict())
    arrays["states"] = samples.states.view(np.uint8).reshape(len(samples.full), STATE.itemsize)
    draft = path.with_suffix(".draft")
    with draft.open("wb") as file:
        np.savez(file, allow_pickle=False, tally=tally, **arrays)
    draft.replace(path)


def take_files(folder: Path) -> list[tuple[Samples, Tally]]:
    """Read and remove what workers have finished."""
    found = []
    for path in sorted(incoming(folder).glob("*.npz")):
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in Samples._fields}
            tally = archive["tally"]
        arrays["states"] = arrays["states"].reshape(-1).view(STATE)
        found.append((Samples(**arrays), tally))
        path.unlink()
    return found


def age(path: Path) -> float:
    """Seconds since a file was written; endless if there is none."""
    return time.time() - path.stat().st_mtime if path.exists() else float("inf")
