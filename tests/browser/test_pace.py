"""What a person can follow: bots one after another, and sounds for those who want them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.test_games import table_with_bots
from tests.browser.windows import Windows, hold, wait_until
from tests.server.serving import Here

STAMP = """() => {
  const page = document.querySelector('.board-page');
  window.seen = [];
  new MutationObserver(() => window.seen.push([page.dataset.version, performance.now()]))
    .observe(page, { attributes: true, attributeFilter: ['data-version'] });
}"""


def my_turn(page: Page) -> None:
    expect(page.locator(".status.you")).to_be_visible()


def take_three(page: Page) -> None:
    for letter in "wug":
        page.locator(f"[data-at=bank-{letter}]").click()
    page.get_by_role("button", name="Confirm").click()
    wait_until(page, "window.seen.length > 0")


def crowd(here: Here, windows: Windows, pace: str) -> Page:
    table, key = table_with_bots(here, "standard", 4)
    page = windows.sit(table, key, settings={"pace": pace})
    my_turn(page)
    page.evaluate(STAMP)
    return page


def test_three_bots_are_seen_one_after_another(here: Here, windows: Windows) -> None:
    page = crowd(here, windows, "brisk")
    take_three(page)
    my_turn(page)
    seen = page.evaluate("window.seen")
    assert len({version for version, _ in seen}) == 4
    gaps = [later[1] - earlier[1] for earlier, later in pairwise(seen)]
    assert min(gaps) > 500, "a busy machine draws late, but never two turns at once"
    assert sum(gaps) > 2700


def test_a_key_skips_to_your_turn(here: Here, windows: Windows) -> None:
    page = crowd(here, windows, "calm")
    take_three(page)
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    page.wait_for_timeout(500)
    page.keyboard.press("Escape")
    my_turn(page)
    seen = page.evaluate("window.seen")
    assert seen[-1][1] - seen[0][1] < 1900, "two calm turns would have taken longer"


def test_the_last_round_is_shown_again_and_keeps_what_was_staged(
    here: Here, windows: Windows
) -> None:
    page = crowd(here, windows, "once")
    take_three(page)
    my_turn(page)
    page.locator("[data-at=bank-r]").click()
    page.evaluate("window.seen.length = 0")
    page.get_by_role("button", name="Show the last round again").click()
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    expect(page.locator(".status.you")).to_have_count(0)
    my_turn(page)
    assert len(page.evaluate("window.seen")) == 4
    expect(page.locator("[data-at=bank-r]")).to_have_attribute("aria-pressed", "true")


LISTEN = """
  window.struck = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) { window.struck += 1; start.apply(this, at); };
"""


@pytest.mark.parametrize(("lang", "told"), [("en", "can take a minute"), ("zh", "可能需要一分钟")])
def test_who_waits_long_for_a_bot_is_told_why(
    lang: str, told: str, here: Here, windows: Windows
) -> None:
    """The first game on a machine may begin before its engine has been compiled."""
    table, key = table_with_bots(here, "standard", 2)
    page = windows.open("/favicon.svg", settings={"lang": lang})
    page.clock.install()
    bots = [chair["seat"] for chair in here.full(table)["table"]["chairs"] if chair["bot"]]
    page.route_web_socket("**/socket", without(bots[0]))
    hold(page, table, key)
    page.goto(f"{here.base}/t/{table}")
    my_turn(page)
    for letter in "wug":
        page.locator(f"[data-at=bank-{letter}]").click()
    page.locator(".ticket .primary").click()
    status = page.locator(".status")
    expect(status).not_to_have_class(re.compile("you"))
    page.clock.run_for(5_000)
    expect(status).not_to_contain_text(told)
    page.clock.run_for(6_000)
    expect(status).to_contain_text(told)


def without(seat: int) -> Callable[[WebSocketRoute], None]:
    """The line to the server, on which that seat's turns are not heard."""

    def line(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(
            lambda said: None if json.loads(said).get("by") == seat else socket.send(said)
        )

    return line


def test_sound_is_off_until_the_icon_is_pressed(here: Here, windows: Windows) -> None:
    windows.on_page = lambda page: page.add_init_script(LISTEN)
    table, keys = here.strangers()
    page = windows.sit(table, keys[0])
    page.get_by_role("button", name="Sound is off").click()
    expect(page.get_by_role("button", name="Sound is on")).to_be_visible()
    rung = page.evaluate("window.struck")
    assert rung > 0, "switching it on is heard"
    for letter in "wug":
        page.locator(f"[data-at=bank-{letter}]").click()
    page.get_by_role("button", name="Confirm").click()
    wait_until(page, f"window.struck > {rung}")
    page.goto(f"{windows.base}/settings")
    page.get_by_role("checkbox", name="Tokens").uncheck()
    expect(page.get_by_role("slider", name="Volume")).to_have_value("60")
    kept = page.evaluate("JSON.parse(localStorage.getItem('cabochon.settings')).sounds.tokens")
    assert kept is False
