"""What the puzzle page and the server say to each other."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from cabochon.play.messages import Translations
from cabochon.server.web.models import MoveText, StrictModel
from cabochon.server.web.studymodels import StudyStep

ThemeName = Literal["win2", "win3", "only", "stop", "noble", "return", "gold"]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class PuzzleAsked(StrictModel):
    """A puzzle without its answer. `seat` is to find the move, in so many `turns`; `bots` are
    the names of the others, null for that seat. `day` is said of a puzzle of the day."""

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


class PuzzleTry(StrictModel):
    """The moves of one turn, as the answer to that step: 0 is the first."""

    step: int = Field(default=0, ge=0, le=9)
    moves: list[MoveText] = Field(min_length=1, max_length=3)


class PuzzleSolution(StrictModel):
    """The whole line with what the others do, why its first move is good, in a win by force also
    why the last one ends it, the solver's chance, and which levels of bots find the first move."""

    steps: list[StudyStep]
    why: list[Translations]
    finish: list[Translations]
    chance: float
    found: list[str]
    proved: bool


class PuzzleTried(StrictModel):
    """`steps` is what happened: the try, and what follows it. `next` is the step to answer now;
    null when it is solved, and then `solution` is there. `chance` is what the try leaves, where
    that is known; nothing else is told of the answer before it is found."""

    grade: Literal["right", "wrong"]
    steps: list[StudyStep]
    next: int | None
    chance: float | None
    solution: PuzzleSolution | None


class PuzzleHint(StrictModel):
    """What kind of move it is, and, asked for more, which cards or tokens it is about."""

    kind: Literal["take", "reserve", "buy", "return", "noble", "pass"]
    spots: list[str]


class PuzzleThemeCount(StrictModel):
    theme: ThemeName
    puzzles: int


class PuzzleShelf(StrictModel):
    """What there is: the version of the file, how many puzzles, and how many of each theme."""

    version: int
    puzzles: int
    themes: list[PuzzleThemeCount]
    made: str
