"""The inside of a thinking process: it reads jobs as lines of JSON and answers with lines.

    {"n": 1, "job": ...}    a job; its answers end with {"end": 1}, or {"fault": code} before that
    {"stop": 1}             ends that job early
    {"note": ...}           is taken in between two jobs; there is no answer

When nobody is at the other end any more, the process ends, whatever it is doing.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Protocol

import orjson

from cabochon.rules import CabochonError

log = logging.getLogger("cabochon.thinker")

JobLine = dict[str, Any]


class Worker(Protocol):
    """Does one job after the other."""

    def lines(self, job: JobLine) -> Iterator[JobLine | None]:
        """The answers to a job, and None now and then while there is nothing to tell."""
        ...

    def noted(self, note: Any) -> None: ...


class JobReader:
    """Listens for jobs in a thread of its own, so that a job can be ended while it runs."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._jobs: queue.SimpleQueue[JobLine] = queue.SimpleQueue()
        self._stopped = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._source:
            said = orjson.loads(line)
            if "stop" in said:
                self._stopped = max(self._stopped, said["stop"])
            else:
                self._jobs.put(said)
        os._exit(0)

    def next(self) -> JobLine:
        return self._jobs.get()

    def wants(self, job: JobLine) -> bool:
        """Whether the job has not been ended."""
        return self._stopped < int(job["n"])


def work(worker: Worker, reader: JobReader, say: Callable[[JobLine], None]) -> None:
    """Do jobs until nobody is there any more."""
    while True:
        job = reader.next()
        if "note" in job:
            worker.noted(job["note"])
            continue
        try:
            for line in worker.lines(job):
                if not reader.wants(job):
                    break
                if line is not None:
                    say(line)
        except CabochonError as error:
            say({"fault": error.code.value})
        except Exception as error:
            log.exception("a job failed")
            say({"fault": type(error).__name__})
        say({"end": job["n"]})


def run_process(worker: Worker) -> None:
    """The whole life of a thinking process; its niceness is its only argument."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which then goes
    with contextlib.suppress(OSError):
        os.nice(int(sys.argv[1]))
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever else is printed is no answer

    def say(line: JobLine) -> None:
        try:
            answers.write(orjson.dumps(line) + b"\n")
        except BrokenPipeError:
            os._exit(0)

    work(worker, JobReader(sys.stdin.buffer), say)
