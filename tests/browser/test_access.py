"""WCAG 2.2 A and AA by axe-core: every page and every dialog, both languages, all themes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.scenes import SCENES, Stage
from tests.browser.windows import PHONE, change_settings

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SEEN_AS = (("zh", "light"), ("en", "light"), ("en", "dark"), ("en", "contrast"))
"""Colours do not depend on the language."""
ON_PHONES = {"lobby", "board-two", "return-step", "result", "tutorial"}
LOOK = """async (levels) => {
  const found = await axe.run(document, {
    runOnly: { type: 'tag', values: levels },
    resultTypes: ['violations'], selectors: false,
  });
  const node = (n) => `${n.html.slice(0, 160)}\\n  ${n.failureSummary.slice(0, 300)}`;
  return found.violations.map((v) => [v.id, ...v.nodes.slice(0, 4).map(node)].join('\\n'));
}"""


def violations(page: Page) -> list[str]:
    found: list[str] = page.evaluate(LOOK, LEVELS)
    return found


@pytest.mark.parametrize("name", sorted(SCENES))
def test_no_violation(stage: Stage, name: str) -> None:
    """The scene is set once; language, theme and size change under the eyes of its reader."""
    page = SCENES[name](stage)
    page.evaluate(AXE.read_text("utf-8"))
    found = []
    for lang, theme in SEEN_AS:
        change_settings(page, lang=lang, theme=theme)
        found += [f"{lang}, {theme}: {line}" for line in violations(page)]
    if name in ON_PHONES:
        change_settings(page, theme="light")
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        found += [f"phone: {line}" for line in violations(page)]
    assert found == [], "\n" + "\n".join(found)
