"""Pen and paper: SVG elements as text, points on a ring, and numbers that a seed decides."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from html import escape

from cabochon.render.art.palette import INK

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
