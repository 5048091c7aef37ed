"""The store on a database, and what the server asks of it besides events."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import orjson
from sqlalchemy import (
    ColumnElement,
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
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.play.clock import HOUR_MS
from cabochon.play.events import Opened, TableEvent, event_from_json
from cabochon.play.messages import TableInfo
from cabochon.play.store import Append
from cabochon.play.table import Table
from cabochon.server.storage.bans import Bans
from cabochon.server.storage.gamelogs import bodies_of, last_seq
from cabochon.server.storage.guesses import Guesses
from cabochon.server.storage.holdings import Holding
from cabochon.server.storage.ledger import OnKept, Writer, ledger_for
from cabochon.server.storage.longwork import LongWork
from cabochon.server.storage.people import People
from cabochon.server.storage.retention import delete_tables
from cabochon.server.storage.schema import events, nodes, seatings, tables, tokens
from cabochon.server.storage.sessions import Sessions
from cabochon.server.storage.transactions import change_rows, in_transaction
from cabochon.server.storage.waysin import WayStore

NODE_KEPT_MS = HOUR_MS


@dataclass(frozen=True, slots=True)
class Token:
    """A personal token, without its secret, and whose it is, if it belongs to an account."""

    id: str
    name: str
    scopes: frozenset[str]
    person_id: str | None = None


class SqlStore:
    """Implements `cabochon.play.store.Store`."""

    def __init__(self, engine: AsyncEngine, node: str) -> None:
        self.engine = engine
        self.node = node
        self.longwork = LongWork()
        self.bans = Bans()
        self.people = People(engine)
        self.sessions = Sessions(engine)
        self.ways = WayStore(engine)
        self.guesses = Guesses(engine)
        self._used_tokens: dict[str, int] = {}
        self._writer = Writer(ledger_for(engine, node))

    @property
    def is_shared(self) -> bool:
        """Whether other nodes may use the same database."""
        return self.engine.dialect.name == "postgresql"

    def start(self) -> None:
        self._writer.start()

    async def close(self) -> None:
        await self._writer.close()
        self.longwork.close()
        await self.engine.dispose()

    # Events

    async def append(
        self, appends: Sequence[Append], made: Sequence[Holding] = (), patient: bool = False
    ) -> None:
        """`made` says whose the new tables are, and is kept with them; `patient` appends may wait a
        moment for others."""
        await self._writer.append(appends, made, patient)

    def append_soon(self, append: Append, done: OnKept) -> None:
        """The same without a waiting task: `done` is called."""
        self._writer.append_soon(append, done)

    def before_next(self, work: Callable[[], None]) -> None:
        """Do that before the next events are kept."""
        self._writer.before_next(work)

    @property
    def is_crowded(self) -> bool:
        """Whether moves come thick and fast: what can wait should leave them the processors."""
        return self._writer.is_crowded

    async def events(self, table_id: str, since: int = 0) -> list[TableEvent]:
        bodies = await self._bodies(table_id, since)
        return await self.longwork.fold(len(bodies), lambda: _read(bodies))

    async def table(self, table_id: str) -> Table | None:
        """The table that all its events have made; None when there are none, or only what came
        too late for a table that was deleted."""
        bodies = await self._bodies(table_id, 0)
        if not bodies or not isinstance(_read(bodies[:1])[0], Opened):
            return None
        return await self.longwork.fold(len(bodies), lambda: Table.of(table_id, _read(bodies)))

    async def length(self, table_id: str) -> int:
        """How many events the table has."""
        async with self.engine.connect() as connection:
            return (await connection.execute(select(last_seq(table_id)))).scalar() or 0

    async def latest_ms(self) -> int:
        """The time of the last event at any running table; 0 when there is none."""
        last = (
            select(events.c.at_ms)
            .where(events.c.table_id == tables.c.id)
            .order_by(events.c.seq.desc())
            .limit(1)
            .scalar_subquery()
        )
        query = select(func.max(last)).where(tables.c.state == "running")
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).scalar() or 0

    async def _bodies(self, table_id: str, since: int) -> list[str]:
        async with self.engine.connect() as connection:
            return await bodies_of(connection, table_id, since)

    async def ping(self) -> None:
        """Raises whatever the database raises when it cannot be reached or written."""
        await self.beat()

    # The lobby

    async def listing(
        self,
        state: str | None,
        variant: str | None,
        seats: int | None,
        limit: int,
        before: tuple[int, str] | None,
    ) -> list[TableInfo]:
        """Listed tables, the newest first; `before` is where the last page ended."""
        query = select(tables.c.info).where(tables.c.listed)
        if state is not None:
            query = query.where(tables.c.state == state)
        if variant is not None:
            query = query.where(tables.c.variant == variant)
        if seats is not None:
            query = query.where(tables.c.seats == seats)
        if before is not None:
            created, table_id = before
            earlier = tables.c.created_ms < created
            same = and_(tables.c.created_ms == created, tables.c.id < table_id)
            query = query.where(or_(earlier, same))
        query = query.order_by(tables.c.created_ms.desc(), tables.c.id.desc()).limit(limit)
        async with self.engine.connect() as connection:
            rows = await connection.execute(query)
            return [orjson.loads(info) for (info,) in rows]

    async def unfinished(self) -> int:
        """How many tables are open or running."""
        query = select(func.count()).select_from(tables).where(tables.c.state != "finished")
        async with self.engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def expire(self, open_before: int, running_before: int) -> list[str]:
        """Remove open tables and games that nobody has touched since then; returns which."""
        last = (
            select(func.max(events.c.at_ms))
            .where(events.c.table_id == tables.c.id)
            .scalar_subquery()
        )
        stale = or_(
            and_(tables.c.state == "open", tables.c.created_ms < open_before, last < open_before),
            and_(
                tables.c.state == "running",
                tables.c.created_ms < running_before,
                last < running_before,
            ),
        )

        async def written(connection: AsyncConnection) -> list[str]:
            rows = await connection.execute(select(tables.c.id).where(stale).limit(500))
            gone = [row.id for row in rows]
            await delete_tables(connection, gone)
            forgotten = time.time_ns() // 1_000_000 - NODE_KEPT_MS
            await connection.execute(delete(nodes).where(nodes.c.beat_ms < forgotten))
            return gone

        return await in_transaction(self.engine, written)

    async def remove(self, gone: Sequence[str]) -> None:
        """Remove these tables and everything that happened there."""
        await in_transaction(self.engine, lambda connection: delete_tables(connection, gone))

    # Personal tokens

    async def add_token(self, token: Token, secret_hash: str, now: int) -> None:
        row = {
            "id": token.id,
            "hash": secret_hash,
            "name": token.name,
            "scopes": " ".join(sorted(token.scopes)),
            "created_ms": now,
            "person_id": token.person_id,
        }
        await change_rows(self.engine, insert(tokens), row)

    async def token(self, secret_hash: str) -> Token | None:
        query = select(tokens).where(tokens.c.hash == secret_hash, tokens.c.revoked_ms.is_(None))
        async with self.engine.connect() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        self._used_tokens[row.id] = time.time_ns() // 1_000_000
        return Token(row.id, row.name, frozenset(row.scopes.split()), row.person_id)

    async def note_used_tokens(self) -> None:
        """Write down when tokens were last used: now and then, not at every request."""
        used, self._used_tokens = self._used_tokens, {}
        if used:
            change = update(tokens).where(tokens.c.id == bindparam("token"))
            rows = [{"token": token_id, "at": at} for token_id, at in used.items()]
            await change_rows(self.engine, change.values(last_used_ms=bindparam("at")), rows)

    def token_last_used(self, token_id: str) -> int | None:
        """As far as this node knows and has not written down yet."""
        return self._used_tokens.get(token_id)

    async def seat_token(self, token_id: str, table_id: str) -> None:
        row = {"token_id": token_id, "table_id": table_id}
        known = select(seatings).where(
            seatings.c.token_id == token_id, seatings.c.table_id == table_id
        )

        async def written(connection: AsyncConnection) -> None:
            if (await connection.execute(known)).first() is None:
                await connection.execute(insert(seatings), row)

        await in_transaction(self.engine, written)

    async def tables_of_token(self, token_id: str) -> list[str]:
        """Where the token sits at tables that are not finished."""
        query = (
            select(seatings.c.table_id)
            .join(tables, tables.c.id == seatings.c.table_id)
            .where(seatings.c.token_id == token_id, tables.c.state != "finished")
            .order_by(tables.c.created_ms)
        )
        async with self.engine.connect() as connection:
            return [row.table_id for row in await connection.execute(query)]

    # Leases: which node looks after a table's bots and clocks

    async def beat(self) -> None:
        """This node is alive."""
        now = time.time_ns() // 1_000_000

        async def written(connection: AsyncConnection) -> None:
            changed = await connection.execute(
                update(nodes).where(nodes.c.id == self.node).values(beat_ms=now)
            )
            if changed.rowcount == 0:
                await connection.execute(insert(nodes).values(id=self.node, beat_ms=now))

        await in_transaction(self.engine, written)

    async def forget_nodes(self) -> None:
        """There is only this node: whatever died before it need not be waited for."""
        await change_rows(self.engine, delete(nodes))

    async def retire(self) -> None:
        """This node stops: its tables are free for others."""

        async def written(connection: AsyncConnection) -> None:
            await connection.execute(
                update(tables).where(tables.c.node == self.node).values(node=None)
            )
            await connection.execute(delete(nodes).where(nodes.c.id == self.node))

        await in_transaction(self.engine, written)

    async def living(self, dead_ms: int) -> list[str]:
        """The nodes that have given a sign of life lately."""
        async with self.engine.connect() as connection:
            return [row.id for row in await connection.execute(self._living(dead_ms))]

    async def abandoned(self, dead_ms: int, now: int, limit: int = 200) -> list[str]:
        """Tables at which something is due and that no living node looks after."""
        query = (
            select(tables.c.id)
            .where(tables.c.state != "finished", tables.c.due_ms <= now, self._free(dead_ms))
            .limit(limit)
        )
        async with self.engine.connect() as connection:
            return [row.id for row in await connection.execute(query)]

    async def lease(self, table_id: str, dead_ms: int) -> bool:
        """Look after the table from now on; False when another living node does."""
        ours = or_(self._free(dead_ms), tables.c.node == self.node)
        take = update(tables).where(tables.c.id == table_id, ours)
        taken = await change_rows(self.engine, take.values(node=self.node, due_ms=0))
        return taken == 1

    async def release(self, dues: dict[str, int | None]) -> None:
        """Put tables away; each says when it will next need somebody."""
        own = update(tables).where(tables.c.id == bindparam("table"), tables.c.node == self.node)
        rows = [{"table": table_id, "due": due} for table_id, due in dues.items()]
        await change_rows(self.engine, own.values(node=None, due_ms=bindparam("due")), rows)

    def _living(self, dead_ms: int) -> Select[tuple[str]]:
        now = time.time_ns() // 1_000_000
        return select(nodes.c.id).where(nodes.c.beat_ms > now - dead_ms)

    def _free(self, dead_ms: int) -> ColumnElement[bool]:
        return or_(tables.c.node.is_(None), tables.c.node.not_in(self._living(dead_ms)))


def _read(bodies: list[str]) -> list[TableEvent]:
    return [event_from_json(orjson.loads(body)) for body in bodies]
