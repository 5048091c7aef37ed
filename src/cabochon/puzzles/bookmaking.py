"""Making the book: rough puzzles from a folder, cut, checked against one another, written; or a
later version of a book, with more puzzles, or without those that did not hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from cabochon.bots.roster import RATED_PLAYERS, engine_name, network_fingerprint
from cabochon.puzzles.book import BookEntry, PuzzleBook, write_book
from cabochon.puzzles.cutting import Cutter, Uncut
from cabochon.puzzles.puzzle import Puzzle
from cabochon.puzzles.rough import Quarried, quarried_in, read_rough
from cabochon.puzzles.sieve import GATE_VISITS

NEAR_CARDS = 10
"""Two tables with this many of twelve face-up cards in common are near each other."""
AHEAD = timedelta(days=2)
"""How long after it is made a new book decides the daily puzzles: by then no such day has begun
anywhere."""


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
    today: date,
    older: PuzzleBook | None = None,
    refuted: Collection[str] = (),
) -> BookMaking:
    """Cut all rough puzzles in the folder; those of the `older` book stay as they are and come
    first, the `refuted` ones retired. `tell` is called with how many are done, and of how many."""
    settled = [] if older is None else [older.puzzle(e.id) for e in _all_entries(older)]
    cut, uncut = _cut_all(folder, tell)
    known = {puzzle.id for puzzle in settled}
    new = [puzzle for puzzle in cut if puzzle.id not in refuted and puzzle.id not in known]
    apart = far_apart([*settled, *new], len(settled))
    added = [puzzle.id for puzzle in apart[len(settled) :]]
    head = head_of(older, added, refuted, quarried_in(folder), today)
    return BookMaking(write_book(head, apart), head["puzzles"], uncut, len(new) - len(added))


def _all_entries(book: PuzzleBook) -> list[BookEntry]:
    return [*book.entries, *book.retired]


def _cut_all(folder: Path, tell: Callable[[int, int], None]) -> tuple[list[Puzzle], int]:
    """The puzzles, and how many rough ones did not become one."""
    rough, cutter = read_rough(folder), Cutter()
    cut: list[Puzzle] = []
    for done, (source, each) in enumerate(rough, start=1):
        with suppress(Uncut):
            cut.append(cutter.cut(each, source))
        tell(done, len(rough))
    return cut, len(rough) - len(cut)


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


def head_of(
    older: PuzzleBook | None,
    new: Sequence[str],
    refuted: Collection[str],
    quarried: Sequence[Quarried],
    today: date,
) -> dict[str, Any]:
    """How the book was made: what each version has played, added and retired, and from which day
    on the puzzles of days follow from it."""
    before: dict[str, Any] = {} if older is None else older.head
    version = int(before.get("version", 0)) + 1
    offered = () if older is None else older.entries
    gone = [entry.id for entry in offered if entry.id in refuted]
    first = today + AHEAD if older else date.min
    # A version whose first day has not come when the next one is made never has a day.
    passed = [] if older is None else older.epochs
    epochs = [epoch for epoch in passed if epoch["from"] < first.isoformat()]
    made = {
        "version": version,
        "played": [asdict(each) for each in quarried],
        "engine": engine_name(),
        "networks": {str(seats): network_fingerprint(seats) for seats in RATED_PLAYERS},
        "visits": GATE_VISITS,
    }
    return {
        "version": version,
        "made": [*before.get("made", ()), made],
        "puzzles": len(offered) - len(gone) + len(new),
        "epochs": [*epochs, {"version": version, "from": first.isoformat()}],
        "added": before.get("added", {}) | (dict.fromkeys(new, version) if older else {}),
        "retired": before.get("retired", {}) | dict.fromkeys(gone, version),
    }
