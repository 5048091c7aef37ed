"""The same work on a Ray cluster (extra `cluster`). Every node needs this package installed.

auto            the cluster that this machine belongs to
HOST:PORT       the head of a cluster in the same network
ray://HOST:PORT a cluster reached through Ray's client
local:N         a cluster of N workers, started here and stopped at the end
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from importlib import import_module
from typing import Any

from cabochon.rules.errors import CabochonError
from cabochon.workers.executor import AHEAD, Executor, ResultT, TaskT

_LOCAL = "local:"


class ClusterFault(StrEnum):
    NO_RAY = "cluster-no-ray"
    NOT_THERE = "cluster-not-there"


class ClusterError(CabochonError):
    """There is no cluster to work on; `code` is a `ClusterFault`."""


def ray_executor(where: str = "auto") -> Executor:
    """Connect to the cluster, or start one. Raises ClusterError when there is no Ray or no
    cluster."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray = import_module("ray")
    except ImportError as error:
        raise ClusterError(ClusterFault.NO_RAY) from error
    try:
        if where.startswith(_LOCAL):
            _start(ray, int(where.removeprefix(_LOCAL)))
        else:
            ray.init(address=where, log_to_driver=False, logging_level="warning")
    except (ConnectionError, ValueError, RuntimeError) as error:
        why = str(error).splitlines()[0][:120]
        raise ClusterError(ClusterFault.NOT_THERE, where=where, why=why) from error
    return RayExecutor(ray)


def _start(ray: Any, workers: int) -> None:
    """A head node and its workers on this machine, reachable from nowhere else."""
    ray.init(
        address="local",
        num_cpus=workers,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
    )


class RayExecutor:
    """Tasks on the cores of a cluster, results in the order of the tasks."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def map(self, work: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]) -> Iterator[ResultT]:
        remote = self._ray.remote(num_cpus=1, max_retries=2)(_called).remote
        waiting: deque[Any] = deque()
        try:
            for task in tasks:
                waiting.append(remote(work, task))
                if len(waiting) > AHEAD * self.workers:
                    yield self._ray.get(waiting.popleft())
            while waiting:
                yield self._ray.get(waiting.popleft())
        finally:
            for reference in waiting:
                self._ray.cancel(reference)

    def close(self) -> None:
        self._ray.shutdown()


def _called(work: Callable[[TaskT], ResultT], task: TaskT) -> ResultT:
    return work(task)
