"""Limits that hold for all processes on one PostgreSQL together.

Each process allows or refuses by itself, at once. Twice a second it adds what it has allowed to a
row for each bucket, and learns from the same statement what all of them have.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from sqlalchemy import delete, text
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.play.clock import HOUR_MS
from cabochon.server.limits import Buckets
from cabochon.server.storage.database import log_failure
from cabochon.server.storage.holdings import pseudonym
from cabochon.server.storage.schema import counts
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.sharedlimits")

EVERY_S = 0.5
MOST_AT_ONCE = 500
"""Buckets in one round, those that were used most first; the others have their turn later."""
KEPT_MS = 2 * HOUR_MS
REMEMBERED_ROUNDS = 20

_ADD = text(
    "INSERT INTO counts (bucket, level, at_ms) "
    "SELECT bucket, spent, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) "
    "FROM unnest(CAST(:buckets AS text[]), CAST(:spent AS float8[])) AS said (bucket, spent) "
    "ORDER BY bucket "
    "ON CONFLICT (bucket) DO UPDATE SET at_ms = excluded.at_ms, level = least("
    "CAST(:most AS float8), excluded.level + greatest(0, counts.level "
    "- CAST(:rate AS float8) * (excluded.at_ms - counts.at_ms) / 1000)) "
    "RETURNING bucket, level"
)


class SharedLimits:
    """One task per process."""

    def __init__(self, engine: AsyncEngine, kinds: Mapping[str, Buckets]) -> None:
        self._engine = engine
        self._kinds = kinds
        self._task: asyncio.Task[None] | None = None
        self._asked_of: dict[str, dict[str, int]] = {kind: {} for kind in kinds}
        """Buckets that were used lately, by kind: in how many more rounds to ask for them."""

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="shared-limits")

    async def close(self) -> None:
        await ended(self._task)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY_S)
            try:
                for kind, buckets in self._kinds.items():
                    await self._share(kind, buckets)
            except Exception as error:
                log_failure(log, "limits are not shared just now", error)

    async def _share(self, kind: str, buckets: Buckets) -> None:
        spent = self._with_recent(kind, buckets.spent(MOST_AT_ONCE))
        if not spent:
            return
        names = {pseudonym(f"{kind} {who}"): who for who in spent}
        said = {
            "buckets": list(names),
            "spent": [spent[who] for who in names.values()],
            "rate": buckets.rate,
            "most": 2 * buckets.burst,
        }
        async with self._engine.begin() as connection:
            await connection.execute(text("SET LOCAL synchronous_commit = off"))
            levels = (await connection.execute(_ADD, said)).all()
        for bucket, level in levels:
            buckets.heard(names[bucket], level)

    def _with_recent(self, kind: str, spent: dict[str, float]) -> dict[str, float]:
        """What was spent, and nothing for those who spent lately: so that a process also learns
        what they have spent elsewhere since."""
        rounds = self._asked_of[kind]
        recent = dict.fromkeys(list(rounds)[: MOST_AT_ONCE - len(spent)], 0.0)
        for who in recent:
            rounds[who] -= 1
            if not rounds[who]:
                del rounds[who]
        rounds.update(dict.fromkeys(spent, REMEMBERED_ROUNDS))
        return recent | spent


async def forget_counts(engine: AsyncEngine, now: int) -> None:
    """Nobody is held to what is this long ago."""
    async with engine.begin() as connection:
        await connection.execute(delete(counts).where(counts.c.at_ms < now - KEPT_MS))
