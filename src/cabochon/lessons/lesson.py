"""A lesson: a few steps, each with something to read, a position and a question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from cabochon.lessons.patterns import MovePattern
from cabochon.puzzles.puzzle import foes_of
from cabochon.rules import Move, Position
from cabochon.words import ENGLISH, in_all_languages, texts_of


class LessonPart(StrEnum):
    BASICS = "basics"
    STRATEGY = "strategy"


class LessonProof(StrEnum):
    """How it is known that the answer is right."""

    LAW = "law"
    """It follows from the rules: a test computes it."""
    ENGINE = "engine"
    """A search finds the right move better than every other by a margin."""
    FIGURES = "figures"
    """It is what the games between strong bots say."""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """`right` and `told` are about moves; a question with `options` is answered by choosing one
    of them, `option` being the right one. What is said stands in the catalogue under
    `lessons.LESSON.STEP`. `spots` are the cards and piles to look at."""

    lesson: str
    id: str
    position: Position
    proof: LessonProof
    right: tuple[MovePattern, ...] = ()
    told: tuple[tuple[MovePattern, str], ...] = ()
    """What some wrong moves are told, the first that fits; others hear what all do."""
    options: tuple[str, ...] = ()
    option: str = ""
    spots: tuple[str, ...] = ()

    @property
    def seat(self) -> int:
        return self.position.seat

    @property
    def foes(self) -> tuple[str | None, ...]:
        """The bots that the others are called, by seat; None for the learner."""
        return foes_of(self.position)

    def right_moves(self) -> list[Move]:
        """The legal moves that answer it, the main one first."""
        found = [move for pattern in self.right for move in pattern.moves(self.position)]
        return [self.position.completed(move) for move in dict.fromkeys(found)]

    def key(self, name: str) -> str:
        return f"lessons.{self.lesson}.{self.id}.{name}"

    def said(self, name: str, figures: Mapping[str, str]) -> dict[str, str]:
        """A sentence of this step by language. Raises KeyError for one that is not there."""
        return in_all_languages(self.key(name), **figures)

    def paragraphs(self, figures: Mapping[str, str]) -> list[dict[str, str]]:
        """What is to be read before the question."""
        return [self.said(name, figures) for name in self._paragraph_names()]

    def _paragraph_names(self) -> Iterator[str]:
        number = 1
        while self.key(f"text-{number}") in texts_of(ENGLISH):
            yield f"text-{number}"
            number += 1

    def sentences(self) -> tuple[str, ...]:
        """The keys of everything that this step can say."""
        told = dict.fromkeys(name for _, name in self.told)
        names = ("wrong", *(f"wrong-{name}" for name in told)) if self.right else ()
        options = [
            name
            for option in self.options
            for name in (f"option-{option}", *self._told_option(option))
        ]
        found = (*self._paragraph_names(), "ask", "why", *names, *options)
        return tuple(self.key(name) for name in found)

    def _told_option(self, option: str) -> tuple[str, ...]:
        return () if option == self.option else (f"told-{option}",)


@dataclass(frozen=True, slots=True)
class Lesson:
    id: str
    part: LessonPart
    minutes: int
    steps: tuple[LessonStep, ...]

    @property
    def title(self) -> dict[str, str]:
        return in_all_languages(f"lessons.{self.id}.title")
