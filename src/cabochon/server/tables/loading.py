"""Asking for a table that isn't in memory: the caller pays for reading it back."""

from __future__ import annotations

from typing import Protocol

from starlette.requests import HTTPConnection

from cabochon.server.access import prices
from cabochon.server.access.accesslimits import AccessLimits
from cabochon.server.secrets import is_table_id
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables.live import Live


class LoadedTables(Protocol):
    """The tables in memory, and the store for the others."""

    @property
    def store(self) -> SqlStore: ...

    def in_memory(self, table_id: str) -> Live | None: ...


async def check_load(
    tables: LoadedTables, access: AccessLimits, connection: HTTPConnection, table_id: str
) -> None:
    """Raises ServerRefused when the caller cannot pay; nothing is charged for what is there."""
    if tables.in_memory(table_id) is None and is_table_id(table_id):
        events = await tables.store.length(table_id)
        access.check_request(connection, prices.of_folding(events))
