"""What the eye needs: gems one can tell apart, and nothing that travels unwanted."""

from __future__ import annotations

import base64

from tests.browser.scenes import Stage
from tests.browser.windows import Windows
from tests.server.serving import Here


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
