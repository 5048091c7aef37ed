"""Tables that a pool or an invitation has made, and to which somebody did not come.

Players who didn't come, or left before the start, are paused. The others don't wait in vain: the
table is given up, and those who came are in their pool again, at their former place in the queue.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from cabochon.play import hosting
from cabochon.play.commands import free_seats
from cabochon.play.table import Decision, Table
from cabochon.server.people.fairness import same_household
from cabochon.server.people.pools import LIVE_POOLS
from cabochon.server.storage.database import log_failure
from cabochon.server.storage.poolplaces import PoolPauses, PoolPlaces
from cabochon.server.tables.commanding import EveryTable
from cabochon.server.tables.live import Live

log = logging.getLogger("cabochon.pools")

COME_MS = 30_000
"""How long people who were paired for a game with a clock have to come to the table."""


class NoShows:
    """Of one node; `woken` when somebody waits again."""

    def __init__(
        self, tables: EveryTable, places: PoolPlaces, pauses: PoolPauses, woken: Callable[[], None]
    ) -> None:
        self._tables = tables
        self._places = places
        self._pauses = pauses
        self._woken = woken

    def start(self) -> None:
        self._tables.on_left.append(self._left)
        self._tables.on_finish.append(self._finished)

    def _left(self, table: Table, seat: int) -> None:
        person = table.chairs[seat].person
        if person is not None and table.opened.is_paired:
            self._tables.job(self._pause_and_give_up(table.id, person))

    async def _pause_and_give_up(self, table_id: str, person: str) -> None:
        await self._pause(table_id, person)
        await self._give_up(table_id)

    async def _pause(self, table_id: str, person_id: str) -> None:
        """A guest's address as well: another guest is easily made. Not one that many share."""
        now = self._tables.clock()
        await self._pauses.add(person_id, now)
        person = await self._tables.store.people.person(person_id)
        address = await self._places.address_of(person_id, table_id)
        is_home = address is not None and same_household(address, address)
        if address is not None and is_home and (person is None or not person.kept):
            await self._pauses.add(address, now)

    async def _give_up(self, table_id: str) -> None:
        """By the time they hear that the table is closed, they are waiting again."""
        live = await self._tables.live(table_id)
        came = [chair.person for chair in live.table.chairs if chair.person is not None]
        await self._places.wait_again(table_id, came, self._tables.clock())
        await self._tables.decide(live, hosting.close)
        self._woken()

    def _finished(self, live: Live) -> None:
        """A player who lost a game without a single move has let the other down as well."""
        if live.leased and live.table.opened.is_paired:
            for person in _idle(live.table):
                self._tables.job(self._pause(live.table.id, person))

    async def sweep(self, now: int) -> None:
        """Give up what has waited long enough, also where a node died in the middle of it."""
        for table_id in await self._places.unstarted(LIVE_POOLS, now - COME_MS):
            try:
                await self._sweep(table_id)
            except Exception as error:
                log_failure(log, "a table that nobody came to is still there", error)

    async def _sweep(self, table_id: str) -> None:
        live = await self._tables.live(table_id)
        if live.table.shares.awaited:
            await self._tables.decide(live, _late)
        elif live.table.position is None:
            await self._give_up(table_id)


def _late(table: Table, now: int) -> Decision:
    return free_seats(table, table.shares.awaited, now)


def _idle(table: Table) -> list[str]:
    """Who went out of a game without having moved, although it was their turn."""
    moved = {line.seat for line in table.log if line.move is not None}
    turn = next((seat for seat in range(len(table.chairs)) if seat not in moved), None)
    chair = None if turn is None else table.chairs[turn]
    return [] if chair is None or chair.person is None or chair.out is None else [chair.person]
