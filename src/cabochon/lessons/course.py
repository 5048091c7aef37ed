"""The course: its lessons in order, from `data/course.toml`.

    [[lessons]]            id, part, minutes
    [[lessons.steps]]      id, position, proof, and either
      right, told          patterns of moves (see below); told: {"take two" = "two"}
      options, option      names of the choices, and which is right
      spots                cards and piles to look at

What is said stands in the catalogue of words, by the ids; the positions are written once, here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from cabochon.notation.moves import parse_gems, parse_move
from cabochon.notation.positions import parse_position
from cabochon.puzzles.puzzle import cards_to_come, foes_of
from cabochon.rules import (
    Buy,
    Card,
    ChooseNoble,
    Deal,
    Deck,
    Event,
    Gems,
    Move,
    Pass,
    Phase,
    Position,
    Reserve,
    Return,
    Take,
)
from cabochon.words import ENGLISH, in_all_languages, texts_of

# Which moves an answer means: one move, or a kind of move, as the course writes it.
#
# take wug          that move; `buy 2u5` however it is paid
# take              any take; `take three`, `take two`
# take with rk      a take that has a red and a black among its tokens
# buy, buy level 1  any purchase, or of a card of that level
# reserve           any; `reserve row` of a card that can be seen, `reserve deck`
# return, noble, pass


_KINDS: dict[str, type[Move]] = {
    "take": Take,
    "buy": Buy,
    "reserve": Reserve,
    "return": Return,
    "noble": ChooseNoble,
    "pass": Pass,
}


@dataclass(frozen=True, slots=True)
class MovePattern:
    """As it is written. Raises NotationError for what means nothing, when it is first used."""

    text: str

    def matches(self, move: Move) -> bool:
        """Whether the move is one of those that are meant."""
        kind, _, rest = self.text.partition(" ")
        if rest and not self._is_described(rest):
            return _same(move, parse_move(self.text))
        if not isinstance(move, _KINDS[kind]):
            return False
        return not rest or _fits(move, rest)

    @staticmethod
    def _is_described(rest: str) -> bool:
        return rest in ("two", "three", "row", "deck") or rest.startswith(("with ", "level "))

    def moves(self, position: Position) -> list[Move]:
        """The legal moves that are meant."""
        return [move for move in position.legal_moves() if self.matches(move)]


def _fits(move: Move, rest: str) -> bool:
    """Whether a move of the right kind is as the rest of the pattern says."""
    if isinstance(move, Take):
        if rest in ("two", "three"):
            return (2 in move.gems) == (rest == "two")
        return _has(move.gems, parse_gems(rest.removeprefix("with ")))
    if isinstance(move, Reserve):
        return isinstance(move.target, Deck if rest == "deck" else Card)
    if isinstance(move, Buy):
        return rest == f"level {move.card.level}"
    return False


def _has(gems: Gems, wanted: Gems) -> bool:
    return all(held >= asked for held, asked in zip(gems, wanted, strict=True))


def _same(move: Move, other: Move) -> bool:
    """Purchases are the same however they are paid, unless the pattern says how."""
    if isinstance(move, Buy) and isinstance(other, Buy) and other.payment is None:
        return move.card == other.card
    return move == other


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
    """What is said to some wrong moves, the first that fits; the others get the common answer."""
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


# An answer in a lesson: is it right, what is said to it, and what the board shows then.


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """`says` is the name of the sentence; `events` is what the board shows: the moves, each with
    a card that could come."""

    is_right: bool
    says: str
    events: tuple[Event, ...] = ()


def answer_moves(step: LessonStep, moves: Sequence[Move]) -> LessonAnswer:
    """The moves of one turn: the first is what was asked for. Raises IllegalMove for what the
    rules forbid, ValueError where nothing is to be played, or for no moves."""
    if not step.right or not moves:
        raise ValueError(step.id)
    events = _events(step, moves)
    first = step.position.completed(moves[0])
    if any(pattern.matches(first) for pattern in step.right):
        return LessonAnswer(True, "why", events)
    told = next((name for pattern, name in step.told if pattern.matches(first)), None)
    return LessonAnswer(False, "wrong" if told is None else f"wrong-{told}", events)


def answer_option(step: LessonStep, option: str) -> LessonAnswer:
    """One of the choices. Raises ValueError for one that is not there."""
    if option not in step.options:
        raise ValueError(option)
    is_right = option == step.option
    return LessonAnswer(is_right, "why" if is_right else f"told-{option}")


def right_answer(step: LessonStep) -> LessonAnswer:
    """For those who would rather be shown."""
    if not step.right:
        return LessonAnswer(True, "why")
    return LessonAnswer(True, "why", _events(step, step.right_moves()[:1]))


def _events(step: LessonStep, moves: Sequence[Move]) -> tuple[Event, ...]:
    """The moves, with the first card that can come wherever one must: which one is no part of
    the lesson."""
    position, events = step.position, list[Event]()
    for move in moves:
        events.append(position.completed(move))
        position = position.play(move)
        if position.phase is Phase.DEAL:
            deal = Deal(cards_to_come(position)[0])
            events.append(deal)
            position = position.deal(deal)
    return tuple(events)


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
        lesson=name,
        id=row["id"],
        position=parse_position(row["position"]),
        proof=LessonProof(row["proof"]),
        right=tuple(MovePattern(text) for text in row.get("right", ())),
        told=tuple((MovePattern(text), told) for text, told in row.get("told", {}).items()),
        options=tuple(row.get("options", ())),
        option=row.get("option", ""),
        spots=tuple(row.get("spots", ())),
    )
