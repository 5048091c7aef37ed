"""What the eye needs: no scrolling to play, targets one can hit, gems one can tell apart."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.scenes import SCENES, Stage
from tests.browser.windows import LAPTOP, PHONE, Windows, change_settings
from tests.server.serving import Here

SMALL_PHONE = (360, 640)
DESKTOP = (1920, 1080)
SMALLEST = """() => [...document.querySelectorAll('button, a, select, input, summary')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.skip'))
  .map((e) => [e.closest('label') ?? e, e])
  .map(([e, own]) => [Math.max(e.clientWidth || e.getBoundingClientRect().width, 0),
    Math.max(e.clientHeight || e.getBoundingClientRect().height, 0), own.outerHTML.slice(0, 120)])
  .filter(([w, h]) => w > 1 && h > 1 && (w < 24 || h < 24))"""


def scrolls(page: Page) -> tuple[bool, bool]:
    root: dict[str, int] = page.evaluate(
        """() => { const { scrollWidth: w, scrollHeight: h } = document.documentElement;
        return { w, h, iw: innerWidth, ih: innerHeight }; }"""
    )
    return root["w"] > root["iw"], root["h"] > root["ih"]


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("board-two", [PHONE, SMALL_PHONE, LAPTOP, (1024, 768), DESKTOP]),
        ("board-three", [LAPTOP, DESKTOP]),
        ("board-four", [LAPTOP, DESKTOP]),
        ("return-step", [PHONE, LAPTOP]),
        ("gold-choice", [PHONE, LAPTOP]),
    ],
)
def test_nothing_scrolls_while_playing(
    stage: Stage, name: str, sizes: list[tuple[int, int]]
) -> None:
    page = SCENES[name](stage)
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        for lang in ("en", "zh"):
            change_settings(page, lang=lang)
            assert scrolls(page) == (False, False), (width, height, lang)
            for selector in (".market", ".bank", ".ticket, .return"):
                box = page.locator(selector).first.bounding_box()
                assert box is not None
                assert box["y"] >= 0
                assert box["y"] + box["height"] <= height + 1


@pytest.mark.parametrize("name", ["lobby", "rules", "settings", "result", "replay", "tutorial"])
def test_pages_fit_the_width_of_a_small_phone(stage: Stage, name: str) -> None:
    page = SCENES[name](stage.set((320, 640)))
    assert not scrolls(page)[0]


@pytest.mark.parametrize("name", ["board-two", "board-four", "return-step", "lobby", "replay"])
def test_targets_are_at_least_24_pixels(stage: Stage, name: str) -> None:
    page = SCENES[name](stage.set(PHONE))
    small: list[Any] = page.evaluate(SMALLEST)
    assert small == []


def test_gems_differ_without_colour(stage: Stage) -> None:
    """On a picture of the board without any colour, no two of the six have one silhouette."""
    page = stage.windows.sit(*stage.tables.four[:2], device_scale_factor=3)
    page.evaluate("document.documentElement.style.filter = 'grayscale(1)'")
    picture = base64.b64encode(page.screenshot()).decode()
    boxes = [gem.bounding_box() for gem in page.locator(".me .head .gem").all()]
    read = page.evaluate(SILHOUETTES, [picture, boxes])
    assert read["colourless"]
    shapes = read["masks"]
    assert len(shapes) == 6
    for i, one in enumerate(shapes):
        assert sum(one) > 100
        for other in shapes[:i]:
            union = sum(a or b for a, b in zip(one, other, strict=True))
            differ = sum(a != b for a, b in zip(one, other, strict=True))
            assert differ / union > 0.1


SILHOUETTES = """async ([picture, boxes]) => {
  const bytes = Uint8Array.from(atob(picture), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const scale = image.width / innerWidth, side = 48;
  let colourless = true;
  const masks = boxes.map(({ x, y, width, height }) => {
    const pen = new OffscreenCanvas(side, side).getContext('2d');
    pen.drawImage(image, x * scale, y * scale, width * scale, height * scale, 0, 0, side, side);
    const { data } = pen.getImageData(0, 0, side, side);
    const grey = (i) => data[i * 4];
    for (let i = 0; i < data.length; i += 4)
      colourless &&= Math.max(data[i], data[i + 1], data[i + 2])
        - Math.min(data[i], data[i + 1], data[i + 2]) < 12;
    const ground = grey(0);
    const mask = [];
    for (let row = 0; row < side; row++) {
      const cells = Array.from({ length: side }, (_, column) => grey(row * side + column));
      const inked = (tone) => Math.abs(tone - ground) > 40;
      const first = cells.findIndex(inked), last = cells.findLastIndex(inked);
      mask.push(...cells.map((_, i) => Number(first >= 0 && i >= first && i <= last)));
    }
    return mask;
  });
  return { colourless, masks };
}"""


def test_nothing_travels_when_motion_is_not_wanted(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0], settings={"motion": True}, reduced_motion="reduce")
    page.evaluate(
        """() => { window.flown = 0;
        const count = (n) => { if (String(n.className).startsWith('flying')) window.flown += 1; };
        new MutationObserver((all) => all.forEach((change) => change.addedNodes.forEach(count)))
          .observe(document.body, { childList: true }); }"""
    )
    for letter in "wug":
        page.locator(f"[data-at=bank-{letter}]").click()
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_selector(".status:not(.you)")
    page.wait_for_timeout(200)
    assert page.evaluate("window.flown") == 0


def test_tokens_fly_when_it_is(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0], settings={"motion": True})
    for letter in "wug":
        page.locator(f"[data-at=bank-{letter}]").click()
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_selector(".flying-token", state="attached")
    page.wait_for_selector(".flying-token", state="detached")
