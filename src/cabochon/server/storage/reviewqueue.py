"""The queue of reviews, in the database: who wants what, who works on it, and what came of it.

A worker takes the first wish that nobody has, keeps each turn as it is judged, and so renews its
lease. When it is not heard of any more, the next one goes on after the last turn that was kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from hashlib import blake2b
from typing import Any

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.play.clock import HOUR_MS
from cabochon.server.storage.schema import review_turns, reviews
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.storage.transactions import quick_rows

FAIR_MS = HOUR_MS
"""A wish comes after everybody's first if its person had another within this time."""
NEIGHBOURS = 4
"""People behind one address: this many wishes of theirs count as one of each."""
MOST_ATTEMPTS = 3
"""Workers that may give up at the same turn before the review is given up."""
AT_ONCE = 200

WAITING, WORKING, DONE, FAILED = "waiting", "working", "done", "failed"


@dataclass(frozen=True, slots=True)
class ReviewWish:
    """A game and an engine. The id depends on everything that the review says, the players' names
    as well."""

    fingerprint: str
    record: str
    players: tuple[str, ...]
    turns: int
    engine: str
    visits: int
    seed: int
    knowledge: str

    @property
    def id(self) -> str:
        engine = (self.engine, self.visits, self.seed, self.knowledge)
        return _digest(self.fingerprint, *engine, *self.players)


@dataclass(frozen=True, slots=True)
class ReviewAsker:
    """Hashes of the person who asks, and of their address. A table asks by itself, without
    either."""

    person: str
    address: str | None = None


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """Where a review stands. `body` is the whole of it once it is done."""

    id: str
    state: str
    done: int
    turns: int
    head: str | None
    body: bytes | None
    rank: int
    created_ms: int
    asked_ms: int


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """What a worker has taken on. `figures` are of the turns that were judged before."""

    id: str
    record: str
    visits: int
    seed: int
    knowledge: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A turn as it is told, and its exact figures."""

    body: str
    figures: str


@dataclass(frozen=True, slots=True)
class Queued:
    """Wishes that are not done yet: a person's, an address's, everybody's."""

    person: int
    address: int
    everybody: int


class LostLease(Exception):
    """Another worker has the review now, or it is gone."""


class ReviewQueue:
    """On one database; any number of servers and workers may share it."""

    def __init__(self, engine: AsyncEngine, aside: SideWriter) -> None:
        self._engine = engine
        self._aside = aside

    # Wishes

    async def find(self, review_id: str) -> ReviewRow | None:
        rows = await quick_rows(self._engine, _FIND, {"id": review_id})
        return _row(rows[0]) if rows else None

    async def queued(self, asker: ReviewAsker) -> Queued:
        (counts,) = await quick_rows(self._engine, _queued(asker.address is None), asdict(asker))
        return Queued(*map(int, counts))

    async def add(self, wish: ReviewWish, asker: ReviewAsker, now: int) -> ReviewRow:
        """Queue the wish, unless it is there. A failed one gets another chance."""
        with contextlib.suppress(IntegrityError):  # another node was asked at the same moment
            await self._aside.write(partial(_add, wish=wish, asker=asker, now=now))
        row = await self.find(wish.id)
        assert row is not None
        return row

    async def asked(self, review_id: str, now: int) -> None:
        """Somebody still wants to see it."""
        seen = update(reviews).where(reviews.c.id == review_id).values(asked_ms=now)
        await self._aside.write(lambda connection: connection.execute(seen))

    async def ahead(self, row: ReviewRow) -> int:
        """How many wishes come before one that waits."""
        if row.state != WAITING:
            return 0
        sooner = or_(
            reviews.c.rank < row.rank,
            and_(reviews.c.rank == row.rank, reviews.c.created_ms < row.created_ms),
            and_(
                reviews.c.rank == row.rank,
                reviews.c.created_ms == row.created_ms,
                reviews.c.id < row.id,
            ),
        )
        before = or_(reviews.c.state == WORKING, and_(reviews.c.state == WAITING, sooner))
        query = select(func.count()).select_from(reviews).where(before)
        async with self._engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def turns(self, review_id: str, since: int) -> list[str]:
        """The turns from that number on of a review under way."""
        query = (
            select(review_turns.c.body)
            .where(review_turns.c.review_id == review_id, review_turns.c.number >= since)
            .order_by(review_turns.c.number)
        )
        async with self._engine.connect() as connection:
            return list((await connection.execute(query)).scalars())

    async def progress(self, ids: Sequence[str]) -> dict[str, tuple[str, int, int]]:
        """State, turns judged and turns in all, of each that there is."""
        found: dict[str, tuple[str, int, int]] = {}
        columns = (reviews.c.id, reviews.c.state, reviews.c.done, reviews.c.turns)
        async with self._engine.connect() as connection:
            for first in range(0, len(ids), AT_ONCE):
                some = reviews.c.id.in_(ids[first : first + AT_ONCE])
                for row in await connection.execute(select(*columns).where(some)):
                    found[row.id] = (row.state, row.done, row.turns)
        return found

    async def counts(self) -> dict[str, int]:
        """How many there are in each state."""
        query = select(reviews.c.state, func.count()).group_by(reviews.c.state)
        async with self._engine.connect() as connection:
            rows = await connection.execute(query)
            counted = {row[0]: int(row[1]) for row in rows}
        return {state: counted.get(state, 0) for state in (WAITING, WORKING, DONE, FAILED)}

    async def forget(self, asked_before: int, unfinished_before: int) -> None:
        """Remove what nobody has asked for since then, and wishes that no worker could fulfil."""
        old = or_(
            reviews.c.asked_ms < asked_before,
            and_(reviews.c.state.in_((WAITING, FAILED)), reviews.c.asked_ms < unfinished_before),
        )

        def forget(connection: Connection) -> None:
            rows = connection.execute(select(reviews.c.id).where(old).limit(AT_ONCE))
            gone = [row.id for row in rows]
            connection.execute(delete(review_turns).where(review_turns.c.review_id.in_(gone)))
            connection.execute(delete(reviews).where(reviews.c.id.in_(gone)))

        await self._aside.write(forget)

    # Work

    async def take(
        self, worker: str, engines: Sequence[str], now: int, lease_ms: int
    ) -> ReviewTask | None:
        """The next wish that one of these engines can fulfil, leased to the worker; None when
        there is none."""
        take = partial(_take, worker=worker, engines=engines, now=now, lease_ms=lease_ms)
        while True:
            taken = await self._aside.write(take)
            if not isinstance(taken, bool):
                return taken
            if not taken:
                return None

    async def begin(self, review_id: str, worker: str, head: str, turns: int) -> None:
        """What is known before the first turn. Raises LostLease."""
        values = {"head": head, "turns": turns}
        await self._aside.write(lambda connection: _change(connection, review_id, worker, values))

    async def keep(
        self, review_id: str, worker: str, done: int, turns: Sequence[KeptTurn], lease_until: int
    ) -> None:
        """The turns that follow the first `done` ones, and a longer lease. Raises LostLease."""
        values: dict[str, Any] = {"lease_ms": lease_until}
        if turns:
            values |= {"done": done + len(turns), "attempts": 0}
        rows = [
            {
                "review_id": review_id,
                "number": done + index,
                "body": turn.body,
                "figures": turn.figures,
            }
            for index, turn in enumerate(turns)
        ]

        def keep(connection: Connection) -> None:
            _change(connection, review_id, worker, values)
            if rows:
                connection.execute(insert(review_turns), rows)

        await self._aside.write(keep)

    async def finish(self, review_id: str, worker: str, tail: bytes) -> None:
        """All turns are kept: put everything together. Raises LostLease."""
        row = await self.find(review_id)
        if row is None or row.head is None:
            raise LostLease(review_id)
        turns = await self.turns(review_id, 0)
        whole = await asyncio.to_thread(packed, row.head, turns, tail)
        values = {"state": DONE, "body": whole, "head": None, "lease_ms": None}

        def finish(connection: Connection) -> None:
            _change(connection, review_id, worker, values)
            gone = delete(review_turns).where(review_turns.c.review_id == review_id)
            connection.execute(gone)

        await self._aside.write(finish)

    async def give_back(self, review_id: str, worker: str, blamed: bool = False) -> None:
        """The worker stops: the next one may go on at once. `blamed`: the review itself may be
        the reason, and is given up when that happens again and again."""
        values: dict[str, Any] = {"state": WAITING, "worker": None, "lease_ms": None}
        if not blamed:
            values["attempts"] = 0
        mine = update(reviews).where(_is_mine(review_id, worker)).values(values)
        await self._aside.write(lambda connection: connection.execute(mine))

    async def fail(self, review_id: str, worker: str) -> None:
        """It cannot be done."""
        values = {"state": FAILED, "worker": None, "lease_ms": None}
        mine = update(reviews).where(_is_mine(review_id, worker)).values(values)
        await self._aside.write(lambda connection: connection.execute(mine))


def packed(head: str, turns: Sequence[str], tail: bytes) -> bytes:
    """A whole review, as it is kept: about a tenth of its length."""
    whole = b'%b,"turns":[%b],%b' % (
        head.encode().removesuffix(b"}"),
        ",".join(turns).encode(),
        tail.removeprefix(b"{"),
    )
    return zlib.compress(whole, 6)


def unpacked(body: bytes) -> bytes:
    """The whole review that was packed, as JSON."""
    return zlib.decompress(body)


def _digest(*parts: object) -> str:
    said = orjson.dumps([str(part) for part in parts])
    return blake2b(said, digest_size=16, person=b"cabochon").hexdigest()


# Asked at the end of every game, and so made once; `by_itself` are wishes without an address.

_FIND = select(reviews).where(reviews.c.id == bindparam("id"))
_STATE = select(reviews.c.state).where(reviews.c.id == bindparam("id"))


def _count(*where: ColumnElement[bool]) -> ColumnElement[Any]:
    return select(func.count()).select_from(reviews).where(*where).scalar_subquery()


def _of_address(by_itself: bool) -> ColumnElement[bool]:
    address = reviews.c.address
    return address.is_(None) if by_itself else address == bindparam("address")


@cache
def _queued(by_itself: bool) -> Select[Any]:
    unfinished = reviews.c.state.in_((WAITING, WORKING))
    whose = ((_OF_PERSON,), (_of_address(by_itself),), ())
    return select(*[_count(unfinished, *where) for where in whose])


@cache
def _recent(by_itself: bool) -> Select[Any]:
    recent = reviews.c.created_ms > bindparam("since")
    whose = (_OF_PERSON, _of_address(by_itself))
    return select(*[_count(where, recent) for where in whose])


_OF_PERSON = reviews.c.person == bindparam("person")


def _add(connection: Connection, wish: ReviewWish, asker: ReviewAsker, now: int) -> None:
    """Raises IntegrityError."""
    state = connection.execute(_STATE, {"id": wish.id}).scalar()
    if state is None:
        connection.execute(insert(reviews), _new_row(connection, wish, asker, now))
    elif state == FAILED:
        again = update(reviews).where(reviews.c.id == wish.id)
        connection.execute(again.values(_new_row(connection, wish, asker, now)))


def _new_row(
    connection: Connection, wish: ReviewWish, asker: ReviewAsker, now: int
) -> dict[str, Any]:
    return {
        "id": wish.id,
        "state": WAITING,
        "record": wish.record,
        "engine": wish.engine,
        "visits": wish.visits,
        "seed": wish.seed,
        "knowledge": wish.knowledge,
        "person": asker.person,
        "address": asker.address,
        "rank": _rank(connection, asker, now),
        "created_ms": now,
        "asked_ms": now,
        "turns": wish.turns,
        "done": 0,
        "attempts": 0,
    }


def _take(
    connection: Connection, worker: str, engines: Sequence[str], now: int, lease_ms: int
) -> ReviewTask | bool:
    """The task; False when there is none, True when another look is worth it."""
    free = or_(
        reviews.c.state == WAITING,
        and_(reviews.c.state == WORKING, reviews.c.lease_ms < now),
    )
    order = (reviews.c.rank, reviews.c.created_ms, reviews.c.id)
    fitting = reviews.c.engine.in_(engines)
    first = select(reviews.c.id).where(free, fitting).order_by(*order).limit(1)
    review_id = connection.execute(first).scalar()
    if review_id is None:
        return False
    mine = update(reviews).where(reviews.c.id == review_id, free)
    taken = connection.execute(
        mine.values(
            state=WORKING,
            worker=worker,
            lease_ms=now + lease_ms,
            attempts=reviews.c.attempts + 1,
        )
    )
    if taken.rowcount != 1:
        return True
    return _task(connection, review_id) or True


def _row(row: Row[Any]) -> ReviewRow:
    return ReviewRow(
        id=row.id,
        state=row.state,
        done=row.done,
        turns=row.turns,
        head=row.head,
        body=row.body,
        rank=row.rank,
        created_ms=row.created_ms,
        asked_ms=row.asked_ms,
    )


def _rank(connection: Connection, asker: ReviewAsker, now: int) -> int:
    """1 for a first wish: see `FAIR_MS`. The place in the queue does not change afterwards."""
    query, since = _recent(asker.address is None), {"since": now - FAIR_MS}
    mine, around = connection.execute(query, asdict(asker) | since).one()
    return 1 + max(int(mine), int(around) // NEIGHBOURS)


def _task(connection: Connection, review_id: str) -> ReviewTask | None:
    """The task that was just taken; None when it has failed too often, which is then written
    down."""
    row = connection.execute(select(reviews).where(reviews.c.id == review_id)).one()
    if row.attempts > MOST_ATTEMPTS:
        gone = update(reviews).where(reviews.c.id == review_id)
        connection.execute(gone.values(state=FAILED, worker=None, lease_ms=None))
        return None
    kept = (
        select(review_turns.c.figures)
        .where(review_turns.c.review_id == review_id)
        .order_by(review_turns.c.number)
    )
    figures = tuple(connection.execute(kept).scalars())
    return ReviewTask(row.id, row.record, row.visits, row.seed, row.knowledge, figures)


def _is_mine(review_id: str, worker: str) -> ColumnElement[bool]:
    return and_(reviews.c.id == review_id, reviews.c.worker == worker, reviews.c.state == WORKING)


def _change(connection: Connection, review_id: str, worker: str, values: dict[str, Any]) -> None:
    mine = update(reviews).where(_is_mine(review_id, worker))
    if connection.execute(mine.values(values)).rowcount != 1:
        raise LostLease(review_id)
