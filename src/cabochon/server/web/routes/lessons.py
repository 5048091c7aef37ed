"""The course: its lessons, and answers to their questions. The answers are known here alone."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from cabochon.lessons.course import (
    Lesson,
    LessonAnswer,
    LessonStep,
    answer_moves,
    answer_option,
    course,
    lesson,
    right_answer,
)
from cabochon.lessons.figures import figure_words, shipped_figures
from cabochon.notation.moves import format_move, parse_move
from cabochon.rules import Deal
from cabochon.server.access import prices
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.web.lessonmodels import (
    CourseInfo,
    LessonInfo,
    LessonName,
    LessonTold,
    LessonTried,
    LessonTry,
)
from cabochon.server.web.puzzling import steps_of
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, as_json
from cabochon.study.steps import StudySight, study_step

router = APIRouter(prefix="/api/lessons", tags=["learning"], responses=PROBLEMS)

LessonId = Annotated[LessonName, Path(examples=["tokens"])]
LessonStepAsked = Annotated[int, Query(ge=0, le=9)]


@router.get("", operation_id="listLessons")
async def list_lessons() -> CourseInfo:
    """The course: what is taught, in which order."""
    return CourseInfo(
        lessons=[_info(one) for one in course()], figures=shipped_figures()["command"]
    )


@router.get("/{lesson_id}", operation_id="getLesson", response_model=LessonTold)
async def get_lesson(lesson_id: LessonId, request: Request, access: AccessHere) -> Response:
    """One lesson with all its positions and questions; not the answers."""
    found = _lesson(lesson_id)
    access.check_request(request, prices.of_study(len(found.steps)))
    number = course().index(found)
    after = course()[number + 1 : number + 2]
    told = _info(found).model_dump() | {
        "number": number + 1,
        "steps": [_question(step) for step in found.steps],
        "next": _info(after[0]).model_dump() if after else None,
    }
    return as_json(told)


@router.post("/{lesson_id}/try", operation_id="tryLesson", response_model=LessonTried)
async def try_lesson(
    lesson_id: LessonId, asked: LessonTry, request: Request, access: AccessHere
) -> Response:
    """Whether that is right, and why it is or isn't."""
    access.check_request(request, prices.of_study(2))
    step = _step(_lesson(lesson_id), asked.step)
    try:
        if asked.option is not None:
            answer = answer_option(step, asked.option)
        else:
            answer = answer_moves(step, [parse_move(move) for move in asked.moves])
    except ValueError:
        what = asked.option or ", ".join(asked.moves)
        raise ServerRefused(ServerFault.BAD_REQUEST, where="answer", what=what) from None
    return as_json(_tried(step, answer, asked.option))


@router.get("/{lesson_id}/answer", operation_id="getLessonAnswer", response_model=LessonTried)
async def get_answer(
    lesson_id: LessonId, request: Request, access: AccessHere, step: LessonStepAsked = 0
) -> Response:
    """The right answer, if you would rather be shown."""
    access.check_request(request, prices.of_study(2))
    asked = _step(_lesson(lesson_id), step)
    return as_json(_tried(asked, right_answer(asked), asked.option or None))


def _lesson(name: str) -> Lesson:
    try:
        return lesson(name)
    except KeyError:
        raise ServerRefused(ServerFault.NO_SUCH_LESSON, lesson=name) from None


def _step(found: Lesson, number: int) -> LessonStep:
    if number >= len(found.steps):
        raise ServerRefused(ServerFault.BAD_REQUEST, where="step", what=str(number))
    return found.steps[number]


def _info(one: Lesson) -> LessonInfo:
    return LessonInfo.model_validate(
        {
            "id": one.id,
            "part": one.part.value,
            "title": one.title,
            "minutes": one.minutes,
            "steps": len(one.steps),
        }
    )


def _question(step: LessonStep) -> dict[str, Any]:
    """As `LessonQuestion` says."""
    figures = figure_words()
    return {
        "text": step.paragraphs(figures),
        "ask": step.said("ask", figures),
        "options": [
            {"id": option, "text": step.said(f"option-{option}", figures)}
            for option in step.options
        ],
        "start": study_step(step.position, None, StudySight(step.seat), 0),
        "seat": step.seat,
        "bots": list(step.foes),
        "ruleset": str(step.position.ruleset),
        "target": step.position.ruleset.target,
        "spots": list(step.spots),
    }


def _tried(step: LessonStep, answer: LessonAnswer, option: str | None) -> dict[str, Any]:
    """As `LessonTried` says."""
    first = answer.events[0] if answer.events else None
    return {
        "right": answer.is_right,
        "says": step.said(answer.says, figure_words()),
        "steps": steps_of(step.position, answer.events, step.seat),
        "move": None if first is None or isinstance(first, Deal) else format_move(first),
        "option": option,
    }
