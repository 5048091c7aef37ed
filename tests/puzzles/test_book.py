"""The shipped puzzles: whole, small, apart from one another, and each answerable."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from datetime import date, timedelta
from importlib import resources
from pathlib import Path
from random import Random

import pytest

from cabochon.notation import format_position
from cabochon.puzzles.book import BOOK, PuzzleBook, puzzle_id, read_book, shipped_book, write_book
from cabochon.puzzles.bookmaking import NEAR_CARDS, far_apart, make_book
from cabochon.puzzles.puzzle import Puzzle, PuzzleTheme, played
from cabochon.puzzles.tries import PuzzleGrade, solution, try_moves
from cabochon.rules import Buy, Phase

MOST_BYTES = 400_000


@pytest.fixture(scope="module")
def book() -> PuzzleBook:
    return shipped_book()


@pytest.fixture(scope="module")
def some(book: PuzzleBook) -> list[Puzzle]:
    """A few of every theme."""
    chance = Random(4)
    found = []
    for theme in PuzzleTheme:
        of_theme = [entry for entry in book.entries if entry.theme is theme]
        found += [book.puzzle(e.id) for e in chance.sample(of_theme, min(6, len(of_theme)))]
    return found


def test_the_file_is_small_and_says_how_it_was_made(book: PuzzleBook) -> None:
    data = resources.files("cabochon.puzzles").joinpath("data", BOOK).read_bytes()
    assert len(data) <= MOST_BYTES
    assert book.head["puzzles"] == len(book) >= 1000
    made = book.head["made"]
    assert [version["version"] for version in made] == list(range(1, book.version + 1))
    assert {version["visits"] for version in made} == {100_000}
    seeds = {each.seed for each in book.quarried}
    assert {int(book.puzzle(e.id).source.split("/")[0]) for e in book.entries} == seeds
    assert all(f"--seed {each.seed}" in each.command for each in book.quarried)


def test_each_version_has_its_days_and_none_of_them_had_begun_when_it_was_made(
    book: PuzzleBook,
) -> None:
    epochs = book.head["epochs"]
    assert [epoch["version"] for epoch in epochs] == [2, 6], "the others never had a day"
    assert epochs[-1]["version"] == book.version
    days = [epoch["from"] for epoch in epochs]
    assert days == sorted(set(days))
    assert date.fromisoformat(days[0]) == date.min


def test_ids_follow_from_positions_and_are_unique(book: PuzzleBook) -> None:
    assert len({entry.id for entry in book.entries}) == len(book)
    for entry in book.entries[::50]:
        assert entry.id == puzzle_id(format_position(book.puzzle(entry.id).position))


def test_there_are_puzzles_for_two_three_and_four(book: PuzzleBook) -> None:
    assert set(Counter(entry.seats for entry in book.entries)) == {2, 3, 4}


def test_a_book_reads_as_it_was_written(some: list[Puzzle]) -> None:
    assert list(read_book(write_book({"version": 1}, some))) == some


def test_a_book_of_the_first_format_is_still_read(some: list[Puzzle]) -> None:
    head = {"format": "cabochon-puzzles 1", "version": 1, "command": "cabochon puzzles make"}
    rows = [json.loads(row) for row in lzma.decompress(write_book({}, some)).splitlines()[1:]]
    lines = "\n".join(json.dumps(line) for line in (head, *rows))
    old = read_book(lzma.compress(lines.encode()))
    assert list(old) == some
    assert not old.retired
    assert old.version_on(date(2026, 11, 20)) == 1
    with pytest.raises(ValueError, match="puzzles 3"):
        read_book(lzma.compress(b'{"format":"cabochon-puzzles 3"}'))


def test_a_later_version_retires_what_was_refuted_and_keeps_the_rest_as_it_was(
    some: list[Puzzle], tmp_path: Path
) -> None:
    first = read_book(write_book({"version": 1, "puzzles": len(some)}, some))
    gone, made_on = some[2].id, date(2027, 3, 1)
    data = make_book(tmp_path, lambda done, of: None, made_on, first, {gone, "nosuch"}).data
    later = read_book(data)
    assert later.version == 2
    assert [entry.id for entry in later.retired] == [gone]
    assert list(later) == [puzzle for puzzle in some if puzzle.id != gone]
    assert later.puzzle(gone) == some[2]
    assert later.head["puzzles"] == len(some) - 1
    assert later.version_on(made_on + timedelta(days=1)) != 2
    assert later.version_on(made_on + timedelta(days=2)) == 2
    third = make_book(tmp_path, lambda done, of: None, made_on, later, {some[0].id})
    assert {entry.id for entry in read_book(third.data).retired} == {gone, some[0].id}


def test_no_two_puzzles_are_near_each_other(book: PuzzleBook) -> None:
    puzzles = list(book)
    assert far_apart(puzzles) == puzzles
    assert len(far_apart([puzzles[0], puzzles[0]])) == 1
    assert NEAR_CARDS < 12


def test_the_answer_solves_it_and_every_other_move_is_turned_down(some: list[Puzzle]) -> None:
    for puzzle in some:
        step = puzzle.steps[0]
        assert try_moves(puzzle, 0, [step.main]).grade is PuzzleGrade.RIGHT
        for move in step.position.legal_moves():
            if step.position.completed(move) == step.main:
                continue
            tried = try_moves(puzzle, 0, [move])
            assert tried.grade is PuzzleGrade.WRONG
            assert tried.next == 0
            played(tried.start, tried.events)  # what refutes it can be played


def test_the_line_of_a_win_by_force_ends_with_the_solver_alone_ahead(some: list[Puzzle]) -> None:
    forced = [puzzle for puzzle in some if puzzle.theme.is_forced]
    assert forced
    for puzzle in forced:
        end = played(puzzle.position, solution(puzzle))
        outcome = end.outcome()
        assert outcome is not None
        assert outcome.winners == (puzzle.seat,)
        turns = {step.position.turn for step in puzzle.steps}
        assert len(turns) == puzzle.turns


def test_the_answer_is_not_just_the_dearest_card_that_can_be_bought(some: list[Puzzle]) -> None:
    for puzzle in some:
        position, main = puzzle.position, puzzle.steps[0].main
        if position.phase is not Phase.ACT or not isinstance(main, Buy):
            continue
        buys = [move for move in position.legal_moves() if isinstance(move, Buy)]
        assert main.card.points < max(move.card.points for move in buys)


def test_a_retort_leaves_less_than_the_answer(some: list[Puzzle]) -> None:
    for puzzle in some:
        told = [retort for retort in puzzle.steps[0].retorts if retort is not None]
        assert len(told) == len(puzzle.position.legal_moves()) - 1
        least = 0.07 if not puzzle.theme.is_forced else 0.08
        assert max(retort.value for retort in told) <= puzzle.value - least


def test_why_is_said_in_both_languages(some: list[Puzzle]) -> None:
    names = ["A", "B", "C", "D"]
    for puzzle in some:
        for cause in (*puzzle.causes, *puzzle.finish):
            assert cause.text("en", names) != cause.text("zh", names)
