"""Who plays where: people, tokens, seat keys and addresses (by hash), kept while a table is
unfinished.

Noted when somebody connects to a seat or commands one, and written down a little later, all
together: no move waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from sqlalchemy import case, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.server.storage.database import log_failure
from cabochon.server.storage.schema import sitters, tables
from cabochon.server.storage.transactions import change_rows
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.sitters")

MOST_KNOWN = 100_000
MOST_TABLES = 20
"""Tables of one person that are looked at: rated games with others first, then the newest."""
SOON_S = 0.5
_PERSON = '"kind":"human"'
_at_stake = (
    case((tables.c.info.contains('"rated":true'), 1), else_=0)
    + case((tables.c.info.like(f"%{_PERSON}%{_PERSON}%"), 1), else_=0)
).label("at_stake")
"""Opening many games with bots doesn't hide the one with people."""


class Sitters:
    """Of one node, on a database that others may share."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._new: set[tuple[str, str]] = set()
        self._task: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()

    def note(self, table_id: str, who: Iterable[str]) -> None:
        """They play at that table."""
        for key in ((name, table_id) for name in who):
            if key not in self._known:
                self._known[key] = None
                self._new.add(key)
                if len(self._known) > MOST_KNOWN:
                    self._known.popitem(last=False)
        if self._new and self._task is None:
            self._task = asyncio.create_task(self._write_soon(), name="sitters")

    async def _write_soon(self) -> None:
        await asyncio.sleep(SOON_S)
        self._task = None
        try:
            await self.write()
        except Exception as error:
            log_failure(log, "who plays where was not written down", error)

    async def write(self) -> None:
        """Write down what is new, after whatever is being written already."""
        async with self._writing:
            new, self._new = self._new, set()
            if not new:
                return
            dialect: Any = postgresql if self._engine.dialect.name == "postgresql" else sqlite
            rows = [{"who": who, "table_id": table_id} for who, table_id in sorted(new)]
            insert = dialect.insert(sitters).on_conflict_do_nothing()
            try:
                await change_rows(self._engine, insert, rows)
            except BaseException:
                self._new |= new
                raise

    async def running(self, who: Iterable[str]) -> list[str]:
        """The running tables at which any of these plays."""
        await self.write()
        query = (
            select(tables.c.id, tables.c.created_ms, _at_stake)
            .join(sitters, sitters.c.table_id == tables.c.id)
            .where(sitters.c.who.in_(list(who)), tables.c.state == "running")
            .distinct()
            .order_by(_at_stake.desc(), tables.c.created_ms.desc())
            .limit(MOST_TABLES)
        )
        async with self._engine.connect() as connection:
            return [row.id for row in await connection.execute(query)]

    async def tidy(self) -> None:
        """Forget who played at tables that are finished or gone."""
        alive = select(tables.c.id).where(tables.c.state != "finished")
        await change_rows(self._engine, delete(sitters).where(sitters.c.table_id.not_in(alive)))

    async def close(self) -> None:
        await ended(self._task)
