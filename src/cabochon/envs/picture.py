"""The table as pixels: the same SVG that notebooks and `cabochon show --svg` draw, rasterised.

The letters are those of the font that Pillow carries with it, so that the same table gives the same
picture on every machine, with system fonts or without.
"""

from __future__ import annotations

import io

from PIL import Image

from cabochon.render.art.palette import ROOM
from cabochon.render.pixels import painted
from cabochon.render.svg import svg
from cabochon.rules import Facts

WIDTH, HEIGHT = 880, 600


def picture(facts: Facts) -> Image.Image:
    """The table in the middle of 880 by 600, RGB. A Position shows all reserved cards, a View those
    that its viewer knows."""
    table = Image.open(io.BytesIO(painted(svg(facts), WIDTH))).convert("RGB")
    room = Image.new("RGB", (WIDTH, HEIGHT), ROOM)
    room.paste(table, (0, (HEIGHT - table.height) // 2))
    return room
