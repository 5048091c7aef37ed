"""Rendering as Gymnasium and PettingZoo name it: human, ansi, rgb_array.

The picture is the same drawing that notebooks and `cabochon show --svg` have, rasterised. From one
turn to the next most of a table stays as it is, so each piece of the drawing is painted once and
kept: the first picture takes half a second, later ones less than a tenth of that. The letters are
those of the font that Pillow carries with it, so that the same table gives the same picture on
every machine, with system fonts or without.
"""

from __future__ import annotations

import io
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt

from cabochon.extras import needed
from cabochon.render.art.draw import ROOM, Piece
from cabochon.render.pixels import painted
from cabochon.render.svg import HEIGHT as DRAWN_HEIGHT
from cabochon.render.svg import WIDTH as DRAWN_WIDTH
from cabochon.render.svg import pieces, svg_of
from cabochon.render.text import board
from cabochon.rules import Facts, Position, View

if TYPE_CHECKING:
    from PIL import Image

Frame: TypeAlias = str | npt.NDArray[np.uint8] | None

RENDER_MODES = ("human", "ansi", "rgb_array")
RENDER_FPS = 2


def show(table: Position | View, mode: str | None) -> Frame:
    """The frame; `human` prints the text board and gives None, as no mode at all does with a
    warning."""
    if mode is None:
        gymnasium.logger.warn("render() was called without a render_mode: nothing is drawn.")
        return None
    if mode == "rgb_array":
        return pixels(table)
    text = board(table)
    if mode == "ansi":
        return text
    sys.stdout.write(text + "\n\n")
    return None


def pixels(table: Position | View) -> npt.NDArray[np.uint8]:
    """The table as an image, (height, width, 3). Raises ExtraMissing without Pillow or resvg."""
    for package in ("PIL", "resvg_py"):
        needed(package, "envs", "render_mode rgb_array")
    return np.asarray(picture(table), np.uint8)


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
    from PIL import Image

    room = Image.new("RGB", (WIDTH, HEIGHT), ROOM)
    for piece in pieces(facts):
        stamp = _stamp(piece.drawing, piece.width, piece.height)
        at = round(piece.x * _SCALE) - _EDGE, round(piece.y * _SCALE) - _EDGE + _TOP
        room.paste(stamp, at, stamp)
    return room


@lru_cache(_KEPT)
def _stamp(drawing: str, width: float, height: float) -> Image.Image:
    from PIL import Image

    margin = _EDGE / _SCALE
    drawn = svg_of(Piece(0, 0, width, height, drawing), margin)
    data = painted(drawn, round((width + 2 * margin) * _SCALE))
    return Image.open(io.BytesIO(data)).convert("RGBA")
