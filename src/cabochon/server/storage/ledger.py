"""Keeping events: whatever waits is kept together, so that one sync serves many moves, in one
transaction with as few steps as each database allows.

SQLite is written by a thread of its own, one call a batch: the event loop never waits for a disk,
and the events of a batch go in by a single statement. PostgreSQL is written over its own protocol
and tells the other nodes within the same transaction, so what is told is durable.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Protocol, TypeAlias

import orjson
from sqlalchemy import Connection, Insert, TextClause, create_engine, insert, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.play.events import HandedOver, Joined, Moved, Opened, Said, event_to_json
from cabochon.play.options import WhenGone
from cabochon.play.store import Append, Conflict
from cabochon.play.table import Table
from cabochon.play.tableinfo import table_info
from cabochon.server import metrics
from cabochon.server.limits import Pace
from cabochon.server.storage.checkpoints import Checkpoints
from cabochon.server.storage.database import prepare_sqlite
from cabochon.server.storage.holdings import Holding
from cabochon.server.storage.schema import holdings, person_tables, tables
from cabochon.server.storage.transactions import turn_of

log = logging.getLogger("cabochon.ledger")

MOST_TOGETHER = 500
GATHER_S = 0.010
LONG_GATHER_S = 0.025
LEAST_GATHER_S = 0.005
MANY_TOGETHER = 8
AT_ONCE = 5
"""Commits are so far apart, further after one that many moves have shared: moves that come thick
and fast share a commit, and the processor has that much more time for them. As long as there are
fewer, nobody waits: a few more than that may follow one another at once."""
CROWD_S = 2.0
"""So long after many moves have shared a commit there is a crowd."""
PATIENT_S = 0.2
"""What nobody waits for, such as the moves of bots among themselves, waits so long for somebody
else's commit: one of its own would hold up the moves that come meanwhile."""


class AlreadyPacked(Exception):
    """An event's number is taken by one of a packed game, which has no row."""


class Ledger(Protocol):
    """Keeps appends durably, all or none."""

    async def write(self, appends: Sequence[Append], made: Sequence[Holding] = ()) -> None:
        """`made` says whose the new tables are. Raises sqlalchemy.exc.IntegrityError when an
        event's number is taken, or AlreadyPacked."""
        ...

    async def close(self) -> None: ...


def ledger_for(engine: AsyncEngine, node: str) -> Ledger:
    """The ledger of that database."""
    if engine.dialect.name == "postgresql":
        return PostgresLedger(engine, node)
    return SqliteLedger(engine, node)


OnKept: TypeAlias = Callable[[Exception | None], None]
"""Told None once something is durable, or else what went wrong."""


@dataclass(slots=True)
class _Waiting:
    appends: Sequence[Append]
    made: Sequence[Holding]
    done: OnKept
    patient: bool = False


class Writer:
    """One task that writes; everybody else waits for it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._waiting: list[_Waiting] = []
        self._coming: list[Callable[[], None]] = []
        self._resting = False
        self._wake = asyncio.Event()
        self._closing = False
        self._pace = Pace(1 / GATHER_S, AT_ONCE)
        self._patience: asyncio.TimerHandle | None = None
        self._crowd_until = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def is_crowded(self) -> bool:
        """Whether moves come thick and fast."""
        return time.monotonic() < self._crowd_until

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="writer")

    async def close(self) -> None:
        """Keep what waits, then stop."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await self._ledger.close()

    async def append(
        self, appends: Sequence[Append], made: Sequence[Holding] = (), patient: bool = False
    ) -> None:
        """Durable when this returns; `patient` ones go with the next that is not, or after a
        while. Raises Conflict, and whatever the database raises."""
        loop = asyncio.get_running_loop()
        kept: asyncio.Future[None] = loop.create_future()
        self._waiting.append(_Waiting(appends, made, partial(_settle, kept), patient))
        if not patient:
            self._wake.set()
        elif self._patience is None:
            self._patience = loop.call_later(PATIENT_S, self._wake.set)
        await kept

    def append_soon(self, append: Append, done: OnKept) -> None:
        """The same without a task that waits."""
        self._waiting.append(_Waiting((append,), (), done))
        self._wake.set()

    def before_next(self, work: Callable[[], None]) -> None:
        """Do that before the next commit: at once, or, while one is under way and in the pause
        after it, later, together with all else that comes until then. What is done in a row takes
        half the time of what is done now and then, and nothing is kept any later for it."""
        if self._resting:
            self._coming.append(work)
            self._wake.set()
        else:
            work()

    async def _run(self) -> None:
        while not (self._closing and not self._waiting and not self._coming):
            await self._wake.wait()
            began = time.monotonic()
            self._do_what_came()
            batch = self._next_batch()
            self._resting = True
            if batch:
                await self._keep(batch)
            if self._closing:
                self._wake.set()
            elif batch:
                await asyncio.sleep(self._pause_after(batch, time.monotonic() - began))
            self._resting = False

    def _do_what_came(self) -> None:
        coming, self._coming = self._coming, []
        for work in coming:
            try:
                work()
            except Exception:
                log.exception("what came could not be done")

    def _next_batch(self) -> list[_Waiting]:
        """All that waits, up to a limit. What could wait has waited long enough."""
        self._wake.clear()
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        batch = self._waiting[:MOST_TOGETHER]
        del self._waiting[:MOST_TOGETHER]
        if self._waiting:
            self._wake.set()
        return batch

    def _pause_after(self, batch: Sequence[_Waiting], took_s: float) -> float:
        """Those who were patient don't make a crowd of the others. In a crowd, what deciding and
        keeping took is part of the pause."""
        if sum(not waiting.patient for waiting in batch) >= MANY_TOGETHER:
            self._crowd_until = time.monotonic() + CROWD_S
            return max(LEAST_GATHER_S, LONG_GATHER_S - took_s)
        return self._pace.reserve(GATHER_S)

    async def _keep(self, batch: list[_Waiting]) -> None:
        metrics.COMMIT_SIZE.observe(len(batch))
        try:
            with metrics.COMMIT_SECONDS.time():
                await self._ledger.write(
                    [append for waiting in batch for append in waiting.appends],
                    [holding for waiting in batch for holding in waiting.made],
                )
        except (IntegrityError, AlreadyPacked):
            if len(batch) == 1:
                _tell(batch, Conflict())
                return
            for waiting in batch:
                await self._keep([waiting])
        except Exception as error:
            _tell(batch, error)
        else:
            # Not here: whoever is told has a lot to do, and the pause has begun already.
            asyncio.get_running_loop().call_soon(_tell, batch, None)


def _tell(batch: Sequence[_Waiting], error: Exception | None) -> None:
    for waiting in batch:
        try:
            waiting.done(error)
        except Exception:
            log.exception("what was kept could not be told")


def _settle(kept: asyncio.Future[None], error: Exception | None) -> None:
    if kept.done():
        return
    if error is None:
        kept.set_result(None)
    else:
        kept.set_exception(error)


ROOMY = ("cache_size=-16000",)
"""The last pages of a thousand tables that are played at the same time."""


class SqliteLedger:
    """One connection in one thread."""

    def __init__(self, engine: AsyncEngine, node: str) -> None:
        self._node = node
        self._engine = create_engine(engine.url.set(drivername="sqlite"), hide_parameters=True)
        prepare_sqlite(self._engine, ROOMY)
        self._turn = turn_of(engine)
        self._thread = ThreadPoolExecutor(1, "ledger")
        self._connection: Connection | None = None
        self._checkpoints = Checkpoints(self._engine)

    async def write(self, appends: Sequence[Append], made: Sequence[Holding] = ()) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._write, appends, made)
        self._checkpoints.tend()

    def _write(self, appends: Sequence[Append], made: Sequence[Holding]) -> None:
        """The events go in by the driver's own prepared statement: they are nearly all there is to
        write, and SQLAlchemy would take as long again."""
        rows = _rows(appends)
        summaries = _summaries(appends, self._node)
        connection = self._connected()
        with self._turn, connection.begin():
            _check_all_new(_insert(connection, rows), rows)
            if summaries:
                connection.execute(_SQLITE_UPSERT, summaries)
            if sitting := _people_in(appends):
                connection.execute(_SQLITE_SITTING, sitting)
            if made:
                connection.execute(_INSERT_HOLDING, [each.row() for each in made])
        with self._turn:
            self._checkpoints.after_commit(connection)

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
            self._checkpoints.take_charge(self._connection)
        return self._connection

    async def close(self) -> None:
        loop = asyncio.get_running_loop()
        await self._checkpoints.close()
        if self._connection is not None:
            await loop.run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown()
        self._engine.dispose()


class PostgresLedger:
    """One transaction a batch; the notifications go out with its commit."""

    def __init__(self, engine: AsyncEngine, node: str) -> None:
        self._engine = engine
        self._node = node

    async def write(self, appends: Sequence[Append], made: Sequence[Holding] = ()) -> None:
        rows = _rows(appends)
        columns = {name: [row[i] for row in rows] for i, name in enumerate(_COLUMNS)}
        summaries = _summaries(appends, self._node)
        said = [_notice(append, self._node) for append in appends]
        async with self._engine.begin() as connection:
            _check_all_new((await connection.execute(_POSTGRES_INSERT, columns)).rowcount, rows)
            if summaries:
                await connection.execute(_POSTGRES_UPSERT, summaries)
            if sitting := _people_in(appends):
                await connection.execute(_POSTGRES_SITTING, sitting)
            if made:
                await connection.execute(_INSERT_HOLDING, [each.row() for each in made])
            await connection.execute(_POSTGRES_NOTIFY, {"channel": CHANNEL, "said": said})

    async def close(self) -> None:
        """The engine is the store's to close."""


CHANNEL = "cabochon"
"""Where nodes on one PostgreSQL hear of one another."""
_COLUMNS = ("table_id", "seq", "at_ms", "body")


def _upsert(dialect: Any) -> Insert:
    statement = dialect.insert(tables)
    kept = {"id", "created_ms", "node", "settled"}
    # `packed` is not among them: it goes back to what a new table has.
    changed = {c.name: statement.excluded[c.name] for c in tables.c if c.name not in kept}
    upsert: Insert = statement.on_conflict_do_update(index_elements=["id"], set_=changed)
    return upsert


STEPS = (64, 16, 4, 1)
"""So many rows go in by one step. Between steps the thread lets go of the interpreter and waits for
its turn: as soon as the event loop is busy a millisecond each, and with `executemany` every row is
a step. Moves that wait for a commit become many then, which makes the next one longer still."""
_SQLITE_INSERTS = {
    count: "INSERT INTO events (table_id, seq, at_ms, body) "
    f"SELECT * FROM (VALUES {', '.join(('(?, ?, ?, ?)',) * count)}) WHERE NOT EXISTS "
    "(SELECT 1 FROM packed_games WHERE table_id = column1 AND last_seq >= column2)"
    for count in STEPS
}
_SQLITE_UPSERT = _upsert(sqlite)
_SQLITE_SITTING = sqlite.insert(person_tables).on_conflict_do_nothing()
_INSERT_HOLDING = insert(holdings)
_POSTGRES_INSERT: TextClause = text(
    "INSERT INTO events (table_id, seq, at_ms, body) SELECT * FROM unnest("
    "CAST(:table_id AS text[]), CAST(:seq AS int[]), CAST(:at_ms AS bigint[]), "
    "CAST(:body AS text[])) AS new (table_id, seq, at_ms, body) "
    "WHERE NOT EXISTS (SELECT 1 FROM packed_games "
    "WHERE packed_games.table_id = new.table_id AND packed_games.last_seq >= new.seq)"
)
_POSTGRES_UPSERT = _upsert(postgresql)
_POSTGRES_SITTING = postgresql.insert(person_tables).on_conflict_do_nothing()
_POSTGRES_NOTIFY: TextClause = text(
    "SELECT count(pg_notify(:channel, said)) FROM unnest(CAST(:said AS text[])) AS said"
)


def _rows(appends: Sequence[Append]) -> list[tuple[str, int, int, str]]:
    return [
        (append.table.id, append.seq + index, event.at, orjson.dumps(event_to_json(event)).decode())
        for append in appends
        for index, event in enumerate(append.events)
    ]


def _insert(connection: Connection, rows: Sequence[tuple[object, ...]]) -> int:
    """How many were new."""
    inserted = start = 0
    for count in STEPS:
        while len(rows) - start >= count:
            values = tuple(chain.from_iterable(rows[start : start + count]))
            inserted += connection.exec_driver_sql(_SQLITE_INSERTS[count], values).rowcount
            start += count
    return inserted


def _check_all_new(inserted: int, rows: Sequence[object]) -> None:
    """Raises AlreadyPacked."""
    if inserted != len(rows):
        raise AlreadyPacked


def _notice(append: Append, node: str) -> str:
    kind = "S" if _changes_summary(append) else "E"
    return f"{kind} {node} {append.table.id} {append.table.seq}"


def _summaries(appends: Sequence[Append], node: str) -> list[dict[str, object]]:
    return [_summary(append.table, node) for append in appends if _changes_summary(append)]


def _people_in(appends: Sequence[Append]) -> list[dict[str, str]]:
    """Who sits down at which table. In order, so that two nodes never wait for one another."""
    found = {
        (chair.person, append.table.id)
        for append in appends
        if any(isinstance(event, Opened | Joined | HandedOver) for event in append.events)
        for chair in append.table.chairs
        if chair.person is not None
    }
    return [{"person_id": who, "table_id": table_id} for who, table_id in sorted(found)]


def _changes_summary(append: Append) -> bool:
    """Moves and chat leave a table's row as it is, except for the one that ends the game."""
    quiet = all(isinstance(event, Moved | Said) for event in append.events)
    return not quiet or append.table.ended is not None


def _summary(table: Table, node: str) -> dict[str, object]:
    care = needs_care(table)
    return {
        "id": table.id,
        "state": table.state,
        "variant": table.options.ruleset.variant,
        "seats": len(table.chairs),
        "listed": table.options.listed,
        "due_ms": 0 if care else None,
        "node": node if care else None,
        "created_ms": table.opened.at,
        "info": orjson.dumps(table_info(table)).decode(),
    }


def needs_care(table: Table) -> bool:
    """Whether a node must look after the table: engines to drive, time or shares to watch."""
    if table.is_starting:
        return True
    if table.state != "running":
        return False
    engines = any(chair.by_engine for chair in table.chairs)
    return engines or table.times is not None or table.options.when_gone is WhenGone.BOT
