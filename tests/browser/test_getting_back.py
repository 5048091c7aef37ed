"""Nothing is lost: reload, another device, a cut line; everybody sees what has happened."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Mouse, plan
from tests.browser.scenes import SCENES, Stage
from tests.browser.tables import Seat
from tests.browser.windows import PHONE, Windows, wait_until
from tests.server.serving import Here


def take(page: Page, letters: str) -> None:
    Mouse(page).do([f"take {letters}"])


def test_the_line_is_cut_and_restored_in_the_middle_of_a_turn(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    ada, bo = windows.sit(table, keys[0]), windows.sit(table, keys[1])
    ada.locator("[data-at=bank-w]").click()
    ada.context.set_offline(True)
    expect(ada.locator(".status.lost .main")).to_have_text("Reconnecting")
    expect(ada.locator(".status.lost .hint")).to_have_text("your seat is kept")
    ada.locator("[data-at=bank-u]").click()
    ada.context.set_offline(False)
    expect(ada.locator(".status.you")).to_be_visible()
    expect(ada.locator(".bank [aria-pressed=true]")).to_have_count(2)
    ada.locator("[data-at=bank-g]").click()
    ada.get_by_role("button", name="Confirm").click()
    expect(bo.locator(".status.you")).to_be_visible()
    expect(bo.locator(".log .line").nth(1)).to_contain_text("took")


def test_a_turn_confirmed_without_a_line_arrives_once(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    ada = windows.sit(table, keys[0])
    before = here.full(table)["version"]
    ada.context.set_offline(True)
    expect(ada.locator(".status.lost")).to_be_visible()
    take(ada, "wug")
    ada.context.set_offline(False)
    expect(ada.locator(".status")).to_contain_text("Bo to move")
    assert here.full(table)["version"] == before + 1


def test_what_happened_meanwhile_is_told(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    ada, bo = windows.sit(table, keys[0]), windows.sit(table, keys[1])
    bo.context.set_offline(True)
    expect(bo.locator(".status.lost")).to_be_visible()
    take(ada, "wug")
    bo.context.set_offline(False)
    expect(bo.locator(".status.you")).to_be_visible()
    expect(bo.locator(".bank .mark")).to_have_count(3)


def test_reload_keeps_seat_and_marks(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    ada, bo = windows.sit(table, keys[0]), windows.sit(table, keys[1])
    assert "#" not in bo.url
    take(ada, "grk")
    expect(bo.locator(".status.you")).to_be_visible()
    bo.reload()
    expect(bo.locator(".status.you")).to_be_visible()
    expect(bo.locator(".bank .mark")).to_have_count(3)
    expect(bo.locator(".log .last")).to_have_count(1)


def test_another_device_with_the_same_link(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    laptop = windows.sit(table, keys[0])
    laptop.locator(".topbar .tools button").last.click()
    laptop.get_by_role("button", name="Your own link").click()
    link: str = laptop.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{here.base}/t/{table}#k=")
    phone = windows.open(link.removeprefix(here.base), size=PHONE)
    phone.get_by_role("button", name="Take the seat").click()
    expect(phone.locator(".status.you")).to_be_visible()
    take(phone, "wug")
    expect(laptop.locator(".status")).to_contain_text("Bo to move")


def test_a_key_never_reaches_the_server_in_an_address(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.open("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{here.base}/t/{table}#k={keys[0]}")
    page.get_by_role("button", name="Take the seat").click()
    page.wait_for_selector("main.board .me")
    assert not any(keys[0] in url.partition("#")[0] for url in asked)
    assert keys[0] not in page.url


def test_a_title_says_that_it_is_your_turn(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    ada = windows.sit(table, keys[0])
    expect(ada).to_have_title("● Your turn · Cabochon")
    take(ada, "wug")
    expect(ada).to_have_title("Cabochon")


def test_a_line_of_the_log_shows_that_position(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    ada, bo = windows.sit(table, keys[0]), windows.sit(table, keys[1])
    take(ada, "wug")
    expect(bo.locator(".status.you")).to_be_visible()
    take(bo, "wur")
    expect(ada.locator(".status.you")).to_be_visible()
    ada.locator("[data-at=bank-k]").click()
    places = "() => [...document.querySelectorAll('.market [data-at]')].map(n => n.offsetTop)"
    before = ada.evaluate(places)
    ada.locator(".log button.line").last.click()
    round_one = ada.get_by_role("heading", name="You are looking at round 1", level=1)
    expect(round_one).to_be_attached()
    expect(ada.locator("[data-at=bank-w]")).to_contain_text("3")
    assert ada.evaluate(places) == before, "the layout stays"
    ada.locator("[data-at=bank-w]").click()
    expect(ada.locator(".bank [aria-pressed=true]")).to_have_count(0)
    ada.get_by_role("button", name="Back to now").click()
    expect(ada.locator("[data-at=bank-w]")).to_contain_text("2")
    expect(ada.locator("[data-at=bank-k]")).to_have_attribute("aria-pressed", "true")


def test_reload_keeps_a_staged_turn(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0])
    for letter in "wug":
        page.locator(f"[data-at=bank-{letter}]").click()
    page.reload()
    expect(page.locator(".bank [aria-pressed=true]")).to_have_count(3)
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".status.you")).to_have_count(0)
    assert here.full(table)["log"][0]["gems"] == "wug"


def test_the_focus_stays_at_the_table_after_a_confirmed_move(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0])
    for letter in "wug":
        page.locator(f"[data-at=bank-{letter}]").click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".status.you")).to_have_count(0)
    wait_until(page, "document.activeElement.closest('.board-page') !== null")


def test_the_form_for_one_device_fits_a_laptop(here: Here, windows: Windows) -> None:
    page = windows.open("/")
    page.get_by_role("button", name="Share this device").click()
    page.locator("dialog[open] input[value=teams]").check(force=True)
    expect(page.get_by_label("Seat 3, Your partner")).to_be_visible()
    fits = "d => d.scrollHeight <= d.clientHeight"
    assert page.locator("dialog[open]").evaluate(fits)


def test_the_time_until_a_claim_runs_and_the_game_is_claimed(here: Here, windows: Windows) -> None:
    table, keys = here.strangers(gone={"policy": "claim", "grace_s": 5})
    ada = windows.sit(table, keys[0])
    expect(ada.locator(".notice")).to_contain_text("Bo is away. You can claim the game in")
    ada.get_by_role("button", name="Claim the game: Bo is gone").click()
    expect(ada.locator(".verdict p")).to_contain_text("Bo left in round 1.")


def test_with_three_the_others_play_on_without_whoever_is_gone(stage: Stage) -> None:
    table, keys = stage.tables.people(3, gone={"policy": "claim", "grace_s": 5})
    with stage.here.socket(table, keys[2]):
        ada = stage.sit(Seat(table, keys[0]))
        notice = ada.locator(".notice")
        expect(notice).to_contain_text("Mira is away. You can play on without them in")
        ada.get_by_role("button", name="Play on without Mira").click()
        expect(notice).to_have_count(0)
        expect(ada.locator(".player", has_text="Mira")).to_contain_text("out")
        take(ada, "wug")
        for _ in range(200):
            if stage.here.full(table)["view"]["seat"] == 2:
                return  # a bot has played for Mira
            ada.wait_for_timeout(50)
        raise AssertionError("Otto is next, and not Mira")


def test_whoever_gives_up_while_others_play_on_is_out_and_named_at_the_end(stage: Stage) -> None:
    table, keys = stage.tables.people(3, variant="quick")
    mira = stage.sit(Seat(table, keys[1]))
    mira.locator(".topbar .tools button").last.click()
    mira.get_by_role("button", name="Resign").click()
    expect(mira.locator("dialog")).to_contain_text("a bot plays your turns to the end")
    mira.locator("dialog .primary").click()
    expect(mira.locator(".me")).to_contain_text("out")
    expect(mira.locator(".ticket")).to_contain_text("You are out")
    expect(mira.locator(".notice")).to_have_count(0)
    mira.locator(".topbar .tools button").last.click()
    expect(mira.locator("dialog[open] .group").first).to_be_visible()
    expect(mira.locator("dialog .resign")).to_have_count(0)
    play_out(stage.here, table, [keys[0], keys[2]])
    mira.keyboard.press("Escape")
    expect(mira.locator(".verdict p")).to_contain_text("You resigned in round 1.")
    ada = stage.seated(table, keys[0])
    expect(ada.locator(".verdict p")).to_contain_text("Mira resigned in round 1.")
    expect(ada.locator(".ranks li", has_text="Mira")).to_contain_text("out")


def play_out(here: Here, table: str, keys: list[str]) -> None:
    """Everybody who has a key plays to the end, without a page."""
    for _ in range(400):
        for key in keys:
            told = here.full(table, key, facts=True)
            if told["status"] == "finished":
                return
            if told["legal"]:
                sent = {"moves": plan(told), "version": told["version"]}
                here.post(f"/tables/{table}/move", sent, key)
    raise AssertionError("the game did not end")


@pytest.mark.parametrize(("lang", "wait"), [("en", "in 24 h."), ("zh", "，24 小时后")])
def test_a_long_wait_is_told_in_hours(stage: Stage, lang: str, wait: str) -> None:
    page = SCENES["somebody-gone"](stage.set(lang=lang))
    expect(page.locator(".notice")).to_contain_text(wait)


def test_an_earlier_move_says_what_it_is_and_offers_no_turn(stage: Stage) -> None:
    page = SCENES["looking-back"](stage)
    ticket = page.locator(".ticket")
    expect(ticket).to_contain_text("You are looking at round")
    expect(ticket.get_by_role("button")).to_have_count(0)
    page.get_by_role("button", name="Back to now").click()
    expect(ticket.get_by_role("button", name="Confirm")).to_be_visible()


def test_a_server_that_does_not_answer_is_named(stage: Stage) -> None:
    page = SCENES["server-not-there"](stage)
    expect(page.get_by_role("status")).to_have_text("The server isn't answering. Trying again…")
