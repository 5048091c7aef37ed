"""Analyses that are kept: of each position the one that looked longest."""

from __future__ import annotations

import contextlib
from hashlib import blake2b

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.play.clock import HOUR_MS
from cabochon.server.storage.schema import evals
from cabochon.server.storage.sidewriter import SideWriter

AT_ONCE = 500
ASKED_MS = HOUR_MS
"""When an analysis or a review was last asked for is written down at most this often."""


class Evals:
    """On one database."""

    def __init__(self, engine: AsyncEngine, aside: SideWriter) -> None:
        self._engine = engine
        self._aside = aside

    async def find(self, question: str, now: int) -> str | None:
        """What is kept, as JSON."""
        query = select(evals.c.body, evals.c.asked_ms).where(evals.c.id == _id(question))
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        if now - row.asked_ms > ASKED_MS:
            seen = update(evals).where(evals.c.id == _id(question)).values(asked_ms=now)
            await self._aside.write(lambda connection: connection.execute(seen))
        return str(row.body)

    async def keep(self, question: str, visits: int, body: str, now: int) -> None:
        """Unless a longer look is kept already."""
        eval_id, values = _id(question), {"visits": visits, "body": body, "asked_ms": now}

        def keep(connection: Connection) -> None:
            known = select(evals.c.visits).where(evals.c.id == eval_id)
            kept = connection.execute(known).scalar()
            if kept is None:
                connection.execute(insert(evals).values(id=eval_id, **values))
            elif kept < visits:
                connection.execute(update(evals).where(evals.c.id == eval_id).values(**values))

        with contextlib.suppress(IntegrityError):  # somebody else has just kept one
            await self._aside.write(keep)

    async def forget(self, asked_before: int) -> None:
        """Remove some that nobody has asked for since then."""

        def forget(connection: Connection) -> None:
            old = select(evals.c.id).where(evals.c.asked_ms < asked_before).limit(AT_ONCE)
            gone = [row.id for row in connection.execute(old)]
            connection.execute(delete(evals).where(evals.c.id.in_(gone)))

        await self._aside.write(forget)


def _id(question: str) -> str:
    return blake2b(question.encode(), digest_size=16, person=b"cabochon").hexdigest()
