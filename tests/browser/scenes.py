"""The table and what leads to it, each page and dialog in a state worth looking at: for the
accessibility check and the pictures. The pages around it: tests/browser/pagescenes.py.

Positions are reached by sending moves, once; the last step is made on the page itself, where it is
staged and never sent, so that a table serves every look at it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from tests.browser.tables import Seat, Tables
from tests.browser.windows import LAPTOP, Windows, change_settings, hold

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
    page.wait_for_selector(".scale li")
    return page


@scene
def make_table(stage: Stage) -> Page:
    page = stage.open("/")
    page.locator(".friends > .more").click()
    page.wait_for_selector("dialog[open] form")
    return page


@scene
def share_device(stage: Stage) -> Page:
    """The form for people round one device, who are all named."""
    page = stage.open("/")
    page.locator(".friends .two button").first.click()
    page.wait_for_selector("dialog[open] .chair input")
    page.locator("dialog[open] input[value=teams]").check(force=True)
    page.wait_for_selector("dialog[open] .chair:nth-of-type(3) input")
    return page


@scene
def games(stage: Stage) -> Page:
    """One finished game, found again."""
    seat = stage.tables.finished_two
    page = stage.seated(seat.table, seat.key)
    page.wait_for_selector(".verdict")
    page.goto(f"{stage.windows.base}/games")
    page.wait_for_selector("main li")
    return page


@scene
def resigning(stage: Stage) -> Page:
    page = menu(stage)
    page.locator("dialog .resign").click()
    page.wait_for_selector("dialog .row .primary")
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
def inviting(stage: Stage) -> Page:
    """The waiting room of somebody who has invitations to give, one of them to be scanned."""
    chairs = [{"kind": "me", "name": "Ada"}, *[{"kind": "open"}] * 3]
    asked = {"seats": 4, "variant": "teams", "listed": False, "chairs": chairs}
    made = stage.here.post("/tables", asked)
    table, key = made["table"]["id"], made["keys"][0]["key"]
    first, *_ = made["invites"]
    stage.here.post(f"/tables/{table}/join", {"name": "Mira", "code": first["code"]})
    page = stage.open("/favicon.svg")
    hold(page, table, key)
    page.evaluate(
        """([table, invites]) => {
          const ring = JSON.parse(localStorage.getItem('cabochon.keys'));
          ring[table].invites = invites;
          localStorage.setItem('cabochon.keys', JSON.stringify(ring));
        }""",
        [table, [{"seat": i["seat"], "url": stage.here.base + i["url"]} for i in made["invites"]]],
    )
    page.goto(f"{stage.here.base}/t/{table}")
    page.locator(".invitation [aria-expanded]").first.click()
    page.wait_for_selector(".code svg")
    return page


@scene
def talking(stage: Stage) -> Page:
    """Friends who write freely, one of whom would like to take a turn back."""
    table, held = stage.here.strangers(listed=False)
    for key in held:
        stage.here.post(f"/tables/{table}/texting", {"on": True}, key)
    stage.here.post(f"/tables/{table}/chat", {"phrase": "good-luck"}, held[1])
    stage.here.post(f"/tables/{table}/chat", {"text": "Tea after this one?"}, held[1])
    page = stage.sit(Seat(table, held[1]))
    sent = {"moves": ["reserve deck1"], "version": stage.here.full(table)["version"]}
    stage.here.post(f"/tables/{table}/move", sent, held[0])
    stage.here.post(f"/tables/{table}/takeback", {"action": "ask"}, held[0])
    page.wait_for_selector(".notice")
    if stage.size[0] >= LAPTOP[0]:
        page.locator(".tabs input[value=chat]").check(force=True)
        page.wait_for_selector(".write input")
    return page


@scene
def writing(stage: Stage) -> Page:
    """Friends who write freely, on a phone held on its side."""
    table, held = stage.here.strangers(listed=False)
    for key in held:
        stage.here.post(f"/tables/{table}/texting", {"on": True}, key)
    for text in ("Tea after this one?", "Gladly, and a long walk before the next game."):
        stage.here.post(f"/tables/{table}/chat", {"text": text}, held[1])
    page = stage.set((844, 390)).sit(Seat(table, held[0]))
    page.locator(".log-btn").click()
    page.locator("dialog[open] input[value=chat]").check(force=True)
    page.wait_for_selector("dialog[open] .write input")
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
def board_calm(stage: Stage) -> Page:
    """Four players, and nothing staged."""
    return stage.sit(stage.tables.four)


@scene
def board_holding(stage: Stage) -> Page:
    """Two players, nothing staged, three reserved cards with long prices."""
    return stage.sit(stage.tables.over_ten_holding)


@scene
def board_bots(stage: Stage) -> Page:
    """Against two bots, where a hint may be asked for."""
    chairs = [{"kind": "me", "name": "Ada"}, *[{"kind": "bot", "bot": "talc"}] * 2]
    made = stage.here.post("/tables", {"seats": 3, "seat_order": "fixed", "chairs": chairs})
    page = stage.seated(made["table"]["id"], made["keys"][0]["key"])
    page.wait_for_selector(".status.you")
    return page


@scene
def staged_reserve(stage: Stage) -> Page:
    page = stage.sit(stage.tables.four)
    page.locator("[data-at=deck-2]").click()
    page.wait_for_selector(".ticket .confirm:not([aria-disabled=true])")
    return page


@scene
def return_step(stage: Stage) -> Page:
    return _give_back(stage, stage.tables.over_ten)


@scene
def return_holding(stage: Stage) -> Page:
    """With three reserved cards, whose prices one wants to see."""
    return _give_back(stage, stage.tables.over_ten_holding)


@scene
def return_four(stage: Stage) -> Page:
    """Among four players, where there is least room."""
    return _give_back(stage, stage.tables.over_ten_four)


def _give_back(stage: Stage, seat: Seat) -> Page:
    page = stage.sit(seat)
    take(page, seat)
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
    page.wait_for_selector("dialog[open] .group")
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
    page.locator("[data-at=deck-1]").click()
    page.get_by_role("button").filter(has_text=re.compile("Confirm|确认")).click()
    page.wait_for_selector(".over h1")
    return page


@scene
def result(stage: Stage) -> Page:
    seat = stage.tables.finished_four
    page = stage.seated(seat.table, seat.key)
    page.wait_for_selector(".chart .line")
    return page


@scene
def board_teams(stage: Stage) -> Page:
    """Two against two, in the middle of the game."""
    return stage.sit(stage.tables.teams)


@scene
def looking_back(stage: Stage) -> Page:
    """An earlier move of a game that goes on."""
    page = stage.sit(stage.tables.four)
    page.locator(".book .log button").nth(9).click()
    page.wait_for_selector(".topbar .btn.primary")
    return page


@scene
def taking_back(stage: Stage) -> Page:
    """Four people, one of whom asks to take a turn back."""
    table, held = stage.tables.people(4, takeback_asks=True)
    page = stage.sit(Seat(table, held[1]))
    sent = {"moves": ["take wug"], "version": stage.here.full(table)["version"]}
    stage.here.post(f"/tables/{table}/move", sent, held[0])
    stage.here.post(f"/tables/{table}/takeback", {"action": "ask"}, held[0])
    page.wait_for_selector(".notice .primary")
    return page


@scene
def somebody_gone(stage: Stage) -> Page:
    """Two of four have gone, and the game may be claimed from one of them soon."""
    table, held = stage.tables.people(4, gone={"policy": "claim", "grace_s": 86_400})
    page = stage.sit(Seat(table, held[0]))
    page.wait_for_selector(".notice")
    return page


@scene
def given_up(stage: Stage) -> Page:
    """Three people, one of whom has resigned: a bot plays on, and they look at it."""
    table, held = stage.tables.people(3)
    stage.here.post(f"/tables/{table}/resign", {}, held[1])
    page = stage.sit(Seat(table, held[1]))
    page.wait_for_selector(".ticket .note")
    return page


@scene
def server_gone(stage: Stage) -> Page:
    """The line is cut while one plays."""
    page = stage.sit(stage.tables.two)
    change_settings(page, lang="zh")  # no other language comes over a line that is cut
    change_settings(page, lang="en")
    page.context.set_offline(True)
    page.wait_for_selector(".status.lost")
    return page


@scene
def server_not_there(stage: Stage) -> Page:
    """A table is opened and nobody answers."""
    page = stage.open("/favicon.svg")
    seat = stage.tables.two
    page.route("**/api/**", lambda route: route.abort())
    page.route_web_socket("**/api/**", lambda socket: socket.close())
    page.goto(f"{stage.windows.base}/t/{seat.table}")
    page.wait_for_selector("h1")
    return page


@scene
def table_full(stage: Stage) -> Page:
    """An invitation that somebody else has taken up."""
    made = stage.here.post("/tables", {"chairs": [{"kind": "me", "name": "Ada"}, {"kind": "open"}]})
    code = made["invites"][0]["code"]
    stage.here.post(f"/tables/{made['table']['id']}/join", {"name": "Bo", "code": code})
    page = stage.open(f"/join/{code}")
    page.wait_for_selector("[role=alert]")
    return page


@scene
def result_lost(stage: Stage) -> Page:
    """Played to the end, and lost."""
    return _over(stage, stage.tables.lost_two)


@scene
def result_resigned(stage: Stage) -> Page:
    return _over(stage, stage.tables.resigned)


@scene
def result_teams(stage: Stage) -> Page:
    return _over(stage, stage.tables.lost_teams)


def _over(stage: Stage, seat: Seat) -> Page:
    page = stage.seated(seat.table, seat.key)
    page.wait_for_selector(".verdict h1")
    page.wait_for_selector(".facts tbody td")
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
def tutorial_end(stage: Stage) -> Page:
    """The whole first game, as the coach advises it."""
    page = stage.open("/learn")
    follow(page)
    return page


def follow(page: Page) -> list[str]:
    """Do what the coach says until the game is over; what each piece of advice was called."""
    told: list[str] = []
    for _ in range(60):
        page.wait_for_selector(".coach .do")
        if page.locator(".coach .foe").count():
            break
        told.append(page.locator(".coach h2").inner_text())
        version = page.locator(".board-page").get_attribute("data-version")
        page.locator(".coach .do button").click()
        if len(told) > 1:
            page.wait_for_selector(f".board-page:not([data-version='{version}']) .coach .do")
    return told


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
