"""Puzzles as a person solves them: found, missed, hinted at, shown; day after day; in a storm."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cabochon.notation import format_move
from cabochon.puzzles.book import shipped_book
from cabochon.puzzles.puzzle import Puzzle
from cabochon.rules import Deal, Ruleset
from tests.browser.drills import DrillMouse, mistakes
from tests.browser.judges import judge
from tests.browser.people import Keyboard
from tests.browser.puzzling import DrillFinger, answer, first_of, posed, wrong
from tests.browser.scenes import Stage
from tests.browser.scripts import script
from tests.browser.tables import Deals, Seat, over
from tests.browser.windows import PHONE, Windows, hold, wait_until


def progress(page: Page) -> dict[str, object]:
    told: dict[str, object] = page.evaluate(
        "JSON.parse(localStorage.getItem('cabochon.puzzles') ?? '{}')"
    )
    return told


def shown_puzzle(page: Page) -> Puzzle:
    """The puzzle that the page shows, by what it asked the server."""
    with page.expect_response(re.compile("/api/puzzles/(daily|next)")) as heard:
        page.reload()
    return shipped_book().puzzle(heard.value.json()["id"])


def test_a_win_by_force_is_solved_on_the_board(stage: Stage) -> None:
    puzzle = first_of("win2")
    page = posed(stage, puzzle)
    expect(page.locator(".ask h1")).to_have_text("Win by force in two turns")
    hands = DrillMouse(page)
    hands.do([answer(puzzle)])
    expect(page.locator(".ask .note.good")).to_have_text("Right. And now?")
    hands.do([answer(puzzle, 1)])
    expect(page.locator(".ask .verdict.good")).to_contain_text("Solved on the first try")
    expect(page.locator(".ask .why")).to_contain_text("every card that can come")
    assert progress(page)["seen"] == [puzzle.id]


def test_a_wrong_move_is_answered_and_can_be_tried_again(stage: Stage) -> None:
    puzzle = first_of("only")
    page = posed(stage, puzzle)
    DrillMouse(page).do([wrong(puzzle)])
    expect(page.locator(".ask .verdict.bad")).to_contain_text("Not this one")
    expect(page.locator(".ask .line li").first).to_be_visible()
    before, after = page.locator(".ask .delta").inner_text().split(" → ")
    assert int(after) < int(before)
    page.get_by_role("button", name="Try again").click()
    DrillMouse(page).do([answer(puzzle)])
    expect(page.locator(".ask .verdict.good")).to_contain_text("Solved")
    assert progress(page)["rating"] == int(after), "only the first try counts"


def test_hints_tell_more_and_more_and_the_answer_is_shown(stage: Stage) -> None:
    puzzle = first_of("only")
    page = posed(stage, puzzle)
    page.get_by_role("button", name="Hint").click()
    note = page.locator(".ask .note.warn")
    expect(note).to_be_visible()
    expect(note).not_to_contain_text("stay bright")
    page.get_by_role("button", name="Hint").click()
    expect(note).to_contain_text("stay bright")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".ask .verdict")).to_contain_text("The answer")
    assert progress(page)["seen"] == [puzzle.id]
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator(".ask .kick")).to_contain_text("At your level")


def test_the_answer_is_not_in_what_the_page_is_told(stage: Stage) -> None:
    puzzle = first_of("only")
    bodies: list[str] = []
    page = stage.open("/favicon.svg")
    page.on(
        "response",
        lambda heard: bodies.append(heard.text()) if "/api/puzzles/" in heard.url else None,
    )
    page.goto(f"{stage.windows.base}/puzzles/{puzzle.id}")
    page.wait_for_selector(".ask .helps")
    assert len(bodies) == 1
    assert "solution" not in bodies[0]
    assert "found" not in bodies[0]


def test_the_puzzle_of_the_day_is_the_same_in_two_browsers(windows: Windows) -> None:
    titles = []
    for settings in ({}, {"lang": "en", "theme": "dark"}):
        page = windows.open("/puzzles", settings=settings)
        page.wait_for_selector(".ask .helps")
        expect(page.locator(".ask .kick")).to_contain_text("Puzzle of the day")
        titles.append(page.locator(".market button[data-card]").evaluate_all(
            "cards => cards.map((card) => card.dataset.card)"
        ))  # fmt: skip
    assert titles[0] == titles[1]


def test_a_streak_goes_on_over_midnight(windows: Windows) -> None:
    """By the calendar of the person: the page's own clock, in its own zone."""
    noon = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    evening = noon.replace(hour=23, minute=58)
    page = windows.open("/favicon.svg", timezone_id="UTC")
    page.clock.set_fixed_time(evening)
    page.goto(f"{windows.base}/puzzles")
    solve_daily(page)
    expect(page.locator(".streak .count")).to_contain_text("One day")
    page.clock.set_fixed_time(evening + timedelta(minutes=4))
    page.goto(f"{windows.base}/puzzles")
    expect(page.locator(".streak .count")).to_contain_text("One day")
    solve_daily(page)
    expect(page.locator(".streak .count")).to_contain_text("2 days in a row")
    days = [str(evening.date()), str(evening.date() + timedelta(days=1))]
    assert progress(page)["days"] == days


def turns_of(puzzle: Puzzle) -> list[list[str]]:
    """The solver's decisions turn by turn: a take may have to give back in the same turn."""
    turns: dict[int, list[str]] = {}
    for step in puzzle.steps:
        moves = turns.setdefault(step.position.turn, [])
        moves.append(format_move(step.main))
        position = step.position.apply(step.main)
        for event in step.events:
            if position.turn != step.position.turn or len(puzzle.steps) > 1:
                break
            if not isinstance(event, Deal):
                moves.append(format_move(event))
            position = position.apply(event)
    return list(turns.values())


def solve_daily(page: Page) -> None:
    page.wait_for_selector(".ask .helps")
    puzzle = shown_puzzle(page)
    page.wait_for_selector(".ask .helps")
    for moves in turns_of(puzzle):
        page.wait_for_selector(".ask .helps .quiet")
        DrillMouse(page).do(moves)
        page.wait_for_timeout(50)
    expect(page.locator(".ask .verdict.good")).to_be_visible()


def test_a_puzzle_is_solved_with_keys_only(stage: Stage) -> None:
    puzzle = first_of("only")
    page = posed(stage, puzzle)
    hands = Keyboard(page)
    hands.press("h")
    expect(page.locator(".ask .note.warn")).to_be_visible()
    hands.do([answer(puzzle)])
    expect(page.locator(".ask .verdict.good")).to_be_visible()


def test_a_storm_counts_what_is_right_and_ends(stage: Stage) -> None:
    page = stage.open("/puzzles/storm")
    with page.expect_response(re.compile("/api/puzzles/next")) as heard:
        page.get_by_role("button", name="Start").click()
    puzzle = shipped_book().puzzle(heard.value.json()["id"])
    page.wait_for_selector(".ask .time")
    DrillMouse(page).do(turns_of(puzzle)[0])
    expect(page.locator(".ask .score")).to_have_text("1 solved")
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".ask .note")).to_contain_text("ten seconds")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".ask h1")).to_have_text("One solved")
    assert progress(page)["storm"] == 1


@pytest.mark.parametrize("hands", ["keys", "finger"])
def test_a_storm_is_played_with_keys_only_or_with_a_finger(windows: Windows, hands: str) -> None:
    with_finger = hands == "finger"
    options: dict[str, Any] = {"size": PHONE, "has_touch": True, "is_mobile": True}
    page = windows.open("/puzzles/storm", **(options if with_finger else {}))
    keys = Keyboard(page)
    start = page.get_by_role("button", name="Start")
    start.wait_for()
    with page.expect_response(re.compile("/api/puzzles/next")) as heard:
        if with_finger:
            start.tap()
        else:
            keys.tab_to(".ask .primary")
            keys.press("Enter")
    puzzle = shipped_book().puzzle(heard.value.json()["id"])
    page.wait_for_selector(".ask .time")
    mover = DrillFinger(page) if with_finger else keys
    mover.do(turns_of(puzzle)[0])
    expect(page.locator(".ask .score")).to_have_text("1 solved")
    skip = page.get_by_role("button", name="Skip")
    if with_finger:
        skip.tap()
    else:
        skip.focus()
        keys.press("Enter")
    expect(page.locator(".ask .note")).to_contain_text("ten seconds")


def test_on_a_phone_the_question_comes_first_and_nothing_sticks_out(stage: Stage) -> None:
    puzzle = first_of("win2")
    page = posed(stage, puzzle, size=PHONE)
    question = page.locator(".ask").bounding_box()
    table = page.locator(".tray").bounding_box()
    assert question is not None
    assert table is not None
    assert question["y"] < table["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    DrillMouse(page).do([answer(puzzle)])
    expect(page.locator(".ask .note.good")).to_be_visible()


BE = """([name, password]) => {
  const post = (path, body) => fetch(`/api${path}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  });
  return post('/me', { name }).then(() => post('/me/password', { password }))
    .then((answer) => answer.text());
}"""
SIGN_IN = """([name, password]) => fetch('/api/signin/password', {
  method: 'POST', headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ name, password }),
}).then((answer) => answer.status)"""
MINE = "fetch('/api/me/puzzles').then((answer) => answer.json())"


def test_a_rating_and_lessons_are_the_same_on_a_second_device(windows: Windows) -> None:
    """What this browser had before comes along within bounds, and counts nowhere twice."""
    who = [f"Spinel {token_hex(4)}", "a long enough secret"]
    puzzle, met = first_of("win2"), first_of("only")
    page = windows.open("/favicon.svg")
    kept = {"rating": 2900, "rated": 9, "seen": [met.id]}
    page.evaluate("kept => localStorage.setItem('cabochon.puzzles', JSON.stringify(kept))", kept)
    steps = {"steps": {"tokens": 2}, "game": True}
    page.evaluate("kept => localStorage.setItem('cabochon.lessons', JSON.stringify(kept))", steps)
    assert "codes" in page.evaluate(BE, who)
    page.goto(f"{windows.base}/puzzles/{puzzle.id}")
    chip = page.locator(".more button.chip")
    expect(chip).to_have_text("At your level, 1700?")
    DrillMouse(page).do([wrong(puzzle)])
    expect(page.locator(".ask .verdict.bad")).to_be_visible()
    before, after = page.locator(".ask .delta").inner_text().split(" → ")
    assert int(after) < int(before) == 1700
    page.goto(f"{windows.base}/lessons")
    page.wait_for_selector(".ways li")
    other = windows.open("/favicon.svg")
    assert other.evaluate(SIGN_IN, who) == 200
    other.goto(f"{windows.base}/puzzles/{puzzle.id}")
    expect(other.locator(".more button.chip")).to_have_text(f"At your level, {after}?")
    other.goto(f"{windows.base}/lessons")
    expect(other.locator(".ways li").first).to_contain_text("2 of 3")
    other.goto(f"{windows.base}/profile")
    expect(other.get_by_role("button", name=re.compile("Puzzles"))).to_contain_text(after)
    assert other.evaluate(MINE)["failed"] == 1


PRACTICE = "fetch('/api/me/practice').then((answer) => answer.json())"
BOXES = "JSON.parse(localStorage.getItem('cabochon.mistakes.boxes') ?? '{}')"


def keep_here(page: Page, key: str, value: object) -> None:
    page.evaluate("([key, kept]) => localStorage.setItem(key, JSON.stringify(kept))", [key, value])


def shared(page: Page, path: str) -> None:
    """Open a page, and wait until it has talked to the server about what is practised."""
    with page.expect_response(re.compile("/api/me/practice")):
        page.goto(path)
    wait_until(page, "localStorage.getItem('cabochon.practice') !== null")


def test_streak_storm_and_mistakes_are_the_same_on_a_second_device(windows: Windows) -> None:
    """What was done without the server comes along; of a mistake the later answer counts."""
    who = [f"Garnet {token_hex(4)}", "a long enough secret"]
    today = datetime.now(UTC).date()
    days = [str(today - timedelta(days=ago)) for ago in (3, 2, 1)]
    early = {"box": 3, "due": str(today + timedelta(days=9)), "at_ms": 1000}
    later = {"box": 1, "due": str(today), "at_ms": 2000}
    home = windows.open("/favicon.svg", timezone_id="UTC")
    keep_here(home, "cabochon.puzzles", {"days": days[:2], "storm": 4})
    keep_here(home, "cabochon.mistakes.boxes", {"abcd2345:7": early, "abcd2345:9": early})
    assert "codes" in home.evaluate(BE, who)
    shared(home, f"{windows.base}/puzzles")
    phone = windows.open("/favicon.svg", timezone_id="UTC")
    keep_here(phone, "cabochon.puzzles", {"days": days[2:], "storm": 6})
    keep_here(phone, "cabochon.mistakes.boxes", {"abcd2345:7": later})
    assert phone.evaluate(SIGN_IN, who) == 200
    shared(phone, f"{windows.base}/puzzles")
    expect(phone.locator(".streak .count")).to_contain_text("3 days in a row")
    expect(phone.locator(".more")).to_contain_text("From your games, 1 due")
    solve_daily(phone)
    expect(phone.locator(".streak .count")).to_contain_text("4 days in a row")
    shared(home, f"{windows.base}/")
    expect(home.locator("section.tile", has_text="Puzzle of the day")).to_contain_text("4 days")
    wait_until(home, "JSON.parse(localStorage.getItem('cabochon.puzzles')).storm === 6")
    kept = progress(home)
    assert (kept["days"], kept["storm"]) == ([*days, str(today)], 6)
    assert home.evaluate(BOXES) == {"abcd2345:9": early, "abcd2345:7": later}
    assert home.evaluate(PRACTICE)["mistakes"] == home.evaluate(BOXES)


def test_somebody_else_at_the_same_browser_begins_with_their_own_streak(windows: Windows) -> None:
    today = datetime.now(UTC).date()
    page = windows.open("/favicon.svg", timezone_id="UTC")
    keep_here(page, "cabochon.puzzles", {"days": [str(today)], "storm": 8})
    assert "codes" in page.evaluate(BE, [f"Opal {token_hex(4)}", "a long enough secret"])
    shared(page, f"{windows.base}/puzzles")
    assert page.evaluate(PRACTICE)["storm"] == 8
    assert page.evaluate("fetch('/api/signout', {method: 'POST'}).then((a) => a.status)") == 204
    assert "codes" in page.evaluate(BE, [f"Jade {token_hex(4)}", "a long enough secret"])
    shared(page, f"{windows.base}/puzzles")
    wait_until(page, "JSON.parse(localStorage.getItem('cabochon.puzzles')).storm === 0")
    assert progress(page)["days"] == []
    assert page.evaluate(PRACTICE) == {"days": [], "storm": 0, "mistakes": {}}


MAKE = """asked => fetch('/api/tables', {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(asked),
}).then((answer) => answer.json())"""


def finished_game(page: Page, stage: Stage, deals: Deals) -> Seat:
    """The person at this browser has just played a game to its end."""
    told = script("finished two", Ruleset.preset("standard", 2), over)
    deals.wish(told.seed)
    chairs = [{"kind": "me", "name": "Beryl"}, {"kind": "open"}]
    made = page.evaluate(MAKE, {"chairs": chairs, "seat_order": "fixed"})
    table, code = made["table"]["id"], made["invites"][0]["code"]
    joined = stage.here.post(f"/tables/{table}/join", {"name": "Mira", "code": code})
    keys = made["keys"][0]["key"], joined["key"]
    version = stage.here.full(table)["version"]
    for seat, move in told.moves:
        sent = {"moves": [move], "version": version}
        version = stage.here.post(f"/tables/{table}/move", sent, keys[seat])["version"]
    return Seat(table, keys[0])


def test_a_mistake_comes_back_days_later_on_another_device(
    stage: Stage, deals: Deals, windows: Windows
) -> None:
    """Which never sat at that table: it knows by the name who sat there."""
    who = [f"Beryl {token_hex(4)}", "a long enough secret"]
    home = windows.open("/favicon.svg", timezone_id="UTC")
    assert "codes" in home.evaluate(BE, who)
    seat = finished_game(home, stage, deals)
    judge(home, stage.here, seat.table, seat.key)
    hold(home, seat.table, seat.key)
    home.goto(f"{windows.base}/mistakes")
    count = len(mistakes(stage.here, seat))
    expect(home.locator(".kick b")).to_have_text(f"1 of {count}")
    first = home.locator(".ask h1").inner_text()
    with home.expect_response(re.compile("/api/me/practice")):
        home.get_by_role("button", name="Show me").click()
    phone = windows.open("/favicon.svg", timezone_id="UTC", size=PHONE)
    assert phone.evaluate(SIGN_IN, who) == 200
    judge(phone, stage.here, seat.table, seat.key)
    shared(phone, f"{windows.base}/puzzles")
    expect(phone.locator(".more")).not_to_contain_text("due")
    phone.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=2))
    phone.goto(f"{windows.base}/mistakes")
    expect(phone.locator(".kick b")).to_have_text(f"1 of {count}")
    assert phone.locator(".ask h1").inner_text() == first
