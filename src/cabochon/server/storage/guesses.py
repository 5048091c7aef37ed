"""How often somebody has tried to get in: kept in the database, so that it holds for all processes
and after a restart. Names and addresses are kept as hashes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.play.clock import DAY_MS
from cabochon.server.storage.schema import guesses
from cabochon.server.storage.transactions import change_rows, in_transaction

FORGOTTEN_MS = DAY_MS


@dataclass(frozen=True, slots=True)
class GuessRule:
    """The first `free` failures cost nothing; then one must wait, each time twice as long, and at
    most `most_ms`."""

    free: int
    most_ms: int

    def delay_ms(self, failures: int) -> int:
        over = failures - self.free
        return 0 if over < 0 else min(self.most_ms, 1000 << min(over, 20))


class Guesses:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def attempt(self, rules: Mapping[str, GuessRule], now: int) -> int:
        """Count an attempt against each subject, as a failure until it is known to be none: 0.
        Or, when it comes too soon, count nothing: in how many milliseconds it may come."""
        subjects = sorted(rules)

        async def written(connection: AsyncConnection) -> int:
            await self._begin(connection, subjects, now)
            query = select(guesses).where(guesses.c.subject.in_(subjects))
            ordered = query.order_by(guesses.c.subject).with_for_update()
            rows = (await connection.execute(ordered)).all()
            wait = max(
                row.last_ms + rules[row.subject].delay_ms(row.failures) - now for row in rows
            )
            if wait > 0:
                return int(wait)
            change = update(guesses).where(guesses.c.subject.in_(subjects))
            await connection.execute(change.values(failures=guesses.c.failures + 1, last_ms=now))
            return 0

        return await in_transaction(self._engine, written)

    async def _begin(self, connection: AsyncConnection, subjects: list[str], now: int) -> None:
        """A row for each; what was long ago is forgotten."""
        dialect: Any = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        rows = [{"subject": subject, "failures": 0, "last_ms": 0} for subject in subjects]
        await connection.execute(dialect.insert(guesses).on_conflict_do_nothing(), rows)
        old = guesses.c.subject.in_(subjects), guesses.c.last_ms < now - FORGOTTEN_MS
        await connection.execute(update(guesses).where(*old).values(failures=0))

    async def succeeded(self, own: str, others: list[str]) -> None:
        """It wasn't a failure after all. Somebody who got in there starts afresh; for the others
        only this one doesn't count."""

        async def written(connection: AsyncConnection) -> None:
            await connection.execute(delete(guesses).where(guesses.c.subject == own))
            some = guesses.c.subject.in_(others), guesses.c.failures > 0
            change = update(guesses).where(*some)
            await connection.execute(change.values(failures=guesses.c.failures - 1))

        await in_transaction(self._engine, written)

    async def tidy(self, now: int) -> None:
        old = guesses.c.last_ms < now - FORGOTTEN_MS
        await change_rows(self._engine, delete(guesses).where(old))
