"""After a game: mistakes gone through again, positions put together, a result that explains."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from cabochon.notation import parse_position
from cabochon.rules import Ruleset
from tests.browser.drills import (
    STATES,
    DrillMouse,
    asking,
    drill,
    editor,
    editor_faulty,
    mistakes,
    record_of,
    seat_number,
)
from tests.browser.judges import judge, reviewed
from tests.browser.people import Keyboard
from tests.browser.scenes import Stage
from tests.browser.windows import PHONE, Windows, hold

# ---- mistakes


def test_the_best_move_is_right_by_mouse(stage: Stage) -> None:
    page = asking(stage)
    first = mistakes(stage.here, stage.tables.finished_two)[0]
    DrillMouse(page).do([first["best"]])
    expect(page.locator(".ask .verdict.good")).to_contain_text("That’s it")
    expect(page.locator(".line li").last).to_contain_text("played in the game")
    page.get_by_role("button", name="Next mistake").click()
    expect(page.locator(".kick b")).to_have_text(re.compile("^2 of"))


def test_a_mistake_is_gone_through_with_keys_only(stage: Stage) -> None:
    """The game's own move is turned down, a hint is asked for, the best move found."""
    page = asking(stage)
    first = mistakes(stage.here, stage.tables.finished_two)[0]
    hands = Keyboard(page)
    hands.do([first["move"]])
    expect(page.locator(".ask .verdict.bad")).to_contain_text("what you played")
    hands.tab_to(".helps .primary")
    hands.press("Enter")
    expect(page.locator(".ask .note")).to_be_visible()
    hands.leave_buttons()
    hands.press("h")
    expect(page.locator(".ask .note.warn")).to_be_visible()
    hands.do([first["best"]])
    expect(page.locator(".ask .verdict.good")).to_be_visible()


def test_a_better_move_that_is_not_the_best_says_so(stage: Stage) -> None:
    """The review is told to have looked long enough at a move in between."""
    seat = stage.tables.finished_two
    told = reviewed(record_of(stage.here, seat))
    number = seat_number(stage.here, seat)
    page = stage.open("/favicon.svg")
    hold(page, seat.table, seat.key)
    first = next(
        decision
        for turn in told["turns"]
        if turn["seat"] == number
        for decision in turn["decisions"]
        if decision["mark"] in ("?", "??") and len(decision["analysis"]["moves"]) > 2
    )
    between = next(
        line["move"]
        for line in first["analysis"]["moves"]
        if line["move"] not in (first["best"], first["move"]) and " " in line["move"]
    )
    better = {**first, "loss": 0.3, "analysis": {**first["analysis"], "best": first["best"]}}
    better["analysis"]["moves"] = [
        {"move": first["best"], "value": 0.6, "visits": 3000, "prior": 0.5},
        {"move": between, "value": 0.45, "visits": 900, "prior": 0.3},
    ]
    turns = [
        {**turn, "decisions": [better if d is first else d for d in turn["decisions"]]}
        for turn in told["turns"]
    ]
    of = len(turns)
    state = {"id": "x", "state": "done", "ahead": 0, "done": of, "of": of}
    page.route(
        "**/api/reviews",
        lambda route: route.fulfill(json={**state, "review": {**told, "turns": turns}}),
    )
    page.goto(f"{stage.windows.base}/analysis/{seat.table}/mistakes")
    at = mistakes(stage.here, seat).index(first)
    for _ in range(at):
        page.get_by_role("button", name="Skip").click()
    DrillMouse(page).do([between])
    expect(page.locator(".ask .verdict.warn")).to_contain_text("Better than the game")
    expect(page.locator(".why")).to_contain_text("45%")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".ask .note")).to_be_visible()


def test_the_engine_is_asked_about_a_move_that_the_review_left_out(stage: Stage) -> None:
    page = asking(stage)
    first = mistakes(stage.here, stage.tables.finished_two)[0]
    known = {line["move"] for line in first["analysis"]["moves"]} | {first["move"], first["best"]}
    deck = next(
        f"reserve deck{level}" for level in (1, 2, 3) if f"reserve deck{level}" not in known
    )
    with page.expect_request("**/api/engine"):
        DrillMouse(page).do([deck])
    expect(page.locator(".ask .verdict")).to_be_visible()


def test_hints_say_what_kind_of_move_and_then_where(stage: Stage) -> None:
    page = asking(stage)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".note.warn")).to_be_visible()
    expect(page.locator(".tray .faded, .tray .dim")).to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".tray .faded, .tray .dim")).not_to_have_count(0)
    expect(page.get_by_role("button", name="Hint")).to_be_disabled()


def test_skipping_comes_to_the_end_and_starts_over(stage: Stage) -> None:
    page = STATES["done"](stage)
    expect(page.locator(".alone h1")).to_have_text("All done")
    page.get_by_role("button", name="Once more from the top").click()
    expect(page.locator(".kick b")).to_have_text(re.compile("^1 of"))


def test_a_game_without_mistakes_has_nothing_to_improve(stage: Stage) -> None:
    page = STATES["nothing"](stage)
    expect(page.locator("h1")).to_have_text("Nothing to improve here")


def test_a_game_that_goes_on_keeps_its_mistakes_for_later(stage: Stage) -> None:
    seat = stage.tables.two
    page = stage.open("/favicon.svg")
    hold(page, seat.table, seat.key)
    page.goto(f"{stage.windows.base}/analysis/{seat.table}/mistakes")
    expect(page.locator(".alone")).to_contain_text("still being played")
    expect(page.get_by_role("link", name="Back to the table")).to_be_visible()


def test_all_games_of_this_browser_are_gone_through(stage: Stage) -> None:
    """Those of two games; what was found at once is not asked again."""
    seat = stage.tables.finished_two
    page = stage.open("/favicon.svg")
    judge(page, stage.here, seat.table, seat.key)
    hold(page, seat.table, seat.key)
    hold(page, stage.tables.two.table, stage.tables.two.key)
    page.goto(f"{stage.windows.base}/mistakes")
    found = mistakes(stage.here, seat)
    expect(page.locator(".kick b")).to_have_text(f"1 of {len(found)}")
    DrillMouse(page).do([found[0]["best"]])
    expect(page.locator(".ask .verdict.good")).to_be_visible()
    page.reload()
    expect(page.locator(".kick b")).to_have_text(f"1 of {len(found) - 1}")


def test_a_browser_without_games_is_invited_to_play(windows: Windows) -> None:
    page = windows.open("/mistakes")
    expect(page.get_by_role("link", name="Play a game")).to_be_visible()


# ---- the editor


def _position(page: Page) -> str:
    page.get_by_role("button", name="Copy position text").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def test_a_card_is_found_by_words_and_put_on_the_table(stage: Stage) -> None:
    page = editor(stage)
    before = parse_position(_position(page))
    page.locator(".market [data-cell='1-1'] button").click()
    page.get_by_role("searchbox").fill("2 points, red, costs K5")
    page.locator(".pk:not(:disabled)").first.click()
    expect(page.get_by_role("button", name="Copy position text")).to_be_enabled()
    after = parse_position(_position(page))
    card = after.rows[1][0]
    assert card is not None
    assert card != before.rows[1][0]
    assert (card.points, card.bonus.letter, card.cost.black) == (2, "r", 5)


def test_faults_are_listed_live_and_repaired_by_a_click(stage: Stage) -> None:
    page = editor_faulty(stage)
    expect(page.get_by_role("heading", name="Two things to fix")).to_be_visible()
    expect(page.get_by_role("button", name="Analyse this position")).to_be_disabled()
    for _ in range(2):
        count = page.locator(".faults li").count()
        page.locator(".faults .more").first.click()
        expect(page.locator(".faults li")).to_have_count(count - 1)
    link = page.get_by_role("link", name="Analyse this position")
    assert "/analysis?position=standard" in (link.get_attribute("href") or "")


def test_a_position_is_edited_with_keys_only(stage: Stage) -> None:
    page = editor(stage)
    hands = Keyboard(page)
    hands.walk_to(
        page.locator(".market [data-cell='2-3'] [data-card]").get_attribute("data-card") or ""
    )
    hands.press("Enter", "Delete")
    expect(page.locator(".market .hole.here")).to_be_visible()
    hands.tab_to(".pk:not(:disabled)", most=80)
    hands.press("Enter")
    expect(page.get_by_role("heading", name="This position can be played")).to_be_visible()
    hands.press("Control+z")
    expect(page.locator(".market .hole")).to_have_count(1)


def test_four_players_sit_down_with_the_right_tokens(stage: Stage) -> None:
    page = editor(stage)
    page.get_by_role("radio", name="4", exact=True).check(force=True)
    expect(page.locator(".tabs button")).to_have_count(4)
    expect(page.get_by_role("heading", name="This position can be played")).to_be_visible()
    assert parse_position(_position(page)).ruleset == Ruleset.preset("standard", 4)


def test_reload_and_link_keep_the_position(stage: Stage, windows: Windows) -> None:
    page = editor(stage)
    page.get_by_role("button", name=re.compile("^One more: red tokens")).click()
    page.get_by_role("button", name=re.compile("^One less: red in the bank")).click()
    page.get_by_role("button", name="Seat 2").click()
    page.get_by_role("button", name="Give Seat 2 the move").click()
    expect(page.get_by_role("button", name="Copy position text")).to_be_enabled()
    text = _position(page)
    page.reload()
    expect(page.get_by_role("button", name="Copy position text")).to_be_enabled()
    assert _position(page) == text
    other = windows.open(page.url.removeprefix(windows.base))
    expect(other.get_by_role("button", name="Copy position text")).to_be_enabled()
    assert _position(other) == text


def test_a_game_against_a_bot_begins_at_the_position(stage: Stage) -> None:
    page = editor(stage)
    page.get_by_role("button", name=re.compile("^One more: red tokens")).click()
    page.get_by_role("button", name=re.compile("^One less: red in the bank")).click()
    expect(page.get_by_role("button", name="Play from here")).to_be_enabled()
    page.get_by_role("button", name="Play from here").click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".board")
    expect(page.locator("[data-at=bank-r] .count")).to_have_text("3")


# ---- the result


def test_the_result_is_there_before_its_review(stage: Stage) -> None:
    """The review is held back for good: the verdict, the ranking and the points are shown."""
    seat = stage.tables.finished_two
    page = stage.open("/favicon.svg")
    page.route("**/api/reviews", lambda _: None)
    hold(page, seat.table, seat.key)
    page.goto(f"{stage.windows.base}/t/{seat.table}")
    expect(page.locator(".verdict h1")).to_be_visible()
    expect(page.locator(".chart .line").first).to_be_visible()
    expect(page.locator(".story, .better")).to_have_count(0)


def test_the_review_fills_in_accuracy_graph_turning_point_and_mistakes(stage: Stage) -> None:
    seat = stage.tables.finished_two
    page = STATES["result-reviewed"](stage)
    expect(page.locator(".acc b")).to_have_count(2)
    expect(page.locator(".story .swing")).to_contain_text("Round")
    count = len(mistakes(stage.here, seat))
    link = page.get_by_role("link", name=f"Review your {count} mistakes")
    link.click()
    page.wait_for_url(f"**/analysis/{seat.table}/mistakes")
    expect(page.locator(".kick b")).to_have_text(f"1 of {count}")


def test_a_review_on_its_way_shows_how_far_it_is(stage: Stage) -> None:
    seat = stage.tables.finished_two
    page = stage.open("/favicon.svg")
    judge(page, stage.here, seat.table, seat.key, "half")
    hold(page, seat.table, seat.key)
    page.goto(f"{stage.windows.base}/t/{seat.table}")
    expect(page.locator(".story [role=status]")).to_contain_text("turns")
    expect(page.locator(".better progress")).to_be_visible()


def test_a_review_that_has_just_begun_leaves_the_points_there(stage: Stage) -> None:
    """One turn makes neither a graph nor an accuracy."""
    seat = stage.tables.finished_two
    page = stage.open("/favicon.svg")
    judge(page, stage.here, seat.table, seat.key, "begun")
    hold(page, seat.table, seat.key)
    page.goto(f"{stage.windows.base}/t/{seat.table}")
    expect(page.locator(".chart [role=status]")).to_contain_text("1 of ")
    expect(page.locator(".chart .line").first).to_be_visible()
    expect(page.locator(".story, .acc b")).to_have_count(0)


def test_every_player_has_a_column_of_figures(stage: Stage) -> None:
    page = STATES["result-four"](stage)
    expect(page.locator(".facts thead th")).to_have_count(4)
    expect(page.locator(".facts tbody tr").first.locator("td")).to_have_count(4)


def test_who_loses_gets_no_laurels_and_a_step_down(stage: Stage, windows: Windows) -> None:
    made = stage.here.post(
        "/tables",
        {"seats": 2, "chairs": [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "calcite"}]},
    )
    key = made["keys"][0]["key"]
    page = windows.sit(made["table"]["id"], key)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Resign").click()
    confirm = page.locator("dialog").get_by_role("button", name=re.compile("Resign|Yes"))
    confirm.last.click()
    page.wait_for_selector(".verdict.lost")
    expect(page.locator(".laurel")).to_have_count(0)
    expect(page.locator(".verdict p")).to_contain_text("You resigned")
    # By this game alone one step; the ladder may propose the level below.
    expect(page.get_by_role("heading", name=re.compile("Try (Gypsum|Talc)"))).to_be_visible()


def test_a_drill_is_played_on_a_phone(stage: Stage) -> None:
    page = drill(stage.set(PHONE), stage.tables.finished_two)
    first = mistakes(stage.here, stage.tables.finished_two)[0]
    DrillMouse(page).do([first["best"]])
    expect(page.locator(".ask .verdict.good")).to_be_visible()
