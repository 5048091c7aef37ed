"""A thinking process as its server sees it: started when it is needed, given one job at a time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from typing import Any

import orjson

LONGEST_LINE = 4 * 2**20
IDLE_S = 600.0
"""After this long without work a process is ended, and its memory is free again."""
STOP_S = 5.0
"""A process that hasn't dropped a job after this time is ended."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class EngineDied(Exception):
    """The process ended in the middle of a job."""


class JobRefused(Exception):
    """The job cannot be done; the message is a code."""


class EngineProcess:
    """One process that runs `module`, or none yet. Not for two jobs at a time."""

    def __init__(self, nice: int, module: str) -> None:
        self._nice = nice
        self._module = module
        self._process: Process | None = None
        self._dying: list[Process] = []
        self._jobs = 0
        self._starting = asyncio.Lock()
        self.used = time.monotonic()

    @property
    def pid(self) -> int | None:
        """Of the process, if there is one."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Have the process there before the first job comes."""
        await self._started()

    def note(self, what: Any) -> None:
        """Send something to the process, if there is one; no answer comes."""
        if self._process is not None and self._process.returncode is None:
            self._say({"note": what})

    async def ask(self, **job: Any) -> AsyncGenerator[dict[str, Any], None]:
        """The lines of the answer. Who stops listening (`aclose`) ends the job. Raises EngineDied
        and JobRefused."""
        process = await self._started()
        self._jobs += 1
        number, ended = self._jobs, False
        try:
            self._say({"n": number, **job})
            while True:
                line = await self._heard(process)
                if "end" in line:
                    ended = True
                    return
                if "fault" in line:
                    raise JobRefused(line["fault"])
                yield line
        finally:
            self.used = time.monotonic()
            if not ended and self._process is process:
                await self._settle(process, number)

    async def _settle(self, process: Process, number: int) -> None:
        """Have the job put down, whatever it takes."""
        try:
            self._say({"stop": number})
            async with asyncio.timeout(STOP_S):
                while (await self._heard(process)).get("end") != number:
                    pass
        except (EngineDied, TimeoutError, OSError):
            await self.close()
        except asyncio.CancelledError:
            self.kill()
            raise

    async def close(self) -> None:
        """End the process, if there is one, and see it gone: an event loop that has lost sight of
        a process cannot be closed."""
        self.kill()
        async with self._starting:  # one that is just being started would be missed
            self.kill()
        for process in list(self._dying):
            await process.wait()
            with contextlib.suppress(ValueError):  # somebody else has seen it too
                self._dying.remove(process)

    def kill(self) -> None:
        """As `close`, without waiting for it."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            self._dying.append(process)

    async def _started(self) -> Process:
        """In the server's own session: Linux may weigh sessions against one another first, and a
        process alone in one would not give way to anybody."""
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                command = [sys.executable, "-m", self._module, str(self._nice)]
                self._process = await asyncio.create_subprocess_exec(
                    *command,
                    stdin=PIPE,
                    stdout=PIPE,
                    limit=LONGEST_LINE,
                    env=os.environ | ONE_THREAD,
                )
                leave_real_time(self._process.pid)
            return self._process

    def _say(self, line: dict[str, Any]) -> None:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        process.stdin.write(orjson.dumps(line) + b"\n")

    async def _heard(self, process: Process) -> dict[str, Any]:
        assert process.stdout is not None
        text = await process.stdout.readline()
        if not text.endswith(b"\n"):
            await self.close()
            raise EngineDied
        line: dict[str, Any] = orjson.loads(text)
        return line


def leave_real_time(pid: int) -> None:
    """A server that runs under a real-time policy keeps that to itself: a process that thinks would
    have it too, and then its niceness says nothing."""
    if hasattr(os, "sched_setscheduler"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(pid, os.SCHED_OTHER, os.sched_param(0))
