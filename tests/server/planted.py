"""Databases with tables that somebody has played for long before the server started."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cabochon.play.chairs import Chair, Kind
from cabochon.play.clock import Clock
from cabochon.play.events import Opened, TableEvent
from cabochon.play.store import Append
from cabochon.play.table import Table
from cabochon.server.secrets import hashed
from cabochon.server.storage.database import open_database
from cabochon.server.storage.sqlstore import SqlStore
from tests.play.longlogs import long_log
from tests.play.sittings import opening

KEYS = ("cab_s_" + "0" * 43, "cab_s_" + "1" * 43)
MOVES, TAKEBACKS = 999, 500
"""With the opening, two thousand events."""


def one_person(clock: Clock | None = None, at: int = 0) -> Opened:
    """Two seats of somebody who has both keys."""
    chairs = tuple(
        Chair(Kind.HUMAN, name, key=hashed(key), holder=f"key:{hashed(KEYS[0])}")
        for name, key in zip(("Ada", "Bo"), KEYS, strict=True)
    )
    return opening(*chairs, clock=clock, at=at)


def farmed(clock: Clock | None = None) -> list[TableEvent]:
    """A thousand moves, and five hundred times one taken back and made again."""
    return long_log(MOVES, TAKEBACKS, one_person(clock))


def plant(db: Path, *table_ids: str, events: Sequence[TableEvent]) -> None:
    """Keep the same events under each of these names, as a server that has stopped since."""

    async def write() -> None:
        store = SqlStore(await open_database(str(db)), "planter")
        store.start()
        table = Table.of("table", events)
        for table_id in table_ids:
            await store.append([Append(1, tuple(events), replace(table, id=table_id))])
        await store.retire()
        await store.close()

    asyncio.run(write())
