"""What servers and remote bots say to one another: small messages through PostgreSQL's LISTEN and
NOTIFY. A message may be lost; then the asker, after a while, asks again elsewhere.

    on HALL, every couple of seconds     {"node"}, and {"worker", "places", "engine"}; 0 is goodbye
    to a worker                          {"node", "id", "slot", "question"}, or {"slot", "dismiss"}
    to a node                            {"id", "move", "wrong"}, or {"id"} alone: nobody answered
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.bots")

HALL = "cabochon_bots"
RETRY_S = 1.0
CLOSE_S = 1.0
_NOTIFY = (
    "SELECT count(pg_notify(channel, said)) "
    "FROM unnest($1::text[], $2::text[]) AS one(channel, said)"
)


def channel_of(name: str) -> str:
    """Where a node or a worker hears what is for it alone."""
    return f"{HALL}_{name}"


class BotLine:
    """A connection of its own, made again when it is lost. Hears what is said to all and to
    `name`."""

    def __init__(
        self, engine: AsyncEngine, name: str, hear: Callable[[dict[str, Any]], None]
    ) -> None:
        url = engine.url.set(drivername="postgresql")
        self._dsn = url.render_as_string(hide_password=False)
        self._name = name
        self._hear = hear
        self._waiting: list[tuple[str, str]] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.is_up = asyncio.Event()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="bot line")

    async def close(self) -> None:
        """What was said before is still passed on, if that doesn't take long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                while self._waiting and self.is_up.is_set():
                    await asyncio.sleep(0.01)
        await ended(self._task)

    def say(self, channel: str, message: dict[str, Any]) -> None:
        if self.is_up.is_set():
            self._waiting.append((channel, orjson.dumps(message).decode()))
            self._wake.set()

    async def _run(self) -> None:
        import asyncpg

        while True:
            try:
                connection = await asyncpg.connect(self._dsn)
                try:
                    for channel in (HALL, channel_of(self._name)):
                        await connection.add_listener(channel, self._heard)
                    self.is_up.set()
                    await self._pass_on(connection)
                finally:
                    self.is_up.clear()
                    self._waiting.clear()
                    await connection.close(timeout=1)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                log.warning("the line to bots elsewhere is lost; trying again")
            await asyncio.sleep(RETRY_S)

    async def _pass_on(self, connection: Any) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            said = list(self._waiting)
            await connection.execute(_NOTIFY, [c for c, _ in said], [text for _, text in said])
            del self._waiting[: len(said)]

    def _heard(self, _connection: Any, _pid: int, _channel: str, payload: str) -> None:
        self._hear(orjson.loads(payload))
