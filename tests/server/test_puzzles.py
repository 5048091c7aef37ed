"""Puzzles over HTTP: asked, tried, hinted at; the answer is not told before it is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from cabochon.notation import format_move
from cabochon.puzzles.book import shipped_book
from cabochon.puzzles.puzzle import Puzzle
from tests.server.serving import Here, serving


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    with serving(tmp_path_factory.mktemp("puzzles") / "t.db") as server:
        yield server


def a_puzzle(forced: bool) -> Puzzle:
    book = shipped_book()
    return book.puzzle(next(e.id for e in book.entries if e.theme.is_forced is forced))


def wrong_move(puzzle: Puzzle) -> str:
    position = puzzle.position
    moves = [position.completed(move) for move in position.legal_moves()]
    return format_move(next(move for move in moves if move != puzzle.steps[0].main))


def test_the_shelf_counts_what_is_shipped(here: Here) -> None:
    shelf = here.get("/puzzles")
    assert shelf["puzzles"] == len(shipped_book())
    assert sum(one["puzzles"] for one in shelf["themes"]) == shelf["puzzles"]


def test_the_daily_puzzle_is_the_same_for_everybody(here: Here) -> None:
    today = datetime.now(UTC).date()
    first = here.get(f"/puzzles/daily?date={today}")
    assert first == here.get(f"/puzzles/daily?date={today}")
    assert first["day"] == str(today)


def test_a_day_that_has_begun_somewhere_is_told_and_no_later_one(here: Here) -> None:
    today = datetime.now(UTC).date()
    assert here.try_get(f"/puzzles/daily?date={today + timedelta(days=1)}").status_code == 200
    assert here.try_get(f"/puzzles/daily?date={today - timedelta(days=400)}").status_code == 200
    for day in (today + timedelta(days=3), "2026-02-31", "soon"):
        assert here.try_get(f"/puzzles/daily?date={day}").status_code == 422


@pytest.mark.parametrize("forced", [True, False])
def test_what_is_asked_does_not_tell_the_answer(here: Here, forced: bool) -> None:
    puzzle = a_puzzle(forced)
    asked = here.get(f"/puzzles/{puzzle.id}")
    assert set(asked) == {
        "id", "theme", "turns", "rating", "seat", "bots", "ruleset", "target", "start", "day",
        "retired",
    }  # fmt: skip
    wrong = here.post(f"/puzzles/{puzzle.id}/try", {"moves": [wrong_move(puzzle)]})
    assert wrong["grade"] == "wrong"
    assert wrong["solution"] is None
    first = wrong["steps"][0]
    assert first["event"] == wrong_move(puzzle)
    assert json.dumps(wrong).count('"solution": null') == 1


def test_a_win_by_force_is_solved_step_by_step(here: Here) -> None:
    puzzle = a_puzzle(True)
    for number, step in enumerate(puzzle.steps):
        body = {"step": number, "moves": [format_move(step.main)]}
        answer = here.post(f"/puzzles/{puzzle.id}/try", body)
        assert answer["grade"] == "right"
        assert answer["next"] == (number + 1 if number + 1 < len(puzzle.steps) else None)
    solution = answer["solution"]
    assert solution["proved"] is True
    assert solution["steps"][0]["event"] == format_move(puzzle.steps[0].main)
    assert {"en", "zh"} == set(solution["why"][0])


def test_a_hint_tells_the_kind_first_and_the_place_when_asked_again(here: Here) -> None:
    puzzle = a_puzzle(False)
    kind, what = format_move(puzzle.steps[0].main).split(" ")[:2]
    assert here.get(f"/puzzles/{puzzle.id}/hint") == {
        "kind": kind,
        "spots": [],
        "rating": None,
    }
    spots = here.get(f"/puzzles/{puzzle.id}/hint?deep=true")["spots"]
    assert spots == [what] or spots == [f"bank-{letter}" for letter in dict.fromkeys(what)]


def test_an_illegal_move_and_an_unknown_puzzle_are_refused(here: Here) -> None:
    puzzle = a_puzzle(False)
    assert here.try_get("/puzzles/aaaaaa").status_code == 404
    refused = here.try_post(f"/puzzles/{puzzle.id}/try", {"moves": ["take wwu"]})
    assert refused.status_code == 422
    late = here.try_post(f"/puzzles/{puzzle.id}/try", {"step": 7, "moves": ["pass"]})
    assert late.status_code == 422


def test_the_next_one_is_none_of_those_seen(here: Here) -> None:
    seen = {here.get("/puzzles/next?rating=1500")["id"] for _ in range(5)}
    query = f"/puzzles/next?rating=1500&theme=only&seen={','.join(seen)}"
    found = here.get(query)
    assert found["id"] not in seen
    assert found["theme"] == "only"


def test_the_server_asks_no_engine_for_puzzles() -> None:
    """Puzzles are read by the law alone: a server starts without compiling anything."""
    import subprocess
    import sys

    code = (
        "import sys, cabochon.server.web.routes.puzzles, cabochon.puzzles.book as b;"
        "b.shipped_book(); print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
