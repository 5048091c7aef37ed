"""Tables that a pool or an invitation has made, and to which somebody did not come.

Whoever did not come, or left before the start, is paused. Nobody else waits there in vain: the table
is given up, and those who came are in their pool again, at the place that they had in the queue.
"""

from __future__ import annotations

from collections.abc import Callable

from cabochon.play import moderation
from cabochon.play.sharing import free_seats
from cabochon.play.table import Decision, Table
from cabochon.server.people.pools import LIVE_POOLS
from cabochon.server.storage.poolpauses import PoolPauses
from cabochon.server.storage.poolplaces import PoolPlaces
from cabochon.server.tables.hub import Hub
from cabochon.server.tables.live import Live

COME_MS = 30_000
"""So long those who were paired for a game with a clock have to come to the table."""


class DesertedTables:
    """Of one node; `woken` when somebody waits again."""

    def __init__(
        self, hub: Hub, places: PoolPlaces, pauses: PoolPauses, woken: Callable[[], None]
    ) -> None:
        self._hub = hub
        self._places = places
        self._pauses = pauses
        self._woken = woken

    def start(self) -> None:
        self._hub.on_left.append(self._left)
        self._hub.on_finish.append(self._finished)

    def _left(self, table: Table, seat: int) -> None:
        person = table.chairs[seat].person
        if person is not None and table.opened.is_paired:
            self._hub.job(self._pause_and_give_up(table.id, person))

    async def _pause_and_give_up(self, table_id: str, person: str) -> None:
        await self._pauses.add(person, self._hub.clock())
        await self._give_up(table_id)

    async def _give_up(self, table_id: str) -> None:
        """Whoever hears that the table is closed waits again already."""
        live = await self._hub.live(table_id)
        came = [chair.person for chair in live.table.chairs if chair.person is not None]
        await self._places.wait_again(table_id, came, self._hub.clock())
        await self._hub.decide(live, moderation.close)
        self._woken()

    def _finished(self, live: Live) -> None:
        """Whoever lost a game without a single move has let the other down as well."""
        if live.leased and live.table.opened.is_paired:
            for person in _idle(live.table):
                self._hub.job(self._pauses.add(person, self._hub.clock()))

    async def sweep(self, now: int) -> None:
        """Give up what has waited long enough, also where a node died in the middle of it."""
        for table_id in await self._places.unstarted(LIVE_POOLS, now - COME_MS):
            live = await self._hub.live(table_id)
            if live.table.shares.awaited:
                await self._hub.decide(live, _late)
            elif live.table.position is None:
                await self._give_up(table_id)


def _late(table: Table, now: int) -> Decision:
    return free_seats(table, table.shares.awaited, now)


def _idle(table: Table) -> list[str]:
    """Who went out of a game without having moved."""
    moved = {line.seat for line in table.log if line.move is not None}
    return [
        chair.person
        for seat, chair in enumerate(table.chairs)
        if chair.person is not None and chair.out is not None and seat not in moved
    ]
