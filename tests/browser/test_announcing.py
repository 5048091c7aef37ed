"""What a screen reader hears during a whole game, word for word.

The first game's deal is the same for everybody and its opponent always answers alike, so the
transcript is a file. `UPDATE_GOLDEN=1 pytest tests/browser/test_announcing.py` writes it anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Keyboard, Person
from tests.browser.windows import Windows, hold
from tests.server.serving import Here

GOLDEN = Path(__file__).parent / "golden"
LISTEN = """
window.heard = [];
new MutationObserver((changes) => {
  for (const change of changes) for (const node of change.addedNodes) {
    if (node.parentElement?.id === 'announcer') window.heard.push(node.textContent);
  }
}).observe(document, { childList: true, subtree: true });
"""


def heard(page: Page) -> list[str]:
    lines: list[str] = page.evaluate("window.heard")
    return lines


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_transcript_of_a_game(here: Here, windows: Windows, lang: str) -> None:
    made = here.post("/tutorial", {"lang": lang})
    table, key = made["table"]["id"], made["keys"][0]["key"]
    page = windows.open("/settings", settings={"lang": lang})
    page.add_init_script(LISTEN)
    hold(page, table, key)
    page.goto(f"{here.base}/t/{table}")
    page.wait_for_selector("main.board")
    Person(here, table, key, Keyboard(page)).play_out()
    expect(page.locator(".verdict h1")).to_be_visible()
    transcript = "\n".join(heard(page)) + "\n"
    golden = GOLDEN / f"transcript.{lang}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(transcript, "utf-8")
    assert transcript == golden.read_text("utf-8")


def test_reading_commands(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.open("/settings")
    page.add_init_script(LISTEN)
    hold(page, table, keys[0])
    page.goto(f"{here.base}/t/{table}")
    page.wait_for_selector("main.board")
    for key, word in {
        "b": "Bank: 4 white, 4 blue",
        "m": "Level 3: Level 3,",
        "n": "Nobles: ",
        "i": "You: 0 points",
        "o": "Bo: 0 points",
        "l": "Nothing has happened yet.",
        "t": "Your turn, round 1.",
    }.items():
        page.keyboard.press(key)
        expect(page.locator("#announcer p").last).to_contain_text(word)


def test_single_keys_can_be_switched_off(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0], settings={"keys": False})
    page.keyboard.press("w")
    expect(page.locator(".bank [aria-pressed=true]")).to_have_count(0)


def test_a_card_s_name_is_the_whole_card(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0])
    name = page.locator(".market button.card .visually-hidden").first.inner_text()
    assert name.startswith("Level 3, ")
    for part in (" bonus, ", "points, costs ", ", you need "):
        assert part in name
