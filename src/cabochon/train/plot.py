"""The curve of strength over training, as a small SVG written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 360, 56, 40, 16, 44
_COLOURS = ("#1f6f8b", "#b5533c", "#5b8c3e")
_STYLE = 'font-family="sans-serif" font-size="12" fill="#444"'


@dataclass(frozen=True)
class Axis:
    """What stands upright: values from low to high, with a line and a text at each mark."""

    low: float
    high: float
    marks: tuple[tuple[float, str], ...]


SHARES = Axis(0.0, 1.0, tuple((percent / 100, f"{percent} %") for percent in range(0, 101, 20)))


def elo_axis(least: float, most: float) -> Axis:
    """From the hundred below the least to the hundred above the most."""
    first, last = int(least // 100), -int(-most // 100)
    marks = tuple((100.0 * mark, f"{100 * mark:+d}") for mark in range(first, last + 1))
    return Axis(100.0 * first, 100.0 * max(last, first + 1), marks)


def curve(points: Sequence[Mapping[str, object]]) -> list[Point]:
    """(thousands of games, share of wins against playouts) of the exams in a log."""
    return [
        (float(str(line["games"])) / 1000, float(str(line["against_playouts"])))
        for line in points
        if line.get("kind") == "exam"
    ]


def draw(
    curves: Mapping[str, Sequence[Point]], title: str, across: str, axis: Axis = SHARES
) -> str:
    """Curves by name; by default each value is a share between 0 and 1."""
    longest = max((point[0] for points in curves.values() for point in points), default=1.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{title}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="22" {_STYLE}>{title}</text>',
        *_grid(longest, axis),
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 8}" text-anchor="middle" {_STYLE}>{across}</text>',
    ]
    for number, (name, points) in enumerate(curves.items()):
        parts += _line(name, points, longest, axis, number)
    return "\n".join([*parts, "</svg>", ""])


def _grid(longest: float, axis: Axis) -> list[str]:
    parts = []
    for value, text in axis.marks:
        y = _y(value, axis)
        parts.append(
            f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}" stroke="#ddd"/>'
        )
        parts.append(f'<text x="8" y="{y + 4:.1f}" {_STYLE}>{text}</text>')
    for part in range(5):
        place = longest * part / 4
        x = _x(place, longest)
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 26}" {_STYLE}>{place:.0f}</text>')
    return parts


def _line(name: str, points: Sequence[Point], longest: float, axis: Axis, number: int) -> list[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    places = " ".join(f"{_x(x, longest):.1f},{_y(y, axis):.1f}" for x, y in points)
    label_x = _WIDTH - _RIGHT - 110 * (3 - number)
    return [
        f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>',
        f'<text x="{label_x}" y="{_TOP - 16}" font-family="sans-serif" font-size="12" '
        f'fill="{colour}">{name}</text>',
    ]


def _x(place: float, longest: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * place / max(longest, 1e-9)


def _y(value: float, axis: Axis) -> float:
    height = (value - axis.low) / (axis.high - axis.low)
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - height)
