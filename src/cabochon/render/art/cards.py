"""Card faces and backs. The art tells the level: I rough, II cut, III set.

A face is a window of 132 x 96 with the bonus stone at right. Its seed is the card's own data, so
a card looks the same everywhere; veils of black and white keep the points readable.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from cabochon.notation import noble_name
from cabochon.render.art.draw import (
    BACKS,
    TONES,
    box,
    group,
    number,
    polygon,
    ring,
    seeded,
    tag,
    text,
)
from cabochon.render.art.gems import gem
from cabochon.rules.cards import LEVELS, Card, Noble
from cabochon.rules.gems import COLOURS, LETTERS, Gem, Gems
from cabochon.words import Words, colour_name

ROMAN = {1: "I", 2: "II", 3: "III"}
_CX, _CY = 84.0, 49.0


def grounds() -> str:
    """The gradients under the faces, the glow behind a stone, and the lattice of the backs."""
    faces = (
        tag("linearGradient",
            tag("stop", offset="0", stop_color=TONES[colour].face_deep),
            tag("stop", offset="1", stop_color=TONES[colour].face),
            id=f"face-{colour.letter}", x1="0", y1="0", x2="1", y2=".7")
        for colour in COLOURS
    )  # fmt: skip
    glow = tag("radialGradient",
               tag("stop", offset="0", stop_color="#fff", stop_opacity=".55"),
               tag("stop", offset="1", stop_color="#fff", stop_opacity="0"), id="glow")  # fmt: skip
    lattice = tag("pattern", tag("path", d="M0 0L12 12M12 0L0 12", stroke="#fff",
                                 stroke_opacity=0.12, fill="none"),
                  id="lattice", width=12, height=12, patternUnits="userSpaceOnUse")  # fmt: skip
    return "".join((*faces, glow, lattice))


@lru_cache(512)
def art(card: Card, width: float, height: float) -> str:
    """The face alone, filling a window of that size: from the right, as the browser does, or
    around the stone where the window is narrow."""
    scale = max(width / 132, height / 96)
    left = min(0.0, width / 2 - _CX * scale) if width < height else width - 132 * scale
    top = (height - 96 * scale) / 2
    window = group(
        tag("rect", width=132, height=96, fill=f"url(#face-{card.bonus.letter})"),
        _STROKES[card.level](seeded(seed_of(card))),
        tag("circle", cx=_CX, cy=_CY, r=46, fill="url(#glow)", opacity=0.55),
        tag("ellipse", cx=_CX + 2, cy=_CY + 31, rx=24, ry=5, fill="#000", opacity=0.28),
        gem(card.bonus, _CX - 30, _CY - 30, 60),
        transform=f"translate({number(left)} {number(top)}) scale({scale:.3f})",
    )
    return tag("svg", window, width=width, height=height, overflow="hidden")


def face(card: Card, width: float, height: float, numeral: float) -> str:
    """The art with points above and the level below."""
    ink = TONES[card.bonus].face_ink
    parts = [art(card, width, height)]
    if card.points:
        line = 6 + numeral * 0.74
        parts.append(text(card.points, 8, line, numeral, fill=ink, weight=700, display=True))
    roman = text(ROMAN[card.level], 9, height - 7, 11, fill=ink, weight=700, display=True)
    return "".join((*parts, roman if height > 60 else ""))


def back(level: int, width: float, height: float) -> str:
    """Green-black, deeper with the level, with one to three cabochons and the numeral."""
    ground = BACKS[level]
    parts = [
        box(0, 0, width, height, 7, ground),
        box(0, 0, width, height, 7, "url(#lattice)"),
        box(3, 3, width - 6, height - 6, 5, "none", stroke="#fff", stroke_opacity=".3"),
    ]
    small = width < 50
    size = 12 if small else 15
    numeral_y = height / 2 + 4 if small else 24
    parts.append(
        text(ROMAN[level], width / 2, numeral_y, size, anchor="middle", fill="#fff", weight=700,
             display=True)
    )  # fmt: skip
    if not small:
        top = height * 0.42 - (level - 1) * 11
        parts += [_cabochon(width / 2, top + 22 * i, ground) for i in range(level)]
    return "".join(parts)


def seed_of(card: Card) -> str:
    """Level, bonus, points and price, spelled as the browser spells them."""
    price = " ".join(f"{c.letter.upper()}{card.cost[c]}" for c in COLOURS if card.cost[c])
    return f"{card.level}{card.bonus.letter.upper()}{card.points}{price}"


def _cabochon(cx: float, cy: float, ground: str) -> str:
    return "".join((
        tag("ellipse", cx=cx, cy=cy, rx=12, ry=8.6, fill=ground),
        tag("ellipse", cx=cx, cy=cy, rx=12, ry=8.6, fill="#fff", fill_opacity=0.16,
            stroke="#fff", stroke_opacity=0.8, stroke_width=1.4),
        tag("ellipse", cx=cx - 4, cy=cy - 3.4, rx=4.6, ry=2.2, fill="#fff", fill_opacity=0.85),
    ))  # fmt: skip


def _veil(path: str, light: float) -> str:
    colour = "#fff" if light > 0 else "#000"
    return f'<path d="{path}" fill="{colour}" fill-opacity="{abs(light):.2f}"/>'


def _rough(draw: Callable[[], float]) -> str:
    """Strata of the mother rock, broken by cleavage planes."""
    veils = []
    tilt = (draw() - 0.5) * 34
    for i in range(5):
        y, x = 12 + i * 18 + draw() * 8, -4.0
        path = "M-4 100"
        while x <= 140:
            path += f"L{number(x)} {number(y + (x - 66) / 66 * tilt + (draw() - 0.5) * 15)}"
            x += 18 + draw() * 10
        veils.append(_veil(path + "L140 100Z", 0.05 + draw() * 0.05 if i % 2 else -0.09))
    for _ in range(4):
        x, y = 46 + draw() * 84, 8 + draw() * 78
        w, h = 10 + draw() * 16, 8 + draw() * 14
        veils.append(_veil(polygon([(x, y), (x + w, y + h * 0.3), (x + w * 0.5, y + h)]), 0.1))
    return "".join(veils)


def _cut(draw: Callable[[], float]) -> str:
    """A lapidary's facet plan: mirrored planes around the stone."""
    n, turn, inner = 14 + int(draw() * 3) * 2, draw() * 360, 34 + draw() * 6
    far, middle = ring(n, 130, turn, _CX, _CY), ring(n, 62, turn, _CX, _CY)
    near = ring(n, inner, turn + 180 / n, _CX, _CY)
    veils = []
    for i in range(n):
        j, k = (i + 1) % n, 0.04 + draw() * 0.1
        veils.append(_veil(polygon([near[i], middle[i], middle[j]]), k if i % 2 else -k * 0.8))
        veils.append(_veil(polygon([middle[i], far[i], far[j]]), -k * 0.8 if i % 2 else k * 0.7))
        veils.append(_veil(polygon([middle[i], middle[j], far[j]]), draw() * 0.07))
    for points, strength in ((near, 0.28), (middle, 0.12)):
        veils.append(tag("path", d=polygon(points), fill="none", stroke="#fff",
                         stroke_opacity=f"{strength}", stroke_width=0.8))  # fmt: skip
    return "".join(veils)


def _set(draw: Callable[[], float]) -> str:
    """An engine-turned rosette and a ring of gold beads."""
    rays, lobes, deep = 30 + int(draw() * 4) * 6, 5 + int(draw() * 4), 5 + draw() * 5
    strokes = [_rosette(46 + 7.5 * i, lobes, deep) for i in range(13)]
    rim = ring(rays, 130, 0, _CX, _CY)
    strokes += [
        _veil(polygon([(_CX, _CY), rim[i], rim[(i + 1) % rays]]), 0.05) for i in range(1, rays, 2)
    ]
    gold = TONES[Gem.GOLD]
    for x, y in ring(20, 38.5, draw() * 18, _CX, _CY):
        strokes.append(tag("circle", cx=x, cy=y, r=2.1, fill=gold.light, stroke=gold.shade,
                           stroke_width=0.8))  # fmt: skip
    return "".join(strokes)


def _rosette(radius: float, lobes: int, deep: float) -> str:
    points = []
    for k in range(96):
        angle = k / 96 * math.tau
        reach = radius + deep * math.cos(angle * lobes + math.pi * (radius % 17 == 0))
        points.append((_CX + reach * math.cos(angle), _CY + reach * math.sin(angle)))
    return tag("path", d=polygon(points), fill="none", stroke="#fff",
               stroke_opacity=f"{0.3 - radius / 640:.2f}", stroke_width=1)  # fmt: skip


_STROKES = dict(zip(LEVELS, (_rough, _cut, _set), strict=True))


# What pictures say.


def say(key: str, lang: str, **params: object) -> str:
    """The words of that key. Raises ValueError for an unknown language."""
    return Words(lang, "picture")(key, **params)


def gems_in_words(gems: Gems, lang: str) -> str:
    counts = zip(LETTERS, gems, strict=True)
    parts = [f"{count} {colour_name(letter, lang)}" for letter, count in counts if count]
    return Words(lang, "lists")("comma").join(parts) or say("nothing", lang)


def card_in_words(card: Card, lang: str) -> str:
    return say(
        "card",
        lang,
        code=card.code,
        level=card.level,
        bonus=colour_name(card.bonus.letter, lang),
        points=card.points,
        cost=gems_in_words(card.cost, lang),
    )


def noble_in_words(noble: Noble, lang: str) -> str:
    cost = gems_in_words(Gems(*(noble.cost[c] for c in COLOURS)), lang)
    name = noble_name(noble, lang)
    return say("asks", lang, name=name, points=noble.points, cost=cost)
