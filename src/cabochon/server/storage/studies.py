"""Studies that people keep: a record each, until nobody has looked at it for a long time."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, delete, false, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.play.clock import DAY_MS
from cabochon.server.storage.holdings import Holder
from cabochon.server.storage.schema import studies
from cabochon.server.storage.transactions import change_rows, in_transaction

SEEN_EVERY_MS = DAY_MS
"""A look is noted once a day, not every time."""
TOGETHER = 500


@dataclass(frozen=True, slots=True)
class Study:
    """What is kept; `key` is a hash."""

    id: str
    key: str
    title: str
    record: str


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """How many studies are kept: from one address, its network and one person, and in all."""

    address: int
    network: int
    person: int
    everybody: int


class Studies:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def get(self, study_id: str, now: int) -> Study | None:
        """The study; from now on it counts as looked at."""
        query = select(studies).where(studies.c.id == study_id)
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        if row.seen_ms < now - SEEN_EVERY_MS:
            seen = update(studies).where(studies.c.id == study_id).values(seen_ms=now)
            await change_rows(self._engine, seen)
        return Study(row.id, row.key, row.title, row.record)

    async def of_person(self, person_id: str) -> list[dict[str, str]]:
        """Those that somebody keeps, as they wrote them."""
        columns = (studies.c.id, studies.c.title, studies.c.record)
        query = select(*columns).where(studies.c.person == person_id).order_by(studies.c.id)
        async with self._engine.connect() as connection:
            return [dict(row) for row in (await connection.execute(query)).mappings()]

    async def counts(self, holder: Holder) -> StudyCounts:
        questions = (
            _count(studies.c.address == holder.address),
            _count(false() if holder.network is None else studies.c.network == holder.network),
            _count(false() if holder.person is None else studies.c.person == holder.person),
            _count(),
        )
        query = select(*(question.scalar_subquery() for question in questions))
        async with self._engine.connect() as connection:
            return StudyCounts(*(await connection.execute(query)).one())

    async def add(self, study: Study, holder: Holder, now: int) -> None:
        row = {
            "id": study.id,
            "key": study.key,
            "title": study.title,
            "record": study.record,
            "address": holder.address,
            "network": holder.network,
            "person": holder.person,
            "created_ms": now,
            "changed_ms": now,
            "seen_ms": now,
        }
        await change_rows(self._engine, insert(studies), row)

    async def replace(self, study: Study, now: int) -> None:
        """Another title and record in the place of the old ones."""
        change = update(studies).where(studies.c.id == study.id)
        values = {"title": study.title, "record": study.record, "changed_ms": now, "seen_ms": now}
        await change_rows(self._engine, change.values(**values))

    async def purge(self, before: int) -> int:
        """Remove a batch of those that nobody has looked at since then; says how many went."""
        old = select(studies.c.id).where(studies.c.seen_ms < before).limit(TOGETHER)

        async def written(connection: AsyncConnection) -> int:
            gone = [row.id for row in await connection.execute(old)]
            await connection.execute(delete(studies).where(studies.c.id.in_(gone)))
            return len(gone)

        return await in_transaction(self._engine, written)


def _count(*where: ColumnElement[bool]) -> Select[int]:
    return select(func.count()).select_from(studies).where(*where)
