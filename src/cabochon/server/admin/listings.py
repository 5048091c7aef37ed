"""What there is: tables, people, tokens, bans. Never a card, never a secret; of a seat key's hash
only as much as tells people apart."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import orjson
from sqlalchemy import Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.play.chairs import Chair
from cabochon.play.events import (
    HandedOver,
    Joined,
    Left,
    Opened,
    Removed,
    Renamed,
    TableEvent,
    event_from_json,
)
from cabochon.server.admin.opening import now_ms
from cabochon.server.storage.bans import ban_of
from cabochon.server.storage.schema import (
    bans,
    events,
    people,
    person_tables,
    tables,
    tokens,
)
from cabochon.server.storage.tokens import facts_of_row

SHOWN = 12
"""Letters of a key's hash."""
_SEATS = ("Opened", "Joined", "Left", "Removed", "Renamed", "HandedOver")


@dataclass(frozen=True, slots=True)
class TableFilter:
    state: str | None = None
    older_ms: int | None = None
    """Nothing has happened there for so long."""
    limit: int = 100


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Somebody at a table: a person, or a program from outside."""

    table: str
    seat: int
    chair: Chair

    def shown(self) -> dict[str, Any]:
        chair = self.chair
        return {
            "table": self.table,
            "seat": self.seat,
            "name": chair.name,
            "kind": "token" if chair.token is not None else "person",
            "key": None if chair.key is None else chair.key[:SHOWN],
            "person": chair.person,
            "token": chair.token,
        }


async def list_tables(connection: AsyncConnection, asked: TableFilter) -> list[dict[str, Any]]:
    """The newest first."""
    last = select(
        events.c.table_id,
        func.max(events.c.at_ms).label("last_ms"),
        func.max(events.c.seq).label("events"),
    )
    happened = last.group_by(events.c.table_id).subquery()
    query = select(tables, happened.c.last_ms, happened.c.events).join(
        happened, happened.c.table_id == tables.c.id
    )
    if asked.state is not None:
        query = query.where(tables.c.state == asked.state)
    if asked.older_ms is not None:
        query = query.where(happened.c.last_ms < now_ms() - asked.older_ms)
    query = query.order_by(tables.c.created_ms.desc(), tables.c.id).limit(asked.limit)
    return [_table(row) for row in await connection.execute(query)]


def _table(row: Any) -> dict[str, Any]:
    chairs = orjson.loads(row.info)["chairs"]
    return {
        "id": row.id,
        "state": row.state,
        "variant": row.variant,
        "seats": row.seats,
        "listed": bool(row.listed),
        "created_ms": row.created_ms,
        "last_ms": row.last_ms,
        "events": row.events,
        "players": [chair["name"] or chair["bot"] for chair in chairs],
    }


async def seat_holders(
    connection: AsyncConnection, table_id: str | None = None
) -> list[SeatHolder]:
    """Everybody who sits at a table that is still kept."""
    query = (
        select(events.c.table_id, events.c.body)
        .where(or_(*(events.c.body.like(f'{{"type":"{kind}"%') for kind in _SEATS)))
        .order_by(events.c.table_id, events.c.seq)
    )
    if table_id is not None:
        query = query.where(events.c.table_id == table_id)
    found: list[SeatHolder] = []
    async for table, chairs in _seated(connection, query):
        found += [
            SeatHolder(table, seat, chair) for seat, chair in enumerate(chairs) if chair.has_say
        ]
    return found


async def _seated(
    connection: AsyncConnection, query: Select[tuple[str, str]]
) -> AsyncIterator[tuple[str, tuple[Chair, ...]]]:
    """Who sits at each table in the end, without the game being replayed."""
    table = ""
    chairs: tuple[Chair, ...] = ()
    for row in await connection.execute(query):
        event = event_from_json(orjson.loads(row.body))
        if row.table_id != table:
            if table:
                yield table, chairs
            table, chairs = row.table_id, ()
        chairs = _after(chairs, event)
    if table:
        yield table, chairs


def _after(chairs: tuple[Chair, ...], event: TableEvent) -> tuple[Chair, ...]:
    match event:
        case Opened():
            return event.chairs
        case Joined() if event.seat < len(chairs):
            chair = chairs[event.seat].seated(event.name, event.key, event.holder)
        case Left() if event.seat < len(chairs):
            chair = chairs[event.seat].emptied()
        case Removed() if event.seat < len(chairs):
            chair = chairs[event.seat].without_secrets()
        case Renamed() if event.seat < len(chairs):
            chair = replace(chairs[event.seat], name=event.name)
        case HandedOver() if event.seat < len(chairs):
            chair = replace(chairs[event.seat], holder=event.holder)
        case _:
            return chairs
    return (*chairs[: event.seat], chair, *chairs[event.seat + 1 :])


async def list_seats(
    connection: AsyncConnection, table_id: str | None, name: str | None
) -> list[dict[str, Any]]:
    """Of one table or all, with that in their name."""
    wanted = (name or "").casefold()
    return [
        person.shown()
        for person in await seat_holders(connection, table_id)
        if wanted in (person.chair.name or "").casefold()
    ]


@dataclass(frozen=True, slots=True)
class PeopleFilter:
    name: str | None = None
    guests: bool = False
    """Those as well."""
    limit: int = 100


async def list_people(connection: AsyncConnection, asked: PeopleFilter) -> list[dict[str, Any]]:
    """Those who keep their name, the last seen first."""
    count = select(func.count()).where(person_tables.c.person_id == people.c.id).scalar_subquery()
    query = select(people, count.label("tables")).where(people.c.deleted_ms.is_(None))
    if not asked.guests:
        query = query.where(people.c.kept)
    if asked.name:
        query = query.where(func.lower(people.c.name).contains(asked.name.lower(), autoescape=True))
    query = query.order_by(people.c.seen_ms.desc(), people.c.id).limit(asked.limit)
    names = ("id", "name", "kept", "hidden", "created_ms", "seen_ms", "renamed_ms", "tables")
    rows = (await connection.execute(query)).mappings()
    return [{name: row[name] for name in names} for row in rows]


async def list_tokens(connection: AsyncConnection, revoked: bool) -> list[dict[str, Any]]:
    """The newest first; with the revoked ones only when they are asked for."""
    query = select(tokens).order_by(tokens.c.created_ms.desc(), tokens.c.id)
    if not revoked:
        query = query.where(tokens.c.revoked_ms.is_(None))
    found = [facts_of_row(row) for row in await connection.execute(query)]
    return [
        {
            "id": token.id,
            "name": token.name,
            "scopes": list(token.scopes),
            "created_ms": token.created_ms,
            "last_used_ms": token.last_used_ms,
            "revoked_ms": token.revoked_ms,
        }
        for token in found
    ]


async def list_bans(connection: AsyncConnection) -> list[dict[str, Any]]:
    """The newest first, also those that have run out."""
    now = now_ms()
    rows = await connection.execute(select(bans).order_by(bans.c.created_ms.desc(), bans.c.id))
    return [
        {
            "id": ban.id,
            "kind": ban.kind.value,
            "subject": ban.subject[:SHOWN] if ban.kind == "person" else ban.subject,
            "reason": ban.reason,
            "created_ms": ban.created_ms,
            "until_ms": ban.until_ms,
            "holds": ban.holds(now),
        }
        for ban in map(ban_of, rows)
    ]
