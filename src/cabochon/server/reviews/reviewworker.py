"""Working the queue off: take a wish, have it judged by a process of its own, keep turn by turn.

The worker itself only waits and writes, at the usual priority, so that it never holds the database
while somebody else has the processor; the thinking is done beside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable

from cabochon.bots.roster import RATED_PLAYERS, engine_name, network_fingerprint
from cabochon.server.storage.database import log_failure
from cabochon.server.storage.reviewqueue import KeptTurn, LostLease, ReviewQueue, ReviewTask
from cabochon.server.tasks import BEATS_TO_DEATH, ended
from cabochon.server.thinking.engineprocess import IDLE_S, EngineDied, EngineProcess, JobRefused

log = logging.getLogger("cabochon.reviews")

POLL_S = 1.0
"""How often a worker looks for wishes that it wasn't told about."""
WRITE_S = 0.5
"""Turns that are judged within so short a time are kept together."""


def engine_text(seats: int) -> str:
    """The engine for games of so many players, with its network."""
    return f"{engine_name()} {network_fingerprint(seats)}"


def own_engines() -> list[str]:
    """What a worker of this version can do; wishes for others are left to others."""
    return [engine_text(seats) for seats in RATED_PLAYERS]


def wall_ms() -> int:
    """What workers on all machines go by."""
    return time.time_ns() // 1_000_000


def thinker_process(nice: int) -> EngineProcess:
    """A process that judges and looks, at that niceness; it is started with its first job."""
    return EngineProcess(nice, "cabochon.server.reviews.thinker")


class ReviewWorker:
    """One wish at a time. `moved` is told the id of each review that has come further."""

    def __init__(
        self,
        queue: ReviewQueue,
        name: str,
        nice: int,
        lease_s: float,
        moved: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._queue = queue
        self.name = name
        self.engine = thinker_process(nice)
        self._lease_s = lease_s
        self._moved = moved
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self.run(), name="review-worker")

    def wake(self) -> None:
        """There may be something to do."""
        self._wake.set()

    async def close(self) -> None:
        """Put down what is under way; another worker can go on with it at once."""
        self.engine.kill()
        await ended(self._task)
        await self.engine.close()

    async def run(self) -> None:
        while True:
            try:
                task = await self._queue.take(
                    self.name, own_engines(), wall_ms(), int(self._lease_s * 1000)
                )
                if task is None:
                    await self._rest()
                else:
                    await self._work(task)
            except Exception as error:
                log_failure(log, "a review was interrupted; it goes on later", error)
                await asyncio.sleep(POLL_S)

    async def _rest(self) -> None:
        if time.monotonic() - self.engine.used > IDLE_S:
            await self.engine.close()
        self._wake.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(POLL_S):
                await self._wake.wait()

    async def _work(self, task: ReviewTask) -> None:
        self._moved(task.id)
        under_way = _UnderWay(self._queue, task, self.name, self._lease_s, self._moved)
        beating = asyncio.create_task(under_way.beat())
        try:
            await under_way.judge(self.engine)
        except LostLease:
            log.warning("another worker has taken a review over")
        except JobRefused as fault:
            log.error("a review cannot be made: %s", fault)
            await self._queue.fail(task.id, self.name)
        except EngineDied:
            log.warning("the process that judged a review has ended; another one goes on")
            await self._queue.give_back(task.id, self.name, blamed=True)
        except asyncio.CancelledError:
            await asyncio.shield(self._queue.give_back(task.id, self.name))
            raise
        finally:
            beating.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await beating
            self._moved(task.id)


class _UnderWay:
    """One review, from the last turn that was kept on."""

    def __init__(
        self,
        queue: ReviewQueue,
        task: ReviewTask,
        worker: str,
        lease_s: float,
        moved: Callable[[str], None],
    ) -> None:
        self._queue = queue
        self._task = task
        self._worker = worker
        self._lease_s = lease_s
        self._moved = moved
        self._done = len(task.figures)
        self._new: list[KeptTurn] = []
        self._written = time.monotonic()
        self._lock = asyncio.Lock()
        self._lost = False

    async def judge(self, engine: EngineProcess) -> None:
        """Raises LostLease, EngineDied and JobRefused."""
        task = self._task
        lines = engine.ask(
            job="review",
            record=task.record,
            visits=task.visits,
            seed=task.seed,
            knowledge=task.knowledge,
            figures=task.figures,
        )
        async with contextlib.aclosing(lines):
            async for line in lines:
                if self._lost:
                    raise LostLease(task.id)
                if "head" in line:
                    await self._queue.begin(task.id, self._worker, line["head"], line["turns"])
                elif "turn" in line:
                    self._new.append(KeptTurn(line["turn"], line["figures"]))
                    if time.monotonic() - self._written > WRITE_S:
                        await self._write()
                else:
                    await self._write()
                    await self._queue.finish(task.id, self._worker, line["tail"].encode())

    async def _write(self) -> None:
        async with self._lock:
            new, self._new = self._new, []
            until = wall_ms() + int(self._lease_s * 1000)
            try:
                await self._queue.keep(self._task.id, self._worker, self._done, new, until)
            except BaseException:
                self._new = new + self._new
                raise
            self._done += len(new)
            self._written = time.monotonic()
        if new:
            self._moved(self._task.id)

    async def beat(self) -> None:
        """Say now and then that somebody works on it; what was judged since then is kept."""
        while not self._lost:
            await asyncio.sleep(min(1.0, self._lease_s / BEATS_TO_DEATH))
            if self._new or time.monotonic() - self._written > self._lease_s / BEATS_TO_DEATH:
                try:
                    await self._write()
                except LostLease:
                    self._lost = True
                except Exception as error:
                    log_failure(log, "a lease was not renewed", error)
