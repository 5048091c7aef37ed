"""The puzzles that are shipped: one compressed file, read when somebody asks for a puzzle.

    line 1     what it is: format, version, how it was made, since when each version is in force
    others     one puzzle each, as an array

A move is written as its place in the list of legal moves, a card as its place among those that
can come, so that a line of play is a few small numbers.

Puzzles that a later version offers no more stay in the file: links to them hold, and so does the
puzzle of a day that has passed.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any

from cabochon.bots.roster import LEVEL_NAMES
from cabochon.notation import format_position
from cabochon.notation.positions import parse_position
from cabochon.puzzles.puzzle import (
    Cause,
    Hunt,
    Puzzle,
    PuzzleStep,
    PuzzleTheme,
    Retort,
    events_at,
    number_of,
    numbers_of,
    played,
)
from cabochon.puzzles.rough import Quarried
from cabochon.rules import CARDS, NOBLES, Gem, Position

BOOK = "puzzles.jsonl.xz"
BOOK_FORMAT = "cabochon-puzzles 2"
READ_FORMATS = ("cabochon-puzzles 1", BOOK_FORMAT)
"""The first knew neither retired puzzles nor since when a version is in force."""
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 24}]


@dataclass(frozen=True, slots=True)
class BookEntry:
    """What can be known of a puzzle without reading it through."""

    id: str
    theme: PuzzleTheme
    rating: int
    seats: int
    row: list[Any]
    since: int = 0
    """The first version of the file that has it ..."""
    until: int | None = None
    """... and the first that offers it no more."""

    def is_offered(self, version: int) -> bool:
        """Whether that version of the file offers it."""
        return self.since <= version and (self.until is None or version < self.until)


class PuzzleBook:
    """Puzzles by id, in the order of the file. `entries` are those it offers; those that it has
    `retired` can still be looked up."""

    def __init__(self, head: dict[str, Any], entries: Sequence[BookEntry]) -> None:
        self.head = head
        self.entries = tuple(entry for entry in entries if entry.until is None)
        self.retired = tuple(entry for entry in entries if entry.until is not None)
        self._by_id = {entry.id: entry for entry in entries}

    @property
    def version(self) -> int:
        return int(self.head.get("version", 0))

    @property
    def quarried(self) -> list[Quarried]:
        """What was played for it, version by version."""
        made = self.head.get("made", ())
        return [_read_quarried(each) for version in made for each in version["played"]]

    def version_on(self, day: date) -> int:
        """The version whose list that day's puzzle is from; for days before the first, that one."""
        begun = [epoch for epoch in self.epochs if epoch["from"] <= day.isoformat()]
        return int((begun or self.epochs[:1])[-1]["version"])

    @property
    def epochs(self) -> list[dict[str, Any]]:
        """The versions whose lists puzzles of days have been from, each with its first day."""
        whole = {"version": self.version, "from": date.min.isoformat()}
        return list(self.head.get("epochs", [whole]))

    def offered_by(self, version: int) -> list[BookEntry]:
        """What that version of the file offers, or offered."""
        return [entry for entry in self._by_id.values() if entry.is_offered(version)]

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, name: str) -> bool:
        return name in self._by_id

    def __iter__(self) -> Iterator[Puzzle]:
        return (read_puzzle(entry.row) for entry in self.entries)

    def entry(self, name: str) -> BookEntry:
        """Raises KeyError for an id that is not there."""
        return self._by_id[name]

    def puzzle(self, name: str) -> Puzzle:
        """Raises KeyError for an id that is not there."""
        return read_puzzle(self.entry(name).row)


@cache
def shipped_book() -> PuzzleBook:
    """The book in the package."""
    data = resources.files("cabochon.puzzles").joinpath("data", BOOK).read_bytes()
    return read_book(data)


def read_book(data: bytes) -> PuzzleBook:
    """Raises ValueError for anything but a book."""
    head, *rows = [json.loads(line) for line in lzma.decompress(data).splitlines()]
    if head.get("format") not in READ_FORMATS:
        raise ValueError(str(head.get("format")))
    since, until = head.get("added", {}), head.get("retired", {})
    return PuzzleBook(head, [_entry(row, since.get(row[0], 0), until.get(row[0])) for row in rows])


def _entry(row: list[Any], since: int, until: int | None) -> BookEntry:
    seats = int(row[6].split(" ", 1)[0].rpartition("/")[2])
    return BookEntry(
        id=row[0],
        theme=PuzzleTheme(row[1]),
        rating=row[3],
        seats=seats,
        row=row,
        since=since,
        until=until,
    )


def _read_quarried(row: dict[str, Any]) -> Quarried:
    return Quarried(Hunt(row["hunt"]), row["seed"], row["games"], row["played"], row["sieve"])


def write_book(head: dict[str, Any], puzzles: Iterable[Puzzle]) -> bytes:
    """The file: equal puzzles give equal bytes. `head` may say which of them are `retired`, and
    which a later version has `added`, each with that version."""
    rows = [_row(puzzle) for puzzle in puzzles]
    lines = [{"format": BOOK_FORMAT} | head, *rows]
    text = "\n".join(json.dumps(line, separators=(",", ":")) for line in lines) + "\n"
    return lzma.compress(text.encode(), lzma.FORMAT_XZ, filters=_FILTERS)


def puzzle_id(position: str) -> str:
    """Six letters and digits that follow from the position."""
    number = int.from_bytes(sha256(position.encode()).digest()[:8], "big")
    return "".join(
        "abcdefghjkmnpqrstuvwxyz23456789"[number // 31**place % 31] for place in range(6)
    )


# One puzzle


def _row(puzzle: Puzzle) -> list[Any]:
    found = sum(1 << LEVEL_NAMES.index(name) for name in puzzle.found)
    return [
        puzzle.id,
        puzzle.theme.value,
        puzzle.turns,
        puzzle.rating,
        found,
        puzzle.source,
        format_position(puzzle.position),
        round(100 * puzzle.value),
        [_step_row(step) for step in puzzle.steps],
        [_cause_row(cause) for cause in puzzle.causes],
        [_cause_row(cause) for cause in puzzle.finish],
    ]


def read_puzzle(row: list[Any]) -> Puzzle:
    """The puzzle of a line of the file, every step of it played through."""
    name, theme, turns, rating, found, source, text, value, steps, causes, finish = row
    position = parse_position(text)
    read: list[PuzzleStep] = []
    for row_ in steps:
        step = _read_step(position, row_)
        read.append(step)
        position = played(position, [step.main, *step.events])
    return Puzzle(
        id=name,
        theme=PuzzleTheme(theme),
        turns=turns,
        rating=rating,
        found=tuple(level for bit, level in enumerate(LEVEL_NAMES) if found >> bit & 1),
        value=value / 100,
        source=source,
        steps=tuple(read),
        causes=tuple(_read_cause(cause) for cause in causes),
        finish=tuple(_read_cause(cause) for cause in finish),
    )


def _step_row(step: PuzzleStep) -> list[Any]:
    after = step.position.apply(step.main)
    row: list[Any] = [
        [number_of(step.position, move) for move in step.right],
        list(numbers_of(after, step.events)),
    ]
    if step.retorts:
        row.append([0 if retort is None else _retort_row(retort) for retort in step.retorts])
    return row


def _retort_row(retort: Retort) -> list[int]:
    return [round(100 * retort.value), *retort.numbers]


def _read_step(position: Position, row: list[Any]) -> PuzzleStep:
    legal = position.legal_moves()
    right = tuple(position.completed(legal[number]) for number in row[0])
    told = row[2] if len(row) > 2 else []
    retorts = tuple(None if one == 0 else Retort(one[0] / 100, tuple(one[1:])) for one in told)
    return PuzzleStep(position, right, events_at(position.apply(right[0]), row[1]), retorts)


def _cause_row(cause: Cause) -> list[Any]:
    return [
        cause.kind,
        -1 if cause.card is None else cause.card.id,
        -1 if cause.noble is None else cause.noble.id,
        -1 if cause.colour is None else int(cause.colour),
        -1 if cause.seat is None else cause.seat,
        cause.count,
    ]


def _read_cause(row: list[Any]) -> Cause:
    kind, card, noble, colour, seat, count = row
    return Cause(
        kind,
        None if card < 0 else CARDS[card],
        None if noble < 0 else NOBLES[noble],
        None if colour < 0 else Gem(colour),
        None if seat < 0 else seat,
        count,
    )
