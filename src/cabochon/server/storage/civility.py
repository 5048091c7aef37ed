"""Who does not want to play with whom, and what people told the host about others. Nobody but the
one who did it, and the host, is ever told either."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.server.storage.schema import blocks, invitations, people, pool_places, reports
from cabochon.server.storage.transactions import change_rows

REPORT_KINDS = ("abuse", "cheating", "stalling", "name", "other")


@dataclass(frozen=True, slots=True)
class Complaint:
    """One complaint. It is open until the host closes it."""

    id: str
    at_ms: int
    reporter: str
    person: str
    table: str | None
    kind: str
    text: str
    closed_ms: int | None = None
    note: str | None = None


class Blocks:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, person_id: str, blocked_id: str, now: int) -> None:
        """Once is enough; twice changes nothing."""
        row = {"person_id": person_id, "blocked_id": blocked_id, "at_ms": now}
        try:
            await change_rows(self._engine, insert(blocks), row)
        except IntegrityError:
            return

    async def remove(self, person_id: str, blocked_id: str) -> None:
        gone = delete(blocks).where(
            blocks.c.person_id == person_id, blocks.c.blocked_id == blocked_id
        )
        await change_rows(self._engine, gone)

    async def of(self, person_id: str) -> Sequence[tuple[str, str | None]]:
        """The ids and names of those whom that person blocked, the newest first."""
        query = (
            select(blocks.c.blocked_id, people.c.name)
            .join(people, people.c.id == blocks.c.blocked_id, isouter=True)
            .where(blocks.c.person_id == person_id)
            .order_by(blocks.c.at_ms.desc(), blocks.c.blocked_id)
        )
        async with self._engine.connect() as connection:
            return [(row.blocked_id, row.name) for row in await connection.execute(query)]

    async def count(self, person_id: str) -> int:
        query = select(func.count()).select_from(blocks).where(blocks.c.person_id == person_id)
        async with self._engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())


async def blocked_by(
    connection: AsyncConnection, person_ids: Collection[str]
) -> dict[str, frozenset[str]]:
    """Of each of these people, whom they blocked."""
    found: dict[str, set[str]] = {}
    ids = sorted(person_ids)
    for start in range(0, len(ids), 500):
        query = select(blocks).where(blocks.c.person_id.in_(ids[start : start + 500]))
        for row in await connection.execute(query):
            found.setdefault(row.person_id, set()).add(row.blocked_id)
    return {person: frozenset(blocked) for person, blocked in found.items()}


class Reports:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, report: Complaint) -> None:
        row = {
            "id": report.id,
            "at_ms": report.at_ms,
            "reporter": report.reporter,
            "person_id": report.person,
            "table_id": report.table,
            "kind": report.kind,
            "text": report.text,
        }
        await change_rows(self._engine, insert(reports), row)

    async def by(self, reporter: str) -> list[Complaint]:
        """Everything that person has reported."""
        query = select(reports).where(reports.c.reporter == reporter).order_by(reports.c.at_ms)
        async with self._engine.connect() as connection:
            return [_report(row) for row in await connection.execute(query)]

    async def count_since(self, reporter: str, since_ms: int) -> int:
        """How many that person has made since then."""
        mine = (reports.c.reporter == reporter, reports.c.at_ms > since_ms)
        query = select(func.count()).select_from(reports).where(*mine)
        async with self._engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())


async def list_reports(connection: AsyncConnection, all_of_them: bool) -> list[Complaint]:
    """The newest first; closed ones only if they are asked for."""
    query = select(reports).order_by(reports.c.at_ms.desc(), reports.c.id)
    if not all_of_them:
        query = query.where(reports.c.closed_ms.is_(None))
    return [_report(row) for row in await connection.execute(query.limit(1000))]


async def find_report(connection: AsyncConnection, report_id: str) -> Complaint | None:
    row = (await connection.execute(select(reports).where(reports.c.id == report_id))).first()
    return None if row is None else _report(row)


async def close_report(connection: AsyncConnection, report_id: str, note: str, now: int) -> None:
    change = update(reports).where(reports.c.id == report_id)
    await connection.execute(change.values(closed_ms=now, note=note))


async def forget_company(connection: AsyncConnection, person_id: str) -> None:
    """Somebody deletes their account: they wait for nobody any more, and whom they blocked, or who
    blocked them, is forgotten. What was reported stays with the host, without the name."""
    mine = or_(blocks.c.person_id == person_id, blocks.c.blocked_id == person_id)
    await connection.execute(delete(blocks).where(mine))
    waits = pool_places.c.person_id == person_id, pool_places.c.state != "taken"
    await connection.execute(delete(pool_places).where(*waits))
    asked = or_(invitations.c.maker == person_id, invitations.c.guest == person_id)
    await connection.execute(delete(invitations).where(asked))
    told = update(reports).where(reports.c.reporter == person_id)
    await connection.execute(told.values(text=""))


def _report(row: Row[Any]) -> Complaint:
    return Complaint(
        id=row.id,
        at_ms=row.at_ms,
        reporter=row.reporter,
        person=row.person_id,
        table=row.table_id,
        kind=row.kind,
        text=row.text,
        closed_ms=row.closed_ms,
        note=row.note,
    )
