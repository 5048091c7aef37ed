"""How often two people have met in rated games lately, and how often is enough."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from sqlalchemy import Connection, Row, Select, case, func, select

from cabochon.play.clock import DAY_MS, WEEK_MS
from cabochon.server.storage.schema import game_players, games

MOST_A_DAY = 6
MOST_A_WEEK = 12
"""Rated games that the same two people play within 24 hours, and within seven days."""
LOOKED_AT = 500
"""Of somebody's last games: hardly anybody plays more in a week."""


def lately(one: str, other: str, now: int) -> Select[Any]:
    """A row with the rated games that these two have finished with one another within a `day` and
    within a `week`."""
    theirs = game_players.alias("theirs")
    last = (
        select(game_players.c.number)
        .where(game_players.c.person_id == one)
        .order_by(game_players.c.number.desc())
        .limit(LOOKED_AT)
    )
    today = case((games.c.ended_ms > now - DAY_MS, 1), else_=0)
    return (
        select(func.coalesce(func.sum(today), 0).label("day"), func.count().label("week"))
        .select_from(games)
        .join(theirs, theirs.c.number == games.c.number)
        .where(games.c.number.in_(last), theirs.c.person_id == other)
        .where(games.c.rated, games.c.ended_ms > now - WEEK_MS)
    )


def is_enough(row: Row[Any]) -> bool:
    return bool(row.day >= MOST_A_DAY or row.week >= MOST_A_WEEK)


def have_met_enough(connection: Connection, people: Iterable[str], now: int) -> bool:
    """Whether two of these have."""
    pairs = combinations(sorted(set(people)), 2)
    return any(is_enough(connection.execute(lately(*pair, now)).one()) for pair in pairs)
