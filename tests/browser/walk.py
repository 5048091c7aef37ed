"""One look at a page in every size: nothing scrolls sideways, no text is too small to read, fingers
hit what they aim at, prices stay on their cards, numbers on their piles, and nothing lies over the
board unasked; in Chinese no space stands after a sign that brings its own."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.browser.windows import LAPTOP, PHONE, change_settings

DESKTOP = (1920, 1080)
SMALL_DESK = (1024, 768)
TABLET = (768, 1024)
SMALL_PHONE = (360, 640)
ON_ITS_SIDE = (844, 390)
SIZES = {
    "laptop": LAPTOP,
    "desktop": DESKTOP,
    "tablet": TABLET,
    "phone": PHONE,
    "small-phone": SMALL_PHONE,
    "on-its-side": ON_ITS_SIDE,
}
NARROWEST = (320, 640)
"""Where a page must still fit, though nobody wants to play there (WCAG 1.4.10)."""
WALKED = (*SIZES.values(), SMALL_DESK, NARROWEST)
TOUCHED = {TABLET, PHONE, SMALL_PHONE, ON_ITS_SIDE}
PHONES = {PHONE, SMALL_PHONE, ON_ITS_SIDE, NARROWEST}
LEAST_TEXT, LEAST_TEXT_ON_PHONES = 11, 12
LEAST_TARGET, LEAST_TARGET_ON_BOARDS = 24, 44

BOARDS = {
    "board-two",
    "board-three",
    "board-four",
    "board-calm",
    "board-holding",
    "board-bots",
    "staged-reserve",
    "gold-choice",
    "return-step",
    "return-holding",
    "return-four",
}
CALM = {"board-three", "board-calm", "board-holding", "board-bots"}
"""Boards where nothing is staged: all of it is to be seen."""
WHOLE = {name: set(WALKED) - {NARROWEST} for name in BOARDS} | {
    name: {LAPTOP, DESKTOP, SMALL_DESK}
    for name in ("analysis", "analysis-busy", "analysis-ask", "analysis-live")
}
"""What is seen whole, without scrolling, and where."""

LOOK = """async ({ text, target, boardTarget, calm, whole, words, chinese }) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const faults = [];
  const root = document.documentElement;
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const call = (e) => `${e.localName}.${[...e.classList].filter((c) => !c.startsWith('svelte'))
    .join('.')} ${(e.textContent ?? '').trim().slice(0, 40)}`;
  const inside = (a, b, by = 1) =>
    a.left >= b.left - by && a.right <= b.right + by
    && a.top >= b.top - by && a.bottom <= b.bottom + by;
  if (root.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll('body *')].filter((e) => seen(e)
      && e.getBoundingClientRect().right > innerWidth + 1);
    faults.push(`scrolls sideways: ${wide.slice(-2).map(call).join(' | ')}`);
  }
  if (whole && root.scrollHeight > innerHeight) faults.push(`scrolls by ${root.scrollHeight - innerHeight}`);

  for (const card of document.querySelectorAll('.card')) {
    const box = card.getBoundingClientRect();
    if (!seen(card) || !box.width) continue;
    for (const part of card.querySelectorAll('.chip, .foot > *'))
      if (seen(part) && !inside(part.getBoundingClientRect(), box)) faults.push(`off its card: ${call(part)} on ${card.dataset.card}`);
  }
  for (const sheet of document.querySelectorAll('dialog[open]')) {
    const box = sheet.getBoundingClientRect();
    for (const e of sheet.querySelectorAll('button, input, select, h2, h3, p')) {
      const { left, right, width } = e.getBoundingClientRect();
      if (seen(e) && !e.closest('.visually-hidden, .say') && width > 1 && (left < box.left || right > box.right))
        faults.push(`off its sheet: ${call(e)}`);
    }
  }
  for (const points of document.querySelectorAll('.player .score')) {
    const inner = points.getBoundingClientRect(), box = points.closest('.player').getBoundingClientRect();
    if (seen(points) && inner.right > box.right) faults.push(`off its panel: ${call(points)}`);
  }
  for (const word of document.querySelectorAll('.player .did .word')) {
    const line = word.closest('.did').parentElement.closest('.did')?.getBoundingClientRect();
    if (!line || !seen(word)) continue;
    for (const part of word.getClientRects())
      if (part.top < line.bottom - 3 && part.right > line.right + 1) faults.push(`cut: ${call(word)}`);
  }
  for (const pile of document.querySelectorAll('.give button')) {
    const [{ left, right }, box] = [pile.querySelector('.token').getBoundingClientRect(), pile.getBoundingClientRect()];
    if (seen(pile) && (left < box.left - 3 || right > box.right + 3)) faults.push(`off its pile: ${call(pile)}`);
  }
  if (chinese) {
    const unseen = [...document.querySelectorAll('.visually-hidden')];
    for (const e of unseen) e.style.display = 'none';
    const gap = /.{0,9}[。，：；！？] +\\S.{0,9}/.exec(document.body.innerText);
    for (const e of unseen) e.style.display = '';
    if (gap) faults.push(`a space after a full-width sign: ${gap[0]}`);
    const sign = /.{0,9}[一-鿿] ?[:,;!?](\\s.{0,9}|$)/.exec(document.body.innerText);
    if (sign) faults.push(`an English sign in Chinese: ${sign[0]}`);
  }
  if (!words) return faults;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set();
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !(e instanceof HTMLElement)) continue;
    if (!seen(e) || e.closest('.visually-hidden, script, style, noscript')) continue;
    const size = parseFloat(getComputedStyle(e).fontSize) * (e.currentCSSZoom ?? 1);
    if (size < text) small.add(`${size.toFixed(1)} px: ${call(e)}`);
  }
  faults.push(...[...small].slice(0, 5));

  const over = document.querySelector('dialog[open]');
  for (const e of (over ?? document).querySelectorAll('button, a[href], select, input, summary')) {
    if (!seen(e) || e.closest('.skip, .visually-hidden')) continue;
    const held = e.closest('label') ?? e;
    const { width, height } = held.getBoundingClientRect();
    const least = !over && e.closest('.board-page:not(.lesson)') ? boardTarget : target;
    const inText = e.localName === 'a' && getComputedStyle(e).display === 'inline' && e.closest('p, li, td');
    if (width > 1 && height > 1 && !inText && Math.min(width, height) < least - 0.6)
      faults.push(`target ${width.toFixed(0)}x${height.toFixed(0)}: ${call(e)}`);
  }

  if (calm) for (const e of document.querySelectorAll(
    '.market .cell > *, .bank button, .nobles > li, .player, .me, .me .reserved .card')) {
    const { left, right, top, bottom, width } = e.getBoundingClientRect();
    if (!seen(e) || !width) continue;
    const [x0, y0] = [(left + right) / 2, (top + bottom) / 2];
    for (const [x, y] of [[x0, y0], [left + 7, y0], [right - 7, y0], [x0, top + 7], [x0, bottom - 7]])
      if (!e.contains(document.elementFromPoint(x, y))) {
        faults.push(`covered at ${x.toFixed(0)},${y.toFixed(0)}: ${call(e)}`);
        break;
      }
  }
  return faults;
}"""  # noqa: E501


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def faults(page: Page, name: str, size: tuple[int, int], words: bool = True) -> list[str]:
    """What is wrong with a scene in that size; letters and targets are measured with `words`,
    and without them it is in Chinese."""
    resize(page, size)
    on_board = name in BOARDS and size in TOUCHED
    asked: dict[str, Any] = {
        "text": LEAST_TEXT_ON_PHONES if size in PHONES else LEAST_TEXT,
        "target": LEAST_TARGET,
        "boardTarget": LEAST_TARGET_ON_BOARDS if on_board else LEAST_TARGET,
        "calm": name in CALM,
        "whole": size in WHOLE.get(name, ()),
        "words": words,
        "chinese": not words,
    }
    found: list[str] = page.evaluate(LOOK, asked)
    return found


def walk(page: Page, name: str) -> list[str]:
    """Every size, the tightest in both languages; the page is left as it was."""
    found = []
    for lang, sizes in (("zh", (LAPTOP, SMALL_PHONE)), ("en", WALKED)):
        change_settings(page, lang=lang)
        for size in sizes:
            wrong = faults(page, name, size, words=lang == "en")
            found += [f"{size[0]}x{size[1]} {lang}: {line}" for line in wrong]
    resize(page, LAPTOP)
    return found
