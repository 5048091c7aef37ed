"""Pages after a game, each in every state worth looking at: mistakes, editor, result."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from playwright.sync_api import Page

from tests.browser.judges import judge, reviewed
from tests.browser.people import Mouse
from tests.browser.scenes import Stage
from tests.browser.tables import Seat
from tests.browser.windows import hold
from tests.server.serving import Here

MISTAKES = ("?", "??")


class DrillMouse(Mouse):
    """Clicks on the table of a drill."""

    def _buy(self, code: str) -> None:
        self.page.locator(f".drill button[data-card='{code}']").click()


def record_of(here: Here, seat: Seat) -> str:
    return here.try_get(f"/tables/{seat.table}/record", seat.key).text


def seat_number(here: Here, seat: Seat) -> int:
    told = here.post(f"/tables/{seat.table}/keys", {"keys": [seat.key]})
    number: int = told["seats"][0]
    return number


def mistakes(here: Here, seat: Seat) -> list[dict[str, Any]]:
    """The decisions that the page will ask about, in order."""
    number = seat_number(here, seat)
    return [
        decision
        for turn in reviewed(record_of(here, seat))["turns"]
        if turn["seat"] == number
        for decision in turn["decisions"]
        if decision["mark"] in MISTAKES
    ]


def drill(stage: Stage, seat: Seat) -> Page:
    """The first mistake of that seat's game."""
    page = _held(stage, seat)
    page.goto(f"{stage.windows.base}/analysis/{seat.table}/mistakes")
    page.wait_for_selector(".ask .helps")
    return page


def _held(stage: Stage, seat: Seat) -> Page:
    page = stage.open("/favicon.svg")
    judge(page, stage.here, seat.table, seat.key)
    hold(page, seat.table, seat.key)
    return page


def without_mistakes(page: Page, here: Here, seat: Seat) -> None:
    """From now on the review has nothing to say against anybody."""
    told = deepcopy(reviewed(record_of(here, seat)))
    for turn in told["turns"]:
        turn["mark"] = None
        for decision in turn["decisions"]:
            decision["mark"] = None
    of = len(told["turns"])
    state = {"id": "clean", "state": "done", "ahead": 0, "done": of, "of": of, "review": told}
    page.route("**/api/reviews", lambda route: route.fulfill(json=state))


def asking(stage: Stage) -> Page:
    return drill(stage, stage.tables.finished_two)


def asking_four(stage: Stage) -> Page:
    return drill(stage, stage.tables.finished_four)


def hinted(stage: Stage) -> Page:
    page = asking(stage)
    for _ in range(2):
        page.get_by_role("button", name="Hint").click()
    return page


def wrong(stage: Stage) -> Page:
    page = asking(stage)
    DrillMouse(page).do([mistakes(stage.here, stage.tables.finished_two)[0]["move"]])
    page.wait_for_selector(".ask .verdict.bad")
    return page


def good(stage: Stage) -> Page:
    page = asking(stage)
    page.get_by_role("button", name="Show me").click()
    page.wait_for_selector(".ask .verdict.good")
    return page


def done(stage: Stage) -> Page:
    page = asking(stage)
    while page.locator(".ask").count():
        page.get_by_role("button", name="Skip").click()
    page.wait_for_selector(".alone .tick")
    return page


def nothing(stage: Stage) -> Page:
    seat = stage.tables.finished_two
    page = _held(stage, seat)
    without_mistakes(page, stage.here, seat)
    page.goto(f"{stage.windows.base}/analysis/{seat.table}/mistakes")
    page.wait_for_selector(".alone .primary")
    return page


def editor(stage: Stage) -> Page:
    page = stage.open("/editor")
    page.get_by_role("heading", name="This position can be played").wait_for()
    return page


def editor_faulty(stage: Stage) -> Page:
    """A gap in the market, chosen, and a token too many."""
    page = editor(stage)
    page.locator(".market [data-cell='1-2'] button").click()
    page.get_by_role("button", name="Remove it").click()
    page.locator("[data-bank=w] button").last.click()
    page.wait_for_selector(".faults li:nth-child(2)")
    return page


def editor_nobles(stage: Stage) -> Page:
    page = editor(stage)
    page.locator(".nobles button").first.click()
    page.wait_for_selector(".pk.noble")
    return page


def editor_play(stage: Stage) -> Page:
    page = editor(stage)
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_selector("dialog option", state="attached")
    return page


def result_reviewed(stage: Stage) -> Page:
    return _result(stage, stage.tables.finished_two)


def result_four(stage: Stage) -> Page:
    return _result(stage, stage.tables.finished_four)


def _result(stage: Stage, seat: Seat) -> Page:
    page = _held(stage, seat)
    page.goto(f"{stage.windows.base}/t/{seat.table}")
    page.wait_for_selector(".story .swing, .story .muted")
    page.wait_for_selector(".better a, .better p")
    return page


STATES: dict[str, Callable[[Stage], Page]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        asking, asking_four, hinted, wrong, good, done, nothing,
        editor, editor_faulty, editor_nobles, editor_play, result_reviewed, result_four,
    )
}  # fmt: skip
