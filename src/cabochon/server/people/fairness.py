"""Which people don't play rated games with one another: one person with two accounts, who could win
as often as they like.

Simple, and known to everybody (docs/ratings.md): nobody from the same household, and nobody whom
one has met often enough for a day or a week. A private or local address says nothing about a
household: there a whole school, or everybody behind a proxy, has the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address, ip_network
from itertools import combinations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.table import Table
from cabochon.server.storage.holdings import pseudonym
from cabochon.server.storage.ratedmeetings import MOST_A_DAY, MOST_A_WEEK, is_enough, lately
from cabochon.server.storage.schema import sitters

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


async def met_enough(
    engine: AsyncEngine, people: Iterable[str], now: int
) -> tuple[str, str] | None:
    """Two of these who have played enough rated games with one another for now."""
    async with engine.connect() as connection:
        for one, other in combinations(sorted(set(people)), 2):
            if is_enough((await connection.execute(lately(one, other, now))).one()):
                return one, other
    return None


async def check_met(engine: AsyncEngine, people: Iterable[str], now: int) -> None:
    """Raises TableRefused when two of them have played enough rated games for now."""
    if await met_enough(engine, people, now) is not None:
        raise TableRefused(TableFault.RATED_ENOUGH, day=MOST_A_DAY, week=MOST_A_WEEK)


async def check_rematch(engine: AsyncEngine, table: Table, now: int) -> None:
    """Raises TableRefused when those who sit there have played enough rated games."""
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
