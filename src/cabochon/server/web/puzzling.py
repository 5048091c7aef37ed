"""Puzzles as the API gives them: a position with what may be played, and lines played out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cabochon.notation.moves import format_move
from cabochon.play.staging import line_of
from cabochon.puzzles.puzzle import Cause, Puzzle
from cabochon.puzzles.tries import TriedMoves, solution
from cabochon.rules import Card, Deal, Event, Phase, Position
from cabochon.server.storage.puzzletries import PuzzleChange
from cabochon.server.web.playerwords import rating_info
from cabochon.study.steps import StudySight, study_step
from cabochon.words import languages


def asked_of(
    puzzle: Puzzle, rating: int, *, day: str | None = None, retired: bool
) -> dict[str, Any]:
    """As `PuzzleAsked` says."""
    return {
        "id": puzzle.id,
        "theme": puzzle.theme.value,
        "turns": puzzle.turns,
        "rating": rating,
        "seat": puzzle.seat,
        "bots": list(puzzle.foes),
        "ruleset": str(puzzle.position.ruleset),
        "target": puzzle.position.ruleset.target,
        "start": study_step(puzzle.position, None, StudySight(puzzle.seat), 0),
        "day": day,
        "retired": retired,
    }


def steps_of(start: Position, events: Sequence[Event], seat: int) -> list[dict[str, Any]]:
    """A step for every decision, with the card that came for it."""
    told: list[dict[str, Any]] = []
    position, waiting = start, list(events)
    while waiting:
        before, move = position, waiting.pop(0)
        assert not isinstance(move, Deal)
        position = position.apply(move)
        dealt: Card | None = None
        if position.phase is Phase.DEAL:
            if not waiting:
                break
            deal = waiting.pop(0)
            assert isinstance(deal, Deal)
            position, dealt = position.apply(deal), deal.card
        line = line_of(before, before.completed(move), position, dealt, len(told) + 1, 0)
        told.append(study_step(position, line, StudySight(seat)))
    return told


def solution_of(puzzle: Puzzle, names: dict[str, list[str]]) -> dict[str, Any]:
    """As `PuzzleSolution` says; `names` are the players' by language."""
    return {
        "steps": steps_of(puzzle.position, solution(puzzle), puzzle.seat),
        "why": _texts(puzzle.causes, names),
        "finish": _texts(puzzle.finish, names),
        "chance": puzzle.value,
        "found": list(puzzle.found),
        "proved": puzzle.theme.is_forced,
    }


def _texts(causes: Sequence[Cause], names: dict[str, list[str]]) -> list[dict[str, str]]:
    return [{lang: cause.text(lang, names[lang]) for lang in languages()} for cause in causes]


def tried_of(puzzle: Puzzle, tried: TriedMoves, names: dict[str, list[str]]) -> dict[str, Any]:
    """As `PuzzleTried` says."""
    return {
        "grade": tried.grade.value,
        "steps": steps_of(tried.start, tried.events, puzzle.seat),
        "next": tried.next,
        "chance": tried.value,
        "solution": solution_of(puzzle, names) if tried.next is None else None,
    }


def rated_of(change: PuzzleChange | None) -> dict[str, Any] | None:
    """As `PuzzleRated` says."""
    if change is None:
        return None
    rating = rating_info(change.after).model_dump()
    return {"solved": change.solved, "before": round(change.before), "rating": rating}


def hint_of(puzzle: Puzzle, at: int, deep: bool) -> dict[str, Any]:
    """As `PuzzleHint` says. Raises IndexError for a step that is not there."""
    kind, _, rest = format_move(puzzle.steps[at].main).partition(" ")
    what = rest.split(" ")[0]
    spots: list[str] = []
    if deep and kind in ("take", "return"):
        spots = [f"bank-{letter}" for letter in dict.fromkeys(what)]
    elif deep and kind in ("buy", "reserve"):
        spots = [what]
    return {"kind": kind, "spots": spots}
