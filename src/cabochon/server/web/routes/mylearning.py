"""How one gets on with puzzles and lessons, from whatever device."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, cast

from fastapi import APIRouter, Depends, Request

from cabochon.lessons.course import course
from cabochon.puzzles.book import shipped_book
from cabochon.server.access import prices
from cabochon.server.people.puzzledesk import PuzzleDesk
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.practice import MistakeBox, Practice
from cabochon.server.web.lessonmodels import MyLessons
from cabochon.server.web.playerwords import rating_info
from cabochon.server.web.puzzlemodels import (
    MOST_MET,
    MistakeAsked,
    MyPractice,
    MyPuzzles,
    PuzzlesBrought,
)
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


@router.get("/practice", operation_id="getMyPractice")
async def getmy_practice(desk: PuzzleDeskHere, who: CallerHere) -> MyPractice:
    """The days whose puzzle you have solved, your best storm, when your mistakes come back."""
    return my_practice(await desk.practice(person_of(who).person.id))


@router.put("/practice", operation_id="addMyPractice")
async def addmy_practice(
    asked: MyPractice,
    request: Request,
    hub: HubHere,
    access: AccessHere,
    desk: PuzzleDeskHere,
    who: CallerHere,
) -> MyPractice:
    """The same from this device, put together with what other devices have told: all days, the
    better storm, of each mistake the later answer. Gives all of it."""
    person_id = person_of(who).person.id
    access.check_request(request, prices.of_study(2))
    return my_practice(await desk.add_practice(person_id, _practice(asked, hub.clock())))


def _practice(asked: MyPractice, now: int) -> Practice:
    """What a device may tell: no day that has not begun anywhere, no answer from later on. Raises
    ServerRefused for what is no day."""
    tomorrow = datetime.fromtimestamp(now / 1000, UTC).date() + timedelta(days=1)
    days = frozenset(day for day in asked.days if _date(day, "days") <= tomorrow)
    boxes = {}
    for name, told in asked.mistakes.items():
        table, ply = name.split(":")
        _date(told.due, "mistakes")
        boxes[table, int(ply)] = MistakeBox(told.box, told.due, min(told.at_ms, now))
    return Practice(days, asked.storm, boxes)


def _date(day: str, where: str) -> date:
    try:
        return date.fromisoformat(day)
    except ValueError:
        raise ServerRefused(ServerFault.BAD_REQUEST, where=where, what=day) from None


def my_practice(practice: Practice) -> MyPractice:
    """As the page reads it."""
    return MyPractice(
        days=sorted(practice.days),
        storm=practice.storm,
        mistakes={
            f"{table}:{ply}": MistakeAsked(box=each.box, due=each.due, at_ms=each.at_ms)
            for (table, ply), each in sorted(practice.boxes.items())
        },
    )
