"""Six gems that differ by silhouette, letter and colour, lit from the upper left.

Box 64 x 64. Diamond: brilliant in profile. Sapphire: circle. Emerald: tall octagon. Ruby: bowed
triangle, point up. Onyx: lozenge. Gold: star of eight.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from cabochon.render.art.draw import TONES, Point, Tones, box, group, number, polygon, ring, tag
from cabochon.rules.gems import Gem

_UI_CLASS = {"class_": "u"}

Facet = tuple[int, str]  # tone (0 glint … 3 shade), path


@dataclass(frozen=True, slots=True)
class Shape:
    """The outline, the facets inside it, and where the letter stands: x, baseline, size."""

    outline: str
    facets: tuple[Facet, ...]
    letter: tuple[float, float, float]


def _diamond() -> Shape:
    top, mid, right = (15, 9), (32, 9), (49, 9)
    a, b, c, d, tip = (2, 25), (19, 25), (45, 25), (62, 25), (32, 60)
    facets = (
        (1, polygon([top, a, b])), (0, polygon([top, b, mid])), (1, polygon([mid, b, c])),
        (2, polygon([mid, c, right])), (3, polygon([right, c, d])),
        (2, polygon([a, b, tip])), (0, polygon([b, c, tip])), (3, polygon([c, d, tip])),
    )  # fmt: skip
    return Shape(polygon([top, right, d, tip, a]), facets, (32, 41, 22))


def _sapphire() -> Shape:
    outer, table = ring(8, 30, 22.5), ring(8, 17)

    def facing(degrees: float) -> float:
        return math.cos(math.radians(degrees - 225))

    def spot(point: Point) -> str:
        return f"{number(point[0])} {number(point[1])}"

    facets: list[Facet] = []
    for i, point in enumerate(table):
        light = facing(i * 45)
        tone = 0 if light > 0.6 else 1 if light > 0 else 2 if light > -0.8 else 3
        arc = f"M{spot(point)}L{spot(outer[(i + 7) % 8])}A30 30 0 0 1 {spot(outer[i])}Z"
        facets.append((tone, arc))
    for i, point in enumerate(outer):
        light = facing(22.5 + i * 45)
        tone = 2 if light > 0.3 else 1 if light > -0.3 else 3
        facets.append((tone, polygon([table[i], point, table[(i + 1) % 8]])))
    facets += [(2, polygon(table)), (1, polygon(table[3:]))]
    return Shape("M32 2A30 30 0 1 1 32 62A30 30 0 1 1 32 2Z", tuple(facets), (32, 40, 24))


def _octagon(x: float, y: float, cut: float) -> list[Point]:
    right, low = 64 - x, 64 - y
    return [
        (x + cut, y), (right - cut, y), (right, y + cut), (right, low - cut),
        (right - cut, low), (x + cut, low), (x, low - cut), (x, y + cut),
    ]  # fmt: skip


def _emerald() -> Shape:
    outer, middle, table = _octagon(12, 2, 11), _octagon(18, 9, 8), _octagon(23, 15, 5)
    lit = (0, 1, 3, 3, 3, 2, 1, 0)

    def step(a: list[Point], b: list[Point], deeper: int, most: int) -> list[Facet]:
        sides = ((i, (i + 1) % 8) for i in range(8))
        return [(min(most, lit[i] + deeper), polygon([a[i], a[j], b[j], b[i]])) for i, j in sides]

    facets = [*step(outer, middle, 0, 3), *step(middle, table, 1, 2), (2, polygon(table))]
    facets.append((1, polygon([table[0], table[1], table[7]])))
    return Shape(polygon(outer), tuple(facets), (32, 40, 23))


def _ruby() -> Shape:
    facets = (
        (0, "M32 2Q20.5 11.5 13 24.2L32 23Z"), (2, "M32 2Q43.5 11.5 51 24.2L32 23Z"),
        (1, "M13 24.2L32 23L18 45Z"), (3, "M51 24.2L32 23L46 45Z"),
        (2, "M13 24.2Q5.5 37 2 53L18 45Z"), (2, "M51 24.2Q58.5 37 62 53L46 45Z"),
        (3, "M2 53Q17 59 32 59L18 45Z"), (3, "M62 53Q47 59 32 59L46 45Z"),
        (1, "M32 59L46 45L18 45Z"), (2, "M32 23L46 45L18 45Z"), (1, "M32 23L39 34L25 34Z"),
    )  # fmt: skip
    return Shape("M32 2Q55 21 62 53Q32 65 2 53Q9 21 32 2Z", facets, (32, 45, 21))


def _onyx() -> Shape:
    top, right, low, left = (32, 1), (63, 32), (32, 63), (1, 32)
    t, r, b, m = (32, 14), (50, 32), (32, 50), (14, 32)
    facets = (
        (1, polygon([top, left, m, t])), (2, polygon([top, right, r, t])),
        (2, polygon([left, low, b, m])), (3, polygon([right, low, b, r])),
        (2, polygon([t, r, b, m])), (0, polygon([top, left, (5.5, 32), (32, 5.5)])),
    )  # fmt: skip
    return Shape(polygon([top, right, low, left]), facets, (32, 40, 22))


def _gold() -> Shape:
    tips, notches, middle = ring(8, 31, -90), ring(8, 20, -67.5), (32.0, 32.0)
    after, before = (1, 2, 3, 3, 2, 1, 0, 0), (0, 1, 2, 3, 3, 2, 1, 0)
    facets: list[Facet] = []
    outline: list[Point] = []
    for i, tip in enumerate(tips):
        facets.append((after[i], polygon([tip, notches[i], middle])))
        facets.append((before[i], polygon([tip, notches[(i + 7) % 8], middle])))
        outline += [tip, notches[i]]
    facets.append((2, "M32 17A15 15 0 1 1 32 47A15 15 0 1 1 32 17Z"))
    facets.append((1, "M32 17A15 15 0 0 0 21.4 42.6L42.6 21.4A15 15 0 0 0 32 17Z"))
    return Shape(polygon(outline), tuple(facets), (32, 40, 22))


SHAPES = {
    Gem.WHITE: _diamond(),
    Gem.BLUE: _sapphire(),
    Gem.GREEN: _emerald(),
    Gem.RED: _ruby(),
    Gem.BLACK: _onyx(),
    Gem.GOLD: _gold(),
}


def symbols() -> str:
    """The definitions that `gem` refers to: each stone plain and with its letter."""
    return "".join(_symbol(gem, letter, TONES[gem]) for gem in Gem for letter in (False, True))


def page_symbols(kind: Gem) -> tuple[str, str, str]:
    """For the page, whose themes give the tones: the stone, with its letter, and its silhouette."""
    c, outline = kind.letter, SHAPES[kind].outline
    named = Tones(
        glint=f"var(--{c}1)",
        light=f"var(--{c}2)",
        body=f"var(--{c}3)",
        shade=f"var(--{c}4)",
        rim=f"var(--{c}-rim)",
        letter=f"var(--{c}l)",
        face="",
        face_deep="",
        face_ink="",
    )
    shape = tag("symbol", tag("path", d=outline), id=f"gem-{c}-shape", viewBox="-1 -1 66 66")
    font = {"font_family": "system-ui,sans-serif"}
    return _symbol(kind, False, named), _symbol(kind, True, named, font), shape


def gem(kind: Gem, x: float, y: float, size: float, *, letter: bool = False) -> str:
    """A stone in a square box."""
    return tag("use", href=f"#{_name(kind, letter)}", x=x, y=y, width=size, height=size)


def token(kind: Gem, count: int, x: float, y: float, size: float) -> str:
    """A pile of domes: a cabochon with the stone and its letter, as tall as the count."""
    tones, radius, rise = TONES[kind], size / 2, 2.2
    height = max(0, count - 1) * rise
    pile = box(x, y, size, size + height, radius, tones.rim)
    edges = "".join(
        tag("path", d=f"M0 0a{number(radius)} {number(radius)} 0 0 0 {number(size)} 0",
            transform=f"translate({number(x)} {number(y + radius + rise * i)})", fill="none",
            stroke=tones.shade, stroke_width=1.3)
        for i in range(1, count)
    )  # fmt: skip
    cx, cy, inner = x + radius, y + radius, size * 0.68
    dome = tag("circle", cx=cx, cy=cy, r=radius - 1, fill=f"url(#dome-{kind.letter})",
               stroke=tones.rim, stroke_width=2)  # fmt: skip
    rim = tag("circle", cx=cx, cy=cy, r=radius - 3, fill="none", stroke=tones.glint,
              stroke_opacity=0.4, stroke_width=1.6)  # fmt: skip
    stone = gem(kind, cx - inner / 2, cy - inner / 2, inner, letter=True)
    faded = {} if count else {"opacity": 0.35}
    return group(pile if count > 1 else "", edges, dome, rim, stone, **faded)


def domes() -> str:
    """The gradients of the tokens."""
    return "".join(
        tag("radialGradient",
            tag("stop", offset="0", stop_color=TONES[kind].glint),
            tag("stop", offset=".35", stop_color=TONES[kind].light),
            tag("stop", offset=".7", stop_color=TONES[kind].body),
            tag("stop", offset="1", stop_color=TONES[kind].shade),
            id=f"dome-{kind.letter}", cx=".38", cy=".26", r=".78")
        for kind in Gem
    )  # fmt: skip


def _name(kind: Gem, letter: bool) -> str:
    return f"gem-{kind.letter}" + ("-letter" if letter else "")


def _symbol(kind: Gem, letter: bool, tones: Tones, font: Mapping[str, str] = _UI_CLASS) -> str:
    shape = SHAPES[kind]
    parts = [
        tag("path", d=shape.outline, fill=tones.body),
        group(
            *(tag("path", d=path, fill=tones[tone]) for tone, path in shape.facets),
            stroke=tones.glint, stroke_opacity=0.3, stroke_width=0.8, stroke_linejoin="round",
        ),
        tag("path", d=shape.outline, fill="none", stroke=tones.rim, stroke_width=3.6,
            stroke_linejoin="round"),
    ]  # fmt: skip
    if letter:
        x, y, size = shape.letter
        parts.append(
            tag("text", kind.letter.upper(), x=x, y=y, **font, font_size=size,
                font_weight=800, text_anchor="middle", fill=tones.letter, stroke=tones.body,
                stroke_width=6, stroke_linejoin="round", paint_order="stroke")
        )  # fmt: skip
    return tag("symbol", *parts, id=_name(kind, letter), viewBox="-1 -1 66 66")
