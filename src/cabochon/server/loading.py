"""Asking for a table that is not in memory: whoever does pays for reading it back."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from cabochon.server import prices
from cabochon.server.doorkeeper import Doorkeeper
from cabochon.server.hub import Hub
from cabochon.server.secrets import is_table_id


async def check_load(
    hub: Hub, doorkeeper: Doorkeeper, connection: HTTPConnection, table_id: str
) -> None:
    """Raises ServerRefused when the asker cannot pay; nothing is charged for what is there."""
    if hub.in_memory(table_id) is None and is_table_id(table_id):
        events = await hub.store.length(table_id)
        doorkeeper.check_request(connection, prices.of_folding(events))
