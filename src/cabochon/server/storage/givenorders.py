"""Orders for every running server, given in the commit that they are about."""

from __future__ import annotations

import time

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.play.clock import HOUR_MS
from cabochon.server.secrets import new_table_id
from cabochon.server.storage.schema import admin_orders

KEPT_MS = HOUR_MS


async def give_order(connection: AsyncConnection, kind: str, subject: str = "") -> None:
    """For all running servers, with the commit of that connection."""
    now = time.time_ns() // 1_000_000
    await connection.execute(delete(admin_orders).where(admin_orders.c.at_ms < now - KEPT_MS))
    row = {"id": new_table_id(), "at_ms": now, "kind": kind, "subject": subject}
    await connection.execute(insert(admin_orders), row)
