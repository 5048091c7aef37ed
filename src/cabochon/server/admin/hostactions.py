"""What the host can do. Each action is written to the log, and running servers are told in the same
commit; each raises CabochonError and then nothing has changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import delete as delete_rows
from sqlalchemy import insert, or_, select, update

from cabochon.play import hosting
from cabochon.play.clock import DAY_MS
from cabochon.play.table import Decision, Table
from cabochon.server.access.playernames import looks, tidy
from cabochon.server.admin.databases import now_ms
from cabochon.server.admin.faults import AdminFault, AdminRefused
from cabochon.server.admin.journal import note
from cabochon.server.admin.listings import SeatHolder, seat_holders
from cabochon.server.people.erasing import erase, forget_names
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import TABLE_ID, new_table_id
from cabochon.server.storage.bans import BanKind, network_of
from cabochon.server.storage.givenorders import give_order
from cabochon.server.storage.people import NameHeld, Person
from cabochon.server.storage.recomputing import recompute
from cabochon.server.storage.retention import delete_tables, purge_finished
from cabochon.server.storage.schema import bans, seatings, tokens
from cabochon.server.storage.sessions import revoke_sessions
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.storage.tokens import revoke
from cabochon.server.tables.databasecommands import carry_out, read_table
from cabochon.server.web.models import Name

LEAST_LETTERS = 6
_SEAT = re.compile(rf"({TABLE_ID.strip('^$')}):([0-9])")
_NAME: TypeAdapter[str] = TypeAdapter(Name)


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a ban is about."""

    kind: BanKind
    subject: str


# Ratings


async def recompute_ratings(store: SqlStore) -> dict[str, int]:
    """All ratings, sums and encounters anew, from the games in their order: how many games and
    people there are, and how many rows were not as they should be."""
    aside = SideWriter(store.engine)
    try:
        found = await aside.write(recompute)
    finally:
        await aside.close()
    counts = {"games": found.games, "people": found.people, "changed": found.changed}
    async with store.engine.begin() as connection:
        await note(connection, "recompute", "ratings", **counts)
    return counts


# Tables


async def close_table(store: SqlStore, table_id: str) -> None:
    """End it, whether the game runs or is still waiting for players."""
    await _at_table(store, table_id, hosting.close)
    await _noted(store, "close", table_id)


async def kick(store: SqlStore, table_id: str, seat: int) -> None:
    """Out of the game, or off the chair before the start; the seat's key is good for nothing."""
    before = await _at_table(store, table_id, lambda t, now: hosting.remove(t, seat, now))
    await _noted(store, "kick", table_id, seat=seat, name=before.chairs[seat].name)


async def rename_seat(store: SqlStore, table_id: str, seat: int, name: str) -> None:
    name = checked_name(name)
    before = await _at_table(store, table_id, lambda t, now: hosting.rename(t, seat, name, now))
    former = before.chairs[seat].name
    await _noted(store, "rename", table_id, seat=seat, before=former, after=name)


async def rename_token(store: SqlStore, token_id: str, name: str) -> list[str]:
    """The token, and its seats at every table that is still kept: which ones."""
    name = checked_name(name)
    async with store.engine.begin() as connection:
        found = await connection.execute(select(tokens.c.name).where(tokens.c.id == token_id))
        former = found.scalar()
        if former is None:
            raise AdminRefused(AdminFault.NO_SUCH_TOKEN, token=token_id[:16])
        await connection.execute(update(tokens).where(tokens.c.id == token_id).values(name=name))
        await note(connection, "rename", f"token:{token_id}", before=former, after=name)
        at = select(seatings.c.table_id).where(seatings.c.token_id == token_id)
        ids = [row.table_id for row in await connection.execute(at)]
    for table_id in ids:
        await _rename_at(store, table_id, token_id, name)
    return ids


async def _rename_at(store: SqlStore, table_id: str, token_id: str, name: str) -> None:
    table = await read_table(store, table_id)
    for seat, chair in enumerate(table.chairs):
        if chair.token == token_id:
            await _at_table(store, table_id, partial(_renamed, seat=seat, name=name))
    async with store.engine.begin() as connection:
        await give_order(connection, "table", table_id)


def _renamed(table: Table, now: int, seat: int, name: str) -> Decision:
    return hosting.rename(table, seat, name, now)


async def delete_table(store: SqlStore, table_id: str) -> None:
    """A finished one, with its record."""
    table = await read_table(store, table_id)
    if table.ended is None:
        raise AdminRefused(AdminFault.NOT_FINISHED, table=table_id)
    async with store.engine.begin() as connection:
        await delete_tables(connection, [table_id])
        await give_order(connection, "gone", table_id)
        await note(connection, "delete", table_id)


async def purge(store: SqlStore, days: int) -> int:
    """All finished tables that nobody has touched for so long: how many."""
    before, count = now_ms() - days * DAY_MS, 0
    while gone := await purge_finished(store.engine, before):
        count += len(gone)
    async with store.engine.begin() as connection:
        if count:
            await give_order(connection, "purge")
        await note(connection, "purge", f"{days} days", tables=count)
    return count


async def _at_table(
    store: SqlStore, table_id: str, command: Callable[[Table, int], Decision]
) -> Table:
    """Carry a command out: the table as it was before."""
    before, _ = await carry_out(store, table_id, lambda table: command(table, now_ms()))
    return before


async def _noted(store: SqlStore, act: str, table_id: str, **detail: Any) -> None:
    async with store.engine.begin() as connection:
        await give_order(connection, "table", table_id)
        await note(connection, act, table_id, **detail)


def checked_name(name: str) -> str:
    """As players' names are. Raises AdminRefused."""
    try:
        return _NAME.validate_python(name)
    except ValidationError:
        raise AdminRefused(AdminFault.BAD_NAME, name=repr(name)[:40]) from None


# People and tokens


async def rename_person(store: SqlStore, person_id: str, name: str) -> None:
    """Whenever the host likes; at tables they are called as they were when they sat down."""
    person = await _known(store, person_id)
    name = tidy(checked_name(name))
    try:
        await store.people.rename(person, name, looks(name), now_ms())
    except NameHeld:
        raise ServerRefused(ServerFault.NAME_KEPT, name=name) from None
    async with store.engine.begin() as connection:
        await note(connection, "rename", f"person:{person_id}", before=person.name, after=name)


async def sign_out(store: SqlStore, text: str) -> int:
    """Everywhere; how many browsers."""
    person = await _known(store, text.removeprefix("person:"))
    async with store.engine.begin() as connection:
        count = await revoke_sessions(connection, person.id, now_ms())
        await note(connection, "signout", f"person:{person.id}", sessions=count)
    return count


async def delete_person(store: SqlStore, person_id: str) -> None:
    """As they could themselves: the games stay, the name goes."""
    await _known(store, person_id)
    async with store.engine.begin() as connection:
        await erase(connection, person_id, now_ms())
        await note(connection, "delete", f"person:{person_id}")
    await forget_names(store, now_ms(), person_id)


async def delete(store: SqlStore, text: str) -> None:
    """A finished table by its id, or person:ID."""
    if text.startswith("person:"):
        await delete_person(store, text.removeprefix("person:"))
    else:
        await delete_table(store, text)


async def _known(store: SqlStore, person_id: str) -> Person:
    person = await store.people.person(person_id)
    if person is None:
        raise AdminRefused(AdminFault.NO_SUCH_PERSON, who=f"person:{person_id[:40]}")
    return person


async def revoke_token(store: SqlStore, token_id: str) -> None:
    async with store.engine.begin() as connection:
        if not await revoke(connection, token_id, now_ms()):
            raise AdminRefused(AdminFault.NO_SUCH_TOKEN, token=token_id[:16])
        await note(connection, "revoke", f"token:{token_id}")


async def ban(store: SqlStore, text: str, reason: str, for_ms: int | None) -> str:
    """Keep somebody out; a ban of the same one is replaced. Its id, by which it can be lifted."""
    who = await find(store, text)
    now, ban_id = now_ms(), new_table_id()
    row = {
        "id": ban_id,
        "kind": who.kind.value,
        "subject": who.subject,
        "reason": reason.strip()[:200],
        "created_ms": now,
        "until_ms": None if for_ms is None else now + for_ms,
    }
    same = (bans.c.kind == who.kind.value) & (bans.c.subject == who.subject)
    async with store.engine.begin() as connection:
        await connection.execute(delete_rows(bans).where(same))
        await connection.execute(insert(bans), row)
        await give_order(connection, "bans")
        until = row["until_ms"]
        await note(connection, "ban", _named(who), id=ban_id, reason=reason or None, until_ms=until)
    return ban_id


async def lift(store: SqlStore, ban_id: str) -> None:
    """By the ban's id, or by what is banned."""
    async with store.engine.begin() as connection:
        found = or_(bans.c.id == ban_id, bans.c.subject == ban_id.removeprefix("token:"))
        gone = await connection.execute(delete_rows(bans).where(found))
        if gone.rowcount == 0:
            raise AdminRefused(AdminFault.NO_SUCH_BAN, ban=ban_id[:64])
        await give_order(connection, "bans")
        await note(connection, "lift", ban_id)


async def find(store: SqlStore, text: str) -> Who:
    """Whom the text means: an address or a network, TABLE:SEAT, token:ID, person:KEY."""
    kind, _, rest = text.partition(":")
    if kind == "token":
        return await _token(store, rest)
    if kind == "person":
        if await store.people.person(rest) is not None:
            return Who(BanKind.PERSON, rest)
        return _one(text, [p for p in await _everybody(store, None) if _has_key(p, rest)])
    if (at := _SEAT.fullmatch(text)) is not None:
        table_id, seat = at[1], int(at[2])
        return _one(text, [p for p in await _everybody(store, table_id) if p.seat == seat])
    try:
        return Who(BanKind.ADDRESS, str(network_of(text)))
    except ValueError:
        raise AdminRefused(AdminFault.BAD_WHO, who=repr(text)[:60]) from None


def seat_of(text: str) -> tuple[str, int] | None:
    """The table and seat that TABLE:SEAT names, if it does."""
    at = _SEAT.fullmatch(text)
    return None if at is None else (at[1], int(at[2]))


async def _token(store: SqlStore, token_id: str) -> Who:
    async with store.engine.connect() as connection:
        query = select(tokens.c.id).where(tokens.c.id == token_id)
        if (await connection.execute(query)).first() is None:
            raise AdminRefused(AdminFault.NO_SUCH_TOKEN, token=token_id[:16])
    return Who(BanKind.TOKEN, token_id)


async def _everybody(store: SqlStore, table_id: str | None) -> list[SeatHolder]:
    async with store.engine.connect() as connection:
        return await seat_holders(connection, table_id)


def _has_key(person: SeatHolder, letters: str) -> bool:
    key = person.chair.key
    return key is not None and len(letters) >= LEAST_LETTERS and key.startswith(letters)


def _one(text: str, found: list[SeatHolder]) -> Who:
    names = {_who(person) for person in found}
    if not names:
        raise AdminRefused(AdminFault.NO_SUCH_PERSON, who=text[:60])
    if len(names) > 1:
        raise AdminRefused(AdminFault.SEVERAL_PEOPLE, who=text[:60])
    return names.pop()


def _who(person: SeatHolder) -> Who:
    if person.chair.token is not None:
        return Who(BanKind.TOKEN, person.chair.token)
    if person.chair.person is not None:
        return Who(BanKind.PERSON, person.chair.person)
    assert person.chair.key is not None
    return Who(BanKind.PERSON, person.chair.key)


def _named(who: Who) -> str:
    return who.subject if who.kind is BanKind.ADDRESS else f"{who.kind.value}:{who.subject[:12]}"


async def rename(store: SqlStore, text: str, name: str) -> None:
    """TABLE:SEAT, person:ID, or token:ID with all its seats."""
    if text.startswith("person:"):
        await rename_person(store, text.removeprefix("person:"), name)
    elif text.startswith("token:"):
        await rename_token(store, text.removeprefix("token:"), name)
    elif (at := seat_of(text)) is not None:
        await rename_seat(store, *at, name)
    else:
        raise AdminRefused(AdminFault.BAD_WHO, who=repr(text)[:60])
