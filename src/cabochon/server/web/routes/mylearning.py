"""How somebody gets on with puzzles and lessons, the same on every device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class LearningCaller:
    """The person who asks, and the desk that knows how they get on. `pay` charges for work that
    grows with what was sent; it raises ServerRefused."""

    id: str
    desk: PuzzleDesk
    now: int
    pay: Callable[[int], None]


async def learner(
    request: Request, hub: HubHere, access: AccessHere, desk: PuzzleDeskHere, who: CallerHere
) -> LearningCaller:
    """Raises ServerRefused for somebody who is no person here."""

    def pay(nodes: int) -> None:
        access.check_request(request, prices.of_study(nodes))

    return LearningCaller(person_of(who).person.id, desk, hub.clock(), pay)


LearnerHere = Annotated[LearningCaller, Depends(learner)]


@router.get("/puzzles", operation_id="getMyPuzzles")
async def get_my_puzzles(me: LearnerHere) -> MyPuzzles:
    """Your puzzle rating, and which puzzles you have met."""
    return await _my_puzzles(me)


@router.put("/puzzles", operation_id="bringMyPuzzles")
async def bring_my_puzzles(asked: PuzzlesBrought, me: LearnerHere) -> MyPuzzles:
    """What this browser had before it was known here."""
    me.pay(4)
    book = shipped_book()
    if asked.rating is not None:
        await me.desk.take_over(me.id, asked.rating, me.now)
    await me.desk.seen(me.id, [each for each in asked.met if each in book], me.now)
    return await _my_puzzles(me)


async def _my_puzzles(me: LearningCaller) -> MyPuzzles:
    standing = await me.desk.standing(me.id)
    return MyPuzzles(
        rating=rating_info(standing.strength),
        solved=standing.solved,
        failed=standing.failed,
        met=list(standing.met[-MOST_MET:]),
    )


@router.get("/lessons", operation_id="getMyLessons")
async def get_my_lessons(me: LearnerHere) -> MyLessons:
    """How far you are in the course."""
    return _my_lessons(await me.desk.marks(me.id))


@router.put("/lessons", operation_id="addMyLessons")
async def add_my_lessons(asked: MyLessons, me: LearnerHere) -> MyLessons:
    """What you have reached on this device; what was reached elsewhere stays. Gives both."""
    me.pay(1)
    most = {lesson.id: len(lesson.steps) for lesson in course()}
    marks = {
        name: min(steps, most[name])
        for name, steps in asked.steps.items()
        if name in most and steps > 0
    }
    marks |= {GUIDED: 1} if asked.game else {}
    return _my_lessons(await me.desk.add_marks(me.id, marks, me.now))


def _my_lessons(marks: dict[str, int]) -> MyLessons:
    steps = {name: count for name, count in marks.items() if name != GUIDED}
    return MyLessons(steps=steps, game=GUIDED in marks)


@router.get("/practice", operation_id="getMyPractice")
async def get_my_practice(me: LearnerHere) -> MyPractice:
    """The days whose puzzle you have solved, your best storm, when your mistakes come back."""
    return my_practice(await me.desk.practice(me.id))


@router.put("/practice", operation_id="addMyPractice")
async def add_my_practice(asked: MyPractice, me: LearnerHere) -> MyPractice:
    """The same from this device, merged with what other devices have sent: all days, the better
    storm, the later answer to each mistake. Answers with all of it."""
    me.pay(2)
    return my_practice(await me.desk.add_practice(me.id, _practice(asked, me.now)))


def _practice(asked: MyPractice, now: int) -> Practice:
    """What a device may send: no day that hasn't begun anywhere, no answer from the future. Raises
    ServerRefused for anything but a day."""
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
