"""Commands on a table in the database, no matter which server has it in memory: read, decided and
stored, alongside whatever its players do. Running servers are told where to look."""

from __future__ import annotations

from collections.abc import Callable

from cabochon.play.store import Append, Conflict
from cabochon.play.table import Decision, Table
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import is_table_id
from cabochon.server.storage.sqlstore import SqlStore

ATTEMPTS = 8


async def read_table(store: SqlStore, table_id: str) -> Table:
    """Raises ServerRefused."""
    table = await store.table(table_id) if is_table_id(table_id) else None
    if table is None:
        raise ServerRefused(ServerFault.NO_SUCH_TABLE, table=table_id[:16])
    return table


async def carry_out(
    store: SqlStore, table_id: str, command: Callable[[Table], Decision]
) -> tuple[Table, Table]:
    """The table as it was before, and as it is after. Raises what the command raises."""
    for _ in range(ATTEMPTS):
        table = await read_table(store, table_id)
        decision = command(table)
        if not decision.events:
            return table, table
        try:
            await store.append([Append(table.seq + 1, decision.events, decision.table)])
        except Conflict:
            continue
        return table, decision.table
    raise ServerRefused(ServerFault.BUSY)
