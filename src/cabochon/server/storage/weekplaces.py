"""How many places somebody has moved on a leaderboard within a week.

A place a week ago is worked out from the one among today's ratings: only those who have played
since had another rating then, and what it was stands with the first of their games. These are read
every five minutes at most, for everybody who asks.
"""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, and_, func, or_, select, true
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.play.clock import WEEK_MS
from cabochon.ratings.strength import FIRST_DEVIATION
from cabochon.server.storage.schema import game_players, games, rating_points, ratings

READ_S = 300.0
TOGETHER = 500

_Rung = tuple[float, str]
"""A rating and whose it is: so the board is ordered, from below."""


@dataclass(frozen=True, slots=True)
class _Movers:
    """Ratings of those on the board who have played since, now and then; new people had none
    then."""

    now: list[_Rung]
    then: list[_Rung]

    def change(self, value: float, person: str) -> int:
        """How many more others stood above that rating of theirs a week ago than do today."""
        return _above(self.then, value, person) - _above(self.now, value, person)


def _above(rungs: list[_Rung], value: float, person: str) -> int:
    higher = rungs[bisect_right(rungs, (value, person)) :]
    return sum(other != person for _, other in higher)


class WeekPlaces:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._movers: dict[str, tuple[float, _Movers]] = {}
        self._reading: asyncio.Task[_Movers] | None = None

    async def places_up(self, kind: str, person_id: str, rank: int, now: int) -> int | None:
        """How far they have come up from a week ago to that rank, below zero for down; None for
        somebody who had no rating then."""
        value = await self._asked(_point_at(kind, person_id, now - WEEK_MS))
        if value is None:
            return None
        movers = await self._moved(kind, now - WEEK_MS)
        above: int = await self._asked(_listed_above(kind, person_id, value))
        return 1 + above + movers.change(value, person_id) - rank

    async def _asked(self, query: Select[Any]) -> Any:
        async with self._engine.connect() as connection:
            return (await connection.execute(query)).scalar()

    async def _moved(self, kind: str, since: int) -> _Movers:
        """Only the first who asks waits; later what is old is read again beside it."""
        until, found = self._movers.get(kind, (0.0, None))
        if found is None:
            return await self._read(kind, since)
        if time.monotonic() > until:
            self._movers[kind] = time.monotonic() + READ_S, found
            self._reading = asyncio.create_task(self._read(kind, since))
        return found

    async def _read(self, kind: str, since: int) -> _Movers:
        async with self._engine.connect() as connection:
            found = await _read_movers(connection, kind, since)
        self._movers[kind] = time.monotonic() + READ_S, found
        return found


async def _read_movers(connection: AsyncConnection, kind: str, since: int) -> _Movers:
    last = select(games.c.number).where(games.c.ended_ms <= since)
    before = (await connection.execute(last.order_by(games.c.number.desc()).limit(1))).scalar()
    played = (await connection.execute(_games_since(kind, before or 0))).all()
    firsts = {row.person_id: row for row in reversed(played)}
    board = await _on_board(connection, kind, sorted(firsts))
    known = (who for who in board if firsts[who].before_deviation != FIRST_DEVIATION)
    now = sorted((value, who) for who, value in board.items())
    return _Movers(now, sorted((firsts[who].before_value, who) for who in known))


def _games_since(kind: str, number: int) -> Select[Any]:
    """Who has played since, and what their rating was. Games are numbered in the order they ended,
    more or less, so only a week's are looked at."""
    here = game_players.c
    return (
        select(here.person_id, here.before_value, here.before_deviation)
        .join(games, games.c.number == here.number)
        .where(here.number > number, games.c.kind == kind, games.c.rated)
        .where(here.before_value.is_not(None), here.person_id.is_not(None))
        .order_by(here.number)
    )


async def _on_board(connection: AsyncConnection, kind: str, ids: list[str]) -> dict[str, float]:
    here, found = ratings.c, dict[str, float]()
    for start in range(0, len(ids), TOGETHER):
        some = here.person_id.in_(ids[start : start + TOGETHER]), here.kind == kind
        query = select(here.person_id, here.value).where(*some, here.listed == true())
        found |= {row.person_id: row.value for row in await connection.execute(query)}
    return found


def _point_at(kind: str, person_id: str, at_ms: int) -> Select[Any]:
    here = rating_points.c
    mine = here.person_id == person_id, here.kind == kind, here.at_ms <= at_ms
    return select(here.value).where(*mine).order_by(here.ordinal.desc()).limit(1)


def _listed_above(kind: str, person_id: str, value: float) -> Select[Any]:
    here = ratings.c
    others = here.kind == kind, here.listed == true(), here.person_id != person_id
    tied = and_(here.value == value, here.person_id > person_id)
    return select(func.count()).where(*others, here.value >= value, or_(here.value > value, tied))
