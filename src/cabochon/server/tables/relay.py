"""How nodes hear of one another: PostgreSQL's LISTEN and NOTIFY. What is said is small and may be
lost; the database is the truth, and after a lost connection everything is looked up again.

    E node table seq   the table has an event of that number     (`S` instead: its seats too)
    P node table 0,2   those seats are connected to that node
    Q node table       who is connected there? (answered with P)
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.server.storage.ledger import CHANNEL
from cabochon.server.tables.commanding import CatchingUp
from cabochon.server.tables.live import Live
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.relay")

RETRY_S = 1.0
CHECK_S = 5.0
NOTIFY = text("SELECT pg_notify(:channel, :payload)")


class Relay(Protocol):
    """What the hub says to other nodes; what it hears arrives by itself."""

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    def say_presence(self, table_id: str, seats: frozenset[int]) -> None: ...

    def ask_presence(self, table_id: str) -> None: ...


class Alone:
    """One node: there is nobody to talk to."""

    async def start(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    def say_presence(self, table_id: str, seats: frozenset[int]) -> None:
        """Nobody listens."""

    def ask_presence(self, table_id: str) -> None:
        """Nobody answers."""


class PresenceReports(Protocol):
    """Takes in what another node says of its connections."""

    def heard(self, live: Live, node: str, seats: frozenset[int]) -> None: ...


class RelayedTables(CatchingUp, Protocol):
    """The tables that other nodes speak of."""

    @property
    def presence(self) -> PresenceReports: ...

    async def catch_up_all(self) -> None: ...

    def job(self, work: Coroutine[Any, Any, object]) -> None: ...


class PostgresRelay:
    """Listens on a connection of its own."""

    def __init__(self, tables: RelayedTables, node: str, engine: AsyncEngine) -> None:
        self._tables = tables
        self._node = node
        self._engine = engine
        self._task: asyncio.Task[None] | None = None
        self._handlers: dict[str, Callable[[list[str]], None]] = {
            "E": self._event,
            "S": self._seats_changed,
            "P": self._presence,
            "Q": self._question,
        }

    async def start(self) -> None:
        ready = asyncio.Event()
        self._task = asyncio.create_task(self._listen(ready), name="relay")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5):
                await ready.wait()

    async def close(self) -> None:
        await ended(self._task)

    # Saying

    def say_presence(self, table_id: str, seats: frozenset[int]) -> None:
        listed = ",".join(map(str, sorted(seats))) or "-"
        self._say(f"P {self._node} {table_id} {listed}")

    def ask_presence(self, table_id: str) -> None:
        self._say(f"Q {self._node} {table_id}")

    def _say(self, payload: str) -> None:
        self._tables.job(self._notify(payload))

    async def _notify(self, payload: str) -> None:
        async with self._engine.begin() as connection:
            await connection.execute(NOTIFY, {"channel": CHANNEL, "payload": payload})

    # Hearing

    async def _listen(self, ready: asyncio.Event) -> None:
        import asyncpg

        url = self._engine.url.set(drivername="postgresql")
        dsn = url.render_as_string(hide_password=False)
        while True:
            try:
                connection = await asyncpg.connect(dsn)
                try:
                    await connection.add_listener(CHANNEL, self._heard)
                    ready.set()
                    await self._tables.catch_up_all()
                    while not connection.is_closed():
                        await asyncio.sleep(CHECK_S)
                        await connection.execute("SELECT 1")
                finally:
                    await connection.close(timeout=1)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                log.warning("the line to the other nodes is lost; trying again")
            await asyncio.sleep(RETRY_S)

    def _heard(self, _connection: Any, _pid: int, _channel: str, payload: str) -> None:
        kind, node, *rest = payload.split(" ")
        handler = self._handlers.get(kind)
        if node != self._node and handler is not None:
            handler([node, *rest])

    def _event(self, said: list[str]) -> None:
        _, table_id, seq = said
        live = self._tables.in_memory(table_id)
        if live is not None and live.table.seq < int(seq):
            self._tables.job(self._tables.caught_up(live))

    def _seats_changed(self, said: list[str]) -> None:
        self._event(said)
        if self._tables.in_memory(said[1]) is None:
            self._tables.job(self._tables.tell_lobby(said[1]))

    def _presence(self, said: list[str]) -> None:
        node, table_id, listed = said
        live = self._tables.in_memory(table_id)
        if live is not None:
            seats = () if listed == "-" else map(int, listed.split(","))
            self._tables.presence.heard(live, node, frozenset(seats))

    def _question(self, said: list[str]) -> None:
        live = self._tables.in_memory(said[1])
        if live is not None and live.local:
            self.say_presence(said[1], frozenset(live.local))
