"""The course: its lessons in order, from `data/course.toml`.

    [[lessons]]            id, part, minutes
    [[lessons.steps]]      id, position, proof, and either
      right, told          patterns of moves (`patterns.py`); told: {"take two" = "two"}
      options, option      names of the choices, and which is right
      spots                cards and piles to look at

What is said stands in the catalogue of words, by the ids; the positions are written once, here.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from cabochon.lessons.lesson import Lesson, LessonPart, LessonProof, LessonStep
from cabochon.lessons.patterns import MovePattern
from cabochon.notation.positions import parse_position


@cache
def course() -> tuple[Lesson, ...]:
    """The lessons in the order they are taught."""
    text = resources.files("cabochon.lessons").joinpath("data", "course.toml").read_text("utf-8")
    return tuple(_lesson(row) for row in tomllib.loads(text)["lessons"])


def lesson(name: str) -> Lesson:
    """Raises KeyError for a lesson that is not there."""
    return {one.id: one for one in course()}[name]


def _lesson(row: dict[str, Any]) -> Lesson:
    steps = tuple(_step(row["id"], step) for step in row["steps"])
    return Lesson(row["id"], LessonPart(row["part"]), row["minutes"], steps)


def _step(name: str, row: dict[str, Any]) -> LessonStep:
    return LessonStep(
        name,
        row["id"],
        parse_position(row["position"]),
        LessonProof(row["proof"]),
        tuple(MovePattern(text) for text in row.get("right", ())),
        tuple((MovePattern(text), told) for text, told in row.get("told", {}).items()),
        tuple(row.get("options", ())),
        row.get("option", ""),
        tuple(row.get("spots", ())),
    )
