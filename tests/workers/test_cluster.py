"""The same match, and the same games for a dataset, on a local Ray of two workers: the same
bytes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from operator import neg
from pathlib import Path

import numpy as np
import pytest

from cabochon.arena import format_report, play_match
from cabochon.dataset import Job, write_dataset
from cabochon.rules import Ruleset
from cabochon.search.net import load_weights, save_weights
from cabochon.search.searcher import WEIGHTS
from cabochon.train.config import CONFIGS, SelfPlayConfig
from cabochon.train.samples import Samples
from cabochon.train.selfplayworker import SelfPlayTask, play_task, take_files, work
from cabochon.workers import ClusterError, Executor, Inline, ray_executor
from tests.arena.test_tournament import quick_match

pytest.importorskip("ray", reason="needs the extra `cluster`")
read_table = pytest.importorskip("pyarrow.parquet", reason="needs the extra `data`").read_table
pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def cluster() -> Iterator[Executor]:
    executor = ray_executor("local:2")
    yield executor
    executor.close()


def test_two_workers_give_the_bytes_of_one(cluster: Executor) -> None:
    assert cluster.workers == 2
    match = quick_match(games=6)
    there, here = play_match(match, cluster), play_match(match, Inline())
    assert format_report(there) == format_report(here)


def test_selfplay_gives_the_games_of_one(cluster: Executor, tmp_path: Path) -> None:
    job = Job(Ruleset.preset("quick"), ("greedy", "uniform"), 3, 24, decisions=True)
    for name, executor in (("there", cluster), ("here", Inline())):
        write_dataset(job, tmp_path / f"{name}.games", tmp_path / f"{name}.rows", executor)
    for kind in ("games", "rows"):
        there, here = (read_table(tmp_path / f"{name}.{kind}") for name in ("there", "here"))
        assert there.equals(here)
        assert there.num_rows >= 24


def test_training_gets_the_positions_of_one(cluster: Executor, tmp_path: Path) -> None:
    """A worker on the cluster fills the folder of a trainer, with what it would have played."""
    pytest.importorskip("numba")
    config = replace(CONFIGS[2], selfplay=SelfPlayConfig(full_visits=16, quick_visits=4))
    weights = load_weights(WEIGHTS / "players-2.npz")
    current = config.folder(tmp_path) / "current.npz"
    current.parent.mkdir()
    save_weights(current, weights, {})
    tasks = [SelfPlayTask(weights, config, seed, games=2) for seed in (1, 2, 3)]
    for there, here in zip(cluster.map(play_task, tasks), map(play_task, tasks), strict=True):
        for column in Samples._fields:
            assert np.array_equal(getattr(there.samples, column), getattr(here.samples, column))
    stop = StopAfter(3)
    work(config, tmp_path, stop, cluster)
    files = take_files(config.folder(tmp_path))
    assert len(files) == 3
    assert all(len(samples.full) > 40 for samples, _ in files)
    assert all(statistics["games"].item() == 40 for _, statistics in files)


class StopAfter(threading.Event):
    """Set once it was asked so often."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._times = times

    def is_set(self) -> bool:
        self._times -= 1
        return self._times < 0


def test_what_fails_there_is_heard_of_here(cluster: Executor) -> None:
    with pytest.raises(ZeroDivisionError):
        list(cluster.map(reciprocal, [1, 0]))


def reciprocal(number: int) -> float:
    return 1 / number


def test_results_come_in_the_order_of_the_tasks(cluster: Executor) -> None:
    assert list(cluster.map(neg, range(30))) == [-n for n in range(30)]


def test_no_such_place() -> None:
    with pytest.raises(ClusterError) as caught:
        ray_executor("local:many")
    assert "local:many" in caught.value.en
    assert "local:many" in caught.value.zh
