"""An answer in a lesson: is it right, what is said to it, and what the board shows then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cabochon.lessons.lesson import LessonStep
from cabochon.puzzles.puzzle import cards_to_come
from cabochon.rules import Deal, Event, Move, Phase


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
    """For whoever would rather be shown."""
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
