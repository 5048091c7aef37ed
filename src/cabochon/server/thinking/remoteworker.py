"""The other end of `cabochon.server.thinking.remotebots`: processes on this machine that choose
moves for servers elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.bots.roster import LEVEL_NAMES, engine_name
from cabochon.notation.positions import format_view
from cabochon.rules import Position, Ruleset, ShuffledDealer
from cabochon.server.tasks import BEATS_TO_DEATH, ended
from cabochon.server.thinking.botline import HALL, BotLine, channel_of
from cabochon.server.thinking.botplaces import BotQuestion, NearPlace
from cabochon.server.thinking.engineprocess import EngineDied, JobRefused

WARM_S = 0.02


class RemoteWorker:
    """A number of processes, each for one decision at a time. It announces them once they have
    loaded what the strongest bot needs."""

    def __init__(self, engine: AsyncEngine, places: int, nice: int, dead_s: float) -> None:
        self.name = secrets.token_hex(8)
        self.places = [NearPlace(nice) for _ in range(places)]
        self._locks = [asyncio.Lock() for _ in range(places)]
        self._dead_s = dead_s
        self._line = BotLine(engine, self.name, self._hear)
        self._jobs: set[asyncio.Task[None]] = set()
        self._beating: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await asyncio.gather(*(self._warm(place) for place in self.places))
        self._line.start()
        await self._line.is_up.wait()
        self._beating = asyncio.create_task(self._beat(), name="remote worker")

    async def close(self) -> None:
        """Say goodbye first, so that nobody waits for an answer."""
        await ended(self._beating)
        self._announce(0)
        await self._line.close()
        for job in self._jobs:
            job.cancel()
        for place in self.places:
            await place.engine.close()

    async def _warm(self, place: NearPlace) -> None:
        """A look at any opening; if that fails, so will the first question, and be told."""
        view = Position.start(Ruleset(), ShuffledDealer("").opening(Ruleset())).view(0)
        question = BotQuestion("", 0, LEVEL_NAMES[-1], format_view(view), WARM_S)
        with contextlib.suppress(EngineDied, JobRefused):
            await place.choose(question)
        place.dismiss("")

    async def _beat(self) -> None:
        while True:
            self._announce(len(self.places))
            await asyncio.sleep(self._dead_s / BEATS_TO_DEATH)

    def _announce(self, places: int) -> None:
        said = {"worker": self.name, "places": places, "engine": engine_name()}
        self._line.say(HALL, said)

    def _hear(self, message: dict[str, Any]) -> None:
        if "question" in message:
            job = asyncio.create_task(self._answer(message))
            self._jobs.add(job)
            job.add_done_callback(self._jobs.discard)
        elif "dismiss" in message:
            self.places[message["slot"]].dismiss(message["dismiss"])

    async def _answer(self, message: dict[str, Any]) -> None:
        slot, answer = message["slot"], {"id": message["id"]}
        async with self._locks[slot]:
            with contextlib.suppress(EngineDied, JobRefused):
                found = await self.places[slot].choose(BotQuestion(**message["question"]))
                answer |= {"move": found.move, "wrong": found.wrong}
        self._line.say(channel_of(message["node"]), answer)
