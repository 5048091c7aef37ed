"""What `cabochon admin` has done in the database, noticed by every running server within a second
or so. An order only says where to look; what counts stands in the database itself.

    table  ID   the table has new events
    gone   ID   the finished table was deleted
    purge       finished tables were deleted
    bans        the list of bans is another one
    token  ID   the token is revoked
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.server.bans import load_bans
from cabochon.server.hub import Hub
from cabochon.server.schema import admin_orders, tables
from cabochon.server.secrets import new_table_id

log = logging.getLogger("cabochon.orders")

POLL_S = 1.0
KEPT_MS = 3_600_000
NOTE_S = 20.0
"""How often it is written down which tokens were used."""


async def give_order(connection: AsyncConnection, kind: str, subject: str = "") -> None:
    """For all running servers, with the commit of that connection."""
    now = time.time_ns() // 1_000_000
    await connection.execute(delete(admin_orders).where(admin_orders.c.at_ms < now - KEPT_MS))
    row = {"id": new_table_id(), "at_ms": now, "kind": kind, "subject": subject}
    await connection.execute(insert(admin_orders), row)


class Orders:
    """One task a node."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._seen: set[str] = set()
        self._noted = time.monotonic()
        self._task: asyncio.Task[None] | None = None
        self._handlers = {
            "table": self._table,
            "gone": self._gone,
            "purge": self._purged,
            "bans": self._bans,
            "token": self._token,
        }

    async def start(self) -> None:
        """What was ordered before this server began is in the database it reads."""
        self._seen = {order for order, _, _ in await self._waiting()}
        await self._bans("")
        self._task = asyncio.create_task(self._run(), name="orders")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        with contextlib.suppress(Exception):
            await self._hub.store.note_used_tokens()

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
            await self._hub.store.note_used_tokens()

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
        async with self._hub.store.engine.connect() as connection:
            rows = await connection.execute(select(*columns).order_by(admin_orders.c.at_ms))
            return [(row.id, row.kind, row.subject) for row in rows]

    # What each order is

    async def _table(self, table_id: str) -> None:
        live = self._hub.in_memory(table_id)
        if live is None:
            await self._hub.tell_lobby(table_id)
        else:
            await self._hub.caught_up(live)

    async def _gone(self, table_id: str) -> None:
        self._hub.forget(table_id)
        await self._hub.count_tables()

    async def _purged(self, _: str) -> None:
        finished = [live.table.id for live in self._hub.all_live() if live.table.ended is not None]
        query = select(tables.c.id).where(tables.c.id.in_(finished))
        async with self._hub.store.engine.connect() as connection:
            left = {row.id for row in await connection.execute(query)}
        for table_id in set(finished) - left:
            self._hub.forget(table_id)

    async def _bans(self, _: str) -> None:
        await load_bans(self._hub.store.engine, self._hub.store.bans)
        self._hub.visitors.look_round()

    async def _token(self, token_id: str) -> None:
        self._hub.visitors.revoked(token_id)
