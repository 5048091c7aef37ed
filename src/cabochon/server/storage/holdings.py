"""Who has made which of the tables that are not finished: kept with them, so that quotas hold at
every node and after a restart. Addresses are kept as hashes, and only for so long."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    delete,
    func,
    insert,
    select,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.server.storage.schema import holdings, tables
from cabochon.server.storage.transactions import change_rows, in_transaction, quick_rows

AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Holder:
    """The maker of a table: from where, and who, if a key or token says so."""

    address: str
    network: str | None = None
    person: str | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(key for key in (self.address, self.network, self.person) if key is not None)


@dataclass(frozen=True, slots=True)
class Holding:
    """That a table is somebody's. Kept by the commit that makes the table."""

    table_id: str
    holder: Holder
    bots_only: bool
    at: int

    def row(self) -> dict[str, object]:
        return {
            "table_id": self.table_id,
            "address": self.holder.address,
            "network": self.holder.network,
            "person": self.holder.person,
            "bots_only": self.bots_only,
            "unplayed": True,
            "seen_ms": self.at,
        }


@dataclass(frozen=True, slots=True)
class Held:
    """Unfinished tables: of the address, the wider network, the person; and of bots alone, by the
    address and by everybody."""

    address: int
    network: int
    person: int
    bots: int
    all_bots: int


def pseudonym(text: str) -> str:
    """Not the address itself: enough to count by."""
    said = text.encode("utf-8", "surrogatepass")
    return blake2b(said, digest_size=12, person=b"cabochon").hexdigest()


class Holdings:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def held(self, holder: Holder) -> Held:
        asked = {"by": holder.address, "network": holder.network, "person": holder.person}
        (counts,) = await quick_rows(self._engine, _HELD, asked)
        return Held(*(int(count) for count in counts))

    async def hand_on(self, table_id: str, rematch: str, now: int) -> None:
        """The rematch belongs to the owner of the table."""

        async def written(connection: AsyncConnection) -> None:
            known = select(holdings).where(holdings.c.table_id == table_id)
            row = (await connection.execute(known)).mappings().first()
            if row is not None:
                new = {**row, "table_id": rematch, "unplayed": True, "seen_ms": now}
                await connection.execute(insert(holdings), new)

        await in_transaction(self._engine, written)

    async def see(self, table_ids: list[str], now: int) -> None:
        """Somebody is at these tables."""

        async def written(connection: AsyncConnection) -> None:
            for first in range(0, len(table_ids), AT_ONCE):
                some = holdings.c.table_id.in_(table_ids[first : first + AT_ONCE])
                await connection.execute(update(holdings).where(some).values(seen_ms=now))

        await in_transaction(self._engine, written)

    async def unseen(self, before: int) -> list[tuple[str, str]]:
        """Tables at which nobody has been since then and nothing is known to have happened, with
        their states."""
        query = (
            select(holdings.c.table_id, tables.c.state)
            .join(tables, tables.c.id == holdings.c.table_id)
            .where(holdings.c.unplayed == true(), holdings.c.seen_ms < before)
            .where(tables.c.state != "finished")
            .limit(AT_ONCE)
        )
        async with self._engine.connect() as connection:
            return [(row.table_id, row.state) for row in await connection.execute(query)]

    async def played(self, table_ids: list[str]) -> None:
        """Something has happened there after all: they are not asked about again."""
        some = holdings.c.table_id.in_(table_ids)
        await change_rows(self._engine, update(holdings).where(some).values(unplayed=False))

    async def tidy(self, before: int) -> None:
        """Forget who had tables that are finished or gone."""
        alive = select(tables.c.id).where(tables.c.state != "finished")
        old = holdings.c.seen_ms < before, holdings.c.table_id.not_in(alive)
        await change_rows(self._engine, delete(holdings).where(*old))


def _count(*where: ColumnElement[bool]) -> Select[int]:
    return (
        select(func.count())
        .select_from(holdings.join(tables, tables.c.id == holdings.c.table_id))
        .where(tables.c.state != "finished", *where)
    )


_MINE = holdings.c.address == bindparam("by")
_HELD = select(
    *(
        question.scalar_subquery()
        for question in (
            _count(_MINE),
            # Nobody in particular, which is NULL, holds nothing.
            _count(holdings.c.network == bindparam("network")),
            _count(holdings.c.person == bindparam("person")),
            _count(_MINE, holdings.c.bots_only == true()),
            _count(holdings.c.bots_only == true()),
        )
    )
)
