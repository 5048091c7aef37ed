"""Somebody who plays: a head that asks the API what is legal, and hands that use the page.

`Mouse` clicks, `Keyboard` only presses keys; both make the same moves.
"""

from __future__ import annotations

from typing import Any, Protocol

from playwright.sync_api import Page

from cabochon.rules import card
from tests.server.serving import Here

PATIENCE_S = 60.0


class Hands(Protocol):
    page: Page

    def do(self, moves: list[str]) -> None: ...


class Mouse:
    """Clicks on what it wants."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def do(self, moves: list[str]) -> None:
        """Stage the whole turn, then confirm."""
        for move in moves:
            verb, _, what = move.partition(" ")
            getattr(self, f"_{verb}")(what.split(" ")[0])
        if not moves[-1].startswith("noble"):
            self.page.get_by_role("button", name="Confirm").click()

    def _take(self, letters: str) -> None:
        for letter in letters:
            self.page.locator(f"[data-at=bank-{letter}]").click()

    def _buy(self, code: str) -> None:
        self.page.locator(f".board button[data-card='{code}']").click()

    def _reserve(self, target: str) -> None:
        if target.startswith("deck"):
            self.page.locator(f"[data-at=deck-{target[4:]}]").click()
            return
        self.page.locator(f".market button[data-card='{target}']").click()
        instead = self.page.get_by_role("button", name="Reserve instead")
        if instead.count():
            instead.click()

    def _return(self, letters: str) -> None:
        for letter in letters:
            self.page.locator(f"[data-at=give-{letter}]").click()

    def _noble(self, code: str) -> None:
        self.page.locator(f"dialog input[value={code}]").check()
        self.page.locator("dialog .primary").click()

    def _pass(self, _: str) -> None:
        self.page.get_by_role("button", name="Pass").click()


class Keyboard:
    """Never touches the mouse: Tab, arrows, Enter, letters."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def do(self, moves: list[str]) -> None:
        for move in moves:
            verb, _, what = move.partition(" ")
            getattr(self, f"_{verb}")(what.split(" ")[0])
        if moves[-1].startswith("noble"):
            return
        self.leave_buttons()
        self.press("Enter")

    def leave_buttons(self) -> None:
        """Focus nothing in particular, so that Enter confirms."""
        self.page.evaluate(
            "document.activeElement instanceof HTMLElement && document.activeElement.blur()"
        )

    def tab_to(self, selector: str, most: int = 60) -> None:
        """Press Tab until something that matches has the focus."""
        for _ in range(most):
            if self.page.evaluate("s => !!document.activeElement?.matches(s)", selector):
                return
            self.press("Tab")
        raise AssertionError(f"Tab never came to {selector}")

    def _take(self, letters: str) -> None:
        self.leave_buttons()
        self.press(*letters)

    def _buy(self, code: str) -> None:
        if self.page.locator(f".market button[data-card='{code}']").count():
            self.walk_to(code)
        else:
            self.tab_to(f".reserved button[data-card='{code}']")
        self.press("Enter")

    def _reserve(self, target: str) -> None:
        self.walk_to(target)
        self.press("Shift+Enter")

    def walk_to(self, target: str) -> None:
        """Into the market with Tab, then with the arrow keys."""
        self.tab_to(".market button, .market [tabindex]")
        row, column = self._place(target)
        self.press("Control+Home")
        self.press(*["ArrowDown"] * row, *["ArrowRight"] * column)

    def _place(self, target: str) -> tuple[int, int]:
        what = (
            f"[data-at=deck-{target[4:]}]"
            if target.startswith("deck")
            else f"[data-card='{target}']"
        )
        cell = self.page.locator(f".market [data-cell]:has({what})").get_attribute("data-cell")
        row, column = (cell or "0-0").split("-")
        return int(row), int(column)

    def _return(self, letters: str) -> None:
        self.leave_buttons()
        self.press(*letters)

    def _noble(self, code: str) -> None:
        self.tab_to("dialog input[type=radio]")
        self.press("Space")
        while not self.page.evaluate("c => document.activeElement?.value === c", code):
            self.press("ArrowDown")
        self.press("Tab")
        self.tab_to("dialog .primary")
        self.press("Enter")

    def _pass(self, _: str) -> None:
        self.tab_to(".ticket .primary")
        self.press("Enter")


class Person:
    """A seat at a table, its key, and hands on a page."""

    def __init__(self, here: Here, table: str, key: str, hands: Hands) -> None:
        self.here, self.table, self.key, self.hands = here, table, key, hands
        self._seen = 0

    def turn(self) -> bool:
        """Make the next turn, as soon as it is due. False when the game is over."""
        told = self._due()
        if told["status"] == "finished":
            return False
        moves, self._seen = plan(told), told["version"]
        board = f".board-page[data-version='{told['version']}']"
        self.hands.page.wait_for_selector(f"{board} .status.you")
        self.hands.do(moves)
        return True

    def play_out(self, most: int = 200) -> None:
        """Until the end."""
        for _ in range(most):
            if not self.turn():
                return
        raise AssertionError("the game did not end")

    def _due(self) -> Any:
        """What the table says when it is this seat's turn again, or at the end."""
        with self.here.socket(self.table, self.key, facts=True) as talk:
            told = talk.hear("gameFull")
            if not self._is_due(told):
                while not self._is_due(talk.hear("gameState", "gameFinish", timeout=PATIENCE_S)):
                    pass
                told = self.here.full(self.table, self.key, facts=True)
        return told

    def _is_due(self, told: Any) -> bool:
        if told["type"] == "gameFinish" or told["status"] == "finished":
            return True
        return bool(told["legal"]) and told["version"] > self._seen


def plan(told: Any) -> list[str]:
    """A whole turn: points first, else what brings a good card nearer."""
    best = max(told["legal"], key=lambda legal: _merit(told, legal))
    move, after = best["move"], best["after"]
    moves = [move]
    if len(after["nobles"]) > 1:
        moves.append(f"noble {after['nobles'][0]}")
    if after["excess"] and not move.startswith("return"):
        moves.append("return " + spare(after["tokens"], after["excess"]))
    return moves


def _merit(told: Any, legal: Any) -> float:
    verb, _, rest = legal["move"].partition(" ")
    after = legal["after"]
    excess = int(after["excess"])
    if verb == "buy":
        return 100.0 + 10 * card(rest[:3]).points + 20 * len(after["nobles"])
    if verb == "take":
        return 50 + _nearness(told, after["tokens"]) - 10 * excess
    return {"return": 10.0, "noble": 10.0}.get(verb, 5.0 - 10 * excess)


def _nearness(told: Any, tokens: list[int]) -> float:
    def lack(due: list[int]) -> int:
        short = sum(max(0, d - t) for d, t in zip(due, tokens[:5], strict=True))
        return max(0, short - tokens[5])

    cards = told["facts"]["cards"].items()
    return max((1 + card(code).points) / (1 + lack(facts["due"])) for code, facts in cards)


def spare(tokens: list[int], excess: int) -> str:
    """Letters of tokens to give back: of what there is most."""
    held, letters = list(tokens), ""
    for _ in range(excess):
        most = max(range(5), key=held.__getitem__)
        held[most] -= 1
        letters += "wugrk"[most]
    return "".join(sorted(letters, key="wugrko".index))
