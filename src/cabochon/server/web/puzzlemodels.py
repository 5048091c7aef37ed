"""What the puzzle page and the server say to each other."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from cabochon.play.messages import Translations
from cabochon.server.storage.practice import MOST_BOXES, MOST_DAYS
from cabochon.server.web.memodels import RatingInfo
from cabochon.server.web.models import MoveText, StrictModel
from cabochon.server.web.studymodels import StudyStep

ThemeName = Literal["win2", "win3", "only", "stop", "noble", "return", "gold"]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]


PuzzleName = Annotated[str, StringConstraints(pattern="^[a-z0-9]{6}$")]
MOST_MET = 400


class PuzzleAsked(StrictModel):
    """A puzzle without its answer. `rating` is how hard it is now: measured with bots, and moved a
    little by people. `seat` is to find the move, in so many `turns`; `bots` are
    the names of the others, null for that seat. `day` is said of a puzzle of the day. One that is
    `retired` is offered no more, as a longer search found another move about as good; it does not
    count."""

    id: str
    theme: ThemeName
    turns: int
    rating: int
    seat: int
    bots: list[str | None]
    ruleset: str
    target: int
    start: StudyStep
    day: str | None
    retired: bool = False


class PuzzleTry(StrictModel):
    """The moves of one turn, as the answer to that step: 0 is the first. What is not `rated`, as in
    a storm, does not count for your rating, and the puzzle never will."""

    step: int = Field(default=0, ge=0, le=9)
    moves: list[MoveText] = Field(min_length=1, max_length=3)
    rated: bool = True


class PuzzleRated(StrictModel):
    """What the puzzle has done to your rating, when it counted: it does so once. A wrong try, a
    hint or a look at the answer before it is solved counts as failed."""

    solved: bool
    before: int
    rating: RatingInfo


class PuzzleSolution(StrictModel):
    """The whole line with what the others do, why its first move is good, in a win by force also
    why the last one ends it, the solver's chance, and which levels of bots find the first move."""

    steps: list[StudyStep]
    why: list[Translations]
    finish: list[Translations]
    chance: float
    found: list[str]
    proved: bool
    rating: PuzzleRated | None = None


class PuzzleTried(StrictModel):
    """`steps` is what happened: the try, and what follows it. `next` is the step to answer now;
    null when it is solved, and then `solution` is there. `chance` is what the try leaves, where
    that is known; nothing else is told of the answer before it is found. `rating` is there for
    somebody whom the server knows, once the puzzle has counted."""

    grade: Literal["right", "wrong"]
    steps: list[StudyStep]
    next: int | None
    chance: float | None
    solution: PuzzleSolution | None
    rating: PuzzleRated | None = None


class PuzzleHint(StrictModel):
    """What kind of move it is, and, asked for more, which cards or tokens it is about."""

    kind: Literal["take", "reserve", "buy", "return", "noble", "pass"]
    spots: list[str]
    rating: PuzzleRated | None = None


class PuzzleThemeCount(StrictModel):
    theme: ThemeName
    puzzles: int


class PuzzleShelf(StrictModel):
    """What there is: the version of the file, how many puzzles, and how many of each theme."""

    version: int
    puzzles: int
    themes: list[PuzzleThemeCount]
    made: str


class MyPuzzles(StrictModel):
    """How you get on: your rating, how many you have solved and failed, and the ids of those you
    have met, the newest last."""

    rating: RatingInfo
    solved: int
    failed: int
    met: list[str]


class PuzzlesBrought(StrictModel):
    """What a browser has kept by itself. The rating is taken within bounds, once, and only before
    anything has counted here; those `met` will not count."""

    rating: int | None = Field(default=None, ge=0, le=4000)
    met: list[PuzzleName] = Field(default_factory=list, max_length=MOST_MET)


MistakeText = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{4,16}:\d{1,4}$")]


class MistakeAsked(StrictModel):
    """In which box a mistake lies (0 to 6: in the last one it is learnt), the day it is due again,
    and when it was answered."""

    box: int = Field(ge=0, le=6)
    due: Day
    at_ms: int = Field(default=0, ge=0, le=2**53)


class MyPractice(StrictModel):
    """The days whose puzzle you have solved, by your own calendar; your best storm; and when your
    mistakes are asked again, each by its table and how many decisions came before it."""

    days: list[Day] = Field(default_factory=list, max_length=MOST_DAYS)
    storm: int = Field(default=0, ge=0, le=500)
    mistakes: dict[MistakeText, MistakeAsked] = Field(default_factory=dict, max_length=MOST_BOXES)
