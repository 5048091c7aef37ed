"""A table of friends: inviting, waiting, talking, taking back; and hints where nobody else is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cabochon.server.reviews import hintdesk
from tests.browser.people import Mouse
from tests.browser.windows import LAPTOP, PHONE, Windows, wait_until
from tests.server.serving import Here

OVERLAP = """([one, other]) => {
  const a = document.querySelector(one).getBoundingClientRect();
  return [...document.querySelectorAll(other)].some((e) => {
    const b = e.getBoundingClientRect();
    return b.width && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  });
}"""
BADGED = re.compile(r"^\(1\) ")


def made(page: Page, seats: int = 2) -> None:
    """A table for friends, in their host's window."""
    page.get_by_role("button", name="Choose players, rules and clock").click()
    form = page.get_by_role("dialog")
    form.get_by_role("group", name="Seats").get_by_role("radio", name=str(seats)).check()
    form.get_by_role("button", name="Make table, copy links").click()
    page.wait_for_selector(".room h1")


def joined(windows: Windows, host: Page, name: str, **options: Any) -> Page:
    link = host.locator(".room .link").first.input_value()
    guest = windows.open(link.removeprefix(windows.base), settings={"name": name}, **options)
    guest.get_by_role("button", name="Sit down").click()
    return guest


def against_a_bot(here: Here, windows: Windows, **options: Any) -> Page:
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "greedy"}]
    table = here.post("/tables", {"chairs": chairs, "seat_order": "fixed"})
    return windows.sit(table["table"]["id"], table["keys"][0]["key"], **options)


# Inviting


def test_a_qr_code_and_a_link_for_each_free_seat(windows: Windows) -> None:
    page = windows.open("/", settings={"name": "Ada"})
    made(page, 3)
    expect(page.get_by_role("heading", name="Waiting for 2 more")).to_be_visible()
    expect(page.locator(".room .link")).to_have_count(2)
    page.get_by_role("button", name="QR code for seat", exact=False).first.click()
    picture = page.get_by_role("img", name=re.compile("QR code for seat"))
    expect(picture).to_be_visible()
    # A link of this length needs at least version 3, and the quiet margin four modules a side.
    assert int((picture.get_attribute("viewBox") or "0").split()[-1]) >= 29 + 8


def test_the_share_button_is_there_where_the_device_can_share(windows: Windows) -> None:
    plain = windows.open("/", settings={"name": "Ada"})
    plain.add_init_script("delete Navigator.prototype.share")
    plain.reload()
    made(plain)
    expect(plain.get_by_role("button", name="Share")).to_have_count(0)
    phone = windows.open("/", settings={"name": "Ada"}, size=PHONE)
    phone.add_init_script("navigator.share = async (what) => { window.shared = what; }")
    phone.reload()
    made(phone)
    phone.get_by_role("button", name=re.compile("^Share")).click()
    shared = phone.evaluate("window.shared.url")
    assert shared == phone.locator(".room .link").input_value()


def test_the_host_fills_the_table_with_bots(windows: Windows) -> None:
    host = windows.open("/", settings={"name": "Ada"})
    made(host, 3)
    guest = joined(windows, host, "Bo")
    expect(guest.get_by_text("You have your seat.")).to_be_visible()
    expect(guest.get_by_role("button", name=re.compile("^Seat "))).to_have_count(0)
    expect(host.locator(".places")).to_contain_text("Bo")
    host.get_by_label("Bot for seat").select_option("talc")
    host.get_by_role("button", name=re.compile("Seat Talc at seat")).click()
    for page in (host, guest):
        expect(page.locator("main.board")).to_be_visible()
        expect(page.locator(".opponents")).to_contain_text("Talc")


def test_a_bot_can_be_taken_off_again(windows: Windows) -> None:
    host = windows.open("/", settings={"name": "Ada"})
    made(host, 3)
    host.get_by_label("Bot for seat").first.select_option("talc")
    host.get_by_role("button", name=re.compile("Seat Talc at seat")).first.click()
    off = host.get_by_role("button", name=re.compile("Remove Talc from seat"))
    expect(host.get_by_label("Bot for seat")).to_have_count(1)
    off.click()
    expect(host.get_by_label("Bot for seat")).to_have_count(2)
    expect(off).to_have_count(0)
    expect(host.locator(".places")).not_to_contain_text("Talc")


def test_all_free_seats_at_once(windows: Windows) -> None:
    host = windows.open("/", settings={"name": "Ada"})
    made(host, 4)
    host.get_by_role("button", name="Fill all 3 seats with Quartz").click()
    expect(host.locator("main.board")).to_be_visible()
    expect(host.locator(".opponents .player")).to_have_count(3)


# Talking


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_what_is_said_is_noticed(here: Here, windows: Windows, size: tuple[int, int]) -> None:
    table, keys = here.strangers()
    ada = windows.sit(table, keys[0], size=size)
    here.post(f"/tables/{table}/chat", {"phrase": "good-luck"}, keys[1])
    toast = ada.locator(".toast")
    expect(toast).to_contain_text("Good luck, have fun!")
    expect(ada).to_have_title(BADGED)
    badge = ".log-btn .badge" if size == PHONE else ".tabs .badge"
    expect(ada.locator(badge)).to_have_text("1")
    assert not ada.evaluate(OVERLAP, [".toast", ".market, .bank"])
    toast.click()
    expect(ada.locator(".chat .lines li:visible")).to_contain_text("Good luck")
    expect(ada).not_to_have_title(BADGED)


def test_a_muted_person_is_not_heard(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    ada = windows.sit(table, keys[0])
    ada.get_by_role("radio", name="Chat").check()
    ada.get_by_role("button", name="Mute Bo").click()
    ada.get_by_role("radio", name="Game").check()
    here.post(f"/tables/{table}/chat", {"phrase": "hello"}, keys[1])
    here.post(f"/tables/{table}/chat", {"phrase": "nice"}, keys[0])
    ada.get_by_role("radio", name="Chat").check()
    expect(ada.locator(".chat .lines li")).to_have_count(2)
    expect(ada.locator(".chat .lines")).to_contain_text("1 message from people you muted")
    expect(ada.locator(".toast, .tabs .badge")).to_have_count(0)
    ada.reload()
    ada.get_by_role("radio", name="Chat").check()
    ada.get_by_role("button", name="Unmute Bo").click()
    expect(ada.locator(".chat .lines")).to_contain_text("Hello!")


def test_friends_write_freely_once_both_want_to(windows: Windows) -> None:
    ada = windows.open("/", settings={"name": "Ada"})
    made(ada)
    bo = joined(windows, ada, "Bo")
    for page in (ada, bo):
        expect(page.locator("main.board")).to_be_visible()
        page.get_by_role("radio", name="Chat").check()
    ada.get_by_label("Write freely").check()
    expect(ada.get_by_text("Waiting for Bo to switch it on too.")).to_be_visible()
    expect(ada.get_by_label("Your message")).to_have_count(0)
    expect(bo.get_by_text("Ada would like to write freely.")).to_be_visible()
    bo.get_by_label("Write freely").check()
    ada.get_by_label("Your message").fill("Tea after this one?")
    ada.keyboard.press("Enter")
    expect(bo.locator(".chat .lines")).to_contain_text("Tea after this one?")
    watcher = windows.open(ada.url.removeprefix(windows.base))
    watcher.get_by_role("radio", name="Chat").check()
    expect(watcher.locator(".chat .lines")).to_contain_text("Nothing has been said.")
    bo.get_by_label("Write freely").uncheck()
    expect(ada.get_by_label("Your message")).to_have_count(0)


def test_strangers_have_phrases_alone(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    ada = windows.sit(table, keys[0])
    ada.get_by_role("radio", name="Chat").check()
    expect(ada.get_by_role("button", name="Hello!")).to_be_visible()
    expect(ada.get_by_label("Write freely")).to_have_count(0)


def test_who_would_like_to_write_freely_is_noticed(here: Here, windows: Windows) -> None:
    table, keys = here.strangers(listed=False)
    ada = windows.sit(table, keys[0], size=PHONE)
    here.post(f"/tables/{table}/texting", {"on": True}, keys[1])
    expect(ada.locator(".toast")).to_contain_text("Bo would like to write freely")
    ada.locator(".toast").click()
    ada.get_by_role("dialog").get_by_label("Write freely").check()
    expect(ada.get_by_role("dialog").get_by_label("Your message")).to_be_visible()


# Watching


def test_the_link_to_watch_brings_its_code(here: Here, windows: Windows) -> None:
    page = windows.open("/", settings={"name": "Ada"})
    page.get_by_role("button", name="Choose players, rules and clock").click()
    form = page.get_by_role("dialog")
    form.get_by_text("More options").click()
    who = form.get_by_role("group", name="Who may watch")
    who.get_by_role("radio", name="With the link").check()
    form.get_by_role("button", name="Make table, copy links").click()
    page.wait_for_selector(".room h1")
    bo = joined(windows, page, "Bo")
    expect(page.locator("main.board")).to_be_visible()
    page.locator(".topbar .tools button").last.click()
    page.get_by_role("button", name="Link to watch").click()
    watcher = windows.open(page.evaluate("navigator.clipboard.readText()").removeprefix(here.base))
    expect(watcher.locator(".ticket")).to_contain_text("watching")
    # Whoever was invited has no such link to give.
    bo.locator(".topbar .tools button").last.click()
    expect(bo.get_by_role("button", name="Save record")).to_be_visible()
    expect(bo.get_by_role("button", name="Link to watch")).to_have_count(0)


def test_the_link_after_a_game_opens_it_or_is_not_offered(here: Here, windows: Windows) -> None:
    for watch, links in (("anyone", 1), ("nobody", 0)):
        table, keys = here.strangers(watch=watch)
        here.post(f"/tables/{table}/resign", {}, keys[1])
        page = windows.seated(table, keys[0])
        expect(page.get_by_role("button", name="Save record")).to_be_visible()
        expect(page.get_by_role("button", name="Copy link")).to_have_count(links)


def test_where_nobody_may_watch_no_link_is_offered(here: Here, windows: Windows) -> None:
    table, keys = here.strangers(watch="nobody")
    page = windows.sit(table, keys[0])
    page.locator(".topbar .tools button").last.click()
    expect(page.get_by_role("button", name="Save record")).to_be_visible()
    expect(page.get_by_role("button", name="Link to watch")).to_have_count(0)


# Taking back


@pytest.mark.parametrize("size", [LAPTOP, (1100, 768), PHONE], ids=["laptop", "small", "phone"])
def test_always_ask_asks_and_covers_nothing(
    here: Here, windows: Windows, size: tuple[int, int]
) -> None:
    table, keys = here.strangers(takeback_asks=True)
    ada, bo = windows.sit(table, keys[0]), windows.sit(table, keys[1], size=size)
    Mouse(ada).do(["take wug"])
    ada.locator(".topbar .tools button").last.click()
    expect(ada.get_by_text("everybody must agree to every take-back")).to_be_visible()
    ada.get_by_role("button", name="Take back my turn").click()
    expect(bo.locator(".notice")).to_contain_text("Ada would like to take the last turn back.")
    assert not bo.evaluate(OVERLAP, [".notice", ".market, .bank"])
    bo.get_by_role("button", name="Agree").click()
    expect(ada.locator(".status.you")).to_be_visible()
    for page in (ada, bo):
        expect(page.locator(".toast")).to_contain_text("took a turn back: everybody agreed")
    assert not bo.evaluate(OVERLAP, [".toast", ".market, .bank"])


def test_the_choice_is_in_the_form(here: Here, windows: Windows) -> None:
    page = windows.open("/", settings={"name": "Ada"})
    page.get_by_role("button", name="Choose players, rules and clock").click()
    form = page.get_by_role("dialog")
    form.get_by_text("More options").click()
    form.get_by_role("radio", name="Always ask").check()
    form.get_by_role("button", name="Make table, copy links").click()
    page.wait_for_selector(".room h1")
    table = page.url.rpartition("/")[2]
    assert here.get(f"/tables/{table}")["takeback_asks"] is True
    expect(page.locator(".room dl")).to_contain_text("always by consent")


# The focus, and the next game


def test_the_focus_stays_on_confirm(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0])
    for letter in "wug":
        page.locator(f"[data-at=bank-{letter}]").click()
    page.locator(".confirm").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".status.you")).to_have_count(0)
    wait_until(page, "document.activeElement.matches('.confirm')")


def test_the_focus_goes_back_when_a_sheet_is_closed(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0])
    card = page.locator(".market button[data-card]").nth(2)
    card.focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(card).to_be_focused()


def test_an_accepted_rematch_takes_everybody_there(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    here.post(f"/tables/{table}/resign", {}, keys[1])
    ada, bo = windows.seated(table, keys[0]), windows.seated(table, keys[1])
    bo.get_by_role("button", name="Rematch").click()
    ada.get_by_role("button", name="Accept the rematch").click()
    for page in (ada, bo):
        expect(page.locator("main.board")).to_be_visible()
    assert ada.url == bo.url != f"{here.base}/t/{table}"
    # Whoever comes to the old table later is not taken away from it.
    late = windows.seated(table, keys[0])
    expect(late.get_by_role("link", name="Go to the new game")).to_be_visible()


# Hints


@pytest.fixture
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hintdesk, "HINT_VISITS", 40)
    monkeypatch.setattr(hintdesk, "HINT_SECONDS", 60.0)


@pytest.mark.usefixtures("quick_looks")
@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_hint_is_staged_with_its_reason(
    here: Here, windows: Windows, size: tuple[int, int]
) -> None:
    page = against_a_bot(here, windows, size=size)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".advice")).to_contain_text("to win")
    assert page.locator(".advice").inner_text().startswith("Hint:")
    table = page.url.rpartition("/")[2]
    assert here.get(f"/tables/{table}")["hints"] == [1, 0]
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".ticket h2")).to_have_text("Your turn")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".ticket h2")).not_to_have_text("Your turn")
    page.locator(".confirm").click()
    expect(page.locator(".advice")).to_have_count(0)
    assert here.get(f"/tables/{table}")["hints"] == [1, 0]


@pytest.mark.usefixtures("quick_looks")
def test_a_hint_by_its_key_in_chinese_and_in_the_result(here: Here, windows: Windows) -> None:
    page = against_a_bot(here, windows, settings={"lang": "zh"})
    page.keyboard.press("h")
    expect(page.locator(".advice")).to_contain_text("胜率")
    page.locator(".topbar .tools button").last.click()
    page.get_by_role("button", name="认输").click()
    page.get_by_role("button", name="认输").click()
    expect(page.locator(".facts tbody")).to_contain_text("用过提示的回合")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_hint_draws_its_cards(here: Here, windows: Windows, lang: str) -> None:
    """No codes in what people read; and nothing below the reason is cut."""
    page = against_a_bot(here, windows, settings={"lang": lang})
    said = {"en": "Nobody else gets 3k2 (black, 4 points).", "zh": "别人买不到 3k2（黑色，4 分）。"}
    given = {"moves": ["take wug"], "chance": 0.5, "why": [{"code": "", "text": said}] * 2}
    page.route("**/hint", lambda route: route.fulfill(json=given))
    page.keyboard.press("h")
    expect(page.locator(".advice .mini")).to_have_count(2)
    assert "3k2" not in page.locator(".advice").inner_text()
    assert "3k2" not in page.locator("[aria-live=polite]").first.inner_text()
    fits = page.locator(".ticket .effects").evaluate("e => e.scrollHeight <= e.clientHeight + 1")
    assert fits


def test_rated_games_offer_no_take_back(here: Here, windows: Windows) -> None:
    page = windows.open("/", settings={"rated": True})
    page.locator(".hero .go .primary").click()
    expect(page.locator("main.board")).to_be_visible()
    page.locator(".topbar .tools button").last.click()
    expect(page.get_by_role("button", name="Resign")).to_be_visible()
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)


def test_no_hint_with_people_nor_in_the_lesson(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0])
    expect(page.locator(".confirm")).to_be_visible()
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    lesson = windows.open("/learn")
    lesson.wait_for_selector(".board-page.lesson")
    expect(lesson.locator(".ticket .do").get_by_role("button", name="Hint")).to_have_count(0)
