"""The table as pixels: the same drawing that notebooks and `cabochon show --svg` have, rasterised.

From one turn to the next most of a table stays as it is, so each piece of the drawing is painted
once and kept: the first picture takes half a second, later ones less than a tenth of that. The
letters are those of the font that Pillow carries with it, so that the same table gives the same
picture on every machine, with system fonts or without.
"""

from __future__ import annotations

import io
from functools import lru_cache

from PIL import Image

from cabochon.render.art.draw import ROOM, Piece
from cabochon.render.pixels import painted
from cabochon.render.svg import HEIGHT as DRAWN_HEIGHT
from cabochon.render.svg import WIDTH as DRAWN_WIDTH
from cabochon.render.svg import pieces, svg_of
from cabochon.rules import Facts

WIDTH, HEIGHT = 880, 600
_SCALE = WIDTH / DRAWN_WIDTH
_TOP = (HEIGHT - round(DRAWN_HEIGHT * _SCALE)) // 2
_EDGE = 4
"""Pixels around a piece, for shadows and strokes that reach over its bounds."""
_KEPT = 4096
"""Stamps: all cards, and what a dozen games say about them, in some fifty megabytes."""


def picture(facts: Facts) -> Image.Image:
    """The table in the middle of 880 by 600, RGB. A Position shows all reserved cards, a View those
    that its viewer knows."""
    room = Image.new("RGB", (WIDTH, HEIGHT), ROOM)
    for piece in pieces(facts):
        stamp = _stamp(piece.drawing, piece.width, piece.height)
        at = round(piece.x * _SCALE) - _EDGE, round(piece.y * _SCALE) - _EDGE + _TOP
        room.paste(stamp, at, stamp)
    return room


@lru_cache(_KEPT)
def _stamp(drawing: str, width: float, height: float) -> Image.Image:
    margin = _EDGE / _SCALE
    drawn = svg_of(Piece(0, 0, width, height, drawing), margin)
    data = painted(drawn, round((width + 2 * margin) * _SCALE))
    return Image.open(io.BytesIO(data)).convert("RGBA")
