"""What is kept of people's puzzles and lessons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.ratings import Strength
from cabochon.server.storage import puzzletries
from cabochon.server.storage.lessonmarks import add_marks, marks_of
from cabochon.server.storage.practice import Practice, add_practice, practice_of
from cabochon.server.storage.puzzletries import PuzzleChange, PuzzleMeeting
from cabochon.server.storage.sidewriter import SideWriter

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PuzzleStanding:
    """Somebody's rating, how many they have solved and failed, and all they have met, the newest
    last."""

    strength: Strength
    solved: int
    failed: int
    met: tuple[str, ...]


class PuzzleDesk:
    """On one database."""

    def __init__(self, engine: AsyncEngine, aside: SideWriter) -> None:
        self._engine = engine
        self._aside = aside

    async def tried(
        self, meeting: PuzzleMeeting, step: int, right: bool, following: int | None
    ) -> PuzzleChange | None:
        return await self._aside.write(
            lambda connection: puzzletries.note_try(connection, meeting, step, right, following)
        )

    async def helped(self, meeting: PuzzleMeeting) -> PuzzleChange | None:
        return await self._aside.write(partial(puzzletries.note_help, meeting=meeting))

    async def seen(self, person_id: str, ids: Collection[str], now: int) -> None:
        await self._aside.write(
            lambda connection: puzzletries.note_seen(connection, person_id, ids, now)
        )

    async def take_over(self, person_id: str, rating: float, now: int) -> None:
        await self._aside.write(
            lambda connection: puzzletries.take_over(connection, person_id, rating, now)
        )

    async def standing(self, person_id: str) -> PuzzleStanding:
        return await self._read(partial(_standing, person_id=person_id))

    async def tries(self, person_id: str) -> list[dict[str, Any]]:
        """Everything that is kept of them."""
        rows = await self._read(partial(puzzletries.tries_of, person_id=person_id))
        return [{str(k): v for k, v in row._mapping.items() if k != "person_id"} for row in rows]

    async def moved(self) -> dict[str, float]:
        """Where people have moved puzzles to."""
        return await self._read(puzzletries.moved_puzzles)

    async def rating_of(self, puzzle_id: str, measured: int) -> int:
        found = await self._read(partial(puzzletries.moved_puzzle, puzzle_id=puzzle_id))
        return measured if found is None else round(found)

    async def marks(self, person_id: str) -> dict[str, int]:
        """Lessons: questions answered."""
        return await self._read(partial(marks_of, person_id=person_id))

    async def add_marks(self, person_id: str, marks: Mapping[str, int], now: int) -> dict[str, int]:
        """Gives all of them."""
        work = partial(add_marks, person_id=person_id, marks=marks, at_ms=now)
        return await self._aside.write(work)

    async def practice(self, person_id: str) -> Practice:
        """Days, storms and mistakes."""
        return await self._read(partial(practice_of, person_id=person_id))

    async def add_practice(self, person_id: str, told: Practice) -> Practice:
        """Gives all of it. Where nothing is new, nothing is written."""
        known = await self.practice(person_id)
        if known.together_with(told) == known:
            return known
        return await self._aside.write(partial(add_practice, person_id=person_id, told=told))

    async def _read(self, work: Callable[[Connection], T]) -> T:
        async with self._engine.connect() as connection:
            return await connection.run_sync(work)


def _standing(connection: Connection, person_id: str) -> PuzzleStanding:
    rows = puzzletries.tries_of(connection, person_id)
    states = [row.state for row in rows]
    return PuzzleStanding(
        puzzletries.strength_before(connection, person_id),
        states.count(puzzletries.SOLVED),
        states.count(puzzletries.FAILED),
        tuple(row.puzzle_id for row in rows if row.state != puzzletries.OPEN),
    )
