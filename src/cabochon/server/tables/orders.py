"""What `cabochon admin` has done in the database, noticed by every running server within a second
or so. An order only says where to look; what counts stands in the database itself.

    table  ID   the table has new events
    gone   ID   the finished table was deleted
    purge       finished tables were deleted
    bans        the list of bans is another one
    token  ID   the token is revoked
    session ID  the session is over
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Protocol

from sqlalchemy import select

from cabochon.server.storage.bans import load_bans
from cabochon.server.storage.schema import admin_orders, tables
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables.commanding import CatchingUp
from cabochon.server.tables.live import Live
from cabochon.server.tables.visitors import Visitors
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.orders")

POLL_S = 1.0
NOTE_S = 20.0
"""How often it is written down which tokens and sessions were used."""


class OrderedTables(CatchingUp, Protocol):
    """The tables and visitors that an administrator's order may be about."""

    @property
    def store(self) -> SqlStore: ...

    @property
    def visitors(self) -> Visitors: ...

    def all_live(self) -> list[Live]: ...

    def forget(self, table_id: str) -> None: ...

    async def count_tables(self) -> None: ...


class Orders:
    """One task per node."""

    def __init__(self, tables: OrderedTables) -> None:
        self._tables = tables
        self._seen: set[str] = set()
        self._noted = time.monotonic()
        self._task: asyncio.Task[None] | None = None
        self._handlers = {
            "table": self._table,
            "gone": self._gone,
            "purge": self._purged,
            "bans": self._bans,
            "token": self._revoked,
            "session": self._revoked,
        }

    async def start(self) -> None:
        """What was ordered before this server began is in the database it reads."""
        self._seen = {order for order, _, _ in await self._waiting()}
        await self._bans("")
        self._task = asyncio.create_task(self._run(), name="orders")

    async def close(self) -> None:
        await ended(self._task)
        with contextlib.suppress(Exception):
            await self._note_used()

    async def _note_used(self) -> None:
        await self._tables.store.note_used_tokens()
        await self._tables.store.sessions.note_seen()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            try:
                await self.look()
            except Exception as error:
                log.warning("orders could not be read: %s; it is tried again", type(error).__name__)

    async def look(self) -> None:
        """Carry out what is new."""
        waiting = await self._waiting()
        for order, kind, subject in waiting:
            if order not in self._seen:
                await self._carry_out(kind, subject)
        self._seen = {order for order, _, _ in waiting}
        if time.monotonic() - self._noted > NOTE_S:
            self._noted = time.monotonic()
            await self._note_used()

    async def _carry_out(self, kind: str, subject: str) -> None:
        """One that fails keeps no other from being carried out; a newer version's are not known."""
        handler = self._handlers.get(kind)
        if handler is None:
            return
        try:
            await handler(subject)
        except Exception:
            log.exception("an order of the kind %s failed", kind)

    async def _waiting(self) -> list[tuple[str, str, str]]:
        columns = (admin_orders.c.id, admin_orders.c.kind, admin_orders.c.subject)
        async with self._tables.store.engine.connect() as connection:
            rows = await connection.execute(select(*columns).order_by(admin_orders.c.at_ms))
            return [(row.id, row.kind, row.subject) for row in rows]

    # What each order is

    async def _table(self, table_id: str) -> None:
        live = self._tables.in_memory(table_id)
        if live is None:
            await self._tables.tell_lobby(table_id)
        else:
            await self._tables.caught_up(live)

    async def _gone(self, table_id: str) -> None:
        self._tables.forget(table_id)
        await self._tables.count_tables()

    async def _purged(self, _: str) -> None:
        finished = [
            live.table.id for live in self._tables.all_live() if live.table.ended is not None
        ]
        query = select(tables.c.id).where(tables.c.id.in_(finished))
        async with self._tables.store.engine.connect() as connection:
            left = {row.id for row in await connection.execute(query)}
        for table_id in set(finished) - left:
            self._tables.forget(table_id)

    async def _bans(self, _: str) -> None:
        await load_bans(self._tables.store.engine, self._tables.store.bans)
        self._tables.visitors.recheck()

    async def _revoked(self, revoked_id: str) -> None:
        self._tables.visitors.revoked(revoked_id)
