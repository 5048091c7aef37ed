"""Pen, paper and colours: SVG elements as text, and the palette of the pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from html import escape
from typing import NamedTuple

from cabochon.rules.gems import Gem

# The colours of the pictures: porcelain by day, six gems, and amethyst for whoever is to act.


ROOM = "#dfe6e4"
TRAY = "#cfd9d6"
TRAY_LINE = "#b4c3bf"
SURFACE = "#f9fbfa"
WELL = "#ebf0ee"
LINE = "#c5d1cd"
LINE_STRONG = "#64766f"
INK = "#13201d"
INK_SOFT = "#46564f"
ACCENT = "#6e2b8f"
ACCENT_SOFT = "#eddff5"
ACCENT_INK = "#541c70"
ON_ACCENT = "#ffffff"
BACKS = {1: "#5b716a", 2: "#3d524c", 3: "#22322e"}
CREST_EDGE = "#3b2700"


class Tones(NamedTuple):
    """From light to deep, the letter on the body, and the two ends and the ink of a card face."""

    glint: str
    light: str
    body: str
    shade: str
    rim: str
    letter: str
    face: str
    face_deep: str
    face_ink: str


TONES = {
    Gem.WHITE: Tones(
        "#ffffff", "#eef3f7", "#d3dee7", "#a3b4c2", "#45545f", "#1d2a33",
        "#dbe4ea", "#aebfcb", "#1d2a33",
    ),
    Gem.BLUE: Tones(
        "#a9cdfb", "#4d90ec", "#1f63cc", "#134393", "#0c2c66", "#ffffff",
        "#174fa8", "#0c2f6e", "#ffffff",
    ),
    Gem.GREEN: Tones(
        "#a5e8c4", "#37b27b", "#0e8350", "#095a37", "#063d26", "#ffffff",
        "#0c6a42", "#064029", "#ffffff",
    ),
    Gem.RED: Tones(
        "#ffb9b4", "#ee5a5f", "#c71f37", "#8c1027", "#5f081a", "#ffffff",
        "#a9172f", "#650a1e", "#ffffff",
    ),
    Gem.BLACK: Tones(
        "#a3a0a8", "#5c5961", "#35323a", "#1f1d23", "#0d0c10", "#ffffff",
        "#3a373f", "#18171b", "#ffffff",
    ),
    Gem.GOLD: Tones(
        "#fff0b8", "#fbd25c", "#e6a91e", "#a8740a", "#664403", "#2c1b00",
        "#d99c14", "#8a5d05", "#2c1b00",
    ),
}  # fmt: skip


# Pen and paper: SVG elements as text, points on a ring, and numbers that a seed decides.


Point = tuple[float, float]

UI = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans CJK SC',sans-serif"
DISPLAY = (
    "'Iowan Old Style','Palatino Linotype',Palatino,'URW Palladio L',P052,'Book Antiqua',"
    "'Songti SC','Noto Serif CJK SC',Georgia,serif"
)
_MASK = 0xFFFFFFFF


def number(value: float) -> str:
    """One decimal, and none where there is nothing to say."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def tag(name: str, *children: str, **attributes: str | float) -> str:
    """An element. An attribute's underscores are hyphens; one at the end is dropped."""
    parts = [name]
    for key, value in attributes.items():
        text = value if isinstance(value, str) else number(value)
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{escape(text)}"')
    head = " ".join(parts)
    return f"<{head}>{''.join(children)}</{name}>" if children else f"<{head}/>"


def group(*children: str, x: float = 0, y: float = 0, **attributes: str | float) -> str:
    if x or y:
        attributes["transform"] = f"translate({number(x)} {number(y)})"
    return tag("g", *children, **attributes) if children else ""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that lies in one place of the picture: a card, what it costs, a purse.

    A picture is a list of them, each over those before it, so that who paints picture after picture
    can keep what has not changed.
    """

    x: float
    y: float
    width: float
    height: float
    drawing: str
    about: str = ""

    def moved(self, x: float, y: float) -> Piece:
        return replace(self, x=self.x + x, y=self.y + y)

    def __str__(self) -> str:
        named = (title(self.about),) if self.about else ()
        return group(*named, self.drawing, x=self.x, y=self.y)


def title(text: str) -> str:
    """What a reader hears, and a mouse that rests sees."""
    return tag("title", escape(text))


def text(
    words: object,
    x: float,
    y: float,
    size: float,
    *,
    anchor: str = "start",
    fill: str = INK,
    weight: int = 400,
    display: bool = False,
) -> str:
    """A line of text on its baseline, in the display face (points, titles) or the plain one."""
    family = "d" if display else "u"
    return tag(
        "text", escape(str(words)), x=x, y=y, class_=family, font_size=size, font_weight=weight,
        text_anchor=anchor, fill=fill,
    )  # fmt: skip


def box(x: float, y: float, width: float, height: float, r: float, fill: str, **more: str) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, rx=r, fill=fill, **more)


def polygon(points: Iterable[Point]) -> str:
    """The path data of a closed shape."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def ring(n: int, radius: float, start: float = 0, cx: float = 32, cy: float = 32) -> list[Point]:
    """`n` points on a circle, the first at `start` degrees, clockwise on screen."""
    angles = (math.radians(start + 360 / n * i) for i in range(n))
    return [(cx + radius * math.cos(a), cy + radius * math.sin(a)) for a in angles]


def seeded(seed: str) -> Callable[[], float]:
    """Numbers in [0, 1): the same ones the browser draws from the same seed, so that a card has
    one face everywhere."""
    state = 2166136261
    for char in seed:
        state = (state ^ ord(char)) * 16777619 & _MASK

    def draw() -> float:
        nonlocal state
        state = (state ^ state >> 15) * 2246822507 & _MASK
        state = (state ^ state >> 13) * 3266489909 & _MASK
        state ^= state >> 16
        return state / 4294967296

    return draw
