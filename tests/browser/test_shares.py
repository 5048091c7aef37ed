"""Everybody's browser adds to the deal, and nobody has to click for it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cabochon.notation import parse_record
from cabochon.record import verify
from tests.browser.windows import Windows
from tests.server.serving import Here


def invited(page: Page) -> str:
    """Make a private table for two; gives the invitation's path."""
    page.get_by_role("button", name="Make table, copy links").click()
    link = page.locator(".room .link").input_value()
    return link[link.index("/join/") :]


def remembered(page: Page, table: str) -> str:
    """The hash of the share that this browser revealed there."""
    own: str = page.evaluate(
        "table => JSON.parse(localStorage.getItem('cabochon.shares'))[table].sealed.own", table
    )
    return own


def table_of(page: Page) -> str:
    return page.url.rsplit("/", 1)[1]


def proved(here: Here, *pages: Page) -> None:
    table = table_of(pages[0])
    record = parse_record(here.try_get(f"/tables/{table}/record").text)
    for page in pages:
        assert verify(record, share_hash=remembered(page, table)).ok
    assert {remembered(page, table) for page in pages} == {
        record.headers[f"ShareHash{seat}"] for seat in range(len(pages))
    }


def resign(page: Page) -> None:
    page.locator(".topbar .tools button").last.click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def test_two_browsers_start_without_another_click_and_the_record_proves_both(
    here: Here, windows: Windows
) -> None:
    ada = windows.open("/", settings={"name": "Ada"})
    path = invited(ada)
    bo = windows.open(path, settings={"name": "Bo", "lang": "zh"})
    bo.get_by_role("button", name="坐下").click()
    for page in (ada, bo):
        expect(page.locator("main.board")).to_be_visible()
    resign(ada)
    expect(ada.get_by_text("Your browser's share is in this deal.")).to_be_visible()
    expect(bo.get_by_text("你的浏览器参与了这局洗牌。")).to_be_visible()
    proved(here, ada, bo)


def test_a_rematch_starts_at_once_too(here: Here, windows: Windows) -> None:
    ada = windows.open("/", settings={"name": "Ada"})
    bo = windows.open(invited(ada), settings={"name": "Bo"})
    bo.get_by_role("button", name="Sit down").click()
    expect(ada.locator("main.board")).to_be_visible()
    first = table_of(ada)
    resign(ada)
    ada.get_by_role("button", name="Rematch").click()
    bo.get_by_role("button", name="Accept the rematch").click()
    for page in (ada, bo):
        expect(page.locator("main.board")).to_be_visible()
    assert table_of(ada) == table_of(bo) != first
    resign(bo)
    expect(ada.get_by_text("Your browser's share is in this deal.")).to_be_visible()
    proved(here, ada, bo)


def test_who_was_away_starts_the_game_by_coming_back(here: Here, windows: Windows) -> None:
    ada = windows.open("/", settings={"name": "Ada"})
    path, table = invited(ada), ""
    table = table_of(ada)
    ada.goto(f"{here.base}/rules")
    bo = windows.open(path, settings={"name": "Bo"})
    bo.get_by_role("button", name="Sit down").click()
    expect(bo.get_by_text("Waiting for Ada to help shuffle")).to_be_visible()
    ada.goto(f"{here.base}/t/{table}")
    for page in (ada, bo):
        expect(page.locator("main.board")).to_be_visible()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_who_holds_back_is_named_and_the_others_go_on_by_themselves(
    here: Here, windows: Windows, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    from cabochon.server.tables import sharedeadlines

    monkeypatch.setattr(sharedeadlines, "REVEAL_MS", 500)
    ada = windows.open("/", settings={"name": "Ada"})
    path = invited(ada)
    code, table = path.removeprefix("/join/"), table_of(ada)
    ada.evaluate("window.stayed = true")
    asked = {"name": "Mallory", "code": code, "share_hash": "0" * 64}
    key = here.post(f"/tables/{table}/join", asked)["key"]
    with here.socket(table, key) as mallory:
        mallory.hear("gameFull")
        expect(ada.get_by_text("Mallory loses the seat")).to_be_visible()
    bo = windows.open(path, settings={"name": "Bo", "lang": lang})
    bo.get_by_role("button", name={"en": "Sit down", "zh": "坐下"}[lang]).click()
    for page in (ada, bo):
        expect(page.locator("main.board")).to_be_visible()
    assert ada.evaluate("window.stayed")
    resign(ada)
    expect(ada.get_by_text("Your browser's share is in this deal.")).to_be_visible()
    proved(here, ada, bo)


def test_who_lost_the_seat_sits_down_again_at_the_same_place(
    here: Here, windows: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A private table has no other way in for the one who made it."""
    from cabochon.server.tables import sharedeadlines

    monkeypatch.setattr(sharedeadlines, "REVEAL_MS", 500)
    ada = windows.open("/", settings={"name": "Ada"})
    path = invited(ada)
    ada.evaluate("localStorage.removeItem('cabochon.shares')")
    table = table_of(ada)
    ada.reload()  # it forgets its share, so it has nothing to reveal
    bo = windows.open(path, settings={"name": "Bo"})
    bo.get_by_role("button", name="Sit down").click()
    expect(ada.get_by_text("Ada loses the seat")).to_be_visible()
    ada.get_by_role("button", name="Sit down").click()
    for page in (ada, bo):
        expect(page.locator("main.board")).to_be_visible()
    assert table_of(ada) == table
    resign(bo)
    expect(ada.get_by_text("Your browser's share is in this deal.")).to_be_visible()
    proved(here, ada, bo)
