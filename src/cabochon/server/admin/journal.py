"""What was done, by whom and when: written with the act itself."""

from __future__ import annotations

import getpass
import os
import time
from typing import Any

import orjson
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.server.secrets import new_table_id
from cabochon.server.storage.schema import admin_log


async def note(connection: AsyncConnection, act: str, subject: str, **detail: Any) -> None:
    """One line of the log, kept with the commit of that connection."""
    row = {
        "id": new_table_id(),
        "at_ms": time.time_ns() // 1_000_000,
        "who": user()[:64],
        "act": act,
        "subject": subject[:200],
        "detail": orjson.dumps({k: v for k, v in detail.items() if v is not None}).decode(),
    }
    await connection.execute(insert(admin_log), row)


async def entries(connection: AsyncConnection, limit: int) -> list[dict[str, Any]]:
    """The latest first."""
    query = select(admin_log).order_by(admin_log.c.at_ms.desc(), admin_log.c.id).limit(limit)
    return [
        {
            "at_ms": row.at_ms,
            "who": row.who,
            "act": row.act,
            "subject": row.subject,
            "detail": orjson.loads(row.detail),
        }
        for row in await connection.execute(query)
    ]


def user() -> str:
    """The user of this machine; a number where there is no name for it, as in many containers."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())
