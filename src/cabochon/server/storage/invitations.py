"""Who has asked whom for a game, in the database, so that it does not matter at which node.

    open -> taken -> accepted
         -> declined

It is taken before the table is made, and accepted after it. If the node dies in between, the table
either exists or it doesn't: the next look accepts the invitation, or opens it again.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, func, insert, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.server.storage.schema import blocks, invitations, people, tables
from cabochon.server.storage.transactions import change_rows, in_transaction

_LOCK = 0x696E7669
OPEN, TAKEN, ACCEPTED, DECLINED = "open", "taken", "accepted", "declined"


@dataclass(frozen=True, slots=True)
class Invitation:
    """`maker` asks `guest`; the names are as they are now."""

    id: str
    maker: str
    guest: str
    pool: str
    rated: bool
    address: str
    share_hash: str | None
    at_ms: int
    until_ms: int
    state: str = OPEN
    table: str | None = None
    maker_name: str | None = None
    guest_name: str | None = None


class Invitations:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, made: Invitation) -> None:
        """Instead of whatever these two had open between them."""
        row = {
            "id": made.id,
            "maker": made.maker,
            "guest": made.guest,
            "pool": made.pool,
            "rated": made.rated,
            "address": made.address,
            "share_hash": made.share_hash,
            "state": made.state,
            "at_ms": made.at_ms,
            "until_ms": made.until_ms,
        }
        here = invitations.c
        same = here.maker == made.maker, here.guest == made.guest, here.state != TAKEN

        async def written(connection: AsyncConnection) -> None:
            await connection.execute(delete(invitations).where(*same))
            await connection.execute(insert(invitations), row)

        await in_transaction(self._engine, written)

    async def count_open(self, maker: str, now: int) -> int:
        mine = invitations.c.maker == maker, invitations.c.until_ms > now
        query = select(func.count()).select_from(invitations).where(*mine)
        query = query.where(invitations.c.state == OPEN)
        async with self._engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def count_from(self, address: str, besides: str, guest: str, now: int) -> int:
        """How many others have asked that person from that address (a hash)."""
        here = invitations.c
        theirs = here.address == address, here.guest == guest, here.maker != besides
        query = select(func.count()).select_from(invitations)
        query = query.where(*theirs, here.state == OPEN, here.until_ms > now)
        async with self._engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def of(self, ids: Collection[str], now: int) -> list[Invitation]:
        """Those that these people have made or been sent, the newest first; of somebody they
        blocked, none. Nobody is told why they get no answer."""
        maker, guest = people.alias("maker_person"), people.alias("guest_person")
        blocked = select(blocks.c.blocked_id).where(
            blocks.c.person_id == invitations.c.guest,
            blocks.c.blocked_id == invitations.c.maker,
        )
        mine = or_(invitations.c.maker.in_(ids), invitations.c.guest.in_(ids) & ~blocked.exists())
        query = (
            select(invitations, maker.c.name.label("maker_name"), guest.c.name.label("guest_name"))
            .join(maker, maker.c.id == invitations.c.maker)
            .join(guest, guest.c.id == invitations.c.guest)
            .where(mine, invitations.c.until_ms > now)
            .order_by(invitations.c.at_ms.desc(), invitations.c.id)
        )
        async with self._engine.connect() as connection:
            return [_invitation(row) for row in await connection.execute(query)]

    async def change(self, invitation_id: str, before: str, after: str, **values: Any) -> bool:
        """Whether it was as it should be before."""
        here = invitations.c.id == invitation_id, invitations.c.state == before
        change = update(invitations).where(*here).values(state=after, **values)
        return await change_rows(self._engine, change) == 1

    async def take(self, asked: Invitation, table_id: str, now: int) -> bool:
        """Whether it was open, and neither of the two is sitting down elsewhere by another one."""
        others = invitations.alias("others")
        both = (asked.maker, asked.guest)
        busy = select(others.c.id).where(
            others.c.state == TAKEN, or_(others.c.maker.in_(both), others.c.guest.in_(both))
        )
        here = invitations.c.id == asked.id, invitations.c.state == OPEN, ~busy.exists()
        values = {"state": TAKEN, "table_id": table_id, "at_ms": now}
        change = update(invitations).where(*here).values(values)

        async def written(connection: AsyncConnection) -> bool:
            if connection.dialect.name == "postgresql":
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            return (await connection.execute(change)).rowcount == 1

        return await in_transaction(self._engine, written)

    async def remove(self, invitation_id: str) -> None:
        here = invitations.c.id == invitation_id, invitations.c.state != TAKEN
        await change_rows(self._engine, delete(invitations).where(*here))

    async def settle(self, before: int, now: int) -> None:
        """What a node that has since died took too long ago, and what is over."""
        here = invitations.c
        old = here.state == TAKEN, here.at_ms < before
        made = select(tables.c.id)

        async def written(connection: AsyncConnection) -> None:
            change = update(invitations).where(*old, here.table_id.in_(made))
            await connection.execute(change.values(state=ACCEPTED))
            change = update(invitations).where(*old)
            await connection.execute(change.values(state=OPEN, table_id=None))
            await connection.execute(delete(invitations).where(here.until_ms < now))

        await in_transaction(self._engine, written)


def _invitation(row: Row[Any]) -> Invitation:
    return Invitation(
        id=row.id,
        maker=row.maker,
        guest=row.guest,
        pool=row.pool,
        rated=row.rated,
        address=row.address,
        share_hash=row.share_hash,
        at_ms=row.at_ms,
        until_ms=row.until_ms,
        state=row.state,
        table=row.table_id,
        maker_name=row.maker_name,
        guest_name=row.guest_name,
    )
