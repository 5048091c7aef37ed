"""Making the book: rough puzzles from a folder, cut, checked against one another, written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabochon.bots.roster import RATED_PLAYERS, engine_name, network_fingerprint
from cabochon.puzzles.book import PuzzleBook, write_book
from cabochon.puzzles.cutting import Cutter, Uncut
from cabochon.puzzles.puzzle import Puzzle
from cabochon.puzzles.rough import commands_of, read_rough
from cabochon.puzzles.sieve import GATE_VISITS

BOOK_VERSION = 2
NEAR_CARDS = 10
"""Two tables with so many of twelve face-up cards in common are near each other."""


@dataclass(frozen=True, slots=True)
class BookMaking:
    """What came of it."""

    data: bytes
    puzzles: int
    uncut: int
    near: int


def make_book(
    folder: Path,
    tell: Callable[[int, int], None],
    older: PuzzleBook | None = None,
    refuted: Collection[str] = (),
) -> BookMaking:
    """Cut all rough puzzles in the folder; those of the `older` book stay as they are and come
    first. Without those that were `refuted`. `tell` is told how many are done, of how many."""
    rough = read_rough(folder)
    kept = [] if older is None else [puzzle for puzzle in older if puzzle.id not in refuted]
    cutter, before, uncut = Cutter(), len(kept), 0
    for done, (source, each) in enumerate(rough, start=1):
        try:
            puzzle = cutter.cut(each, source)
        except Uncut:
            uncut += 1
        else:
            kept += [puzzle] if puzzle.id not in refuted else []
        tell(done, len(rough))
    apart = far_apart(kept, before)
    commands = [] if older is None else [str(older.head["command"])]
    data = write_book(head_of(apart, [*commands, *commands_of(folder)]), apart)
    return BookMaking(data, len(apart), uncut, len(kept) - len(apart))


def far_apart(puzzles: Iterable[Puzzle], settled: int = 0) -> list[Puzzle]:
    """Without those that are near an earlier one; the first `settled` stay in any case."""
    kept: list[Puzzle] = []
    tables: list[frozenset[int]] = []
    for puzzle in puzzles:
        table = _table(puzzle)
        if len(kept) < settled or all(len(table & other) < NEAR_CARDS for other in tables):
            kept.append(puzzle)
            tables.append(table)
    return kept


def _table(puzzle: Puzzle) -> frozenset[int]:
    return frozenset(card.id for row in puzzle.position.rows for card in row if card is not None)


def head_of(puzzles: Iterable[Puzzle], commands: Sequence[str]) -> dict[str, Any]:
    """How the book was made."""
    return {
        "version": BOOK_VERSION,
        "command": "; ".join(commands),
        "engine": engine_name(),
        "networks": {str(seats): network_fingerprint(seats) for seats in RATED_PLAYERS},
        "visits": GATE_VISITS,
        "puzzles": len(list(puzzles)),
    }
