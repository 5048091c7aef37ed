"""The games that anybody may look at now: mini boards, one of them featured, and who is here.

The list is made anew every second or two, while somebody asks, and is the same for all; only the
players at a table are never told its chances.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import select

from cabochon.bots.roster import ratings as bot_ratings
from cabochon.play.chairs import Chair, Kind
from cabochon.play.messages import TableInfo
from cabochon.play.options import clock_to_json
from cabochon.play.table import Table
from cabochon.ratings import kind_of
from cabochon.server.access.identity import Caller
from cabochon.server.people.chances import ChanceDesk
from cabochon.server.people.nodenotes import NodeNotes
from cabochon.server.people.showtable import ShownTables, ShowTable, is_show
from cabochon.server.problems import ServerRefused
from cabochon.server.storage.database import log_failure
from cabochon.server.storage.schema import people, ratings
from cabochon.server.tables.latetables import LateTables
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.watch")

TICK_S = 1.0
WATCHED_S = 20.0
"""Somebody counts as watching for this long after having asked."""
LISTED = 60
SHOWN = 12

_Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """What is told of a game, and how interesting it is: highly rated people first, then whatever
    most people watch, then bots."""

    table: Table
    told: _Json
    strength: float

    @property
    def rank(self) -> tuple[bool, float, int, str]:
        watched: int = self.told["watching"]
        return bool(_people_at(self.table)), self.strength, watched, self.table.id


class WatchedTables(ShownTables, Protocol):
    """The games that people may watch."""

    @property
    def late(self) -> LateTables: ...

    async def listing(
        self,
        state: str | None,
        variant: str | None = None,
        seats: int | None = None,
        limit: int = 100,
    ) -> list[TableInfo]: ...


class WatchDesk:
    """Of one node."""

    def __init__(self, hub: WatchedTables, chances: ChanceDesk, notes: NodeNotes) -> None:
        self._hub = hub
        self._chances = chances
        self._notes = notes
        self._show = ShowTable(hub, self.is_watched)
        self._asked = -WATCHED_S
        self._games: list[WatchedGame] = []
        self._fresh = asyncio.Event()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="watch")

    async def close(self) -> None:
        await ended(self._task)

    def is_watched(self) -> bool:
        return time.monotonic() - self._asked < WATCHED_S

    async def page(self, who: Caller, plays_at: Collection[str]) -> _Json:
        """Everything, for somebody who plays at these tables, and perhaps at others."""
        if not self.is_watched():
            self._fresh.clear()
        self._asked = time.monotonic()
        self._wake.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5):
                await self._fresh.wait()
        games = [_told_to(who, plays_at, game) for game in self._games]
        featured = games[0] if games else None
        return {"featured": featured, "games": games[1:], "here": self._notes.here()}

    async def _run(self) -> None:
        while True:
            if not self.is_watched():
                self._wake.clear()
                await self._wake.wait()
            try:
                await self._refresh()
            except Exception as error:
                log_failure(log, "the games to watch were not looked at; it goes on", error)
            self._fresh.set()
            await asyncio.sleep(TICK_S)

    async def _refresh(self) -> None:
        infos = await self._hub.listing("running", limit=LISTED)
        chosen = sorted(filter(_is_shown, infos), key=self._interest, reverse=True)[:SHOWN]
        tables = [table for info in chosen if (table := await self._seen(info["id"])) is not None]
        if not any(chair.kind is Kind.HUMAN for table in tables for chair in table.chairs):
            live = await self._show.live()
            if live is not None and live.table.position is not None:
                tables.append(live.table)
        strengths = await self._strengths(tables)
        games = [self._game(table, strengths) for table in tables]
        self._games = sorted(games, key=lambda game: game.rank, reverse=True)

    def _interest(self, info: TableInfo) -> tuple[int, int, int]:
        """Before anything is read: people among themselves, then people, then the newest."""
        people = sum("person" in chair or chair["kind"] == "human" for chair in info["chairs"])
        return people, self._watching(info["id"]), info["created_ms"]

    async def _seen(self, table_id: str) -> Table | None:
        """The table as watchers may see it now."""
        try:
            live = await self._hub.live(table_id)
        except ServerRefused:
            return None
        table = await self._hub.late.table(live)
        return table if table.position is not None and table.ended is None else None

    def _watching(self, table_id: str) -> int:
        return self._notes.watching(table_id)

    async def _strengths(self, tables: list[Table]) -> dict[tuple[str, str], float]:
        """The ratings of the people at these tables who show theirs, by kind."""
        ids = sorted({person for table in tables for person in _people_at(table)})
        if not ids:
            return {}
        query = (
            select(ratings.c.person_id, ratings.c.kind, ratings.c.value)
            .join(people, people.c.id == ratings.c.person_id)
            .where(ratings.c.person_id.in_(ids), people.c.hidden.is_(False))
        )
        async with self._hub.store.engine.connect() as connection:
            rows = await connection.execute(query)
            return {(row.person_id, row.kind): row.value for row in rows}

    def _game(self, table: Table, strengths: dict[tuple[str, str], float]) -> WatchedGame:
        seats = [_seat(table, seat, chair, strengths) for seat, chair in enumerate(table.chairs)]
        position = table.running
        told: _Json = {
            "table": table.id,
            "seats": seats,
            "round": position.turn // len(seats) + 1,
            "to_act": table.to_act,
            "watching": self._watching(table.id),
            "rated": table.options.rated,
            "clock": clock_to_json(table.options.clock),
            "board": _board(table),
            "chances": self._chances.of(table),
            "delay_s": self._hub.late.delay_ms // 1000 if self._hub.late.applies(table) else 0,
            "show": is_show(table.id),
        }
        known = [seat["rating"] for seat in seats if seat["person"] and seat["rating"]]
        strength = sum(known) / len(known) if known else 0.0
        return WatchedGame(table, told, strength)


def _is_shown(info: TableInfo) -> bool:
    return info["watch"] == "anyone" and not info["tutorial"]


def _people_at(table: Table) -> list[str]:
    return [chair.person for chair in table.chairs if chair.person is not None]


def _told_to(who: Caller, plays_at: Collection[str], game: WatchedGame) -> _Json:
    """Without the chances for those who play there, however they are known."""
    plays = game.table.id in plays_at or who.seats(game.table)
    if plays or set(who.names) & set(_people_at(game.table)):
        return {**game.told, "chances": None}
    return game.told


def _seat(table: Table, seat: int, chair: Chair, strengths: dict[tuple[str, str], float]) -> _Json:
    position, times = table.running, table.times
    return {
        "name": chair.name,
        "person": chair.person,
        "bot": None if chair.has_say else chair.bot,
        "rating": _rating(table, chair, strengths),
        "points": position.hands[seat].points,
        "left_ms": None if times is None else times.remaining[seat],
    }


def _rating(table: Table, chair: Chair, strengths: dict[tuple[str, str], float]) -> int | None:
    ruleset = table.options.ruleset
    if chair.person is not None:
        value = strengths.get((chair.person, kind_of(ruleset).value))
        return None if value is None else round(value)
    if chair.bot is None or chair.has_say:
        return None
    found = bot_ratings(ruleset.seats).get(chair.bot)
    return None if found is None else round(found.elo)


def _board(table: Table) -> _Json:
    position = table.running
    return {
        "rows": [[None if card is None else card.code for card in row] for row in position.rows],
        "nobles": [noble.code for noble in position.open_nobles],
        "bank": list(position.bank),
        "decks": list(position.view(None).decks),
        "last": _last_card(table),
    }


def _last_card(table: Table) -> str | None:
    """The card that was turned up last, where it still lies."""
    position = table.running
    shown = {card for row in position.rows for card in row if card is not None}
    for moved in reversed(table.moved[-len(table.chairs) :]):
        for card in reversed(moved.deals):
            if card in shown:
                return card.code
    return None
