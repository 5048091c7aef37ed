"""Removing finished tables, with everything that was kept of them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.server.storage.gamelogs import last_ms
from cabochon.server.storage.schema import (
    events,
    holdings,
    packed_games,
    person_tables,
    seatings,
    sitters,
    tables,
)
from cabochon.server.storage.transactions import in_transaction

TOGETHER = 500


async def purge_finished(engine: AsyncEngine, before_ms: int) -> list[str]:
    """Remove tables that have been finished, and untouched, since before then: a batch of them,
    and which. Call it again while it finds any."""

    async def written(connection: AsyncConnection) -> list[str]:
        gone = await finished_before(connection, before_ms, TOGETHER)
        await delete_tables(connection, gone)
        return gone

    return await in_transaction(engine, written)


async def finished_before(connection: AsyncConnection, before_ms: int, limit: int) -> list[str]:
    query = select(tables.c.id).where(
        tables.c.state == "finished",
        tables.c.created_ms < before_ms,
        last_ms(tables.c.id) < before_ms,
    )
    return [row.id for row in await connection.execute(query.limit(limit))]


async def delete_tables(connection: AsyncConnection, ids: Sequence[str]) -> None:
    """Remove these tables, whatever state they are in."""
    if ids:
        for table in (events, packed_games, seatings, holdings, sitters, person_tables):
            await connection.execute(delete(table).where(table.c.table_id.in_(ids)))
        await connection.execute(delete(tables).where(tables.c.id.in_(ids)))
