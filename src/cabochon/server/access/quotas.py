"""How many tables: for one person, one address and one network, and for everybody together, so that
newcomers find room."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence

from cabochon.play.chairs import Chair, Kind
from cabochon.play.clock import Days
from cabochon.play.events import Joined, Moved, Opened, TableEvent
from cabochon.server import metrics
from cabochon.server.access.addresses import WIDER
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.settings import Settings
from cabochon.server.storage.holdings import Held, Holder, Holding, Holdings

KEPT_FOR_NEW = 10
"""One table in this many is kept for addresses that have none."""
SHARE = 10
"""One address may have one in this many of those that are free ..."""
SMALL_SHARE = 3
"""... and never fewer than that."""
NETWORK_TIMES = dict(WIDER)[48]
BOTS_SHARE = 4
"""One address may have one in this many of the tables for bots alone."""


class Quotas:
    """One per node; what is counted is in the database."""

    def __init__(self, holdings: Holdings, settings: Settings) -> None:
        self._holdings = holdings
        self._settings = settings
        self._coming: Counter[str] = Counter()
        self.unfinished = 0
        """Tables that are open or running, here and at other nodes, when they were last counted."""

    @contextlib.asynccontextmanager
    async def room(
        self, table_id: str, opened: Opened, holder: Holder | None
    ) -> AsyncIterator[tuple[Holding, ...]]:
        """Room for a table that is about to be made, and what to keep with it. Raises
        ServerRefused."""
        keys = () if holder is None else holder.keys
        self._coming.update(keys)
        self.unfinished += 1
        made: tuple[Holding, ...] = ()
        try:
            if holder is not None:
                await self.check(holder, opened)
                made = (Holding(table_id, holder, is_bots_only(opened.chairs), opened.at),)
            elif self.unfinished > self._settings.most_tables:
                raise ServerRefused(ServerFault.TOO_MANY_TABLES)
            yield made
        except BaseException:
            self.unfinished -= 1
            raise
        finally:
            self._coming.subtract(keys)
            self._coming += Counter()  # forgets whoever is at nought

    async def check(self, holder: Holder, opened: Opened | None = None) -> None:
        """Raises ServerRefused when that table, or a rematch, would be one too many. Tables that
        the holder is making just now count."""
        held = await self._holdings.held(holder)
        coming = 1 if opened is not None else 0
        free = self._settings.most_tables - self.unfinished + coming
        if free <= (0 if self._is_new(holder, held, coming) else self._reserve):
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.TOO_MANY_TABLES)
        self._check_share(holder, held, free, coming)
        if opened is not None and is_bots_only(opened.chairs):
            self._check_bots(held)

    def _is_new(self, holder: Holder, held: Held, coming: int) -> bool:
        """Whether the address has no table; in a wide network, that is so for a few only."""
        at_once = self._coming[holder.address] - coming
        return held.address + at_once <= 0 and held.network < NETWORK_TIMES

    @property
    def _reserve(self) -> int:
        return self._settings.most_tables // KEPT_FOR_NEW

    def _check_share(self, holder: Holder, held: Held, free: int, coming: int) -> None:
        most = min(self._settings.most_unfinished_per_address, max(SMALL_SHARE, free // SHARE))
        limits = (
            (holder.address, held.address, most),
            (holder.network, held.network, most * NETWORK_TIMES),
            (holder.person, held.person, self._settings.most_unfinished_per_person),
        )
        for key, count, limit in limits:
            if key is not None and count + self._coming[key] - coming >= limit:
                metrics.LIMITED.inc()
                raise ServerRefused(ServerFault.TOO_MANY_UNFINISHED, count=count)

    def _check_bots(self, held: Held) -> None:
        most = self._settings.most_bot_tables
        if held.all_bots >= most or held.bots >= max(1, most // BOTS_SHARE):
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.TOO_MANY_BOT_TABLES)


def is_bots_only(chairs: Sequence[Chair]) -> bool:
    """Whether bots of this server play among themselves."""
    return all(chair.kind is Kind.BOT and chair.token is None for chair in chairs)


def is_unplayed(state: str, events: Sequence[TableEvent]) -> bool:
    """Whether nobody has joined the open table, or moved in the game. What bots of the house do
    does not count; and who plays by the day may take one. A rated game that has begun is none:
    whoever has seen the deal plays it, or loses."""
    opened = events[0]
    assert isinstance(opened, Opened)
    if isinstance(opened.options.clock, Days):
        return False
    if state == "open":
        return not any(isinstance(event, Joined) for event in events)
    if opened.options.rated:
        return False
    house = {seat for seat, chair in enumerate(opened.chairs) if is_bots_only((chair,))}
    return not any(isinstance(event, Moved) and event.seat not in house for event in events)
