"""Pictures of every page, to be looked at: `make screenshots` writes them to build/screenshots.

`python -m tests.browser.screenshots board-two lobby` makes only those.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from cabochon.server import desk, making
from tests.browser.scenes import SCENES, Stage
from tests.browser.tables import Deals, Tables
from tests.browser.windows import CHROMIUM, LAPTOP, PHONE, SWITCHES, Windows, change_settings
from tests.server.serving import serving

FOLDER = Path(__file__).parents[2] / "build" / "screenshots"
DESKTOP = (1920, 1080)
LOOKS = {
    "light": {"lang": "en", "theme": "light"},
    "dark": {"lang": "en", "theme": "dark"},
    "contrast": {"lang": "en", "theme": "contrast"},
    "zh": {"lang": "zh", "theme": "light"},
}
SIZES = {"laptop": LAPTOP, "desktop": DESKTOP, "phone": PHONE}


def main(names: list[str]) -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    deals = Deals()
    making.new_seed = desk.new_seed = deals  # type: ignore[attr-defined]
    expect.set_options(timeout=20_000)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "tables.db", bot_seconds=0.05) as here,
        sync_playwright() as playwright,
        Tables(here, deals) as tables,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        for name in names or sorted(SCENES):
            deals.name(name)
            windows = Windows(browser, here.base)
            show(name, SCENES[name](Stage(tables, windows)))
            windows.close()
        browser.close()
    return 0


def show(name: str, page: Page) -> None:
    """In every size and every look."""
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for look, settings in LOOKS.items():
            change_settings(page, **settings)
            _save(page, f"{name}-{size}-{look}")
    if name.startswith("board"):
        page.evaluate("document.documentElement.style.filter = 'grayscale(1)'")
        _save(page, f"{name}-grey")


def _save(page: Page, name: str) -> None:
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    print(path.relative_to(FOLDER.parents[1]), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
