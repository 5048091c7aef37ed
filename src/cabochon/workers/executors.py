"""Where independent pieces of work are done: in this process, in processes of this machine, on a
cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from enum import StrEnum
from importlib import import_module
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any, Protocol, TypeVar

from cabochon.rules.errors import CabochonError

# Work in this process, or in processes of this machine.


# What an executor is. It gives the results in the order of the tasks, whatever order they were
# finished in, so that nothing computed from them depends on how many hands helped.


TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")

AHEAD = 2
"""Tasks handed out for every worker: enough to keep it busy, little to throw away on a stop."""


class Executor(Protocol):
    """Somewhere to do independent pieces of work."""

    @property
    def workers(self) -> int: ...

    def map(self, work: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]) -> Iterator[ResultT]:
        """The results in order. `work` and what goes in and out can be pickled. Closing the
        iterator drops what has not begun."""
        ...

    def close(self) -> None:
        """Let the workers go."""
        ...


class Inline:
    """Everything in this process, one task after the other."""

    workers = 1

    def map(self, work: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]) -> Iterator[ResultT]:
        return map(work, tasks)

    def close(self) -> None:
        pass


class Processes:
    """Worker processes on this machine; each starts afresh, so it inherits no locks or threads.

    A pipe of which this process holds the only writing end is their lifeline: when it is closed,
    by `close` or because this process was killed, whatever they do ends at once.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        context = multiprocessing.get_context("spawn")
        self._end, self._lifeline = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(workers, context, _hang_on, (self._end,))

    def map(self, work: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]) -> Iterator[ResultT]:
        waiting: deque[Future[ResultT]] = deque()
        try:
            for task in tasks:
                waiting.append(self._pool.submit(work, task))
                if len(waiting) > AHEAD * self.workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """What is still being worked on is dropped, not waited for."""
        self._lifeline.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._end.close()


def _hang_on(end: Connection) -> None:
    """In a worker: live as long as the lifeline. Ctrl-C is for the process that has us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        wait([end])
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def local_executor(workers: int | None = None) -> Executor:
    """This machine's cores, or as many as are asked for; one needs no other process."""
    count = available_cores() if workers is None else workers
    return Inline() if count <= 1 else Processes(count)


def available_cores() -> int:
    """The cores this process may use, which in a container are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# The same work on a Ray cluster (extra `cluster`). Every node needs this package installed.
#
# auto the cluster that this machine belongs to HOST:PORT the head of a cluster in the same
# network ray://HOST:PORT a cluster reached through Ray's client local:N a cluster of N workers,
# started here and stopped at the end


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
