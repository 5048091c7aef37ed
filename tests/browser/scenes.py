"""Every page and dialog in a state worth looking at: for the accessibility check and the pictures.

Positions are reached by sending moves, once; the last step is made on the page itself, where it is
staged and never sent, so that a table serves every look at it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from tests.browser.tables import Seat, Tables
from tests.browser.windows import LAPTOP, Windows

Scene = Callable[["Stage"], Page]
SCENES: dict[str, Scene] = {}


def scene(function: Scene) -> Scene:
    SCENES[function.__name__.replace("_", "-")] = function
    return function


class Stage:
    """Where a scene is set: tables, windows of one size, and settings."""

    def __init__(
        self,
        tables: Tables,
        windows: Windows,
        size: tuple[int, int] = LAPTOP,
        settings: dict[str, Any] | None = None,
    ) -> None:
        self.here = tables.here
        self.tables, self.windows, self.size, self.settings = tables, windows, size, settings

    def set(self, size: tuple[int, int] = LAPTOP, **settings: Any) -> Stage:
        return Stage(self.tables, self.windows, size, settings)

    def open(self, path: str) -> Page:
        return self.windows.open(path, size=self.size, settings=self.settings)

    def seated(self, table: str, *keys: str) -> Page:
        return self.windows.seated(table, *keys, size=self.size, settings=self.settings)

    def sit(self, seat: Seat) -> Page:
        return self.windows.sit(seat.table, seat.key, size=self.size, settings=self.settings)


@scene
def lobby(stage: Stage) -> Page:
    _ = stage.tables.lobby
    page = stage.open("/")
    page.wait_for_selector(".tables li .btn")
    page.wait_for_selector(".bots label")
    return page


@scene
def waiting_room(stage: Stage) -> Page:
    made = stage.here.post(
        "/tables", {"seats": 3, "chairs": [{"kind": "me", "name": "Ada"}, *[{"kind": "open"}] * 2]}
    )
    page = stage.seated(made["table"]["id"], made["keys"][0]["key"])
    page.wait_for_selector(".room h1")
    return page


@scene
def join(stage: Stage) -> Page:
    made = stage.here.post("/tables", {"chairs": [{"kind": "me", "name": "Ada"}, {"kind": "open"}]})
    page = stage.open(f"/join/{made['invites'][0]['code']}")
    page.wait_for_selector(".join form")
    return page


@scene
def take_seat(stage: Stage) -> Page:
    """A link has brought the key of a seat."""
    table, keys_brought = stage.here.strangers()
    page = stage.open(f"/t/{table}#k={keys_brought[1]}")
    page.wait_for_selector("dialog[open] .row")
    return page


@scene
def take_no_seat(stage: Stage) -> Page:
    """A link has brought a key that plays nothing here."""
    table, _ = stage.here.strangers()
    page = stage.open(f"/t/{table}#k=cab_s_planted")
    page.wait_for_selector("dialog[open] .row")
    return page


@scene
def not_found(stage: Stage) -> Page:
    page = stage.open("/t/nosuchtable")
    page.wait_for_selector("h1")
    return page


@scene
def board_two(stage: Stage) -> Page:
    page = stage.sit(stage.tables.two)
    buy(page, stage.tables.two)
    page.wait_for_selector(".ticket h2 .mini")
    return page


def buy(page: Page, seat: Seat) -> None:
    page.locator(f".board button[data-card='{seat.next_move.split(' ')[1]}']").click()


def take(page: Page, seat: Seat) -> None:
    for letter in seat.next_move.removeprefix("take "):
        page.locator(f"[data-at=bank-{letter}]").click()


@scene
def board_three(stage: Stage) -> Page:
    return stage.sit(stage.tables.three)


@scene
def board_four(stage: Stage) -> Page:
    page = stage.sit(stage.tables.four)
    take(page, stage.tables.four)
    return page


@scene
def return_step(stage: Stage) -> Page:
    page = stage.sit(stage.tables.over_ten)
    take(page, stage.tables.over_ten)
    for pile in page.locator("[data-at^=give-]:not(:disabled)").all():
        if page.locator(".return .rest").count():
            pile.click()
    return page


@scene
def noble_choice(stage: Stage) -> Page:
    page = stage.sit(stage.tables.two_nobles)
    buy(page, stage.tables.two_nobles)
    page.wait_for_selector("dialog[open] .choice")
    return page


@scene
def gold_choice(stage: Stage) -> Page:
    """A purchase that may be paid with more gold than it needs."""
    page = stage.sit(stage.tables.gold_choice)
    buy(page, stage.tables.gold_choice)
    page.wait_for_selector(".ticket .stepper")
    return page


@scene
def keys(stage: Stage) -> Page:
    page = board_three(stage)
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] .read")
    return page


@scene
def menu(stage: Stage) -> Page:
    page = board_three(stage)
    page.locator(".topbar .tools button").last.click()
    page.wait_for_selector("dialog[open] .items")
    return page


@scene
def log_drawer(stage: Stage) -> Page:
    page = stage.sit(stage.tables.two)
    page.locator(".log-btn").evaluate("button => button.click()")
    page.wait_for_selector("dialog[open] .log")
    return page


@scene
def hand_over(stage: Stage) -> Page:
    table, keys_held = stage.here.duel()
    page = stage.seated(table, *keys_held)
    page.wait_for_selector(".over h1")
    return page


@scene
def result(stage: Stage) -> Page:
    seat = stage.tables.finished_four
    page = stage.seated(seat.table, seat.key)
    page.wait_for_selector(".chart .line")
    return page


@scene
def replay(stage: Stage) -> Page:
    seat = stage.tables.finished_four
    page = stage.seated(seat.table, seat.key)
    page.wait_for_selector(".verdict")
    page.goto(f"{stage.windows.base}/replay/{seat.table}?ply=40")
    page.wait_for_selector(".moves [aria-current]")
    return page


@scene
def tutorial(stage: Stage) -> Page:
    page = stage.open("/learn")
    page.wait_for_selector(".coach h2")
    for _ in range(4):
        page.locator(".coach .do button").click()
        page.wait_for_selector(".coach .do button")
    return page


@scene
def rules(stage: Stage) -> Page:
    page = stage.open("/rules")
    page.wait_for_selector("article h2")
    return page


@scene
def settings(stage: Stage) -> Page:
    page = stage.open("/settings")
    page.wait_for_selector(".sheet h2")
    return page
