"""The events of a table, wherever they are kept: as rows while a game is played, packed into one
value when it has been over for a while.

A packed game has its first events in `packed_games`, and whatever came later as rows. It moves in
two steps, so that no two nodes can ever both follow event n. First the packed value is kept; from
then on the ledger refuses those numbers. Only a while later, when nobody can have begun to write
before that, are the rows removed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    ScalarSelect,
    Select,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.server.storage.packedgames import pack, unpack
from cabochon.server.storage.schema import events, packed_games, tables

SETTLES_MS = 20_000
"""No transaction takes this long: a writer that begins now knows what was packed before."""

Rewrite = Callable[[str], str | None]
"""Another body for an event, or None for the same."""


# Reading


async def bodies_of(connection: AsyncConnection, table_id: str, since: int = 0) -> list[str]:
    """The events after number `since`, in order."""
    rows = (await connection.execute(_rows(table_id, since))).all()
    if rows and rows[0].seq == since + 1:
        return [row.body for row in rows]
    packed = (await connection.execute(_packed(table_id))).first()
    return _joined(packed, rows, since)


def _rows(table_id: str, since: int) -> Select[tuple[int, str]]:
    return (
        select(events.c.seq, events.c.body)
        .where(events.c.table_id == table_id, events.c.seq > since)
        .order_by(events.c.seq)
    )


def _packed(table_id: str) -> Select[tuple[int, bytes]]:
    return select(packed_games.c.last_seq, packed_games.c.body).where(
        packed_games.c.table_id == table_id
    )


def _joined(
    packed: Row[tuple[int, bytes]] | None, rows: Sequence[Row[tuple[int, str]]], since: int
) -> list[str]:
    """It is packed before its rows are removed: a reader that finds no rows finds it packed."""
    if packed is None:
        return [row.body for row in rows]
    early = unpack(packed.body)[since:] if packed.last_seq > since else []
    return early + [row.body for row in rows if row.seq > packed.last_seq]


def last_seq(table_id: ColumnElement[str] | str) -> ColumnElement[int | None]:
    """The number of a table's last event."""
    return _either(_greatest(events.c.seq, table_id), packed_games.c.last_seq, table_id)


def last_ms(table_id: ColumnElement[str] | str) -> ColumnElement[int | None]:
    """When something last happened at a table."""
    return _either(_greatest(events.c.at_ms, table_id), packed_games.c.last_ms, table_id)


def _greatest(
    column: ColumnElement[int], table_id: ColumnElement[str] | str
) -> ScalarSelect[int | None]:
    found = select(func.max(column)).where(events.c.table_id == table_id)
    return found.correlate(tables).scalar_subquery()


def _either(
    of_rows: ScalarSelect[int | None],
    packed: ColumnElement[int],
    table_id: ColumnElement[str] | str,
) -> ColumnElement[int | None]:
    early = select(packed).where(packed_games.c.table_id == table_id)
    return func.coalesce(of_rows, early.correlate(tables).scalar_subquery())


# Changing


def hold(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Those of the tables that are there and that nobody else is packing or rewriting, kept so
    until the transaction ends. Must be its first statement."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    query = select(tables.c.id).where(tables.c.id.in_(ids)).order_by(tables.c.id)
    return list(connection.execute(query.with_for_update(skip_locked=True)).scalars())


def rewrite(connection: Connection, table_id: str, change: Rewrite) -> None:
    """Other bodies for events of a table: `change` is asked about each, in order. Begins a
    transaction; it waits for a process that is packing the table."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    connection.execute(select(tables.c.id).where(tables.c.id == table_id).with_for_update())
    packed = connection.execute(_packed(table_id)).first()
    if packed is not None:
        early = unpack(packed.body)
        later = [change(body) for body in early]
        if any(body is not None for body in later):
            body = pack([new or old for new, old in zip(later, early, strict=True)])
            own = update(packed_games).where(packed_games.c.table_id == table_id)
            connection.execute(own.values(body=body))
    for row in connection.execute(_rows(table_id, 0)).all():
        written = change(row.body)
        if written is not None:
            at = events.c.table_id == table_id, events.c.seq == row.seq
            connection.execute(update(events).where(*at).values(body=written))


# Packing


def packable(before_ms: int, limit: int) -> Select[tuple[str]]:
    """Games that have been over, and settled, since before then, and are not packed whole."""
    known = select(packed_games.c.table_id).where(
        packed_games.c.table_id == tables.c.id,
        packed_games.c.last_seq >= _greatest(events.c.seq, tables.c.id),
    )
    known = known.correlate(tables)
    return (
        _unpacked()
        .where(tables.c.settled, tables.c.created_ms < before_ms)
        .where(_greatest(events.c.at_ms, tables.c.id) < before_ms, ~known.exists())
        .order_by(tables.c.created_ms)
        .limit(limit)
    )


def removable(made_before_ms: int, limit: int) -> Select[tuple[str]]:
    """Games that were packed before then, whose rows are still there."""
    return (
        _unpacked()
        .join(packed_games, packed_games.c.table_id == tables.c.id)
        .where(packed_games.c.made_ms < made_before_ms)
        .where(packed_games.c.last_seq >= _greatest(events.c.seq, tables.c.id))
        .limit(limit)
    )


def _unpacked() -> Select[tuple[str]]:
    return select(tables.c.id).where(tables.c.state == "finished", tables.c.packed.is_(False))


def pack_games(connection: Connection, ids: Sequence[str], now: int) -> int:
    """Keep the packed values of these games, beside their rows; of how many."""
    made = [row for table_id in hold(connection, ids) if (row := _made(connection, table_id, now))]
    if made:
        dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
        new = dialect.insert(packed_games)
        changed = {c.name: new.excluded[c.name] for c in packed_games.c if c.name != "table_id"}
        connection.execute(
            new.on_conflict_do_update(index_elements=["table_id"], set_=changed), made
        )
    return len(made)


def _made(connection: Connection, table_id: str, now: int) -> dict[str, object] | None:
    packed = connection.execute(_packed(table_id)).first()
    rows = connection.execute(_rows(table_id, 0)).all()
    if not rows:
        return None
    last = select(func.max(events.c.at_ms)).where(events.c.table_id == table_id)
    return {
        "table_id": table_id,
        "last_seq": rows[-1].seq,
        "last_ms": connection.execute(last).scalar_one(),
        "made_ms": now,
        "body": pack(_joined(packed, rows, 0)),
    }


def remove_rows(connection: Connection, ids: Sequence[str], made_before_ms: int) -> int:
    """Remove the rows of games that were packed before then; of how many games."""
    held = hold(connection, ids)
    still = removable(made_before_ms, len(held)).where(tables.c.id.in_(held))
    gone = list(connection.execute(still).scalars())
    if gone:
        until = select(packed_games.c.last_seq).where(packed_games.c.table_id == events.c.table_id)
        packed = events.c.table_id.in_(gone), events.c.seq <= until.scalar_subquery()
        connection.execute(delete(events).where(*packed))
        connection.execute(update(tables).where(tables.c.id.in_(gone)).values(packed=True))
    return len(gone)


def unpack_games(connection: Connection) -> None:
    """Put the events of all packed games back as rows: the way to an older version."""
    for game in connection.execute(select(packed_games)).all():
        of_game = events.c.table_id == game.table_id
        connection.execute(delete(events).where(of_game, events.c.seq <= game.last_seq))
        bodies = unpack(game.body)
        rows = [
            {"table_id": game.table_id, "seq": seq, "at_ms": orjson.loads(body)["at"], "body": body}
            for seq, body in enumerate(bodies, 1)
        ]
        connection.execute(insert(events), rows)
    connection.execute(delete(packed_games))
    connection.execute(update(tables).values(packed=False))
