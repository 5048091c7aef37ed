"""Who let others down before a game could begin: they wait a little before the next one."""

from __future__ import annotations

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.server.storage.gamebook import put
from cabochon.server.storage.schema import pool_pauses
from cabochon.server.storage.transactions import in_transaction

LENGTH = 16
"""So much of an address's hash is kept; people's ids are shorter."""
FIRST_MS = 60_000
MOST_MS = 30 * 60_000
FORGOTTEN_MS = 86_400_000
"""After so long without another one, it is forgotten."""


class PoolPauses:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, who: str, now: int) -> None:
        """One more: each time the pause is twice as long, up to half an hour. `who` is a person's
        id or the hash of an address."""
        person_id = who[:LENGTH]

        async def written(connection: AsyncConnection) -> None:
            await connection.execute(
                delete(pool_pauses).where(pool_pauses.c.until_ms < now - FORGOTTEN_MS)
            )
            mine = select(pool_pauses.c.count).where(pool_pauses.c.person_id == person_id)
            count = int((await connection.execute(mine)).scalar() or 0)
            until = now + min(FIRST_MS << min(count, 10), MOST_MS)
            values = {"count": count + 1, "until_ms": until}
            await connection.run_sync(put, pool_pauses, {"person_id": person_id}, values)

        await in_transaction(self._engine, written)

    async def seconds_left(self, who: str, now: int) -> int:
        """Until they may be paired again; 0 when they may now."""
        mine = select(pool_pauses.c.until_ms).where(pool_pauses.c.person_id == who[:LENGTH])
        async with self._engine.connect() as connection:
            until = int((await connection.execute(mine)).scalar() or 0)
        return max(0, -((now - until) // 1000))
