"""Who waits in which pool, in the database, so that it does not matter at which node.

    waiting -> taken -> paired

A place is taken together with the others of its group, all or none, before the table is made, and
paired after it. If the node dies in between, the table either exists or it doesn't: the next look
pairs those places, or lets them wait on.

Who let others down before a game could begin: they wait a little before the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson
from sqlalchemy import Delete, Row, Select, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.play.clock import DAY_MS
from cabochon.server.storage.gamebook import put
from cabochon.server.storage.schema import (
    matchmakers,
    person_tables,
    pool_pauses,
    pool_places,
    tables,
)
from cabochon.server.storage.transactions import change_rows, in_transaction

LENGTH = 16
"""How much of an address's hash is kept; people's ids are shorter."""
FIRST_MS = 60_000
MOST_MS = 30 * 60_000
FORGOTTEN_MS = DAY_MS
"""After this long without another one, it is forgotten."""


class PoolPauses:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, who: str, now: int) -> None:
        """One more: each time the pause is twice as long, up to half an hour. `who` is a person's
        id or the hash of an address."""
        person_id = who[:LENGTH]

        async def written(connection: AsyncConnection) -> None:
            await connection.execute(
                delete(pool_pauses).where(pool_pauses.c.until_ms < now - FORGOTTEN_MS)
            )
            mine = select(pool_pauses.c.count).where(pool_pauses.c.person_id == person_id)
            count = int((await connection.execute(mine)).scalar() or 0)
            until = now + min(FIRST_MS << min(count, 10), MOST_MS)
            values = {"count": count + 1, "until_ms": until}
            await connection.run_sync(put, pool_pauses, {"person_id": person_id}, values)

        await in_transaction(self._engine, written)

    async def seconds_left(self, who: str, now: int) -> int:
        """Until they may be paired again; 0 when they may now."""
        mine = select(pool_pauses.c.until_ms).where(pool_pauses.c.person_id == who[:LENGTH])
        async with self._engine.connect() as connection:
            until = int((await connection.execute(mine)).scalar() or 0)
        return max(0, -((now - until) // 1000))


WAITING, TAKEN, PAIRED = "waiting", "taken", "paired"


@dataclass(frozen=True, slots=True)
class PoolPlace:
    """Somebody in a pool."""

    person: str
    pool: str
    rated: bool
    rating: float
    address: str
    share_hash: str | None
    since_ms: int
    seen_ms: int
    state: str = WAITING
    table: str | None = None
    changed_ms: int = 0


class _NotAll(Exception):
    """Somebody has left meanwhile: nothing is kept."""


class PoolPlaces:
    """On one database, for one node."""

    def __init__(self, engine: AsyncEngine, node: str) -> None:
        self._engine = engine
        self._node = node

    # One person

    async def enter(self, place: PoolPlace, instead_of: Collection[str]) -> PoolPlace:
        """Wait there, and no longer in the other pools named. Somebody already waiting there keeps
        their place in the queue, unless they want another kind of game; the share is the new one,
        since a page that was loaded again has forgotten the old one."""

        async def written(connection: AsyncConnection) -> PoolPlace:
            nonlocal place
            await connection.execute(
                delete(pool_places).where(
                    pool_places.c.person_id == place.person,
                    pool_places.c.pool.in_(sorted(instead_of)),
                    pool_places.c.state != TAKEN,
                )
            )
            former = (await connection.execute(_theirs(place.person, place.pool))).first()
            if former is not None:
                if former.state == TAKEN:
                    return _place(former)
                if former.rated == place.rated and former.state == WAITING:
                    place = replace(place, since_ms=former.since_ms)
                await connection.execute(_gone(place.person, place.pool))
            await connection.execute(insert(pool_places), _values(place))
            return place

        return await in_transaction(self._engine, written)

    async def leave(self, person_id: str, pool: str) -> None:
        """A place that is taken stays: the game is about to begin."""
        gone = _gone(person_id, pool).where(pool_places.c.state != TAKEN)
        await change_rows(self._engine, gone)

    async def leave_waiting(self, person_id: str, pool: str) -> None:
        """Stop waiting there; somebody already paired stays paired."""
        gone = _gone(person_id, pool).where(pool_places.c.state == WAITING)
        await change_rows(self._engine, gone)

    async def of(self, people: Collection[str]) -> list[PoolPlace]:
        """The places of these people; where they were paired and the game is over, none."""
        found: list[PoolPlace] = []
        over = select(tables.c.id).where(
            tables.c.id == pool_places.c.table_id, tables.c.state == "finished"
        )
        ids = sorted(people)
        async with self._engine.connect() as connection:
            for start in range(0, len(ids), 500):
                some = pool_places.c.person_id.in_(ids[start : start + 500])
                rows = await connection.execute(select(pool_places).where(some, ~over.exists()))
                found += [_place(row) for row in rows]
        return found

    async def address_of(self, person_id: str, table_id: str) -> str | None:
        """From where that person came to the table (a hash)."""
        here = pool_places.c.person_id == person_id, pool_places.c.table_id == table_id
        async with self._engine.connect() as connection:
            found = await connection.execute(select(pool_places.c.address).where(*here))
            return found.scalar()

    async def count_from(self, address: str, besides: str) -> int:
        """How many others wait there from that address (a hash)."""
        query = (
            select(func.count())
            .select_from(pool_places)
            .where(pool_places.c.address == address, pool_places.c.person_id != besides)
        )
        async with self._engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def live_game_of(self, person_id: str) -> str | None:
        """A game with a clock against other people in which that person sits."""
        query = (
            select(tables.c.id, tables.c.info)
            .join(person_tables, person_tables.c.table_id == tables.c.id)
            .where(person_tables.c.person_id == person_id, tables.c.state == "running")
        )
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        return next((row.id for row in rows if _is_live_among_people(row.info, person_id)), None)

    # Everybody

    async def seen(self, people: Collection[str], now: int) -> None:
        """They are still there."""
        ids = sorted(people)

        async def written(connection: AsyncConnection) -> None:
            for start in range(0, len(ids), 500):
                some = pool_places.c.person_id.in_(ids[start : start + 500])
                change = update(pool_places).where(some, pool_places.c.state == WAITING)
                await connection.execute(change.values(seen_ms=now))

        await in_transaction(self._engine, written)

    async def waiting(self) -> list[PoolPlace]:
        query = select(pool_places).where(pool_places.c.state == WAITING)
        async with self._engine.connect() as connection:
            return [_place(row) for row in await connection.execute(query)]

    async def drop_unseen(self, pools: Collection[str], before: int) -> None:
        """People waiting in one of these pools who were not seen since then have left."""
        where = pool_places.c.pool.in_(sorted(pools))
        unseen = delete(pool_places).where(
            where, pool_places.c.state == WAITING, pool_places.c.seen_ms < before
        )
        await change_rows(self._engine, unseen)

    async def drop_paired(self, before: int) -> None:
        """Those who were told long enough ago, or never came back to hear it, need not be told any
        more once the game has begun."""
        unstarted = select(tables.c.id).where(tables.c.state == "open")
        told = delete(pool_places).where(
            pool_places.c.state == PAIRED,
            pool_places.c.changed_ms < before,
            pool_places.c.table_id.not_in(unstarted),
        )
        await change_rows(self._engine, told)

    async def take(self, pool: str, people: Sequence[str], table_id: str, now: int) -> bool:
        """All of them or none; False when one has left meanwhile, or sits elsewhere."""
        change = (
            update(pool_places)
            .where(
                pool_places.c.pool == pool,
                pool_places.c.person_id.in_(people),
                pool_places.c.state == WAITING,
            )
            .values(state=TAKEN, table_id=table_id, changed_ms=now)
        )

        async def written(connection: AsyncConnection) -> None:
            if (await connection.execute(change)).rowcount != len(people):
                raise _NotAll

        try:
            await in_transaction(self._engine, written)
        except _NotAll:
            return False
        return True

    async def pair(self, table_id: str, count: int, now: int) -> bool:
        """The table is there. False when it took so long that the places were given back."""
        change = (
            update(pool_places)
            .where(pool_places.c.table_id == table_id, pool_places.c.state == TAKEN)
            .values(state=PAIRED, changed_ms=now)
        )
        return await change_rows(self._engine, change) == count

    async def give_back(self, table_id: str, now: int) -> None:
        """The table could not be made."""
        change = update(pool_places).where(
            pool_places.c.table_id == table_id, pool_places.c.state == TAKEN
        )
        values = {"state": WAITING, "table_id": None, "changed_ms": now}
        await change_rows(self._engine, change.values(values))

    async def wait_again(self, table_id: str, came: Collection[str], now: int) -> None:
        """The table is given up: those who came wait where they did before, the others don't."""
        here = pool_places.c.table_id == table_id, pool_places.c.state == PAIRED
        stayed = pool_places.c.person_id.in_(sorted(came))
        values = {"state": WAITING, "table_id": None, "changed_ms": now, "seen_ms": now}
        again = update(pool_places).where(*here, stayed).values(values)

        async def written(connection: AsyncConnection) -> None:
            await connection.execute(again)
            await connection.execute(delete(pool_places).where(*here))

        await in_transaction(self._engine, written)

    async def unstarted(self, pools: Collection[str], before: int) -> list[str]:
        """Tables of people who were paired in these pools by then and whose game has not begun."""
        query = (
            select(pool_places.c.table_id)
            .join(tables, tables.c.id == pool_places.c.table_id)
            .where(pool_places.c.pool.in_(sorted(pools)), pool_places.c.state == PAIRED)
            .where(pool_places.c.changed_ms < before, tables.c.state == "open")
            .distinct()
        )
        async with self._engine.connect() as connection:
            return [row.table_id for row in await connection.execute(query)]

    async def settle(self, before: int, now: int) -> None:
        """Places taken too long ago by a node that has since died: paired if their table exists,
        else waiting again."""
        old = (pool_places.c.state == TAKEN, pool_places.c.changed_ms < before)
        made = select(tables.c.id)

        async def written(connection: AsyncConnection) -> None:
            await connection.execute(
                update(pool_places)
                .where(*old, pool_places.c.table_id.in_(made))
                .values(state=PAIRED, changed_ms=now)
            )
            await connection.execute(
                update(pool_places)
                .where(*old)
                .values(state=WAITING, table_id=None, changed_ms=now, seen_ms=now)
            )

        await in_transaction(self._engine, written)

    async def is_matchmaker(self, now: int, until_ms: int) -> bool:
        """Whether this node brings people together until then."""
        ours = (matchmakers.c.node == self._node) | (matchmakers.c.until_ms < now)
        change = update(matchmakers).where(matchmakers.c.id == 1, ours)
        values = {"node": self._node, "until_ms": until_ms}

        async def written(connection: AsyncConnection) -> bool:
            if (await connection.execute(change.values(values))).rowcount:
                return True
            if (await connection.execute(select(matchmakers.c.id))).first() is not None:
                return False
            await connection.execute(insert(matchmakers), {"id": 1, **values})
            return True

        try:
            return await in_transaction(self._engine, written)
        except IntegrityError:
            return False


def _is_live_among_people(info: str, person_id: str) -> bool:
    table = orjson.loads(info)
    chairs = [chair for chair in table["chairs"] if chair["kind"] == "human" and not chair["out"]]
    mine = any(chair.get("person") == person_id for chair in chairs)
    clock = table["clock"]
    return mine and len(chairs) > 1 and clock is not None and clock["kind"] == "increment"


def _theirs(person_id: str, pool: str) -> Select[Any]:
    return select(pool_places).where(
        pool_places.c.person_id == person_id, pool_places.c.pool == pool
    )


def _gone(person_id: str, pool: str) -> Delete:
    return delete(pool_places).where(
        pool_places.c.person_id == person_id, pool_places.c.pool == pool
    )


def _values(place: PoolPlace) -> dict[str, object]:
    return {
        "person_id": place.person,
        "pool": place.pool,
        "rated": place.rated,
        "rating": place.rating,
        "address": place.address,
        "share_hash": place.share_hash,
        "since_ms": place.since_ms,
        "seen_ms": place.seen_ms,
        "state": place.state,
        "table_id": place.table,
        "changed_ms": place.changed_ms,
    }


def _place(row: Row[Any]) -> PoolPlace:
    return PoolPlace(
        person=row.person_id,
        pool=row.pool,
        rated=row.rated,
        rating=row.rating,
        address=row.address,
        share_hash=row.share_hash,
        since_ms=row.since_ms,
        seen_ms=row.seen_ms,
        state=row.state,
        table=row.table_id,
        changed_ms=row.changed_ms,
    )
