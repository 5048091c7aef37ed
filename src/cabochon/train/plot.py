"""The curve of strength over training, as a small SVG written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Point = tuple[float, float]
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 360, 56, 40, 16, 44
_COLOURS = ("#1f6f8b", "#b5533c", "#5b8c3e")
_STYLE = 'font-family="sans-serif" font-size="12" fill="#444"'


def curve(points: Sequence[Mapping[str, object]]) -> list[Point]:
    """(thousands of games, share of wins against playouts) of the exams in a log."""
    return [
        (float(str(line["games"])) / 1000, float(str(line["against_playouts"])))
        for line in points
        if line.get("kind") == "exam"
    ]


def draw(curves: Mapping[str, Sequence[Point]], title: str, across: str) -> str:
    """Curves by name, each value between 0 and 1."""
    longest = max((point[0] for points in curves.values() for point in points), default=1.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{title}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="22" {_STYLE}>{title}</text>',
        *_grid(longest),
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 8}" text-anchor="middle" {_STYLE}>{across}</text>',
    ]
    for number, (name, points) in enumerate(curves.items()):
        parts += _line(name, points, longest, number)
    return "\n".join([*parts, "</svg>", ""])


def _grid(longest: float) -> list[str]:
    parts = []
    for percent in range(0, 101, 20):
        y = _y(percent / 100)
        parts.append(
            f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}" stroke="#ddd"/>'
        )
        parts.append(f'<text x="8" y="{y + 4:.1f}" {_STYLE}>{percent} %</text>')
    for part in range(5):
        place = longest * part / 4
        x = _x(place, longest)
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 26}" {_STYLE}>{place:.0f}</text>')
    return parts


def _line(name: str, points: Sequence[Point], longest: float, number: int) -> list[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    places = " ".join(f"{_x(x, longest):.1f},{_y(y):.1f}" for x, y in points)
    label_x = _WIDTH - _RIGHT - 110 * (3 - number)
    return [
        f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>',
        f'<text x="{label_x}" y="{_TOP - 16}" font-family="sans-serif" font-size="12" '
        f'fill="{colour}">{name}</text>',
    ]


def _x(place: float, longest: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * place / max(longest, 1e-9)


def _y(share: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)
