"""What there is: tables, people, tokens, bans. Never a card, never a secret; of a seat key's hash
only as much as tells people apart."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, replace
from typing import Any

import orjson
from sqlalchemy import func, or_, select
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
from cabochon.server.admin.databases import now_ms
from cabochon.server.storage.bans import ban_of
from cabochon.server.storage.gamelogs import last_ms, last_seq
from cabochon.server.storage.packedgames import unpack
from cabochon.server.storage.schema import (
    bans,
    events,
    packed_games,
    people,
    person_tables,
    tables,
    tokens,
)
from cabochon.server.storage.tokens import facts_of_row

SHOWN = 12
"""Letters of a key's hash."""
_SEATS = tuple(
    f'{{"type":"{kind}"'
    for kind in ("Opened", "Joined", "Left", "Removed", "Renamed", "HandedOver")
)
"""How the events begin by which chairs change hands."""


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
    last = last_ms(tables.c.id)
    query = select(tables, last.label("last_ms"), last_seq(tables.c.id).label("events"))
    if asked.state is not None:
        query = query.where(tables.c.state == asked.state)
    if asked.older_ms is not None:
        query = query.where(last < now_ms() - asked.older_ms)
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
    found: list[SeatHolder] = []
    async for table, bodies in _said_about_seats(connection, table_id):
        found += [
            SeatHolder(table, seat, chair)
            for seat, chair in enumerate(_seated(bodies))
            if chair.has_say
        ]
    return found


async def _said_about_seats(
    connection: AsyncConnection, table_id: str | None
) -> AsyncIterator[tuple[str, list[str]]]:
    """Of each table the events by which chairs change hands, also of games that are packed."""
    early = select(packed_games)
    later = (
        select(events.c.table_id, events.c.seq, events.c.body)
        .where(or_(*(events.c.body.like(f"{start}%") for start in _SEATS)))
        .order_by(events.c.table_id, events.c.seq)
    )
    if table_id is not None:
        early = early.where(packed_games.c.table_id == table_id)
        later = later.where(events.c.table_id == table_id)
    rows: dict[str, list[tuple[int, str]]] = {}
    for row in await connection.execute(later):
        rows.setdefault(row.table_id, []).append((row.seq, row.body))
    async for game in await connection.stream(early):
        said = [body for body in unpack(game.body) if body.startswith(_SEATS)]
        since = [body for seq, body in rows.pop(game.table_id, ()) if seq > game.last_seq]
        yield game.table_id, said + since
    for table, bodies in rows.items():
        yield table, [body for _, body in bodies]


def _seated(bodies: Iterable[str]) -> tuple[Chair, ...]:
    """Who sits there in the end, without the game being replayed."""
    chairs: tuple[Chair, ...] = ()
    for body in bodies:
        chairs = _after(chairs, event_from_json(orjson.loads(body)))
    return chairs


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
