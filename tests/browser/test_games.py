"""Whole games, played in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.pagescenes import ALL
from tests.browser.people import Keyboard, Mouse, Person
from tests.browser.scenes import Stage
from tests.browser.tables import Seat
from tests.browser.windows import PHONE, Windows, change_settings
from tests.server.serving import Here


def table_with_bots(here: Here, variant: str, seats: int) -> tuple[str, str]:
    chairs = [{"kind": "me", "name": "Ada"}, *[{"kind": "bot", "bot": "greedy"}] * (seats - 1)]
    made = here.post(
        "/tables", {"variant": variant, "seats": seats, "listed": False, "chairs": chairs}
    )
    return made["table"]["id"], made["keys"][0]["key"]


def test_two_browsers_play_a_whole_game_and_a_third_watches(here: Here, windows: Windows) -> None:
    table, (first, second) = here.strangers(variant="quick")
    ada = Person(here, table, first, Mouse(windows.sit(table, first)))
    bo = Person(here, table, second, Mouse(windows.sit(table, second, size=PHONE)))
    watcher = windows.open(f"/t/{table}")
    expect(watcher.locator(".ticket")).to_contain_text("watching")
    expect(watcher.get_by_role("button", name="Confirm")).to_have_count(0)
    for _ in range(400):
        over = not ada.turn()
        over = not bo.turn() or over
        if over:
            break
    result = here.full(table)["result"]
    for page in (ada.hands.page, bo.hands.page, watcher):
        expect(page.locator(".verdict h1")).to_be_visible()
        expect(page.locator(".ranks li")).to_have_count(2)
    winner = [ada, bo][result["winners"][0]]
    expect(winner.hands.page.locator(".verdict h1")).to_contain_text("You")
    ada.hands.page.get_by_role("button", name="Rematch").click()
    bo.hands.page.get_by_role("button", name="Accept the rematch").click()
    for page in (ada.hands.page, bo.hands.page):
        expect(page.locator("main.board")).to_be_visible()
        assert table not in page.url


@pytest.mark.parametrize(
    ("variant", "seats"), [("standard", 2), ("quick", 3), ("teams", 4), ("quick-teams", 4)]
)
def test_a_game_against_bots(here: Here, windows: Windows, variant: str, seats: int) -> None:
    table, key = table_with_bots(here, variant, seats)
    page = windows.sit(table, key)
    Person(here, table, key, Mouse(page)).play_out()
    expect(page.locator(".verdict h1")).to_be_visible()
    expect(page.locator(".ranks li")).to_have_count(seats)
    expect(page.locator(".facts")).to_contain_text("The deal is verified")


def test_a_whole_game_with_the_keyboard_only(here: Here, windows: Windows) -> None:
    table, key = table_with_bots(here, "quick", 2)
    page = windows.sit(table, key)
    Person(here, table, key, Keyboard(page)).play_out()
    expect(page.locator(".verdict h1")).to_be_visible()


def test_one_device_is_passed_round(here: Here, windows: Windows) -> None:
    page = windows.open("/")
    page.get_by_role("button", name="Share this device").click()
    page.get_by_label("Name of player 2").fill("Lin")
    page.get_by_role("button", name="Make table and play").click()
    expect(page.locator(".status.you")).to_be_visible()
    for letter in "wug":
        page.locator(f"[data-at=bank-{letter}]").click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".board-page")).to_have_attribute("data-version", "2")
    assert page.get_by_role("heading", name="Hand the device to").count() == 0, "nothing to hide"
    page.locator("[data-at=deck-1]").click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Hand the device to")).to_be_visible()
    expect(page.locator(".news")).to_contain_text("reserved")
    assert page.locator(".board").count() == 0
    page.get_by_role("button", name="show the table").click()
    expect(page.locator(".status.you")).to_be_visible()


def test_on_one_device_it_says_by_name_whose_turn_it_is(stage: Stage) -> None:
    table, keys = stage.here.duel()
    page = stage.seated(table, *keys)
    expect(page.locator(".status")).to_contain_text("Ada, your turn")
    expect(page.locator(".ticket h2")).to_have_text("Ada, your turn")
    expect(page.locator(".log .now")).to_contain_text("Ada is choosing")
    Mouse(page).do(["take wug"])
    expect(page.locator(".status")).to_contain_text("Bo, your turn")
    change_settings(page, lang="zh")
    expect(page.locator(".status")).to_contain_text("轮到 Bo")


def test_on_one_device_the_last_turn_is_taken_back(stage: Stage) -> None:
    """Whoever slipped has handed the device on already."""
    table, keys = stage.here.duel()
    page = stage.seated(table, *keys)
    for name, gems in (("Ada", "wug"), ("Bo", "urk")):
        expect(page.locator(".status")).to_contain_text(f"{name}, your turn")
        Mouse(page).do([f"take {gems}"])
    expect(page.locator(".status")).to_contain_text("Ada, your turn")
    page.locator(".topbar .tools button").last.click()
    expect(page.get_by_text("Everybody plays on this device")).to_be_visible()
    expect(page.get_by_text("Bots always agree")).to_have_count(0)
    page.get_by_role("button", name="Take back the last turn").click()
    expect(page.locator(".status")).to_contain_text("Bo, your turn")
    done = [(line["kind"], line["seat"]) for line in stage.here.full(table)["log"]]
    assert done == [("take", 0), ("takeback", 1)]


def test_who_has_nobody_to_talk_to_has_no_chat(stage: Stage) -> None:
    page = ALL["board-bots"](stage)
    expect(page.get_by_role("radio", name="Game")).to_be_attached()
    expect(page.get_by_role("radio", name="Chat")).to_have_count(0)
    table, keys = stage.here.duel()
    page = stage.seated(table, *keys)
    expect(page.get_by_role("heading", name="Log")).to_be_visible()
    expect(page.get_by_role("radio", name="Chat")).to_have_count(0)


def test_on_one_device_nobody_is_marked_as_you_at_the_end(stage: Stage) -> None:
    table, keys = stage.here.duel()
    stage.here.post(f"/tables/{table}/resign", {}, keys[1])
    page = stage.seated(table, *keys)
    expect(page.locator(".facts thead th")).to_have_count(2)
    expect(page.locator(".facts thead .you")).to_have_count(0)


@pytest.mark.parametrize(
    ("which", "title"),
    [("won_teams", "You and Otto win, 16 to 10"), ("lost_teams", "Mira and Ewa win, 15 to 10")],
)
def test_a_team_wins_and_loses_together(stage: Stage, which: str, title: str) -> None:
    """Also at the end a partner is no opponent."""
    seat: Seat = getattr(stage.tables, which)
    page = stage.seated(seat.table, seat.key)
    expect(page.locator(".verdict h1")).to_have_text(title)
    expect(page.locator(".verdict p")).to_contain_text("With Otto against Mira and Ewa")
