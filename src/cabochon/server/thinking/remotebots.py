"""Bots that think on other machines, as a server sees them: further places of its pool.

A worker says now and then that it lives and how many places it has; the living servers share them
out by their names, each by itself and all alike. A worker that is silent, or doesn't answer in
time, has no places until it says something again.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.bots.roster import engine_name
from cabochon.server.tasks import BEATS_TO_DEATH, ended
from cabochon.server.thinking.botline import HALL, BotLine, channel_of
from cabochon.server.thinking.botplaces import BotAnswer, BotQuestion
from cabochon.server.thinking.botpool import BotPool
from cabochon.server.thinking.engineprocess import EngineDied

GRACE_S = 3.0
"""An answer that comes so much later than it should isn't waited for."""


@dataclass(slots=True)
class _Worker:
    places: int
    heard: float
    mine: dict[int, RemotePlace] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Asked:
    worker: str
    answer: asyncio.Future[BotAnswer]

    def fail(self) -> None:
        if not self.answer.done():
            self.answer.set_exception(EngineDied())


class RemoteBots:
    """Brings the places of remote workers into a node's pool, and takes them out again."""

    def __init__(self, pool: BotPool, engine: AsyncEngine, node: str, dead_s: float) -> None:
        self._pool = pool
        self._node = node
        self._dead_s = dead_s
        self._line = BotLine(engine, node, self.hear)
        self._nodes: dict[str, float] = {}
        self._workers: dict[str, _Worker] = {}
        self._asked: dict[int, _Asked] = {}
        self._numbers = 0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._line.start()
        self._task = asyncio.create_task(self._beat(), name="remote bots")

    async def close(self) -> None:
        await ended(self._task)
        for name in list(self._workers):
            self.forget(name)
        await self._line.close()

    async def _beat(self) -> None:
        while True:
            await self._line.is_up.wait()
            self._line.say(HALL, {"node": self._node})
            self.look_round(time.monotonic())
            await asyncio.sleep(self._dead_s / BEATS_TO_DEATH)

    # Who is there

    def hear(self, message: dict[str, Any]) -> None:
        now = time.monotonic()
        if "worker" in message:
            if message["engine"] == engine_name():
                self._worker_says(message["worker"], message["places"], now)
        elif "id" in message:
            self._answered(message)
        else:
            self._nodes[message["node"]] = now
        self.look_round(now)

    def _worker_says(self, name: str, places: int, now: float) -> None:
        if places == 0:
            self.forget(name)
            return
        worker = self._workers.setdefault(name, _Worker(places, now))
        worker.places, worker.heard = places, now

    def look_round(self, now: float) -> None:
        """Forget dead workers, and take this node's share of the others' places."""
        for name, worker in list(self._workers.items()):
            if now - worker.heard > self._dead_s:
                self.forget(name)
        self._nodes = {n: t for n, t in self._nodes.items() if now - t <= self._dead_s}
        nodes = sorted({*self._nodes, self._node})
        for name, worker in self._workers.items():
            first = crc32(name.encode())
            for slot in range(worker.places):
                is_mine = nodes[(first + slot) % len(nodes)] == self._node
                if is_mine and slot not in worker.mine:
                    worker.mine[slot] = RemotePlace(self, name, slot)
                    self._pool.join(worker.mine[slot])
                elif not is_mine and slot in worker.mine:
                    self._pool.leave(worker.mine.pop(slot))

    def forget(self, name: str) -> None:
        """Nothing is asked of that worker; what was, is asked elsewhere."""
        worker = self._workers.pop(name, None)
        for place in worker.mine.values() if worker is not None else ():
            self._pool.leave(place)
        for asked in self._asked.values():
            if asked.worker == name:
                asked.fail()

    # Questions

    async def ask(self, worker: str, slot: int, question: BotQuestion) -> BotAnswer:
        """Raises EngineDied."""
        self._numbers += 1
        number = self._numbers
        asked = _Asked(worker, asyncio.get_running_loop().create_future())
        self._asked[number] = asked
        head = {"node": self._node, "id": number, "slot": slot}
        self.say(worker, head | {"question": question.told()})
        try:
            async with asyncio.timeout(question.seconds + GRACE_S):
                return await asked.answer
        except TimeoutError:
            self.forget(worker)
            raise EngineDied from None
        finally:
            del self._asked[number]

    def _answered(self, message: dict[str, Any]) -> None:
        asked = self._asked.get(message["id"])
        if asked is None or asked.answer.done():
            return
        if "move" in message:
            asked.answer.set_result(BotAnswer(message["move"], message["wrong"]))
        else:
            asked.fail()

    def say(self, worker: str, message: dict[str, Any]) -> None:
        self._line.say(channel_of(worker), message)


class RemotePlace:
    """One process of a worker on another machine."""

    is_remote = True

    def __init__(self, bots: RemoteBots, worker: str, slot: int) -> None:
        self._bots = bots
        self._worker = worker
        self._slot = slot

    async def choose(self, question: BotQuestion) -> BotAnswer:
        return await self._bots.ask(self._worker, self._slot, question)

    def dismiss(self, table_id: str) -> None:
        self._bots.say(self._worker, {"slot": self._slot, "dismiss": table_id})
