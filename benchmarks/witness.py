"""Does the machine stand still? A virtual one does, for as long as its host is busy elsewhere, and
whatever runs then seems slow: the guest even counts such time as processor time of the process.

A witness only sleeps, on each core, before everything else if it may (as root); when one oversleeps
by far, it was the machine and nothing that runs on it. Only Linux has witnesses.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

STALL_S = 0.004
"""The machine stood still if who wants to sleep for half of that sleeps so long."""

Stall = tuple[float, float]
"""From when to when, by `time.perf_counter()`, which is the same for all processes."""

_SLEEPER = f"""
import os, sys, time
os.sched_setaffinity(0, {{int(sys.argv[1])}})
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
except OSError:
    pass
while os.getppid() == int(sys.argv[2]):
    began = time.perf_counter()
    time.sleep({STALL_S / 2})
    ended = time.perf_counter()
    if ended - began > {STALL_S}:
        print(began, ended, flush=True)
"""


class Witness:
    """Processes that watch from the beginning to the end of a `with` block."""

    def __enter__(self) -> Witness:
        self._folder = tempfile.TemporaryDirectory()
        self._sleepers = []
        for core in os.sched_getaffinity(0) if sys.platform == "linux" else ():
            command = [sys.executable, "-c", _SLEEPER, str(core), str(os.getpid())]
            with (Path(self._folder.name) / str(core)).open("w") as said:
                self._sleepers.append(subprocess.Popen(command, stdout=said))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for sleeper in self._sleepers:
            sleeper.terminate()
        for sleeper in self._sleepers:
            sleeper.wait(10)
        self._folder.cleanup()

    def stalls(self) -> list[Stall]:
        """The times at which a core stood still so far, in order and without overlaps. Within the
        `with` block."""
        said = "".join(path.read_text() for path in Path(self._folder.name).iterdir())
        lines = said.splitlines()
        merged: list[Stall] = []
        for began, ended in sorted((float(a), float(b)) for a, b in map(str.split, lines)):
            if merged and began <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(ended, merged[-1][1]))
            else:
                merged.append((began, ended))
        return merged


def stood_still(stalls: list[Stall], began: float, ended: float) -> float:
    """For how long of that time the machine stood still."""
    return sum(max(0.0, min(ended, b) - max(began, a)) for a, b in stalls)
