"""How many places somebody has moved on a leaderboard within a week.

A place a week ago is worked out from the one among today's ratings: only those who have played
since had another rating then, and what it was stands with the first of their games. These are read
once a minute at most, for everybody who asks.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, and_, func, or_, select, true
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.ratings.strength import FIRST_DEVIATION
from cabochon.server.storage.schema import game_players, games, rating_points, ratings

WEEK_MS = 7 * 86_400_000
READ_S = 60.0

_Rung = tuple[float, str]
"""A rating and whose it is: so the board is ordered, from below."""


@dataclass(frozen=True, slots=True)
class _Movers:
    """Ratings of those on the board who have played since, now and then; whoever is new has none
    of then."""

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

    async def places_up(self, kind: str, person_id: str, rank: int, now: int) -> int | None:
        """How far they have come up from a week ago to that rank, below zero for down; None for
        somebody who had no rating then."""
        async with self._engine.connect() as connection:
            query = _point_at(kind, person_id, now - WEEK_MS)
            value = (await connection.execute(query)).scalar()
            if value is None:
                return None
            movers = await self._moved(connection, kind, now - WEEK_MS)
            query = _listed_above(kind, person_id, value)
            above = int((await connection.execute(query)).scalar() or 0)
        return 1 + above + movers.change(value, person_id) - rank

    async def _moved(self, connection: AsyncConnection, kind: str, since: int) -> _Movers:
        until, found = self._movers.get(kind, (0.0, None))
        if found is None or time.monotonic() > until:
            found = await _read_movers(connection, kind, since)
            self._movers[kind] = time.monotonic() + READ_S, found
        return found


async def _read_movers(connection: AsyncConnection, kind: str, since: int) -> _Movers:
    rows = (await connection.execute(_first_games(kind, since))).all()
    known = (row for row in rows if row.before_deviation != FIRST_DEVIATION)
    now = sorted((row.value, row.person_id) for row in rows)
    return _Movers(now, sorted((row.before_value, row.person_id) for row in known))


def _first_games(kind: str, since: int) -> Select[Any]:
    """Everybody on the board who has played since, with the first of those games. Games are
    numbered in the order they ended, more or less, so only a week's are looked at."""
    last = select(games.c.number).where(games.c.ended_ms <= since)
    before = last.order_by(games.c.number.desc()).limit(1).scalar_subquery()
    first = (
        select(game_players.c.person_id, func.min(game_players.c.number).label("number"))
        .join(games, games.c.number == game_players.c.number)
        .where(games.c.number > func.coalesce(before, 0), games.c.kind == kind, games.c.rated)
        .where(game_players.c.before_value.is_not(None))
        .group_by(game_players.c.person_id)
        .subquery()
    )
    same = game_players.c.person_id == first.c.person_id
    return (
        select(
            game_players.c.person_id,
            game_players.c.before_value,
            game_players.c.before_deviation,
            ratings.c.value,
        )
        .join(first, (game_players.c.number == first.c.number) & same)
        .join(ratings, ratings.c.person_id == game_players.c.person_id)
        .where(ratings.c.kind == kind, ratings.c.listed == true())
    )


def _point_at(kind: str, person_id: str, at_ms: int) -> Select[Any]:
    here = rating_points.c
    mine = here.person_id == person_id, here.kind == kind, here.at_ms <= at_ms
    return select(here.value).where(*mine).order_by(here.ordinal.desc()).limit(1)


def _listed_above(kind: str, person_id: str, value: float) -> Select[Any]:
    here = ratings.c
    others = here.kind == kind, here.listed == true(), here.person_id != person_id
    tied = and_(here.value == value, here.person_id > person_id)
    return select(func.count()).where(*others, here.value >= value, or_(here.value > value, tied))
