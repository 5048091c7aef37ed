"""Every page, dialog and state: WCAG 2.2 A and AA by axe-core in both languages and all themes, and
a walk through all sizes (tests/browser/walk.py). A scene is set once; language, theme and size
change under the eyes of its reader."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.drills import STATES
from tests.browser.pagescenes import ALL
from tests.browser.scenes import Stage
from tests.browser.walk import resize, walk
from tests.browser.windows import PHONE, change_settings

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
"""All that a theme can change; and what no language can."""
ON_PHONES = {
    "lobby",
    "board-two",
    "return-step",
    "result",
    "tutorial",
    "analysis",
    "puzzle-four",
    "puzzle-wrong",
    "puzzle-solved",
    "storm",
    *STATES,
}
LOOK = """async ({ only, without }) => {
  const found = await axe.run(document, {
    runOnly: only, rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    resultTypes: ['violations'], selectors: false,
  });
  const node = (n) => `${n.html.slice(0, 160)}\\n  ${n.failureSummary.slice(0, 300)}`;
  return found.violations.map((v) => [v.id, ...v.nodes.slice(0, 4).map(node)].join('\\n'));
}"""


def violations(
    page: Page, only: Iterable[str] | None = None, without: Iterable[str] = ()
) -> list[str]:
    """Of all rules, of some, or of all but some."""
    chosen = {"type": "tag", "values": LEVELS}
    if only is not None:
        chosen = {"type": "rule", "values": list(only)}
    found: list[str] = page.evaluate(LOOK, {"only": chosen, "without": list(without)})
    return found


def seen_by_all(page: Page) -> list[str]:
    """Everything in English, all but colours in Chinese, colours in the other themes."""
    page.evaluate(AXE.read_text("utf-8"))
    change_settings(page, lang="en", theme="light")
    found = [f"en: {line}" for line in violations(page)]
    for theme in ("dark", "contrast"):
        change_settings(page, theme=theme)
        found += [f"{theme}: {line}" for line in violations(page, only=COLOURS)]
    change_settings(page, lang="zh", theme="light")
    return found + [f"zh: {line}" for line in violations(page, without=COLOURS)]


def on_a_phone(page: Page) -> list[str]:
    change_settings(page, lang="en")
    resize(page, PHONE)
    return [f"phone: {line}" for line in violations(page)]


@pytest.mark.parametrize("name", sorted(ALL))
def test_everybody_can_use_it_in_every_size(stage: Stage, name: str) -> None:
    page = ALL[name](stage)
    found = seen_by_all(page) + walk(page, name)
    if name in ON_PHONES:
        found += on_a_phone(page)
    assert found == [], "\n" + "\n".join(found)
