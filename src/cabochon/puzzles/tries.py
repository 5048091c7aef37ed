"""Which puzzle, and a try at it: is it right, what follows, and how it would have gone wrong.

The puzzle of the day and the next one at somebody's level come from the file alone, so that they
are the same everywhere; and from the list of the version that was in force on that day, so that
days that have passed keep theirs when the file changes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from random import Random

from cabochon.puzzles.book import BookEntry, PuzzleBook
from cabochon.puzzles.puzzle import Puzzle, PuzzleStep, PuzzleTheme, Retort
from cabochon.rules import Buy, Deal, Event, Move, Phase, Position

DAILY_SEATS = 2
DAILY_MOST = 1900
"""The daily puzzle is for everybody: two players, and not one of the hardest."""
UNMOVED: Mapping[str, float] = {}
NEAR = 24
"""The next puzzle is one of so many that are nearest to the rating."""


def daily_entry(book: PuzzleBook, day: date) -> BookEntry:
    """The puzzle of that day. While a version is in force, all that are fit have had their turn
    before one comes again."""
    order = _daily_order(book, book.version_on(day))
    round_, place = divmod(day.toordinal(), len(order))
    # Another order in every round, from nothing but the number of the round.
    return Random(round_).sample(order, len(order))[place]


@lru_cache(maxsize=16)
def _daily_order(book: PuzzleBook, version: int) -> list[BookEntry]:
    offered = book.offered_by(version)
    fit = [e for e in offered if e.seats == DAILY_SEATS and e.rating <= DAILY_MOST]
    chosen = fit or offered
    return sorted(chosen, key=lambda entry: sha256(entry.id.encode()).digest())


def next_entry(
    book: PuzzleBook,
    rating: int,
    theme: PuzzleTheme | None,
    seen: Collection[str],
    random: Random,
    moved: Mapping[str, float] = UNMOVED,
) -> BookEntry:
    """One near the rating that was not seen lately; of all, when all were. `moved` are the ratings
    of puzzles that are not where the book has them. Raises LookupError for a theme of which there
    are none."""
    of_theme = [entry for entry in book.entries if theme is None or entry.theme is theme]
    if not of_theme:
        raise LookupError(theme)
    fresh = [entry for entry in of_theme if entry.id not in seen] or of_theme
    fresh.sort(key=lambda entry: (abs(moved.get(entry.id, entry.rating) - rating), entry.id))
    return random.choice(fresh[:NEAR])


class PuzzleGrade(StrEnum):
    RIGHT = "right"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class TriedMoves:
    """`events` is what happened, the try itself first. `next` is the step that is to be answered
    now: the same one after a wrong try, None when it is solved. `value` is what the try leaves of
    the solver's chance, where it is known."""

    grade: PuzzleGrade
    start: Position
    events: tuple[Event, ...]
    next: int | None
    value: float | None


def try_moves(puzzle: Puzzle, at: int, moves: Sequence[Move]) -> TriedMoves:
    """The moves of one turn as the answer to step `at`. Raises IllegalMove for the first that the
    rules forbid, IndexError for a step that is not there, ValueError for no moves."""
    if not moves:
        raise ValueError("no moves")
    start = puzzle.steps[at].position
    events: list[Event] = []
    waiting = list(moves)
    while waiting:
        step = puzzle.steps[at]
        move = step.position.completed(_legal(step.position, waiting.pop(0)))
        if not _is_right(step, move):
            told, value = _refuted(step, move, waiting)
            return TriedMoves(PuzzleGrade.WRONG, start, (*events, *told), at, value)
        if not _same(move, step.main):
            # Another way to win: it is solved, and there is no more to show.
            return TriedMoves(PuzzleGrade.RIGHT, start, (*events, move), None, puzzle.value)
        events += [step.main, *step.events]
        at += 1
        if at == len(puzzle.steps):
            return TriedMoves(PuzzleGrade.RIGHT, start, tuple(events), None, puzzle.value)
        if puzzle.steps[at].position.turn != start.turn:
            break
    return TriedMoves(PuzzleGrade.RIGHT, start, tuple(events), at, puzzle.value)


def solution(puzzle: Puzzle) -> tuple[Event, ...]:
    """The whole line, from the first move on."""
    return tuple(event for step in puzzle.steps for event in (step.main, *step.events))


def _legal(position: Position, move: Move) -> Move:
    refusal = position.refusal(move)
    if refusal is not None:
        raise refusal
    return move


def _is_right(step: PuzzleStep, move: Move) -> bool:
    return any(_same(move, right) for right in step.right)


def _same(move: Move, other: Move) -> bool:
    """Purchases are the same however they are paid: the engine pays the least gold."""
    if isinstance(move, Buy) and isinstance(other, Buy):
        return move.card == other.card
    return move == other


def _refuted(
    step: PuzzleStep, move: Move, waiting: Sequence[Move]
) -> tuple[tuple[Event, ...], float | None]:
    """The wrong move and what follows it, with the rest of the turn as it was tried."""
    retort = _retort(step, move)
    if retort is None:
        return (move,), None
    events: list[Event] = [move]
    position, own = step.position.apply(move), list(waiting)
    for event in retort.events(position):
        is_own = position.seat == step.position.seat and position.phase is not Phase.DEAL
        chosen = own.pop(0) if is_own and own else event
        if not _can_follow(position, chosen):
            break
        events.append(chosen)
        position = position.apply(chosen)
    return tuple(events), retort.value


def _can_follow(position: Position, event: Event) -> bool:
    if isinstance(event, Deal):
        return position.phase is Phase.DEAL and position.in_deck(event.card)
    return position.phase is not Phase.DEAL and position.is_legal(event)


def _retort(step: PuzzleStep, move: Move) -> Retort | None:
    for legal, retort in zip(step.position.legal_moves(), step.retorts, strict=False):
        if _same(step.position.completed(legal), move):
            return retort
    return None
