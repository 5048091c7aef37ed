"""What the lesson page and the server say to each other."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from cabochon.play.messages import Translations
from cabochon.server.web.models import MoveText, StrictModel
from cabochon.server.web.studymodels import StudyStep

LessonName = Annotated[str, StringConstraints(pattern="^[a-z]{2,16}$")]
PartName = Literal["basics", "strategy"]


class MyLessons(StrictModel):
    """How far you are: questions answered by lesson, and whether the guided game is played."""

    steps: dict[LessonName, int] = Field(default_factory=dict, max_length=40)
    game: bool = False


class LessonInfo(StrictModel):
    """A lesson in the list: how long it takes, and how many questions it asks."""

    id: str
    part: PartName
    title: Translations
    minutes: int
    steps: int


class CourseInfo(StrictModel):
    """All lessons in order, and the command that made the figures they quote."""

    lessons: list[LessonInfo]
    figures: str


class LessonOption(StrictModel):
    id: str
    text: Translations


class LessonQuestion(StrictModel):
    """One step: what to read, the table, and what is asked. It is answered by a move of `seat` on
    the table, or, where there are `options`, by one of those. `bots` are the names of the others,
    null for that seat; `spots` are the cards and piles to look at."""

    text: list[Translations]
    ask: Translations
    options: list[LessonOption]
    start: StudyStep
    seat: int
    bots: list[str | None]
    ruleset: str
    target: int
    spots: list[str]


class LessonTold(StrictModel):
    """A lesson without its answers; `next` is the one after it."""

    id: str
    part: PartName
    title: Translations
    minutes: int
    number: int
    steps: list[LessonQuestion]
    next: LessonInfo | None


class LessonTry(StrictModel):
    """An answer to that step, 0 being the first: the moves of one turn, or the option chosen."""

    step: int = Field(default=0, ge=0, le=9)
    moves: list[MoveText] = Field(default_factory=list, max_length=3)
    option: LessonName | None = None


class LessonTried(StrictModel):
    """Whether it was right, what is to be said about it, and what the table shows then. The
    `move` or `option` is what was answered."""

    right: bool
    says: Translations
    steps: list[StudyStep]
    move: str | None
    option: str | None
