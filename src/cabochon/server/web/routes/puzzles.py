"""Puzzles: the one of the day, one by its id, the next at your level, and tries at them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import SystemRandom
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from cabochon.bots.roster import Entry
from cabochon.notation.moves import parse_move
from cabochon.puzzles.book import BookEntry, PuzzleBook, read_puzzle, shipped_book
from cabochon.puzzles.puzzle import Puzzle, PuzzleTheme
from cabochon.puzzles.tries import PuzzleGrade, daily_entry, next_entry, try_moves
from cabochon.ratings.method import first_puzzle_strength
from cabochon.server.access import prices
from cabochon.server.people.puzzledesk import PuzzleDesk
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.puzzletries import PuzzleChange, PuzzleMeeting
from cabochon.server.web.puzzlemodels import (
    MOST_MET,
    Day,
    PuzzleAsked,
    PuzzleHint,
    PuzzleShelf,
    PuzzleSolution,
    PuzzleTried,
    PuzzleTry,
    ThemeName,
)
from cabochon.server.web.puzzling import asked_of, hint_of, rated_of, solution_of, tried_of
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, CallerHere, HubHere, as_json
from cabochon.server.web.routes.mylearning import PuzzleDeskHere
from cabochon.words import languages, text

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"], responses=PROBLEMS)

FIRST_LEVEL = round(first_puzzle_strength().value)
PuzzleId = Annotated[str, Path(pattern="^[a-z0-9]{6}$", examples=["ybddwz"])]
SeenIds = Annotated[str, Query(pattern="^([a-z0-9]{6}(,[a-z0-9]{6})*)?$", max_length=7 * MOST_MET)]
RatingAsked = Annotated[int | None, Query(ge=0, le=4000)]
StepAsked = Annotated[int, Query(ge=0, le=9)]


@dataclass(frozen=True, slots=True)
class Solver:
    """Somebody who tries a puzzle; `person` is None if they are not known here, and has no rating
    that could change. `pay` charges for the work; it raises ServerRefused."""

    person: str | None
    desk: PuzzleDesk
    now: int
    pay: Callable[[int], None]

    def meeting(self, puzzle: Puzzle) -> PuzzleMeeting | None:
        """What a try counts as; None where no rating can change, as with a retired puzzle."""
        if self.person is None or shipped_book().entry(puzzle.id).until is not None:
            return None
        return PuzzleMeeting(self.person, puzzle.id, puzzle.rating, self.now)

    async def helped(self, puzzle: Puzzle) -> PuzzleChange | None:
        """They were given help: the puzzle counts as failed, unless it was solved before."""
        meeting = self.meeting(puzzle)
        return None if meeting is None else await self.desk.helped(meeting)


async def solver(
    request: Request, hub: HubHere, access: AccessHere, desk: PuzzleDeskHere, who: CallerHere
) -> Solver:
    def pay(nodes: int) -> None:
        access.check_request(request, prices.of_study(nodes))

    return Solver(None if who.person is None else who.person.id, desk, hub.clock(), pay)


SolverHere = Annotated[Solver, Depends(solver)]


@router.get("", operation_id="listPuzzles")
async def list_puzzles() -> PuzzleShelf:
    """How many puzzles there are, by theme, and what made them."""
    book = shipped_book()
    counts = Counter(entry.theme.value for entry in book.entries)
    return PuzzleShelf.model_validate(
        {
            "version": book.version,
            "puzzles": len(book),
            "themes": [{"theme": theme.value, "puzzles": counts[theme]} for theme in PuzzleTheme],
            "made": "; ".join(each.command for each in book.quarried),
        }
    )


@router.get("/daily", operation_id="getDailyPuzzle", response_model=PuzzleAsked)
async def get_daily(
    request: Request,
    access: AccessHere,
    desk: PuzzleDeskHere,
    day: Annotated[Day | None, Query(alias="date")] = None,
) -> Response:
    """The puzzle of a day, the same for everybody: it follows from the date and the file of
    puzzles. Send the date where you are; days that haven't begun anywhere are not answered yet."""
    access.check_request(request, prices.of_study(1))
    wanted = _date(day)
    entry = daily_entry(shipped_book(), wanted)
    rating = await desk.rating_of(entry.id, entry.rating)
    return as_json(_asked(entry, rating, wanted.isoformat()))


@router.get("/next", operation_id="getNextPuzzle", response_model=PuzzleAsked)
async def get_next(
    who: SolverHere,
    rating: RatingAsked = None,
    theme: ThemeName | None = None,
    seen: SeenIds = "",
) -> Response:
    """One near that rating, or without it near yours, of that theme, and none of those `seen` or
    met before as long as there are others."""
    who.pay(1)
    known = set(seen.split(","))
    level = FIRST_LEVEL if rating is None else rating
    if who.person is not None:
        standing = await who.desk.standing(who.person)
        known |= set(standing.met)
        level = round(standing.strength.value) if rating is None else rating
    wanted = None if theme is None else PuzzleTheme(theme)
    moved = await who.desk.moved()
    try:
        entry = next_entry(shipped_book(), level, wanted, known, SystemRandom(), moved)
    except LookupError:
        raise ServerRefused(ServerFault.NO_SUCH_PUZZLE, puzzle=str(theme)) from None
    now = round(moved.get(entry.id, entry.rating))
    return as_json(_asked(entry, now))


@router.get("/{puzzle_id}", operation_id="getPuzzle", response_model=PuzzleAsked)
async def get_puzzle(
    puzzle_id: PuzzleId, request: Request, access: AccessHere, desk: PuzzleDeskHere
) -> Response:
    """The position and what is asked; not the answer."""
    access.check_request(request, prices.of_study(1))
    entry = _entry(shipped_book(), puzzle_id)
    return as_json(_asked(entry, await desk.rating_of(puzzle_id, entry.rating)))


@router.get("/{puzzle_id}/hint", operation_id="getPuzzleHint", response_model=PuzzleHint)
async def get_hint(
    puzzle_id: PuzzleId,
    who: SolverHere,
    step: StepAsked = 0,
    deep: bool = False,
) -> Response:
    """What kind of move to look for; `deep` also tells where. For your rating a puzzle with a hint
    is not solved."""
    who.pay(1)
    puzzle = _puzzle(puzzle_id)
    _check_step(puzzle, step)
    change = await who.helped(puzzle)
    return as_json(hint_of(puzzle, step, deep) | {"rating": rated_of(change)})


@router.get(
    "/{puzzle_id}/solution", operation_id="getPuzzleSolution", response_model=PuzzleSolution
)
async def get_solution(puzzle_id: PuzzleId, who: SolverHere) -> Response:
    """The answer, if you give up: it counts as failed, unless you solved it before."""
    puzzle = _puzzle(puzzle_id)
    who.pay(2 * len(puzzle.steps))
    change = await who.helped(puzzle)
    return as_json(solution_of(puzzle, _names(puzzle)) | {"rating": rated_of(change)})


@router.post("/{puzzle_id}/try", operation_id="tryPuzzle", response_model=PuzzleTried)
async def try_puzzle(puzzle_id: PuzzleId, asked: PuzzleTry, who: SolverHere) -> Response:
    """Whether these moves are right. A wrong move is answered by what refutes it, played out. If
    you are known here, the first try counts for your rating."""
    who.pay(4)
    puzzle = _puzzle(puzzle_id)
    _check_step(puzzle, asked.step)
    tried = try_moves(puzzle, asked.step, [parse_move(move) for move in asked.moves])
    change: PuzzleChange | None = None
    meeting = who.meeting(puzzle) if asked.rated else None
    if meeting is not None:
        right = tried.grade is PuzzleGrade.RIGHT
        change = await who.desk.tried(meeting, asked.step, right, tried.next)
    elif who.person is not None:
        await who.desk.seen(who.person, [puzzle.id], who.now)
    return as_json(tried_of(puzzle, tried, _names(puzzle)) | {"rating": rated_of(change)})


def _asked(entry: BookEntry, rating: int, day: str | None = None) -> dict[str, Any]:
    retired = entry.until is not None
    return asked_of(read_puzzle(entry.row), rating, day=day, retired=retired)


def _entry(book: PuzzleBook, name: str) -> BookEntry:
    if name not in book:
        raise ServerRefused(ServerFault.NO_SUCH_PUZZLE, puzzle=name)
    return book.entry(name)


def _puzzle(name: str) -> Puzzle:
    return read_puzzle(_entry(shipped_book(), name).row)


def _check_step(puzzle: Puzzle, step: int) -> None:
    if step >= len(puzzle.steps):
        raise ServerRefused(ServerFault.BAD_REQUEST, where="step", what=str(step))


def _date(day: str | None) -> date:
    """Raises ServerRefused for anything but a day, and for one that is not there yet even where the
    day begins first."""
    today = datetime.now(UTC).date()
    if day is None:
        return today
    try:
        wanted = date.fromisoformat(day)
    except ValueError:
        raise ServerRefused(ServerFault.BAD_REQUEST, where="date", what=day) from None
    if wanted > today + timedelta(days=1):
        raise ServerRefused(ServerFault.BAD_REQUEST, where="date", what=day)
    return wanted


def _names(puzzle: Puzzle) -> dict[str, list[str]]:
    """What the players are called, by language."""
    return {
        lang: [
            text("puzzles.you", lang) if bot is None else Entry(bot).title[lang]
            for bot in puzzle.foes
        ]
        for lang in languages()
    }
