"""Work in this process, or in processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing.connection import Connection, wait
from threading import Thread

from cabochon.workers.executor import AHEAD, Executor, ResultT, TaskT


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
