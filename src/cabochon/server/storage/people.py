"""Who there is: guests, and people who keep their name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Row, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.server.storage.gamebook import relist
from cabochon.server.storage.schema import kept_names, people, person_tables, tables
from cabochon.server.storage.transactions import in_transaction, quick_rows

MOST_TABLES = 30


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a public id. A guest has nothing but sessions; somebody who keeps their name
    has a way back in."""

    id: str
    name: str
    kept: bool
    hidden: bool
    created_ms: int
    seen_ms: int
    renamed_ms: int | None = None


class NameHeld(Exception):
    """Somebody else keeps a name that looks like that."""


_NAMED = (
    select(people)
    .join(kept_names, kept_names.c.person_id == people.c.id)
    .where(kept_names.c.look.in_(bindparam("looks", expanding=True)), people.c.deleted_ms.is_(None))
    .limit(1)
)


class People:
    """On one database. What a name looks like is for the caller to say (`looks`): kept names may
    share no look."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def person(self, person_id: str) -> Person | None:
        """None when there is none, or not any more."""
        async with self._engine.connect() as connection:
            return await living_person(connection, person_id)

    async def named(self, looks: Collection[str]) -> Person | None:
        """The person who keeps a name that looks like that."""
        rows = await quick_rows(self._engine, _NAMED, {"looks": sorted(looks)})
        return person_of_row(rows[0]) if rows else None

    async def rename(self, person: Person, name: str, looks: Collection[str], now: int) -> None:
        """Raises NameHeld."""

        async def written(connection: AsyncConnection) -> None:
            if person.kept:
                await hold_name(connection, person.id, looks)
            renamed = now if person.kept else None
            values = {"name": name, "skeleton": max(looks), "renamed_ms": renamed}
            # Not somebody who has just kept their name, or is gone.
            same = people.c.kept.is_(person.kept), people.c.deleted_ms.is_(None)
            change = update(people).where(people.c.id == person.id, *same)
            changed = await connection.execute(change.values(**values))
            if person.kept and changed.rowcount == 0:
                raise NameHeld

        await in_transaction(self._engine, written)

    async def hide(self, person_id: str, hidden: bool) -> None:

        async def written(connection: AsyncConnection) -> None:
            change = update(people).where(people.c.id == person_id)
            await connection.execute(change.values(hidden=hidden))
            await connection.run_sync(relist, person_id)

        await in_transaction(self._engine, written)

    async def unfinished(self, person_id: str) -> Sequence[str]:
        """Where they sit and the game is not over: the newest tables."""
        query = (
            select(tables.c.id)
            .join(person_tables, person_tables.c.table_id == tables.c.id)
            .where(person_tables.c.person_id == person_id, tables.c.state != "finished")
            .order_by(tables.c.created_ms.desc())
            .limit(MOST_TABLES)
        )
        async with self._engine.connect() as connection:
            return (await connection.execute(query)).scalars().all()

    async def tables_of(self, person_id: str) -> Sequence[str]:
        """Where they sit or have sat."""
        query = select(person_tables.c.table_id).where(person_tables.c.person_id == person_id)
        async with self._engine.connect() as connection:
            return (await connection.execute(query)).scalars().all()


async def living_person(connection: AsyncConnection, person_id: str) -> Person | None:
    """None when there is none, or not any more."""
    query = select(people).where(people.c.id == person_id, people.c.deleted_ms.is_(None))
    row = (await connection.execute(query)).first()
    return None if row is None else person_of_row(row)


async def add_person(connection: AsyncConnection, person: Person, looks: Collection[str]) -> None:
    """A guest."""
    row = {
        "id": person.id,
        "name": person.name,
        "skeleton": max(looks),
        "kept": person.kept,
        "hidden": person.hidden,
        "created_ms": person.created_ms,
        "seen_ms": person.seen_ms,
    }
    await connection.execute(insert(people), row)


async def hold_name(connection: AsyncConnection, person_id: str, looks: Collection[str]) -> None:
    """The name with these looks is theirs from the commit on, and the former one is free. Raises
    NameHeld."""
    await connection.execute(delete(kept_names).where(kept_names.c.person_id == person_id))
    rows = [{"look": look, "person_id": person_id} for look in sorted(looks)]
    try:
        await connection.execute(insert(kept_names), rows)
    except IntegrityError:
        raise NameHeld from None


def person_of_row(row: Row[tuple[object, ...]]) -> Person:
    return Person(
        row.id, row.name, row.kept, row.hidden, row.created_ms, row.seen_ms, row.renamed_ms
    )
