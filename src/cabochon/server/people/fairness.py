"""Which people don't play rated games with one another: one person with two accounts, who could win
as often as they like.

Simple, and known to everybody (docs/ratings.md): nobody from the same household, and nobody whom
one has met often enough for one day. A private or local address says nothing about a household:
there a whole school, or everybody behind a proxy, has the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address, ip_network
from itertools import combinations

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.table import Table
from cabochon.server.storage.holdings import pseudonym
from cabochon.server.storage.schema import game_players, games, sitters

DAY_MS = 86_400_000
MOST_A_DAY = 6
"""Rated games that the same two people play within 24 hours."""
LOOKED_AT = 100
"""Of somebody's last games: nobody plays more in a day."""
_LOCAL = "~"


def household(address: str) -> str:
    """A hash by which people from one household are known; marked where the address is no
    household's."""
    return pseudonym(address) if _is_global(address) else _LOCAL + pseudonym(address)


def same_household(one: str, other: str) -> bool:
    return one == other and not one.startswith(_LOCAL)


def _is_global(address: str) -> bool:
    try:
        if "/" in address:
            return ip_network(address, strict=False).is_global
        return ip_address(address).is_global
    except ValueError:
        return False


async def rated_today(engine: AsyncEngine, one: str, other: str, now: int) -> int:
    """How many rated games these two have finished with one another in the last 24 hours."""
    theirs = game_players.alias("theirs")
    last = (
        select(game_players.c.number)
        .where(game_players.c.person_id == one)
        .order_by(game_players.c.number.desc())
        .limit(LOOKED_AT)
    )
    query = (
        select(func.count())
        .select_from(games)
        .join(theirs, theirs.c.number == games.c.number)
        .where(games.c.number.in_(last), theirs.c.person_id == other)
        .where(games.c.rated, games.c.ended_ms > now - DAY_MS)
    )
    async with engine.connect() as connection:
        return int((await connection.execute(query)).scalar_one())


async def met_enough(
    engine: AsyncEngine, people: Iterable[str], now: int
) -> tuple[str, str] | None:
    """Two of these who have played enough rated games with one another today."""
    for one, other in combinations(sorted(set(people)), 2):
        if await rated_today(engine, one, other, now) >= MOST_A_DAY:
            return one, other
    return None


async def check_met(engine: AsyncEngine, people: Iterable[str], now: int) -> None:
    """Raises TableRefused when two of them have played enough rated games today."""
    if await met_enough(engine, people, now) is not None:
        raise TableRefused(TableFault.RATED_ENOUGH, count=MOST_A_DAY)


async def check_rematch(engine: AsyncEngine, table: Table, now: int) -> None:
    """Raises TableRefused when those who sit there have played enough rated games today."""
    if table.options.rated:
        people = [chair.person for chair in table.chairs if chair.person is not None]
        await check_met(engine, people, now)


async def check_apart_from(engine: AsyncEngine, table_id: str, address: str) -> None:
    """Raises TableRefused when somebody from that address plays at the table already."""
    if not _is_global(address):
        return
    there = sitters.c.table_id == table_id, sitters.c.who == pseudonym(address)
    async with engine.connect() as connection:
        if (await connection.execute(select(sitters.c.who).where(*there))).first() is not None:
            raise TableRefused(TableFault.RATED_HOUSEHOLD)
