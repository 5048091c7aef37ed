"""Looks after tables: asks bots of the house for their moves, which are thought out elsewhere, and
watches clocks and absent players. Only for the tables whose lease this node has."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from cabochon.play.commands import flag
from cabochon.play.errors import TableRefused
from cabochon.play.options import WhenGone
from cabochon.rules import IllegalMove
from cabochon.server import metrics
from cabochon.server.limits import Pace
from cabochon.server.problems import ServerRefused
from cabochon.server.settings import Settings
from cabochon.server.tables.commanding import LiveTables
from cabochon.server.tables.live import Live
from cabochon.server.tables.presence import connected_to, gone_since, silent
from cabochon.server.tables.sharedeadlines import ShareDeadlines
from cabochon.server.thinking.botpool import BotPool, BotTask

log = logging.getLogger("cabochon.scheduler")

AFTER_THE_END_S = 0.02
"""A clock is looked at so much after its end, so that it is surely over."""
SOON_MS = 120_000
"""A table with something due so soon stays in memory."""
AGAIN_S = 1.0
ALONE_BURST_S = 5
"""Bots that play among themselves make a decision a second for each table that they may have, all
tables together, and this many seconds' worth at once: about one game. Every decision is a commit,
and people's moves would have to wait for it."""


class AbsenceRules(Protocol):
    """Who is at a table, and what becomes of the seat of somebody who is not."""

    def noted(self, live: Live) -> None: ...

    async def stand_in_if_gone(self, live: Live, seat: int) -> None: ...


class ScheduledTables(LiveTables, Protocol):
    """The tables that something is due at, and who is there."""

    @property
    def settings(self) -> Settings: ...

    @property
    def stopping(self) -> bool: ...

    @property
    def before_alone(self) -> Callable[[Live], Awaitable[None]]: ...

    @property
    def is_shared(self) -> bool: ...

    @property
    def presence(self) -> AbsenceRules: ...


class Scheduler:
    """Bots in processes of their own, clocks and absences by timers."""

    def __init__(self, tables: ScheduledTables) -> None:
        self._tables = tables
        settings = tables.settings
        self.bots = BotPool(settings.bots_here, settings.bot_nice, settings.bot_seconds)
        self._alone = _pace_alone(settings.most_bot_tables)
        self._timers: set[asyncio.TimerHandle] = set()
        self._shares = ShareDeadlines(tables)
        self._closing = False

    # What is due

    def take_up(self, live: Live) -> None:
        """This node has just got the lease, or finds that it has none."""
        self.reschedule(live)
        for seat in silent(live, live.here):
            self.watch_gone(live, seat)

    def reschedule(self, live: Live) -> None:
        """See to it that whatever is due next at the table will happen."""
        if live.deadline is not None:
            live.deadline.cancel()
            live.deadline = None
        self._shares.reschedule(live)
        if live.table.ended is not None:
            self.bots.dismiss(live.table.id)
        if not live.leased or self._closing:
            return
        if live.table.bot_to_act is not None:
            if live.driver is None:
                live.driver = asyncio.create_task(self._drive(live))
            return
        times = live.table.times
        if live.table.to_act is not None and times is not None and times.deadline is not None:
            wait = max(0.0, (times.deadline - self._tables.clock()) / 1000) + AFTER_THE_END_S
            live.deadline = asyncio.get_running_loop().call_later(wait, self._flag, live)

    def watch_gone(self, live: Live, seat: int) -> None:
        """Look again when the grace time of an absent player is over."""
        options = live.table.options
        if options.when_gone is not WhenGone.BOT or not live.leased or self._closing:
            return
        due = gone_since(live, seat) + options.grace_s * 1000
        self._at(due, live, lambda: self._stand_in(live, seat))

    def _stand_in(self, live: Live, seat: int) -> None:
        self._tables.job(self._tables.presence.stand_in_if_gone(live, seat))

    def look_again(self, live: Live, due: int) -> None:
        """See who is still there when the first who commands without a connection may not be."""
        if live.glance or self._closing:
            return
        live.glance = True

        def look() -> None:
            live.glance = False
            self._tables.presence.noted(live)

        self._at(due, live, look)

    def _at(self, due: int, live: Live, act: Callable[[], None]) -> None:
        """Do that then, if the table is still in memory."""
        handle: asyncio.TimerHandle

        def ring() -> None:
            self._timers.discard(handle)
            if self._tables.in_memory(live.table.id) is live:
                act()

        wait = max(0.0, (due - self._tables.clock()) / 1000) + AFTER_THE_END_S
        handle = asyncio.get_running_loop().call_later(wait, ring)
        self._timers.add(handle)

    def is_due(self, live: Live) -> bool:
        """Whether something will happen at the table soon by itself."""
        if not live.leased:
            return False
        due = self.next_due(live)
        if due is None:
            return False
        # Other nodes may have seen a player whom this one has not: only in memory is it known.
        waits = self._tables.is_shared and live.table.options.when_gone is WhenGone.BOT
        return waits or due < self._tables.clock() + SOON_MS

    def next_due(self, live: Live) -> int | None:
        """When the table will next need somebody, if it is put away now."""
        table = live.table
        if table.to_act is None:
            return self._shares.due(table)
        dues = [] if table.times is None or table.times.deadline is None else [table.times.deadline]
        if table.options.when_gone is WhenGone.BOT:
            dues += [
                gone_since(live, seat) + table.options.grace_s * 1000
                for seat in silent(live, connected_to(live))
                if not table.chairs[seat].by_engine
            ]
        return min(dues, default=None)

    def _flag(self, live: Live) -> None:
        live.deadline = None
        self._tables.job(self._tables.decide(live, flag))

    # Bots

    async def _drive(self, live: Live) -> None:
        """Ask bots until somebody else must act."""
        failed = False
        try:
            while live.table.bot_to_act is not None and live.leased and not self._closing:
                await self._one_decision(live)
        except ServerRefused:
            failed = not self._tables.stopping
        except Exception:
            failed = True
            log.exception("the bots of a table stopped; they are asked again")
        finally:
            live.driver = None
        if failed:
            await asyncio.sleep(AGAIN_S)
        self.reschedule(live)

    async def _one_decision(self, live: Live) -> None:
        alone = live.is_among_bots
        if alone:
            await self._tables.before_alone(live)
            await asyncio.sleep(self._alone.reserve())
        table = live.table
        if table.bot_to_act is None or self._closing:
            return  # somebody came back meanwhile
        seat, name = table.to_act, table.bot_to_act
        assert seat is not None
        wanted = BotTask(table.id, seat, name, table.running.view(seat), alone)
        with metrics.BOT_SECONDS.time():
            chosen = await self.bots.choose(wanted)
        if chosen.fault is not None:
            # What the bot wanted is not said: it may name a card that only its seat knows.
            metrics.BOT_FAULTS.inc()
            log.warning("bot %s did not find a legal move by itself", name)
        with contextlib.suppress(TableRefused, IllegalMove):
            await self._tables.decide(
                live,
                lambda t, now: t.submit(seat, table.version, (chosen.move,), now, engine=True),
            )

    async def close(self) -> None:
        """No new decisions; one that is being kept is waited for by its table's lock."""
        self._closing = True
        self._shares.close()
        for handle in self._timers:
            handle.cancel()
        await self.bots.close()


def _pace_alone(most_tables: int) -> Pace:
    rate = max(1.0, float(most_tables))
    return Pace(rate, rate * ALONE_BURST_S)
