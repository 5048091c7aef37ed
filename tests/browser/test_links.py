"""A link cannot plant keys: they are checked, and the person is asked."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.windows import Windows
from tests.server.serving import Here

WORDS = {
    "en": ("Take seat 2 (Bo) on this device?", "Take the seat", "No, just look"),
    "zh": ("在这台设备上接手 2 号位（Bo）吗？", "接手座位", "不，只看看"),
}
UNKNOWN = {
    "en": ("This link doesn't open a seat here", "Go to the table"),
    "zh": ("这个链接在这里没有座位", "前往牌桌"),
}


def ring(page: Page) -> Any:
    return page.evaluate("JSON.parse(localStorage.getItem('cabochon.keys') ?? '{}')")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_seat_from_a_link_is_asked_for_and_kept(here: Here, windows: Windows, lang: str) -> None:
    question, yes, _ = WORDS[lang]
    table, keys = here.strangers()
    page = windows.open(f"/t/{table}#k={keys[1]}", settings={"lang": lang})
    expect(page.get_by_role("dialog", name=question)).to_be_visible()
    assert ring(page) == {}
    assert "#" not in page.url
    page.get_by_role("button", name=yes).click()
    expect(page.locator("main.board .me")).to_be_visible()
    assert ring(page)[table]["keys"] == [keys[1]]
    page.reload()
    expect(page.locator("main.board .me")).to_be_visible()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_who_declines_looks_on_and_keeps_nothing(here: Here, windows: Windows, lang: str) -> None:
    _, _, no = WORDS[lang]
    table, keys = here.strangers()
    page = windows.open(f"/t/{table}#k={keys[1]}", settings={"lang": lang})
    page.get_by_role("button", name=no).click()
    expect(page.locator("main.board")).to_be_visible()
    assert ring(page) == {}
    assert here.full(table)["table"]["chairs"][1]["here"] is False


def test_escape_declines(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.open(f"/t/{table}#k={keys[1]}")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("main.board")).to_be_visible()
    assert ring(page) == {}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_planted_keys_are_dropped_with_a_sentence_and_the_own_seat_stays(
    here: Here, windows: Windows, lang: str
) -> None:
    sentence, onwards = UNKNOWN[lang]
    table, keys = here.strangers()
    page = windows.sit(table, keys[0], settings={"lang": lang})
    page.goto(f"{here.base}/rules")
    planted = ".".join(f"cab_s_planted{n}" for n in range(9))
    page.goto(f"{here.base}/t/{table}#k={planted}")
    expect(page.get_by_role("dialog", name=sentence)).to_be_visible()
    page.get_by_role("button", name=onwards).click()
    expect(page.locator(".status.you")).to_be_visible()
    assert ring(page)[table]["keys"] == [keys[0]]


def test_only_what_plays_here_is_kept_of_a_mixed_link(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    _, foreign = here.strangers()
    page = windows.open(f"/t/{table}#k={foreign[0]}.{keys[1]}.junk")
    expect(page.get_by_text("doesn't belong to this table")).to_be_visible()
    page.get_by_role("button", name="Take the seat").click()
    expect(page.locator("main.board .me")).to_be_visible()
    assert ring(page)[table]["keys"] == [keys[1]]


def test_keys_kept_from_former_days_do_not_shut_a_table(here: Here, windows: Windows) -> None:
    """What a link planted before is ignored: the own seat is played all the same."""
    table, keys = here.strangers()
    page = windows.seated(table, *(f"cab_s_planted{n}" for n in range(20)), keys[0])
    expect(page.locator(".status.you")).to_be_visible()


def test_the_own_link_at_home_asks_nothing(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0])
    page.goto(f"{here.base}/rules")
    page.goto(f"{here.base}/t/{table}#k={keys[0]}")
    expect(page.locator(".status.you")).to_be_visible()
