"""Pictures of every page, to be looked at: `make screenshots` writes them to build/screenshots, one
folder per scene, in all six sizes, light and dark, English and Chinese.

`python -m tests.browser.screenshots board-two lobby` makes only those, and
`python -m tests.browser.screenshots --docs` renews the pictures that the documents show.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from cabochon.server.people.nodenotes import NodeNotes
from cabochon.server.tables import seatcommands
from cabochon.server.web import tablemaking
from tests.browser.pagescenes import ALL
from tests.browser.scenes import Stage
from tests.browser.tables import Deals, Tables
from tests.browser.walk import BOARDS, SIZES, resize
from tests.browser.windows import CHROMIUM, LAPTOP, SWITCHES, Windows, change_settings
from tests.server.serving import serving

FOLDER = Path(__file__).parents[2] / "build" / "screenshots"
LOOKS = {
    f"{theme}-{lang}": {"lang": lang, "theme": theme}
    for lang in ("en", "zh")
    for theme in ("light", "dark")
}

DOCS = FOLDER.parents[1] / "docs" / "img"
SHOWN = {
    "web-board.png": ("board-four", "light-en"),
    "web-board-zh.png": ("board-two", "light-zh"),
    "web-analysis.png": ("analysis", "light-en"),
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Pictures of every page, to be looked at.")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=", ".join(sorted(ALL)))
    parser.add_argument("--docs", action="store_true", help="renew the documents' pictures")
    asked = parser.parse_args(arguments)
    unknown = sorted(set(asked.scenes) - set(ALL))
    if unknown:
        parser.error(f"no scene is called {', '.join(unknown)}")
    names = [name for name, _ in SHOWN.values()] if asked.docs else asked.scenes
    make_pictures(names or sorted(ALL))
    if asked.docs:
        for picture, (name, look) in SHOWN.items():
            shutil.copy(FOLDER / name / f"laptop-{look}.png", DOCS / picture)
    return 0


def make_pictures(names: list[str]) -> None:
    deals = Deals()
    tablemaking.new_seed = seatcommands.new_seed = deals  # type: ignore[attr-defined]
    NodeNotes.here = lambda _: 1  # type: ignore[method-assign,assignment]  # as in conftest.py
    expect.set_options(timeout=20_000)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(
            Path(folder) / "tables.db", bot_seconds=0.05, most_tables_per_address=10**6
        ) as here,
        sync_playwright() as playwright,
        Tables(here, deals) as tables,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        for name in names:
            deals.name(name)
            windows = Windows(browser, here.base)
            show(name, ALL[name](Stage(tables, windows)))
            windows.close()
        browser.close()


def show(name: str, page: Page) -> None:
    """In every size and every look; a board in high contrast and without colours too."""
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    for look, settings in LOOKS.items():
        change_settings(page, **settings)
        for size, measures in SIZES.items():
            resize(page, measures)
            _save(page, folder / f"{size}-{look}.png")
    resize(page, LAPTOP)
    change_settings(page, lang="en", theme="contrast")
    _save(page, folder / "laptop-contrast.png")
    if name in BOARDS:
        page.evaluate("document.documentElement.style.filter = 'grayscale(1)'")
        _save(page, folder / "laptop-grey.png")


def _save(page: Page, path: Path) -> None:
    # The next frame: what a size or a theme changes has been drawn by then.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    page.screenshot(path=path)
    print(path.relative_to(FOLDER.parents[1]), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
