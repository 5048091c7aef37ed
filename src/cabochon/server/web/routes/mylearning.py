"""How one gets on with puzzles and lessons, from whatever device."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Depends, Request

from cabochon.lessons.course import course
from cabochon.puzzles.book import shipped_book
from cabochon.server.access import prices
from cabochon.server.people.puzzledesk import PuzzleDesk
from cabochon.server.web.lessonmodels import MyLessons
from cabochon.server.web.playerwords import rating_info
from cabochon.server.web.puzzlemodels import MOST_MET, MyPuzzles, PuzzlesBrought
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, CallerHere, HubHere
from cabochon.server.web.routes.personal import person_of

router = APIRouter(prefix="/api/me", tags=["me"], responses=PROBLEMS)

GUIDED = "-game"
"""What the guided game is called among the lessons."""


async def puzzle_desk(request: Request) -> PuzzleDesk:
    return cast(PuzzleDesk, request.app.state.puzzles)


PuzzleDeskHere = Annotated[PuzzleDesk, Depends(puzzle_desk)]


@router.get("/puzzles", operation_id="getMyPuzzles")
async def get_my_puzzles(desk: PuzzleDeskHere, who: CallerHere) -> MyPuzzles:
    """Your puzzle rating, and which puzzles you have met."""
    return await _my_puzzles(desk, person_of(who).person.id)


@router.put("/puzzles", operation_id="bringMyPuzzles")
async def bring_my_puzzles(
    asked: PuzzlesBrought,
    request: Request,
    hub: HubHere,
    access: AccessHere,
    desk: PuzzleDeskHere,
    who: CallerHere,
) -> MyPuzzles:
    """What this browser had before it was known here."""
    person_id = person_of(who).person.id
    access.check_request(request, prices.of_study(4))
    book, now = shipped_book(), hub.clock()
    if asked.rating is not None:
        await desk.take_over(person_id, asked.rating, now)
    await desk.seen(person_id, [each for each in asked.met if each in book], now)
    return await _my_puzzles(desk, person_id)


async def _my_puzzles(desk: PuzzleDesk, person_id: str) -> MyPuzzles:
    standing = await desk.standing(person_id)
    return MyPuzzles(
        rating=rating_info(standing.strength),
        solved=standing.solved,
        failed=standing.failed,
        met=list(standing.met[-MOST_MET:]),
    )


@router.get("/lessons", operation_id="getMyLessons")
async def get_my_lessons(desk: PuzzleDeskHere, who: CallerHere) -> MyLessons:
    """How far you are in the course."""
    return _my_lessons(await desk.marks(person_of(who).person.id))


@router.put("/lessons", operation_id="addMyLessons")
async def add_my_lessons(
    asked: MyLessons,
    request: Request,
    hub: HubHere,
    access: AccessHere,
    desk: PuzzleDeskHere,
    who: CallerHere,
) -> MyLessons:
    """What you have reached on this device; what was reached elsewhere stays. Gives both."""
    person_id = person_of(who).person.id
    access.check_request(request, prices.of_study(1))
    most = {lesson.id: len(lesson.steps) for lesson in course()}
    marks = {
        name: min(steps, most[name])
        for name, steps in asked.steps.items()
        if name in most and steps > 0
    }
    marks |= {GUIDED: 1} if asked.game else {}
    return _my_lessons(await desk.add_marks(person_id, marks, hub.clock()))


def _my_lessons(marks: dict[str, int]) -> MyLessons:
    steps = {name: count for name, count in marks.items() if name != GUIDED}
    return MyLessons(steps=steps, game=GUIDED in marks)
