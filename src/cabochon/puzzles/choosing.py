"""Which puzzle: the one of the day, the next at somebody's level. From the file alone, so that it
is the same everywhere; and from the list of the version that was in force on that day, so that days
that have passed keep theirs when the file changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from functools import lru_cache
from hashlib import sha256
from random import Random

from cabochon.puzzles.book import BookEntry, PuzzleBook
from cabochon.puzzles.puzzle import PuzzleTheme

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
