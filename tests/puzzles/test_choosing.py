"""Which puzzle: the same for everybody on one day, and near one's rating."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from cabochon.puzzles.book import PuzzleBook, shipped_book
from cabochon.puzzles.choosing import NEAR, daily_entry, next_entry
from cabochon.puzzles.puzzle import PuzzleTheme

DAY = date(2026, 11, 20)


def test_the_puzzle_of_the_day_follows_from_the_date_alone() -> None:
    book = shipped_book()
    assert daily_entry(book, DAY).id == daily_entry(book, DAY).id
    week = [daily_entry(book, DAY + timedelta(days=ahead)).id for ahead in range(7)]
    assert len(set(week)) == 7


def test_every_fit_puzzle_has_its_day_before_one_comes_again() -> None:
    book = shipped_book()
    fit = [entry for entry in book.entries if entry.seats == 2 and entry.rating <= 1900]
    first = date.fromordinal(len(fit) * (DAY.toordinal() // len(fit)))
    round_ = [daily_entry(book, first + timedelta(days=ahead)).id for ahead in range(len(fit))]
    assert sorted(round_) == sorted(entry.id for entry in fit)


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
