"""Puzzle ratings and lessons of people: each puzzle counts once, and everything goes where its
person goes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from cabochon.notation import format_move
from cabochon.puzzles.book import shipped_book
from cabochon.puzzles.puzzle import Puzzle
from tests.server.browsers import PASSWORD, Browser
from tests.server.cluster import Cluster
from tests.server.serving import Here, serving
from tests.server.test_settling import db, here, recomputed

__all__ = ["db", "here"]


PRACTISED = {
    "days": ["2026-11-16"],
    "storm": 7,
    "mistakes": {"abcd2345:14": {"box": 2, "due": "2026-11-19", "at_ms": 1_000}},
}


def puzzles(forced: bool = False) -> Iterator[Puzzle]:
    book = shipped_book()
    return (book.puzzle(e.id) for e in book.entries if e.theme.is_forced is forced)


def right(puzzle: Puzzle, step: int = 0) -> str:
    return format_move(puzzle.steps[step].main)


def wrong(puzzle: Puzzle, step: int = 0) -> str:
    asked = puzzle.steps[step]
    moves = [asked.position.completed(move) for move in asked.position.legal_moves()]
    return format_move(next(m for m in moves if m not in asked.right))


def attempt(browser: Browser, puzzle: Puzzle, move: str, **more: Any) -> Any:
    return browser.do("POST", f"/puzzles/{puzzle.id}/try", {"moves": [move], **more})


def standing(browser: Browser) -> Any:
    return browser.do("GET", "/me/puzzles")


def test_a_puzzle_counts_once_for_each_person(here: Here, db: Path) -> None:
    first, second = (next(puzzles()) if n == 0 else list(puzzles())[1] for n in range(2))
    with Browser(here) as ada, Browser(here) as bo:
        ada.be("Ada")
        bo.be("Bo")
        start = standing(ada)["rating"]
        assert (start["value"], start["games"], start["provisional"]) == (1500, 0, True)
        solved = attempt(ada, first, right(first))["rating"]
        assert solved["solved"]
        assert solved["before"] == 1500 < solved["rating"]["value"]
        again = attempt(ada, first, right(first))["rating"]
        late = attempt(ada, first, wrong(first))["rating"]
        assert again == late == solved
        failed = attempt(ada, second, wrong(second))["rating"]
        assert not failed["solved"]
        assert failed["rating"]["value"] < failed["before"] == solved["rating"]["value"]
        assert attempt(ada, second, right(second))["rating"] == failed
        mine = standing(ada)
        assert (mine["solved"], mine["failed"], mine["rating"]["games"]) == (1, 1, 2)
        assert set(mine["met"]) == {first.id, second.id}
        assert attempt(bo, first, right(first))["rating"]["rating"] == solved["rating"]
    assert recomputed(db)["changed"] == 0


@pytest.mark.parametrize("path", ["hint", "solution"])
def test_help_counts_as_failed_but_not_after_the_fact(here: Here, path: str) -> None:
    first, second = list(puzzles())[:2]
    with Browser(here) as ada:
        ada.be("Ada")
        helped = ada.do("GET", f"/puzzles/{first.id}/{path}")["rating"]
        assert helped["rating"]["value"] < helped["before"]
        assert attempt(ada, first, right(first))["rating"] == helped
        solved = attempt(ada, second, right(second))["rating"]
        assert solved["solved"]
        assert ada.do("GET", f"/puzzles/{second.id}/{path}")["rating"] == solved


def test_a_storm_never_counts_and_spends_the_puzzle(here: Here) -> None:
    puzzle = next(puzzles())
    with Browser(here) as ada:
        ada.be("Ada")
        assert attempt(ada, puzzle, right(puzzle), rated=False)["rating"] is None
        assert attempt(ada, puzzle, right(puzzle))["rating"] is None
        assert standing(ada)["rating"]["games"] == 0
        assert standing(ada)["met"] == [puzzle.id]


def test_a_win_by_force_counts_at_its_end_and_no_step_can_be_left_out(here: Here) -> None:
    whole, jumped = list(puzzles(forced=True))[:2]
    with Browser(here) as ada:
        ada.be("Ada")
        for step in range(len(whole.steps)):
            answer = attempt(ada, whole, right(whole, step), step=step)
            assert (answer["rating"] is not None) == (step == len(whole.steps) - 1)
        assert answer["rating"]["solved"]
        last = len(jumped.steps) - 1
        assert not attempt(ada, jumped, right(jumped, last), step=last)["rating"]["solved"]


def test_whoever_is_nobody_here_is_judged_and_not_rated(here: Here) -> None:
    puzzle = next(puzzles())
    with Browser(here) as nobody:
        assert attempt(nobody, puzzle, right(puzzle))["rating"] is None
        assert nobody.code("GET", "/me/puzzles") == "no-person"
        assert nobody.code("GET", "/me/lessons") == "no-person"
        assert nobody.do("GET", "/puzzles/next")["id"] in shipped_book()


def test_people_who_keep_their_name_move_a_puzzle_and_guests_do_not(here: Here) -> None:
    puzzle = next(puzzles())
    asked = f"/puzzles/{puzzle.id}"
    with Browser(here) as ada, Browser(here) as bo:
        bo.be("Bo")
        attempt(bo, puzzle, wrong(puzzle))
        assert bo.do("GET", asked)["rating"] == puzzle.rating
        ada.keep("Ada")
        for other in list(puzzles())[1:12]:
            attempt(ada, other, right(other))
        attempt(ada, puzzle, wrong(puzzle))
        assert puzzle.rating < bo.do("GET", asked)["rating"] < puzzle.rating + 100


def test_the_next_one_is_at_ones_own_level_and_was_not_met(here: Here) -> None:
    easy = sorted(shipped_book().entries, key=lambda entry: entry.rating)[:60]
    with Browser(here) as ada:
        ada.be("Ada")
        for entry in easy[:8]:
            puzzle = shipped_book().puzzle(entry.id)
            attempt(ada, puzzle, wrong(puzzle))
        found = [ada.do("GET", "/puzzles/next")["id"] for _ in range(12)]
        assert set(found) <= {entry.id for entry in easy[8:]}


def test_a_browsers_own_rating_is_taken_over_once_within_bounds(here: Here, db: Path) -> None:
    puzzle, met = list(puzzles())[:2]
    with Browser(here) as ada, Browser(here) as bo:
        ada.be("Ada")
        brought = {"rating": 3900, "met": [met.id, "zzzzzz"]}
        taken = ada.do("PUT", "/me/puzzles", brought)
        assert (taken["rating"]["value"], taken["rating"]["provisional"]) == (1700, True)
        assert taken["met"] == [met.id]
        assert ada.do("PUT", "/me/puzzles", {"rating": 900})["rating"]["value"] == 1700
        assert attempt(ada, met, right(met))["rating"] is None
        assert attempt(ada, puzzle, wrong(puzzle))["rating"]["before"] == 1700
        bo.be("Bo")
        value = attempt(bo, puzzle, right(puzzle))["rating"]["rating"]["value"]
        assert bo.do("PUT", "/me/puzzles", {"rating": 1700})["rating"]["value"] == value
        assert ada.ask("PUT", "/me/puzzles", {"met": ["x"]}).status_code == 422
    assert recomputed(db)["changed"] == 0


def test_a_rating_that_is_hardly_known_is_shown_and_on_no_board(here: Here) -> None:
    puzzle = next(puzzles())
    with Browser(here) as ada, Browser(here) as bo:
        ada.keep("Ada")
        ada.do("PUT", "/me/puzzles", {"rating": 1700})
        attempt(ada, puzzle, right(puzzle))
        profile = bo.do("GET", f"/people/{ada.me['id']}")
        assert profile["ratings"]["puzzles"]["games"] == 1
        points = bo.do("GET", f"/people/{ada.me['id']}/ratings/puzzles")["points"]
        assert len(points) == 1
        assert bo.do("GET", "/leaderboards/puzzles")["people"] == []
        ada.do("PATCH", "/me", {"hidden": True})
        ada.do("PATCH", "/me", {"hidden": False})
        assert bo.do("GET", "/leaderboards/puzzles")["people"] == []


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_at_the_same_moment_a_puzzle_still_counts_once(
    database: str, db: Path, request: pytest.FixtureRequest
) -> None:
    address: Any = db
    if database == "postgres":
        found: Cluster = request.getfixturevalue("cluster")
        address = found.database("puzzles")
    first, second = list(puzzles())[:2]
    with serving(address) as server, Browser(server) as ada, ThreadPoolExecutor(8) as pool:
        ada.be("Ada")
        tries = [(first, right(first)), (second, wrong(second))] * 4
        told = list(pool.map(lambda each: attempt(ada, *each)["rating"], tries))
        assert len({str(one) for one in told}) == 2
        assert standing(ada)["rating"]["games"] == 2
    assert recomputed(str(address))["changed"] == 0


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_a_guests_puzzles_and_lessons_come_along(
    database: str, db: Path, request: pytest.FixtureRequest
) -> None:
    address: Any = db
    if database == "postgres":
        found: Cluster = request.getfixturevalue("cluster")
        address = found.database("brought")
    one, two, three = list(puzzles())[:3]
    with serving(address) as server, Browser(server) as home, Browser(server) as phone:
        home.keep("Ada")
        attempt(home, one, right(one))
        home.do("PUT", "/me/lessons", {"steps": {"tokens": 1, "bonuses": 2}})
        phone.be("Visitor")
        phone.do("PUT", "/me/puzzles", {"rating": 1600})
        attempt(phone, one, wrong(one))
        attempt(phone, two, right(two))
        attempt(phone, three, right(three), rated=False)
        phone.do("PUT", "/me/lessons", {"steps": {"tokens": 2, "bonuses": 1}, "game": True})
        home.do("PUT", "/me/practice", PRACTISED | {"storm": 3})
        phone.do("PUT", "/me/practice", {"days": ["2026-11-17"], "storm": 9})
        asked = {"name": "Ada", "password": PASSWORD, "bring": True}
        phone.do("POST", "/signin/password", asked)
        mine = standing(phone)
        assert (mine["solved"], mine["failed"], mine["rating"]["games"]) == (2, 0, 2)
        assert set(mine["met"]) == {one.id, two.id, three.id}
        both = {"steps": {"tokens": 2, "bonuses": 2}, "game": True}
        assert phone.do("GET", "/me/lessons") == both
        brought = {"days": ["2026-11-16", "2026-11-17"], "storm": 9}
        assert phone.do("GET", "/me/practice") == PRACTISED | brought
    assert recomputed(str(address))["changed"] == 0


def test_only_a_few_guests_a_month_bring_a_rating(here: Here, db: Path) -> None:
    some = list(puzzles())[:5]
    with Browser(here) as home:
        home.keep("Ada")
        for number, puzzle in enumerate(some):
            with Browser(here) as phone:
                phone.be(f"Visitor {number}")
                attempt(phone, puzzle, right(puzzle))
                asked = {"name": "Ada", "password": PASSWORD, "bring": True}
                phone.do("POST", "/signin/password", asked)
        mine = standing(home)
        assert mine["rating"]["games"] == 3
        assert set(mine["met"]) == {puzzle.id for puzzle in some}
    assert recomputed(db)["changed"] == 0


def test_everything_is_downloaded_and_nothing_is_left_when_it_is_deleted(
    here: Here, db: Path
) -> None:
    puzzle = next(puzzles())
    with Browser(here) as ada:
        ada.be("Ada")
        ada.do("PUT", "/me/puzzles", {"rating": 1500})
        attempt(ada, puzzle, right(puzzle))
        ada.do("PUT", "/me/lessons", {"steps": {"tokens": 1}})
        ada.do("PUT", "/me/practice", PRACTISED)
        everything = ada.do("GET", "/me/export")
        assert [one["puzzle_id"] for one in everything["puzzles"]] == [puzzle.id]
        assert everything["lessons"] == {"tokens": 1}
        assert everything["practice"] == PRACTISED
        ada.do("DELETE", "/me", {})
    with sqlite3.connect(db) as connection:
        practised = ("solved_days", "best_storms", "mistake_boxes")
        rated = ("puzzle_tries", "puzzle_starts", "lesson_marks", "ratings", "rating_points")
        for table in (*practised, *rated):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    assert recomputed(db)["changed"] == 0


def test_lessons_are_remembered_the_farther_counts_and_nothing_is_invented(here: Here) -> None:
    with Browser(here) as ada:
        ada.be("Ada")
        assert ada.do("GET", "/me/lessons") == {"steps": {}, "game": False}
        told = ada.do("PUT", "/me/lessons", {"steps": {"tokens": 99, "nosuch": 2, "bonuses": -1}})
        assert told["game"] is False
        assert set(told["steps"]) == {"tokens"}
        assert told["steps"]["tokens"] < 10
        assert ada.do("PUT", "/me/lessons", {"steps": {"tokens": 1}, "game": True}) == {
            "steps": told["steps"],
            "game": True,
        }


def test_days_storms_and_mistakes_of_two_devices_are_put_together(here: Here) -> None:
    """All days, the better storm, the later answer; whichever device tells it first."""
    with Browser(here) as ada:
        ada.be("Ada")
        assert ada.do("GET", "/me/practice") == {"days": [], "storm": 0, "mistakes": {}}
        assert ada.do("PUT", "/me/practice", PRACTISED) == PRACTISED
        later = {"box": 0, "due": "2026-11-18", "at_ms": 2_000}
        other = {"box": 1, "due": "2026-11-18", "at_ms": 500}
        told = {
            "days": ["2026-11-15", "2026-11-16"],
            "storm": 5,
            "mistakes": {"abcd2345:14": later, "abcd2345:20": other},
        }
        both = {"days": ["2026-11-15", "2026-11-16"], "storm": 7, "mistakes": told["mistakes"]}
        assert ada.do("PUT", "/me/practice", told) == both
        assert ada.do("PUT", "/me/practice", PRACTISED) == both
        assert ada.do("PUT", "/me/practice", {}) == ada.do("GET", "/me/practice") == both


def test_what_cannot_have_been_practised_is_not_kept(here: Here) -> None:
    far = {"box": 1, "due": "2026-11-20", "at_ms": 2**50}
    with Browser(here) as ada, Browser(here) as nobody:
        assert nobody.code("GET", "/me/practice") == "no-person"
        assert nobody.code("PUT", "/me/practice", {}) == "no-person"
        ada.be("Ada")
        told = ada.do("PUT", "/me/practice", {"days": ["2099-01-01"], "mistakes": {"abcd:1": far}})
        assert told["days"] == [], "a day that has not begun"
        assert told["mistakes"]["abcd:1"]["at_ms"] < 2**50, "no answer from later on wins for ever"
        for bad in (
            {"days": ["2026-13-01"]},
            {"days": ["yesterday"]},
            {"days": ["2026-11-16"] * 401},
            {"storm": 501},
            {"mistakes": {"abcd:1": far | {"box": 7}}},
            {"mistakes": {"abcd:1": far | {"due": "2026-02-30"}}},
            {"mistakes": {"../etc:1": far}},
        ):
            assert ada.ask("PUT", "/me/practice", bad).status_code in (400, 422), bad


def test_of_very_much_practice_the_newest_is_kept(here: Here) -> None:
    def boxes(first: int) -> dict[str, Any]:
        return {
            f"abcd:{n}": {"box": 1, "due": "2026-11-20", "at_ms": n}
            for n in range(first, first + 225)
        }

    def days(year: int) -> list[str]:
        return [f"{year}-{1 + n // 28:02}-{1 + n % 28:02}" for n in range(300)]

    with Browser(here) as ada:
        ada.be("Ada")
        ada.do("PUT", "/me/practice", {"days": days(2024)})
        for first in (1, 226, 451, 676):
            told = ada.do("PUT", "/me/practice", {"mistakes": boxes(first)})
        assert len(told["mistakes"]) == 600
        assert told["mistakes"].keys() > {*boxes(676), *boxes(451)}
        told = ada.do("PUT", "/me/practice", {"days": days(2025)})
        assert len(told["days"]) == 400
        assert set(days(2025)) < set(told["days"])


def test_however_many_mistakes_come_back_they_are_written_in_a_few_statements(
    tmp_path: Path,
) -> None:
    """While they are written no move can be: two hundred statements would hold everybody up."""
    with serving(tmp_path / "t.db") as here, Browser(here) as ada:
        said: list[str] = []
        ada.be("Ada")
        ada.do("PUT", "/me/practice", PRACTISED)
        apart = here.app.state.puzzles._aside._apart  # type: ignore[attr-defined]
        event.listen(apart, "before_cursor_execute", lambda *told: said.append(told[2]))
        for first in (1, 226, 451):
            box = {"box": 1, "due": "2026-11-20", "at_ms": 2000 + first}
            some = {f"abcd:{n}": box for n in range(first, first + 225)}
            ada.do("PUT", "/me/practice", {"mistakes": some})
        assert len([each for each in said if "mistake_boxes" in each]) <= 3 * 3
        assert len(ada.do("GET", "/me/practice")["mistakes"]) == 600


def test_a_retired_puzzle_is_there_for_its_links_and_counts_for_nobody(here: Here) -> None:
    book = shipped_book()
    puzzle = book.puzzle(book.retired[0].id)
    with Browser(here) as ada:
        ada.be("Ada")
        assert ada.do("GET", f"/puzzles/{puzzle.id}")["retired"] is True
        assert ada.do("GET", f"/puzzles/{book.entries[0].id}")["retired"] is False
        assert ada.do("GET", f"/puzzles/{puzzle.id}/hint")["rating"] is None
        answer = attempt(ada, puzzle, right(puzzle))
        assert (answer["grade"], answer["rating"]) == ("right", None)
        assert standing(ada)["rating"]["games"] == 0
        assert ada.do("GET", "/puzzles")["puzzles"] == len(book)
