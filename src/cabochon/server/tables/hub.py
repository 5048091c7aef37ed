"""The tables of this node: every command goes through here, one at a time for each table, and is
durable before anybody is told."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from cabochon.play.commands import flag
from cabochon.play.errors import TableFault
from cabochon.play.events import Left, Opened
from cabochon.play.messages import TableInfo
from cabochon.play.store import Append, Conflict
from cabochon.play.table import Decision, Table
from cabochon.play.tableinfo import table_info
from cabochon.rules import CabochonError
from cabochon.server import metrics
from cabochon.server.access.quotas import Quotas
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import is_table_id
from cabochon.server.settings import Settings
from cabochon.server.storage.database import log_failure
from cabochon.server.storage.holdings import Holder, Holding, Holdings
from cabochon.server.storage.ledger import needs_care
from cabochon.server.storage.sitters import Sitters
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.storage.studies import Studies
from cabochon.server.tables.absence import EvictedAbsences
from cabochon.server.tables.answercache import AnswerCache
from cabochon.server.tables.commanding import TableCommand
from cabochon.server.tables.latetables import LateTables
from cabochon.server.tables.live import Live, not_begun
from cabochon.server.tables.lobby import Lobby
from cabochon.server.tables.presence import TablePresence
from cabochon.server.tables.readiness import Readiness
from cabochon.server.tables.relay import Alone, PostgresRelay, Relay
from cabochon.server.tables.scheduler import Scheduler
from cabochon.server.tables.steadyclock import SteadyClock
from cabochon.server.tables.visitors import Visitors

log = logging.getLogger("cabochon.hub")

IDLE_MS = 60_000
ATTEMPTS = 4
TOGETHER = 8
"""Events of another node that are told without a pause."""


def now_ms() -> int:
    """What the wall clock says."""
    return time.time_ns() // 1_000_000


class Hub:
    """Live tables by id, the lobby, and those that look after bots and clocks."""

    def __init__(
        self, store: SqlStore, settings: Settings, clock: Callable[[], int] | None = None
    ) -> None:
        self.store = store
        self.settings = settings
        self.clock: Callable[[], int] = SteadyClock() if clock is None else clock
        self.answers = AnswerCache()
        self.stopping = False
        self.lobby = Lobby()
        self.visitors = Visitors(store.bans)
        self.presence = TablePresence(self)
        self.scheduler = Scheduler(self)
        self.readiness = Readiness(store)
        self.late = LateTables(self)
        self.before_alone: Callable[[Live], Awaitable[None]] = _at_once
        """Waited for before bots that play among themselves decide at a table."""
        self.relay: Relay = (
            PostgresRelay(self, store.node, store.engine) if store.is_shared else Alone()
        )
        self._live: dict[str, Live] = {}
        self._evicted = EvictedAbsences()
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._gone_meanwhile: set[str] = set()
        self._jobs: set[asyncio.Task[None]] = set()
        self.holdings = Holdings(store.engine)
        self.studies = Studies(store.engine)
        self.sitters = Sitters(store.engine)
        self.on_finish: list[Callable[[Live], None]] = []
        """Called with every game that ends at a table in memory."""
        self.on_left: list[Callable[[Table, int], None]] = []
        """Called with the table, as it was, and the seat of a player who gave it up before the
        start."""
        self.quotas = Quotas(self.holdings, settings)
        self._dead_ms = int(settings.node_dead_s * 1000)

    @property
    def is_shared(self) -> bool:
        """Whether other nodes look after tables of the same database."""
        return self.store.is_shared

    # Tables

    async def live(self, table_id: str) -> Live:
        """The table, read from the store if it is not in memory. Raises ServerRefused."""
        live = self._live.get(table_id)
        if live is None:
            if not is_table_id(table_id):
                raise ServerRefused(ServerFault.NO_SUCH_TABLE, table=table_id[:16])
            loading = self._loading.get(table_id)
            if loading is None:
                loading = asyncio.create_task(self._load(table_id))
                self._loading[table_id] = loading
            live = await asyncio.shield(loading)
        if live.table.ended is not None and live.table.position is None:
            raise not_begun(live.table)
        live.used = self.clock()
        return live

    async def _load(self, table_id: str) -> Live:
        try:
            table = await self.store.table(table_id)
            if table is None or table_id in self._gone_meanwhile:
                raise ServerRefused(ServerFault.NO_SUCH_TABLE, table=table_id[:16])
            live = self._keep(table)
        finally:
            del self._loading[table_id]
            self._gone_meanwhile.discard(table_id)
        self.relay.ask_presence(table_id)
        await self._lease_if_needed(live)
        return live

    def _keep(self, table: Table) -> Live:
        live = Live(table, self.clock(), self._evicted.taken(table.id))
        self._live[table.id] = live
        metrics.LIVE_TABLES.set(len(self._live))
        return live

    async def _lease_if_needed(self, live: Live) -> None:
        """Look after the table from here, unless another living node does."""
        if not live.leased and needs_care(live.table):
            live.leased = await self.store.lease(live.table.id, self._dead_ms)
            self.scheduler.take_up(live)

    def all_live(self) -> list[Live]:
        return list(self._live.values())

    def in_memory(self, table_id: str) -> Live | None:
        return self._live.get(table_id)

    async def evict_idle(self) -> None:
        """Forget tables that nobody looks at; they come back from the store when asked for."""
        now = self.clock()
        released: dict[str, int | None] = {}
        for table_id, live in list(self._live.items()):
            if live.is_idle and now - live.used > IDLE_MS and not self.scheduler.is_due(live):
                if live.leased:
                    released[table_id] = self.scheduler.next_due(live)
                self._evict(live)
        metrics.LIVE_TABLES.set(len(self._live))
        if released:
            await self.store.release(released)
        for table_id in released:
            back = self._live.get(table_id)
            if back is not None and back.leased:
                await self.store.lease(table_id, self._dead_ms)

    def _evict(self, live: Live) -> None:
        """Out of memory. Where this node alone knows who is connected, it goes on knowing who
        was not."""
        del self._live[live.table.id]
        if not self.store.is_shared:
            self._evicted.keep(live.table, live.absence)

    def forget(self, table_id: str) -> None:
        """The table was removed, perhaps while it was being read."""
        if table_id in self._loading:
            self._gone_meanwhile.add(table_id)
        live = self._live.pop(table_id, None)
        self._evicted.taken(table_id)
        if live is not None:
            live.close_all("the table is gone")
        self.lobby.removed(table_id)

    async def count_tables(self) -> None:
        """How many are open or running, here and at other nodes."""
        self.quotas.unfinished = await self.store.unfinished()

    async def listing(
        self,
        state: str | None,
        variant: str | None = None,
        seats: int | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
    ) -> list[TableInfo]:
        """Listed tables, the newest first, with who is there as far as this node knows."""
        found = await self.store.listing(state, variant, seats, limit, before)
        return [
            info if live is None else table_info(live.table, live.here)
            for info, live in ((info, self._live.get(info["id"])) for info in found)
        ]

    async def tell_lobby(self, table_id: str) -> None:
        """Another node has changed a table that is not in memory here."""
        if self.lobby.has_listeners:
            table = await self.store.table(table_id)
            if table is not None:
                self.lobby.changed(table)

    # Commands

    async def open(self, table_id: str, opened: Opened, holder: Holder | None = None) -> Live:
        """Make a table. Raises ServerRefused when there are too many, or too many of one holder."""
        self._check_running()
        async with self.quotas.room(table_id, opened, holder) as made:
            table = Table.open(table_id, opened)
            await self._append([Append(1, (opened,), table)], made)
        return await self._opened(table)

    async def _opened(self, table: Table) -> Live:
        for chair in table.chairs:
            if chair.token is not None:
                await self.store.seat_token(chair.token, table.id)
        live = self._keep(table)
        live.leased = needs_care(table)
        self.scheduler.take_up(live)
        self.lobby.changed(table)
        return live

    async def decide(self, live: Live, command: TableCommand) -> Decision:
        """Carry a command out: decide, store, tell everybody. Raises what the command raises."""
        began = time.perf_counter()
        self._check_running()
        now = self.clock()
        async with live.lock:
            decision, _ = await self._decided(live, lambda table: (command(table, now), None), now)
        if decision.events:
            metrics.TOLD_SECONDS.observe(time.perf_counter() - began)
        return decision

    def decide_soon(
        self,
        live: Live,
        read: Callable[[], TableCommand | None],
        told: Callable[[Decision | None], None],
    ) -> bool:
        """As `decide`, without a task that waits: the table is taken at once, and the command read
        and decided before the next commit. `told` gets the decision when everybody has been told
        of it, or None, and nothing has happened, where that takes more than one step, the command
        is refused, or could not be kept: `decide` will see to it, or say why. False if the table
        isn't free."""
        if self.stopping or self.readiness.is_lost or not live.lock.take():
            return False
        began, now = time.perf_counter(), self.clock()
        self.store.before_next(lambda: self._decide_held(live, read, told, began, now))
        return True

    def _decide_held(
        self,
        live: Live,
        read: Callable[[], TableCommand | None],
        told: Callable[[Decision | None], None],
        began: float,
        now: int,
    ) -> None:
        decision: Decision | None = None
        try:
            command = read()
            decision = None if command is None else _decided_at_once(live.table, command, now)
        finally:
            if decision is None:
                live.lock.release()
                told(None)
        if decision is not None:
            self._keep_soon(live, decision, told, began)

    def _keep_soon(
        self,
        live: Live,
        decision: Decision,
        told: Callable[[Decision | None], None],
        began: float,
    ) -> None:

        def kept(error: Exception | None) -> None:
            try:
                self._take_in_or_look(live, decision, error)
            finally:
                live.lock.release()
            if error is None:
                metrics.ACCEPTED.inc()
                metrics.TOLD_SECONDS.observe(time.perf_counter() - began)
            told(decision if error is None else None)

        self.store.append_soon(Append(live.table.seq + 1, decision.events, decision.table), kept)

    def _take_in_or_look(self, live: Live, decision: Decision, error: Exception | None) -> None:
        if error is None:
            self._take_in(live, decision)
        elif not isinstance(error, Conflict):
            log.error("keeping an event failed: %s", type(error).__name__)
            self.job(self.caught_up(live))

    async def decide_and_open(
        self, live: Live, command: Callable[[Table, int], tuple[Decision, Table | None]]
    ) -> Decision:
        """As `decide`, for a command that may open a further table in the same commit."""
        self._check_running()
        now = self.clock()
        async with live.lock:
            decision, opened = await self._decided(live, lambda t: command(t, now), now)
        if opened is not None:
            self.quotas.unfinished += 1
            await self.holdings.hand_on(live.table.id, opened.id, now)
            await self._opened(opened)
        return decision

    async def _decided(
        self, live: Live, command: Callable[[Table], tuple[Decision, Table | None]], now: int
    ) -> tuple[Decision, Table | None]:
        for _ in range(ATTEMPTS):
            try:
                flagged = flag(live.table, now)
                if flagged.events:
                    await self._commit(live, flagged, ())
                decision, opened = command(live.table)
                if decision.events:
                    also = () if opened is None else (Append(1, (opened.opened,), opened),)
                    await self._commit(live, decision, also)
                metrics.ACCEPTED.inc()
                return decision, opened
            except Conflict:
                await self.catch_up(live)
            except CabochonError as error:
                if not await self._was_behind(live, error):
                    metrics.REFUSED.inc()
                    raise
        raise ServerRefused(ServerFault.BUSY)

    async def _was_behind(self, live: Live, error: CabochonError) -> bool:
        """Whether a move only seemed stale: its player was told by another node of what this one
        had yet to hear. If so, it has now heard."""
        before = live.table
        if error.code is TableFault.STALE and int(str(error.params["seen"])) > before.version:
            await self.catch_up(live)
        return live.table is not before

    async def _commit(self, live: Live, decision: Decision, also: Sequence[Append]) -> None:
        append = Append(live.table.seq + 1, decision.events, decision.table)
        try:
            await self._append([append, *also], patient=live.is_among_bots)
        except Conflict:
            raise
        except BaseException:
            # It may have been kept all the same: look, and tell whatever is there.
            self.job(self.caught_up(live))
            raise
        self._take_in(live, decision)

    def _take_in(self, live: Live, decision: Decision) -> None:
        """It is kept: everybody is told."""
        before = live.table
        live.advance(decision.events, self.clock(), decision.table)
        self._after_change(live, before)
        self._tell_left(before, decision)

    def _tell_left(self, before: Table, decision: Decision) -> None:
        for event in decision.events:
            if isinstance(event, Left):
                for told in self.on_left:
                    told(before, event.seat)

    async def _append(
        self, appends: Sequence[Append], made: Sequence[Holding] = (), patient: bool = False
    ) -> None:
        """Raises Conflict, or ServerRefused when the database fails."""
        try:
            await self.store.append(appends, made, patient)
        except Conflict:
            raise
        except Exception as error:
            log.error("keeping an event failed: %s", type(error).__name__)
            raise ServerRefused(ServerFault.BUSY) from error

    async def catch_up(self, live: Live) -> None:
        """Take in what other nodes have decided. Called with the table's lock held."""
        events = await self.store.events(live.table.id, live.table.seq)
        if not events:
            return
        before = live.table
        try:
            for start in range(0, len(events), TOGETHER):
                if start:
                    await asyncio.sleep(0)  # whoever waits at other tables comes first
                live.advance(events[start : start + TOGETHER], self.clock())
        finally:
            self._after_change(live, before)

    async def caught_up(self, live: Live) -> None:
        async with live.lock:
            await self.catch_up(live)

    async def catch_up_all(self) -> None:
        """After the line to the other nodes was lost."""
        for live in self.all_live():
            await self.caught_up(live)
            self.relay.ask_presence(live.table.id)

    def _after_change(self, live: Live, before: Table) -> None:
        self.scheduler.reschedule(live)
        self.presence.noted(live)
        if before.position is None and live.table.position is not None:
            self.presence.started(live)
        if before.ended is None and live.table.ended is not None:
            for told in self.on_finish:
                told(live)
        if live.table.chairs is not before.chairs or live.table.state != before.state:
            self.lobby.changed(live.table, live.here)
            if not live.leased and needs_care(live.table):
                self.job(self._lease_if_needed(live))

    def _check_running(self) -> None:
        if self.stopping:
            raise ServerRefused(ServerFault.STOPPING)
        if self.readiness.is_lost:
            raise ServerRefused(ServerFault.DATABASE_AWAY)

    # Running

    def job(self, work: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine beside everything else; what it raises is logged."""
        task = asyncio.ensure_future(_logged(work))
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)

    def depart(self) -> None:
        """Take no more commands, and send everybody off: they will find another node."""
        self.stopping = True
        for live in self._live.values():
            live.close_all("the server is stopping")
        self.late.send_off("the server is stopping")
        self.lobby.close()

    async def close(self) -> None:
        """Let what is under way be kept, then stop."""
        self.depart()
        await self.scheduler.close()
        for live in self.all_live():
            async with live.lock:
                pass
        await self.late.close()
        await self.relay.close()
        await self.sitters.close()
        for task in list(self._jobs):
            task.cancel()


def _decided_at_once(table: Table, command: TableCommand, now: int) -> Decision | None:
    """None when time has run out first, nothing comes of it, or it is refused."""
    if table.times is not None and flag(table, now).events:
        return None
    try:
        decision = command(table, now)
    except CabochonError:
        return None
    return decision if decision.events else None


async def _at_once(_live: Live) -> None:
    """Nothing to wait for."""


async def _logged(work: Coroutine[Any, Any, object]) -> None:
    try:
        await work
    except CabochonError as refusal:
        log.debug("a job was refused: %s", refusal.code)
    except Exception as error:
        log_failure(log, "a job failed", error)
