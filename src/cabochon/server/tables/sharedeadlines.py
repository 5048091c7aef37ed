"""Waits for the shares of a table that is about to start, and frees the chairs of those who hold
theirs back. Somebody who is there has fifteen seconds; somebody who is away has the table's time
for absent players. Only for the tables whose lease this node has."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from cabochon.play.commands import free_seats, patience_ms
from cabochon.play.dealshares import REVEAL_MS
from cabochon.play.table import Decision, Table
from cabochon.server.tables.commanding import LiveTables
from cabochon.server.tables.live import Live
from cabochon.server.tables.presence import gone_since


@dataclass(slots=True)
class _Look:
    """The next look at a table: for which question, and who was there at the last one."""

    asked: int
    there: frozenset[int]
    timer: asyncio.TimerHandle


class ShareDeadlines:
    """One look every fifteen seconds at each table that waits. Who was there at two looks in a row
    and has said nothing is holding back."""

    def __init__(self, tables: LiveTables) -> None:
        self._tables = tables
        self._looks: dict[str, _Look] = {}
        self._closed = False

    def reschedule(self, live: Live) -> None:
        """Begin to wait, go on, or stop, as the table is now."""
        table = live.table
        look = self._looks.get(table.id)
        asked = table.shares.asked if table.is_starting and live.leased else None
        if look is not None and asked == look.asked:
            return
        self._forget(table.id)
        if asked is not None and not self._closed:
            self._look_later(live, asked)

    def due(self, table: Table) -> int | None:
        """When a table that waits must be looked at, if it is put away now."""
        if not table.is_starting or table.shares.asked is None:
            return None
        return table.shares.asked + patience_ms(table.options)

    def close(self) -> None:
        self._closed = True
        for table_id in list(self._looks):
            self._forget(table_id)

    def _forget(self, table_id: str) -> None:
        look = self._looks.pop(table_id, None)
        if look is not None:
            look.timer.cancel()

    def _look_later(self, live: Live, asked: int) -> None:
        loop = asyncio.get_running_loop()
        timer = loop.call_later(REVEAL_MS / 1000, self._look, live)
        there = live.here.intersection(live.table.shares.awaited)
        self._looks[live.table.id] = _Look(asked, there, timer)

    def _look(self, live: Live) -> None:
        look = self._looks.pop(live.table.id, None)
        if look is None or self._tables.in_memory(live.table.id) is not live:
            return
        late = self._late(live, look)
        if late:
            self._tables.job(self._free(live, look.asked, late))
        self.reschedule(live)

    def _late(self, live: Live, look: _Look) -> frozenset[int]:
        """Who has had time enough, there or away."""
        now, patience = self._tables.clock(), patience_ms(live.table.options)
        away = {
            seat
            for seat in set(live.table.shares.awaited) - live.here
            if now - max(look.asked, gone_since(live, seat)) >= patience
        }
        return (look.there & live.here) | away

    async def _free(self, live: Live, asked: int, late: frozenset[int]) -> None:
        def command(table: Table, now: int) -> Decision:
            if table.shares.asked != asked:
                return Decision((), table)
            return free_seats(table, late, now)

        await self._tables.decide(live, command)
