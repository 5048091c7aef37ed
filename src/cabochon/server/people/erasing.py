"""Deleting an account: the name goes, everywhere; the games stay, played by somebody.

First the person is gone, in one commit: nobody can come in as them any more. Then their name is
taken out of each table they sat at, one after the other; a server that dies in between goes on when
it is back (`PeopleHousekeeping`), by what is left in `person_tables`.
"""

from __future__ import annotations

import logging
from typing import Any

import orjson
from sqlalchemy import Connection, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.notation.records import format_record
from cabochon.play.chairs import PERSON
from cabochon.play.commands import decided
from cabochon.play.events import Left, Renamed, Resigned
from cabochon.play.recording import record_of
from cabochon.play.table import Decision, Table
from cabochon.record import Record
from cabochon.server.storage.civility import forget_company
from cabochon.server.storage.gamebook import relist
from cabochon.server.storage.gamelogs import rewrite
from cabochon.server.storage.givenorders import give_order
from cabochon.server.storage.lessonmarks import forget_marks
from cabochon.server.storage.practice import forget_practice
from cabochon.server.storage.puzzletries import forget_puzzles
from cabochon.server.storage.schema import (
    kept_names,
    people,
    person_tables,
    review_turns,
    reviews,
    studies,
    tokens,
)
from cabochon.server.storage.sessions import revoke_sessions
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.storage.tokens import revoke, tokens_of
from cabochon.server.storage.transactions import in_transaction
from cabochon.server.storage.waysin import remove_all_ways
from cabochon.server.tables.databasecommands import carry_out

log = logging.getLogger("cabochon.people")

NAMELESS = "-"
"""What a token is called that belonged to somebody."""
_NAMING = ("Opened", "Joined", "Renamed", "HandedOver")


async def erase(connection: AsyncConnection, person_id: str, now: int) -> bool:
    """Nobody is that person any more. False when nobody was. What is left to do: `forget_names`."""
    mine = people.c.id == person_id, people.c.deleted_ms.is_(None)
    gone = {"name": None, "skeleton": None, "kept": False, "hidden": True, "deleted_ms": now}
    changed = await connection.execute(update(people).where(*mine).values(**gone))
    if changed.rowcount == 0:
        return False
    await connection.execute(delete(kept_names).where(kept_names.c.person_id == person_id))
    await remove_all_ways(connection, person_id)
    await revoke_sessions(connection, person_id, now)
    for token in await tokens_of(connection, person_id):
        await revoke(connection, token.id, now)
    theirs = update(tokens).where(tokens.c.person_id == person_id)
    await connection.execute(theirs.values(name=NAMELESS))
    await connection.execute(delete(studies).where(studies.c.person == person_id))
    await connection.run_sync(forget_puzzles, person_id)
    await connection.run_sync(forget_marks, person_id)
    await connection.run_sync(forget_practice, person_id)
    await connection.run_sync(relist, person_id)
    await forget_company(connection, person_id)
    return True


async def forget_names(store: SqlStore, now: int, person_id: str | None = None) -> int:
    """Take the names of deleted people (or of that one) out of their tables; how many tables."""
    query = (
        select(person_tables)
        .join(people, people.c.id == person_tables.c.person_id)
        .where(people.c.deleted_ms.is_not(None), people.c.became.is_(None))
    )
    if person_id is not None:
        query = query.where(people.c.id == person_id)
    async with store.engine.connect() as connection:
        rows = (await connection.execute(query)).all()
    for row in rows:
        await _forget_at(store, row.table_id, row.person_id, now)
    return len(rows)


async def _forget_at(store: SqlStore, table_id: str, person_id: str, now: int) -> None:
    """Each step may be done twice, and the last one says that all are done."""
    table = await store.table(table_id)
    if table is not None:
        if table.position is not None:
            await in_transaction(store.engine, lambda c: c.run_sync(_drop_reviews, table))
        await carry_out(store, table_id, lambda table: _without(table, person_id, now))

    async def forget(connection: AsyncConnection) -> None:
        await connection.run_sync(_scrub, table_id, person_id)
        done = person_tables.c.table_id == table_id, person_tables.c.person_id == person_id
        await connection.execute(delete(person_tables).where(*done))
        await give_order(connection, "table", table_id)

    await in_transaction(store.engine, forget)


def _without(table: Table, person_id: str, now: int) -> Decision:
    """They give up the chairs that they still can, and have no name at the others."""
    decision = Decision((), table)
    for seat, chair in enumerate(table.chairs):
        if chair.person == person_id and chair.name is not None:
            decision = _and_then(decision, _gone_from(decision.table, seat, now))
    return decision


def _gone_from(table: Table, seat: int, now: int) -> Decision:
    if table.state == "open":
        return decided(table, Left(now, seat))
    playing = table.state == "running" and table.chairs[seat].out is None
    renamed = Renamed(now, seat, None)
    if playing:
        return decided(table, renamed, Resigned(now, seat))
    return decided(table, renamed)


def _and_then(first: Decision, second: Decision) -> Decision:
    return Decision(first.events + second.events, second.table)


def _scrub(connection: Connection, table_id: str, person_id: str) -> None:
    """Out of the list of events as well: what is downloaded, or backed up, later does not have the
    name. Nothing that the game follows from is touched."""
    guests = select(people.c.id).where(people.c.became == person_id)
    ids = (person_id, *connection.execute(guests).scalars())
    holders = frozenset(PERSON + each for each in ids)
    seats: set[int] = set()

    def nameless(body: str) -> str | None:
        if not body.startswith(tuple(f'{{"type":"{kind}"' for kind in _NAMING)):
            return None
        event = orjson.loads(body)
        named = _forget_name(event, holders, seats)
        return orjson.dumps(event).decode() if named else None

    rewrite(connection, table_id, nameless)


def _forget_name(event: dict[str, Any], holders: frozenset[str], seats: set[int]) -> bool:
    """Whether the event named them, also as the guest they were before; `seats` are those that are
    theirs so far."""
    if event["type"] == "Opened":
        own = {s for s, chair in enumerate(event["chairs"]) if chair.get("holder") in holders}
        for seat in own:
            event["chairs"][seat].pop("name", None)
        seats |= own
        return bool(own)
    if event["type"] in ("Joined", "HandedOver"):
        (seats.add if event.get("holder") in holders else seats.discard)(event["seat"])
    if event["seat"] not in seats or not event.get("name"):
        return False
    event["name"] = None
    return True


def _drop_reviews(connection: Connection, table: Table) -> None:
    """Their sentences name the players; they can be made again."""
    record = record_of(table)
    bare = Record(
        ruleset=record.ruleset,
        players=record.players,
        opening=record.opening,
        events=record.events,
    )
    named = select(reviews.c.id).where(reviews.c.record == format_record(bare))
    ids = connection.execute(named).scalars().all()
    connection.execute(delete(review_turns).where(review_turns.c.review_id.in_(ids)))
    connection.execute(delete(reviews).where(reviews.c.id.in_(ids)))
