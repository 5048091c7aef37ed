"""Which puzzle: the same for everybody on one day, and near one's rating."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest

from cabochon.puzzles.book import BookEntry, PuzzleBook, shipped_book
from cabochon.puzzles.puzzle import PuzzleTheme
from cabochon.puzzles.tries import NEAR, daily_entry, next_entry

DAY = date(2026, 11, 20)


def test_the_puzzle_of_the_day_follows_from_the_date_alone() -> None:
    book = shipped_book()
    assert daily_entry(book, DAY).id == daily_entry(book, DAY).id
    week = [daily_entry(book, DAY + timedelta(days=ahead)).id for ahead in range(7)]
    assert len(set(week)) == 7


def test_every_fit_puzzle_has_its_day_before_one_comes_again() -> None:
    book = shipped_book()
    fit = [entry for entry in book.entries if entry.seats == 2 and entry.rating <= 1900]
    newest = date.fromisoformat(book.epochs[-1]["from"])
    first = date.fromordinal(len(fit) * (newest.toordinal() // len(fit) + 1))
    round_ = [daily_entry(book, first + timedelta(days=ahead)).id for ahead in range(len(fit))]
    assert sorted(round_) == sorted(entry.id for entry in fit)


SECOND = {"2026-11-17": "hrwyve", "2026-11-18": "j5um9f", "2026-11-19": "cvgjen"}
"""What the second version of the file said: days that had begun before the third was made."""


@pytest.mark.parametrize("day", SECOND)
def test_a_day_that_has_passed_keeps_its_puzzle_when_the_file_changes(day: str) -> None:
    book = shipped_book()
    assert book.version_on(date.fromisoformat(day)) == 2
    assert daily_entry(book, date.fromisoformat(day)).id == SECOND[day]


def next_version(book: PuzzleBook, gone: str, first: date) -> PuzzleBook:
    """Without that puzzle, and with one more, from that day on."""
    version, new = book.version + 1, list(book.entries[0].row)
    new[0] = "zzzzzz"
    entries = [replace(e, until=version) if e.id == gone else e for e in book.entries]
    added = BookEntry("zzzzzz", PuzzleTheme.ONLY_MOVE, 1500, 2, new, since=version)
    epochs = [*book.head["epochs"], {"version": version, "from": first.isoformat()}]
    head = book.head | {"version": version, "epochs": epochs}
    return PuzzleBook(head, [*entries, *book.retired, added])


def test_a_new_version_changes_the_days_to_come_and_no_other() -> None:
    book, first = shipped_book(), date(2027, 5, 1)
    last = first - timedelta(days=1)
    gone = daily_entry(book, last).id
    later = next_version(book, gone, first)
    before = [first - timedelta(days=ago) for ago in range(1, 200)]
    assert [daily_entry(later, d).id for d in before] == [daily_entry(book, d).id for d in before]
    fit = len([e for e in later.entries if e.seats == 2 and e.rating <= 1900])
    start = date.fromordinal(fit * (first.toordinal() // fit + 1))
    round_ = [daily_entry(later, start + timedelta(days=ahead)).id for ahead in range(fit)]
    assert len(set(round_)) == fit
    assert gone not in round_
    assert "zzzzzz" in round_


def test_a_retired_puzzle_can_be_looked_up_and_is_offered_no_more() -> None:
    book = shipped_book()
    gone = book.entries[3].id
    later = next_version(book, gone, DAY)
    assert gone in later
    assert later.puzzle(gone) == book.puzzle(gone)
    assert gone not in {entry.id for entry in later.entries}
    assert len(later) == len(book)


def test_the_next_puzzle_is_near_the_rating_and_fresh() -> None:
    book = shipped_book()
    entries = sorted(book.entries, key=lambda entry: (abs(entry.rating - 1500), entry.id))
    nearest = [entry.id for entry in entries[:NEAR]]
    assert next_entry(book, 1500, None, (), Random(1)).id in nearest
    assert next_entry(book, 1500, None, nearest, Random(1)).id not in nearest


def test_a_theme_is_kept_to_even_when_all_of_it_was_seen() -> None:
    book = shipped_book()
    seen = [entry.id for entry in book.entries if entry.theme is PuzzleTheme.STOP_THEM]
    found = next_entry(book, 1500, PuzzleTheme.STOP_THEM, seen, Random(1))
    assert found.theme is PuzzleTheme.STOP_THEM


def test_a_theme_without_puzzles_is_said_to_be_empty() -> None:
    with pytest.raises(LookupError):
        next_entry(PuzzleBook({}, ()), 1500, PuzzleTheme.NOBLE, (), Random(1))
