"""`cabochon puzzle`: asked, hinted at, solved or shown, in both languages; `puzzles make`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cabochon.notation import format_move
from cabochon.puzzles import proving
from cabochon.puzzles.book import read_book, shipped_book
from cabochon.puzzles.puzzle import Puzzle
from cabochon.puzzles.rough import quarried_in
from cabochon.render.width import width
from cabochon.words import languages
from tests.cli.driver import run


@pytest.fixture(scope="module")
def forced() -> Puzzle:
    book = shipped_book()
    return book.puzzle(next(entry.id for entry in book.entries if entry.theme.is_forced))


def answers(puzzle: Puzzle) -> str:
    return "".join(f"{format_move(step.main)}\n" for step in puzzle.steps)


@pytest.mark.parametrize("lang", languages())
def test_a_puzzle_is_solved_after_a_hint_and_a_wrong_move(forced: Puzzle, lang: str) -> None:
    position = forced.position
    moves = [position.completed(move) for move in position.legal_moves()]
    wrong = format_move(next(move for move in moves if move != forced.steps[0].main))
    typed = f"hint\nhint\nfly away\ntake wwu\n{wrong}\n{answers(forced)}"
    done = run("puzzle", forced.id, "--lang", lang, stdin=typed)
    assert (done.code, done.err) == (0, "")
    assert {"en": "Not this one.", "zh": "不是这一步。"}[lang] in done.out
    assert {"en": "Solved.", "zh": "解开了。"}[lang] in done.out
    assert all(width(line) <= 80 for line in done.out.splitlines())


def test_the_puzzle_of_a_day_is_always_the_same() -> None:
    first = run("puzzle", "--date", "2026-11-20", "--show")
    assert first.code == 0
    assert first.out == run("puzzle", "--date", "2026-11-20", "--show").out
    assert "The answer:" in first.out


def test_who_quits_or_runs_out_of_words_has_not_solved_it(forced: Puzzle) -> None:
    assert run("puzzle", forced.id, stdin="quit\n").code == 1
    assert run("puzzle", forced.id, stdin="").code == 1
    assert run("puzzle", "--theme", "win2", stdin="show\n").code == 1


def test_what_is_no_puzzle_is_refused() -> None:
    assert "no puzzle zzzzzz" in run("puzzle", "zzzzzz").err
    assert "isn't a date" in run("puzzle", "--date", "tomorrow").err
    assert "must be one of" in run("puzzle", "--theme", "mate").err


def test_a_small_book_is_made_and_nothing_is_played_twice(tmp_path: Path) -> None:
    out, folder = tmp_path / "small.xz", tmp_path / "rough"
    made = run(
        *("puzzles", "make", "--games", "2", "--seed", "5", "--jobs", "1"),
        *("--folder", folder, "--out", out),
    )
    assert made.code == 0, made.err
    lines = [path.read_text() for path in folder.iterdir()]
    again = run(
        *("puzzles", "make", "--games", "2", "--seed", "5", "--jobs", "1"),
        *("--folder", folder, "--out", out),
    )
    assert again.code == 0
    assert [path.read_text() for path in folder.iterdir()] == lines
    book = read_book(out.read_bytes())
    assert [each.command for each in book.quarried] == ["cabochon puzzles make --games 2 --seed 5"]
    stale = next(folder.iterdir())
    stale.rename(folder / stale.name.replace("sieve-", "sieve-9"))
    assert quarried_in(folder) == [], "what another sieve has left is not gone on with"


def test_proofs_are_logged_and_not_made_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "proofs.jsonl"
    asked = ("puzzles", "prove", "--judged", "--visits", "100", "--jobs", "1", "--log", log)
    first = run(*asked, "--sample", "2")
    rows = log.read_text().splitlines()
    assert len(rows) == 2
    assert "at 100 visits" in first.out
    more = run(*asked, "--sample", "3")
    assert log.read_text().splitlines()[:2] == rows
    assert len(log.read_text().splitlines()) == 3
    monkeypatch.setattr(proving, "prove_shipped", lambda how, name: pytest.fail("proved again"))
    assert run(*asked, "--sample", "3").out == more.out


def test_only_puzzles_for_so_many_players_are_proved(tmp_path: Path) -> None:
    log = tmp_path / "four.jsonl"
    asked = ("puzzles", "prove", "--judged", "--visits", "100", "--jobs", "1", "--log", log)
    four = run(*asked, "--players", "4", "--sample", "2")
    assert "2 puzzles" in four.out
    ids = [json.loads(row)["id"] for row in log.read_text().splitlines()]
    assert {shipped_book().entry(name).seats for name in ids} == {4}
