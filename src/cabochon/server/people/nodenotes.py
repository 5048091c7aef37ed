"""How many people are here, and how many watch which table: at this node, and at the others."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import orjson
from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.server.storage.database import repeat
from cabochon.server.storage.schema import node_notes
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.storage.transactions import in_transaction
from cabochon.server.tables.latetables import LateTables
from cabochon.server.tables.live import Live
from cabochon.server.tables.visitors import Visitors
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.notes")

TICK_S = 3.0
DEAD_MS = 15_000
MOST_TOLD = 200


class NotedTables(Protocol):
    """The tables of this node, with everybody who is connected."""

    @property
    def clock(self) -> Callable[[], int]: ...

    @property
    def store(self) -> SqlStore: ...

    @property
    def late(self) -> LateTables: ...

    @property
    def visitors(self) -> Visitors: ...

    @property
    def is_shared(self) -> bool: ...

    def in_memory(self, table_id: str) -> Live | None: ...

    def all_live(self) -> list[Live]: ...


class NodeNotes:
    """One node's. A server that is alone writes and asks nothing."""

    def __init__(self, hub: NotedTables) -> None:
        self._hub = hub
        self._elsewhere = 0
        self._watching: Counter[str] = Counter()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._hub.is_shared:
            failing = "nodes have not heard of one another; they try again"
            work = repeat(self._exchange, TICK_S, log, failing)
            self._task = asyncio.create_task(work, name="notes")

    async def close(self) -> None:
        await ended(self._task)

    def here(self) -> int:
        """How many people are connected, wherever."""
        return self._hub.visitors.count() + self._elsewhere

    def watching(self, table_id: str) -> int:
        """How many connections look at that table without playing."""
        return self._own(table_id) + self._watching[table_id]

    def _own(self, table_id: str) -> int:
        live = self._hub.in_memory(table_id)
        return (0 if live is None else live.watchers) + self._hub.late.watchers(table_id)

    async def _exchange(self) -> None:
        now, node = self._hub.clock(), self._hub.store.node
        counts = {live.table.id: self._own(live.table.id) for live in self._hub.all_live()}
        told = dict(Counter({key: n for key, n in counts.items() if n}).most_common(MOST_TOLD))
        values = {
            "at_ms": now,
            "here": self._hub.visitors.count(),
            "watching": orjson.dumps(told).decode(),
        }

        async def written(connection: AsyncConnection) -> Sequence[Row[Any]]:
            await connection.execute(delete(node_notes).where(node_notes.c.at_ms < now - DEAD_MS))
            change = update(node_notes).where(node_notes.c.node == node).values(**values)
            if not (await connection.execute(change)).rowcount:
                await connection.execute(insert(node_notes).values(node=node, **values))
            others = select(node_notes).where(node_notes.c.node != node)
            return (await connection.execute(others)).all()

        rows = await in_transaction(self._hub.store.engine, written)
        self._elsewhere = sum(row.here for row in rows)
        self._watching = Counter()
        for row in rows:
            self._watching.update(orjson.loads(row.watching))
