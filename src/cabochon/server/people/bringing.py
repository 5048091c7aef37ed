"""A guest signs in to a kept name and brings along what was played on that device.

First, in one commit with the new session, the guest becomes that person: nobody else can come in as
them. Then the book of games follows, in one commit, and the chairs at their tables, one table after
the other. A server that dies in between goes on when it is back (`PeopleHousekeeping`), with what
is left.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlalchemy import delete, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.play.chairs import PERSON
from cabochon.play.commands import decided
from cabochon.play.events import HandedOver
from cabochon.play.table import Decision, Table
from cabochon.server.storage.givenorders import give_order
from cabochon.server.storage.joinedbooks import join_books
from cabochon.server.storage.schema import (
    best_storms,
    blocks,
    invitations,
    lesson_marks,
    mistake_boxes,
    people,
    person_tables,
    pool_places,
    puzzle_starts,
    puzzle_tries,
    reports,
    solved_days,
    studies,
    tallies,
)
from cabochon.server.storage.sessions import revoke_sessions
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.storage.transactions import in_transaction
from cabochon.server.tables.databasecommands import carry_out


async def become(connection: AsyncConnection, guest_id: str, heir_id: str, now: int) -> bool:
    """The guest is that person from the commit on. False when they were no guest any more. What is
    left to do: `bring_book`, `bring_tables`."""
    guest = people.c.id == guest_id, people.c.kept.is_(False), people.c.deleted_ms.is_(None)
    gone = {"name": None, "skeleton": None, "hidden": True, "deleted_ms": now, "became": heir_id}
    if not (await connection.execute(update(people).where(*guest).values(**gone))).rowcount:
        return False
    await revoke_sessions(connection, guest_id, now)
    waits = pool_places.c.person_id == guest_id, pool_places.c.state != "taken"
    await connection.execute(delete(pool_places).where(*waits))
    asked = or_(invitations.c.maker == guest_id, invitations.c.guest == guest_id)
    await connection.execute(delete(invitations).where(asked))
    for column in (studies.c.person, reports.c.reporter, reports.c.person_id):
        change = update(column.table).where(column == guest_id)
        await connection.execute(change.values({column.name: heir_id}))
    await _hand_on_blocks(connection, guest_id, heir_id)
    return True


async def _hand_on_blocks(connection: AsyncConnection, guest_id: str, heir_id: str) -> None:
    mine = or_(blocks.c.person_id == guest_id, blocks.c.blocked_id == guest_id)
    rows = (await connection.execute(select(blocks).where(mine))).all()
    await connection.execute(delete(blocks).where(mine))
    ids = {guest_id: heir_id}
    new = [
        {
            "person_id": ids.get(row.person_id, row.person_id),
            "blocked_id": ids.get(row.blocked_id, row.blocked_id),
            "at_ms": row.at_ms,
        }
        for row in rows
    ]
    new = [row for row in new if row["person_id"] != row["blocked_id"]]
    if new:
        dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
        await connection.execute(dialect.insert(blocks).on_conflict_do_nothing(), new)


async def bring_book(aside: SideWriter, guest_id: str, heir_id: str) -> int:
    """How many games; a second time none."""
    return await aside.write(partial(join_books, guest=guest_id, heir=heir_id))


async def bring_tables(store: SqlStore, guest_id: str, heir_id: str, now: int) -> None:
    """Hand over the guest's chairs. Each step may be done twice, and the last one of a table says
    that all are done there."""
    for table_id in await store.people.tables_of(guest_id):
        if await store.length(table_id):
            command = partial(handed_over, guest_id=guest_id, heir_id=heir_id, now=now)
            await carry_out(store, table_id, command)
        done = partial(_brought, guest_id=guest_id, table_id=table_id)
        await in_transaction(store.engine, done)


async def _brought(connection: AsyncConnection, guest_id: str, table_id: str) -> None:
    done = person_tables.c.table_id == table_id, person_tables.c.person_id == guest_id
    await connection.execute(delete(person_tables).where(*done))
    await give_order(connection, "table", table_id)


def handed_over(table: Table, guest_id: str, heir_id: str, now: int) -> Decision:
    """What the guest holds there is the heir's."""
    seats = [seat for seat, chair in enumerate(table.chairs) if chair.person == guest_id]
    return decided(table, *(HandedOver(now, seat, PERSON + heir_id) for seat in seats))


async def bring_the_rest(store: SqlStore, aside: SideWriter, now: int) -> None:
    """Whatever was left when a server died."""
    heirs = select(people.c.id, people.c.became).where(people.c.became.is_not(None))
    practised = (solved_days, best_storms, mistake_boxes)
    async with store.engine.connect() as connection:
        own = (tallies, puzzle_tries, puzzle_starts, lesson_marks, *practised)
        books = heirs.where(or_(*(people.c.id.in_(select(t.c.person_id)) for t in own)))
        left = (await connection.execute(books)).all()
        sat = heirs.where(people.c.id.in_(select(person_tables.c.person_id)))
        tables = (await connection.execute(sat)).all()
    for row in left:
        await bring_book(aside, row.id, row.became)
    for row in tables:
        await bring_tables(store, row.id, row.became, now)
