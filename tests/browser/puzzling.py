"""Puzzles for pages under test: which there are, how they are answered."""

from __future__ import annotations

from playwright.sync_api import Page

from cabochon.notation import format_move
from cabochon.puzzles.book import shipped_book
from cabochon.puzzles.puzzle import Puzzle
from cabochon.rules.ruleset import TOKEN_LIMIT
from tests.browser.scenes import Stage
from tests.browser.windows import LAPTOP


class DrillFinger:
    """Taps on the table of a drill."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def do(self, moves: list[str]) -> None:
        """Stage the whole turn, then confirm."""
        for move in moves:
            verb, what = move.split(" ")[:2]
            for place in self._places(verb, what):
                self.page.locator(place).first.tap()
            instead = self.page.get_by_role("button", name="Reserve instead")
            if verb == "reserve" and instead.count():
                instead.tap()
        self.page.get_by_role("button", name="Confirm").tap()

    def _places(self, verb: str, what: str) -> list[str]:
        if verb in ("take", "return"):
            kind = "bank" if verb == "take" else "give"
            return [f"[data-at={kind}-{letter}]" for letter in what]
        if what.startswith("deck"):
            return [f"[data-at=deck-{what[4:]}]"]
        return [f".drill button[data-card='{what}']"]


def first_of(theme: str, seats: int = 2) -> Puzzle:
    """A puzzle whose whole answer is moves on the table: no dialog in between."""
    book = shipped_book()
    found = (book.puzzle(e.id) for e in book.entries if e.theme == theme and e.seats == seats)
    return next(puzzle for puzzle in found if len(puzzle.steps) == puzzle.turns)


def answer(puzzle: Puzzle, step: int = 0) -> str:
    return format_move(puzzle.steps[step].main)


def wrong(puzzle: Puzzle) -> str:
    """A move on a card that is not the answer, or tokens that go back; a gold token for a reserved
    card must find room, or the turn would not be over with it."""
    position = puzzle.position
    full = sum(position.hands[position.seat].tokens) >= TOKEN_LIMIT
    verbs = ("buy", "return") if full else ("buy", "return", "reserve")
    moves = [position.completed(move) for move in position.legal_moves()]
    texts = [format_move(move) for move in moves if move != puzzle.steps[0].main]
    return next(text for text in texts if text.split(" ")[0] in verbs and "deck" not in text)


def posed(stage: Stage, puzzle: Puzzle, size: tuple[int, int] = LAPTOP) -> Page:
    """The page with that puzzle, waiting for a move."""
    page = stage.windows.open(f"/puzzles/{puzzle.id}", size=size)
    page.wait_for_selector(".ask .helps")
    return page
