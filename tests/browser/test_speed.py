"""Small and quick: what is loaded, from where, and how soon it is on the screen."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from cabochon.server.web.pages import STATIC
from tests.bars import keeps
from tests.browser.pagescenes import ALL
from tests.browser.scenes import Stage
from tests.browser.windows import Windows, hold
from tests.server.serving import Here

MOST_JS = 120_000
STUDY_JS = {"AnalysisPage": 40_000, "EditorPage": 15_000, "MistakesPage": 15_000}
"""Pages that nobody needs to play: what each may bring along beside the board."""
THEIR_WORDS = {"AnalysisPage": "studio", "EditorPage": "editor", "MistakesPage": "mistakes"}
BOARD_JS = 84_900 + 5_000
"""What it was before those pages came, and what they may cost it."""
VISIBLE_MS = 1000
SHOWN_MS = 100
FRAME_MS = 50
SEEN = """
new MutationObserver((_, watch) => {
  const last = document.querySelector('.market [data-cell="2-4"] .card, .market .card:last-child');
  if (!last || !document.querySelector('.bank button')) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => (window.boardSeen = performance.now())));
}).observe(document, { childList: true, subtree: true });
"""
SHOWN = """
window.shown = [];
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({ data }) => {
      const told = JSON.parse(data);
      const { type, version } = told;
      if (type === 'gameState') window.toldAt = { version, ms: performance.now() };
    });
  }
};
new MutationObserver(() => {
  const version = Number(document.querySelector('.board-page')?.dataset.version);
  if (version !== window.toldAt?.version || version === window.lastShown) return;
  window.lastShown = version;
  const { ms } = window.toldAt;
  requestAnimationFrame(() => setTimeout(() => window.shown.push(performance.now() - ms)));
}).observe(document, { childList: true, subtree: true, attributes: true });
"""
FRAMES = """() => {
  window.longest = 0;
  let before = performance.now();
  const frame = (now) => {
    window.longest = Math.max(window.longest, now - before);
    before = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame((now) => { before = now; requestAnimationFrame(frame); });
}"""


def _packed(files: set[Path]) -> int:
    assert files
    return sum(len(gzip.compress(file.read_bytes())) for file in files)


def _board() -> set[Path]:
    """What the first page names is what a game at the table loads."""
    named = re.findall(r"assets/[\w.-]+\.js", (STATIC / "index.html").read_text("utf-8"))
    return {STATIC / name for name in named}


def _brought_by(page: str) -> set[Path]:
    """The page's chunk and what it cannot do without, beside the board."""
    found: set[Path] = set()
    waiting = list((STATIC / "assets").glob(f"{page}-*.js"))
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        asked = re.findall(r"(?:from|import)\s?[\"'`]\./([\w.-]+\.js)", file.read_text("utf-8"))
        waiting += [file.parent / name for name in asked]
    return found - _board()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_javascript_of_a_first_visit_is_small(lang: str) -> None:
    """The home, a game at the table, its result and how it went, all in all, with their words."""
    words = (f"{part}.{lang}" for part in ("i18n", "after", "graph", "watch"))
    shown = ("Lobby", "LiveTile", "Result", "after")
    parts = [_brought_by(part) for part in (*shown, *words)]
    assert all(parts)
    assert _packed(_board().union(*parts)) <= MOST_JS


@pytest.mark.parametrize("page", STUDY_JS)
def test_a_page_for_studying_is_loaded_only_where_it_is_wanted(page: str) -> None:
    shared = _brought_by("AnalysisPage") if page == "MistakesPage" else set()
    words = _brought_by(f"{THEIR_WORDS[page]}.zh")
    assert _packed(words | _brought_by(page) - shared) <= STUDY_JS[page]


def test_the_board_does_not_pay_for_the_studio() -> None:
    assert _packed(_board() | _brought_by("i18n.zh")) <= BOARD_JS


@pytest.mark.parametrize("name", ["lobby", "board-two", "result", "replay", "tutorial", "rules"])
def test_nobody_else_is_asked(stage: Stage, name: str) -> None:
    """Neither by a request nor by a socket; every other test watches over this too."""
    asked: list[str] = []
    stage.windows.on_page = lambda page: (
        page.on("request", lambda request: asked.append(request.url)),
        page.on("websocket", lambda socket: asked.append(socket.url)),
    )
    ALL[name](stage)
    assert asked
    ours = urlsplit(stage.windows.base).netloc
    assert {urlsplit(url).netloc for url in asked if not url.startswith(("data:", "blob:"))} == {
        ours
    }


@pytest.mark.alone
def test_the_board_is_there_within_a_second(stage: Stage) -> None:
    """Counted from the start of the navigation, with nothing in the browser's cache."""
    seat = stage.tables.four

    def measure() -> float:
        page = stage.windows.open("/settings")
        page.context.clear_cookies()
        page.add_init_script(SEEN)
        hold(page, seat.table, seat.key)
        page.goto(f"{stage.windows.base}/t/{seat.table}")
        # Asked from outside: the page's policy forbids Playwright's own waiting for a text.
        for _ in range(100):
            seen = page.evaluate("window.boardSeen ?? null")
            if seen is not None:
                return float(seen)
            page.wait_for_timeout(100)
        raise AssertionError("the board was never there")

    keeps(VISIBLE_MS, measure)


@pytest.mark.alone
def test_a_move_is_on_the_screen_at_once(here: Here, windows: Windows) -> None:
    """From the server's message to the frame after the change, for moves of everybody."""

    def measure() -> float:
        table, keys = here.strangers()
        page = windows.open("/settings")
        page.add_init_script(SHOWN)
        hold(page, table, keys[0])
        page.goto(f"{here.base}/t/{table}")
        page.wait_for_selector("main.board")
        version = here.full(table)["version"]
        for number, move in enumerate(["take wug", "take grk", "reserve deck1", "take wur"]):
            sent = {"moves": [move], "version": version}
            version = here.post(f"/tables/{table}/move", sent, keys[number % 2])["version"]
            page.wait_for_function("n => window.shown.length > n", arg=number)
        return float(page.evaluate("Math.max(...window.shown)"))

    keeps(SHOWN_MS, measure)


@pytest.mark.alone
def test_sixty_tables_open_and_no_frame_is_long(here: Here, windows: Windows) -> None:
    def open_table(number: int) -> None:
        chairs = [{"kind": "me", "name": f"Host {number}"}, {"kind": "open"}]
        here.post("/tables", {"chairs": chairs})

    def measure() -> float:
        open_table(60)  # without one there is no list
        page = windows.open("/")
        page.wait_for_selector(".tables li")
        page.evaluate(FRAMES)
        before = _rows(page)
        for number in range(60):
            open_table(number)
        page.wait_for_function(
            "n => document.querySelectorAll('.tables li .btn').length >= n", arg=before + 60
        )
        return float(page.evaluate("window.longest"))

    keeps(FRAME_MS, measure)


def _rows(page: Page) -> int:
    return page.locator(".tables li .btn").count()
