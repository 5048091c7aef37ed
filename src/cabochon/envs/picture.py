"""The table as pixels, drawn with Pillow at twice the size and then reduced.

    title, nobles            │ a panel
    deck 3   card card …     │ for each
    deck 2   card card …     │ seat
    deck 1   card card …     │
    bank                     │

Gems differ by silhouette and letter as well as by colour. A Position shows all reserved cards, a
View those that its viewer knows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from cabochon.render.art.draw import Point
from cabochon.render.art.palette import (
    ACCENT,
    ACCENT_SOFT,
    BACKS,
    INK,
    INK_SOFT,
    LINE,
    ON_ACCENT,
    ROOM,
    SURFACE,
    TONES,
    WELL,
)
from cabochon.rules import Card, Facts, Gem, Gems, Noble, Phase, Reserved
from cabochon.rules.ending import outcome_of
from cabochon.rules.gems import COLOURS

WIDTH, HEIGHT = 880, 600
_DRAWN = 2
_CARD = (92, 118)
_LEFT, _TOP = 16, 116
_PANELS = 560
_CAUSE = {
    Phase.ACT: "acts",
    Phase.DEAL: "waits for a card",
    Phase.NOBLE: "chooses a noble",
    Phase.RETURN: "gives back tokens",
}


def picture(facts: Facts) -> Image.Image:
    """The table, 880 by 600, RGB."""
    pen = _Pen()
    pen.box(0, 0, WIDTH, HEIGHT, ROOM, radius=0)
    _title(pen, facts)
    for place, noble in enumerate(facts.nobles):
        _noble(pen, noble, noble in facts.open_nobles, _LEFT + 106 * place, 48)
    for level in (3, 2, 1):
        y = _TOP + (_CARD[1] + 8) * (3 - level)
        _deck(pen, level, facts.decks[level - 1], _LEFT, y)
        for column, card in enumerate(facts.rows[level - 1]):
            _card(pen, card, _LEFT + (_CARD[0] + 12) * (column + 1), y)
    _bank(pen, facts.bank)
    for seat in range(facts.ruleset.seats):
        _panel(pen, facts, seat)
    return pen.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


class _Pen:
    """Draws in the small picture's units."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * _DRAWN, HEIGHT * _DRAWN))
        self._draw = ImageDraw.Draw(self.image)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        line: str | None = None,
        radius: float = 8,
    ) -> None:
        corners = [v * _DRAWN for v in (x, y, x + width, y + height)]
        self._draw.rounded_rectangle(corners, radius * _DRAWN, fill, line, _DRAWN)

    def shape(self, points: Sequence[Point], fill: str, line: str | None = None) -> None:
        scaled = [(x * _DRAWN, y * _DRAWN) for x, y in points]
        self._draw.polygon(scaled, fill, line, _DRAWN)

    def write(self, text: str, x: float, y: float, size: int, fill: str, at: str = "la") -> None:
        """`at` is Pillow's anchor: where in the text the point lies."""
        font = _font(size * _DRAWN)
        self._draw.text((x * _DRAWN, y * _DRAWN), text, fill, font, at)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _title(pen: _Pen, facts: Facts) -> None:
    rules = facts.ruleset
    pen.write("Cabochon", _LEFT, 12, 20, INK)
    text = f"{rules.variant}, to {rules.target} points, round {facts.turn // rules.seats + 1}"
    pen.write(text, _LEFT + 112, 17, 13, INK_SOFT)
    if facts.phase is Phase.OVER:
        winners = " and ".join(f"player {seat}" for seat in outcome_of(facts).winners)
        text = f"game over: {winners} won"
    else:
        text = f"player {facts.seat} {_CAUSE[facts.phase]}"
    pen.box(_PANELS, 10, WIDTH - _PANELS - _LEFT, 26, ACCENT, radius=13)
    pen.write(text, (_PANELS + WIDTH - _LEFT) / 2, 23, 14, ON_ACCENT, "mm")


def _noble(pen: _Pen, noble: Noble, is_open: bool, x: float, y: float) -> None:
    pen.box(x, y, 98, 56, SURFACE if is_open else ROOM, LINE)
    if is_open:
        pen.write(str(noble.points), x + 10, y + 8, 18, INK)
        _price(pen, noble.cost, x + 34, y + 28, across=True)


def _deck(pen: _Pen, level: int, left: int, x: float, y: float) -> None:
    width, height = _CARD
    pen.box(x, y, width, height, BACKS[level] if left else ROOM, LINE)
    ink = ON_ACCENT if left else INK_SOFT
    pen.write(str(left), x + width / 2, y + height / 2 - 8, 22, ink, "mm")
    pen.write("I" * level, x + width / 2, y + height - 22, 18, ink, "mm")


def _card(pen: _Pen, card: Card | None, x: float, y: float) -> None:
    width, height = _CARD
    if card is None:
        pen.box(x, y, width, height, WELL, LINE)
        return
    tones = TONES[card.bonus]
    pen.box(x, y, width, height, SURFACE, LINE)
    pen.box(x, y, width, 36, tones.face, tones.face)
    if card.points:
        pen.write(str(card.points), x + 10, y + 18, 24, tones.face_ink, "lm")
    _gem(pen, card.bonus, x + width - 20, y + 18, 13)
    _price(pen, card.cost, x + 16, y + height - 16, across=False)
    pen.write(card.code, x + width - 10, y + height - 10, 12, INK_SOFT, "rd")


def _price(pen: _Pen, cost: Gems, x: float, y: float, across: bool) -> None:
    """Gems with their counts, from left to right or from the bottom up."""
    for place, gem in enumerate(gem for gem in COLOURS if cost[gem]):
        dx, dy = (22 * place, 0) if across else (26 * (place // 3), -24 * (place % 3))
        _gem(pen, gem, x + dx, y + dy, 10, str(cost[gem]))


def _bank(pen: _Pen, bank: Gems) -> None:
    y = HEIGHT - 54
    pen.box(_LEFT, y, _PANELS - _LEFT - 16, 42, WELL, LINE)
    for gem in Gem:
        _gem(pen, gem, _LEFT + 44 + 84 * gem, y + 21, 15, gem.letter)
        pen.write(str(bank[gem]), _LEFT + 68 + 84 * gem, y + 21, 17, INK, "lm")


def _panel(pen: _Pen, facts: Facts, seat: int) -> None:
    """Points, then a row of bonuses, a row of tokens and the reserved cards."""
    height = (HEIGHT - 60) / facts.ruleset.seats
    x, y, width = _PANELS, 48 + height * seat, WIDTH - _PANELS - _LEFT
    acts = seat == facts.seat and facts.phase is not Phase.OVER
    fill, line = (ACCENT_SOFT, ACCENT) if acts else (SURFACE, LINE)
    pen.box(x, y, width, height - 8, fill, line)
    hand = facts.hands[seat]
    pen.write(f"player {seat}", x + 12, y + 20, 16, INK, "lm")
    facts_text = f"{len(hand.bought)} cards   {len(hand.nobles)} nobles"
    pen.write(facts_text, x + 92, y + 20, 12, INK_SOFT, "lm")
    pen.write(f"{hand.points}", x + width - 14, y + 20, 24, ACCENT, "rm")
    for gem in Gem:
        left = x + 14 + 47 * gem
        if gem is not Gem.GOLD:
            pen.box(left, y + 38, 38, 22, TONES[gem].face, radius=4)
            text = str(hand.bonuses[gem])
            pen.write(text, left + 19, y + 49, 14, TONES[gem].face_ink, "mm")
        _gem(pen, gem, left + 19, y + 78, 13, str(hand.tokens[gem]))
    for place, reserve in enumerate(hand.reserved):
        _small(pen, reserve.card if isinstance(reserve, Reserved) else None, reserve.level,
               x + 14 + 94 * place, y + 98)  # fmt: skip


def _small(pen: _Pen, card: Card | None, level: int, x: float, y: float) -> None:
    """A reserved card as one line; the back of one that is not known."""
    tones = None if card is None else TONES[card.bonus]
    pen.box(x, y, 88, 22, BACKS[level] if tones is None else tones.face, radius=4)
    ink = ON_ACCENT if tones is None else tones.face_ink
    text = "I" * level if card is None else f"{card.code}  {card.points or ''}"
    pen.write(text, x + 44, y + 11, 13, ink, "mm")


def _gem(pen: _Pen, gem: Gem, x: float, y: float, radius: float, text: str = "") -> None:
    tones, outline = TONES[gem], _OUTLINES[gem]

    def placed(scale: float) -> list[Point]:
        return [(x + px * radius * scale, y + py * radius * scale) for px, py in outline]

    pen.shape(placed(1.15), tones.body, tones.rim)
    if text:
        pen.write(text, x, y, round(radius * 1.25), tones.letter, "mm")
    else:
        pen.shape(placed(0.62), tones.light)


def _ring(corners: int, first: float = -90.0) -> list[Point]:
    angles = [math.radians(first + 360 * corner / corners) for corner in range(corners)]
    return [(math.cos(angle), math.sin(angle)) for angle in angles]


def _star(points: int) -> list[Point]:
    return [
        (px * (1 if i % 2 == 0 else 0.78), py * (1 if i % 2 == 0 else 0.78))
        for i, (px, py) in enumerate(_ring(2 * points))
    ]


_OUTLINES: dict[Gem, list[Point]] = {
    Gem.WHITE: [(-0.55, -0.8), (0.55, -0.8), (1, -0.25), (0, 1), (-1, -0.25)],
    Gem.BLUE: _ring(40),
    Gem.GREEN: [
        (-0.4, -1), (0.4, -1), (0.8, -0.6), (0.8, 0.6), (0.4, 1), (-0.4, 1), (-0.8, 0.6),
        (-0.8, -0.6),
    ],
    Gem.RED: [(0, -1), (0.98, 0.72), (0.55, 0.86), (0, 0.9), (-0.55, 0.86), (-0.98, 0.72)],
    Gem.BLACK: _ring(4),
    Gem.GOLD: _star(8),
}  # fmt: skip
