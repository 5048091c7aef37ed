"""The live engine: a few processes that look at positions while somebody watches."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable
from functools import partial
from typing import Any, Protocol

import orjson

from cabochon.play.table import Table
from cabochon.play.talking import gives_hints
from cabochon.rules import View
from cabochon.server import metrics
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.reviews.questions import AskedFace, GameFace, question_of
from cabochon.server.reviews.reviewworker import engine_text, thinker_process
from cabochon.server.storage.evals import Evals
from cabochon.server.storage.reviewqueue import ReviewAsker
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.storage.sitters import Sitters
from cabochon.server.tables.commanding import StoredTables
from cabochon.server.tables.live import Live
from cabochon.server.tasks import ended
from cabochon.server.thinking.engineprocess import IDLE_S, EngineDied, EngineProcess, JobRefused

log = logging.getLogger("cabochon.looks")

MOST_PER_ADDRESS = 4
PATIENCE_S = 1.0
"""How long somebody who goes on to the next position waits until the last one is dropped."""
RETRY_S = 3
WORTH_KEEPING = 5_000
"""Visits from which on a look is kept for others."""


class LookedAtTables(StoredTables, Protocol):
    """The games whose players get no help."""

    @property
    def sitters(self) -> Sitters: ...

    async def live(self, table_id: str) -> Live: ...


class LookDesk:
    """Of one node."""

    def __init__(self, hub: LookedAtTables, aside: SideWriter) -> None:
        self._hub = hub
        self.evals = Evals(hub.store.engine, aside)
        nice = hub.settings.engine_nice
        self.engines = [thinker_process(nice) for _ in range(hub.settings.engines)]
        self._free = list(self.engines)
        self._people: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._put_down = asyncio.Condition()
        self._looks: set[Look] = set()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._rest(), name="looks")

    async def close(self) -> None:
        await ended(self._task)
        for engine in self.engines:
            engine.kill()
        for look in list(self._looks):
            await look.close()
        for engine in self.engines:
            await engine.close()

    async def _rest(self) -> None:
        """Processes that nobody has needed for long give their memory back."""
        while True:
            await asyncio.sleep(IDLE_S / 4)
            for engine in list(self._free):
                if time.monotonic() - engine.used > IDLE_S:
                    await engine.close()

    # Who may look

    async def check_not_playing(
        self, asked: Collection[AskedFace], who: Iterable[str], hinted: bool = False
    ) -> None:
        """Raises ServerRefused if one of these positions is of a game that is being played, and
        one of these people plays there. Where it is `hinted` at, games in which hints are given
        do not count."""
        for table_id in await self._hub.sitters.running(who):
            table = (await self._hub.live(table_id)).table
            if table.position is None or table.ended is not None:
                continue
            if hinted and gives_hints(table):
                continue
            work = partial(_is_of, table, asked)
            if await self._hub.store.longwork.tell(table.ply + len(asked), work):
                raise ServerRefused(ServerFault.STILL_PLAYING)

    async def begin(self, view: View, asked: dict[str, Any], asker: ReviewAsker) -> Look:
        """Start looking. `asked` is what the engine is told. Raises ServerRefused when this person
        looks at something else, or all engines are busy."""
        if not self.engines:
            raise ServerRefused(ServerFault.NO_ENGINE)
        person, address = asker.person, asker.address or ""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S), self._put_down:
                await self._put_down.wait_for(lambda: self._has_place(person, address))
        if not self._is_welcome(person, address):
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.TOO_MANY_LOOKS)
        if not self._free:
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.ENGINE_BUSY, seconds=RETRY_S)
        engine = self._free.pop()
        self._people[person] += 1
        self._addresses[address] += 1
        metrics.LOOKS.inc()
        look = Look(self, engine, view, asked, (person, address))
        self._looks.add(look)
        return look

    def _is_welcome(self, person: str, address: str) -> bool:
        return not self._people[person] and self._addresses[address] < MOST_PER_ADDRESS

    def _has_place(self, person: str, address: str) -> bool:
        return bool(self._free) and self._is_welcome(person, address)

    async def glance(self, view: View, visits: int) -> list[float] | None:
        """Everybody's chances, for those who watch: only if an engine has nothing better to do,
        and not for long. None otherwise."""
        if not self._free:
            return None
        engine = self._free.pop()
        chances: list[float] | None = None
        asked = {"position": question_of(view), "lines": 1, "visits": visits, "knowledge": "own"}
        try:
            lines = engine.ask(job="look", **asked)
            async with contextlib.aclosing(lines):
                async for line in lines:
                    chances = orjson.loads(line["analysis"])["chances"]
        except (EngineDied, JobRefused) as error:
            log.warning("a glance has ended early: %s", type(error).__name__)
        finally:
            self._free.append(engine)
            async with self._put_down:
                self._put_down.notify_all()
        return chances

    async def ended(self, look: Look, engine: EngineProcess) -> None:
        """The engine is free for the next."""
        person, address = look.whose
        self._people.subtract((person,))
        self._addresses.subtract((address,))
        self._people += Counter()
        self._addresses += Counter()
        self._looks.discard(look)
        self._free.append(engine)
        metrics.LOOKS.dec()
        async with self._put_down:
            self._put_down.notify_all()

    # What is kept

    async def kept(self, view: View) -> str | None:
        """What was found about this position when an engine looked longest, as JSON."""
        return await self.evals.find(_question(view), self._hub.clock())

    async def keep(self, view: View, knowledge: str, visits: int, analysis: str) -> None:
        told = {
            "position": question_of(view),
            "knowledge": knowledge,
            "engine": engine_text(view.ruleset.seats),
            "visits": visits,
        }
        body = orjson.dumps(told).decode()[:-1] + f',"analysis":{analysis}}}'
        await self.evals.keep(_question(view), visits, body, self._hub.clock())


class Look:
    """One position that one engine looks at, in a task of its own: it ends properly however the
    request ends."""

    def __init__(
        self,
        desk: LookDesk,
        engine: EngineProcess,
        view: View,
        asked: dict[str, Any],
        whose: tuple[str, str],
    ) -> None:
        self.whose = whose
        self._desk = desk
        self._engine = engine
        self._view = view
        self._asked = asked
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._run(), name="look")

    async def lines(self) -> AsyncIterator[bytes]:
        """As they come."""
        while (line := await self._lines.get()) is not None:
            yield line

    def stop(self) -> None:
        """Nobody looks any more."""
        self._task.cancel()

    async def close(self) -> None:
        self.stop()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        try:
            await self._pump()
        except (EngineDied, JobRefused) as error:
            log.warning("a look has ended early: %s", type(error).__name__)
        finally:
            self._lines.put_nowait(None)
            await self._desk.ended(self, self._engine)

    async def _pump(self) -> None:
        lines = self._engine.ask(job="look", **self._asked)
        async with contextlib.aclosing(lines):
            async for line in lines:
                last = "whole" in line
                self._lines.put_nowait(
                    b'{"type":"%b","analysis":%b,"visits":%d,"of":%d}\n'
                    % (
                        b"analysisDone" if last else b"analysis",
                        line["analysis"].encode(),
                        min(line["visits"], self._asked["visits"]),
                        self._asked["visits"],
                    )
                )
                if last and line["visits"] >= WORTH_KEEPING:
                    knowledge = self._asked["knowledge"]
                    await self._desk.keep(self._view, knowledge, line["visits"], line["whole"])


def _is_of(table: Table, asked: Iterable[AskedFace]) -> bool:
    face = GameFace.of(table)
    return any(map(face.is_of, asked))


def _question(view: View) -> str:
    return f"{engine_text(view.ruleset.seats)} {question_of(view)}"
