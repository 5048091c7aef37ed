"""The table as pixels: the same SVG that notebooks and `cabochon show --svg` draw, rasterised.

The letters are those of the font that Pillow carries with it, so that the same table gives the same
picture on every machine, with system fonts or without.
"""

from __future__ import annotations

import io
import tempfile
from functools import cache
from typing import IO, Any

import resvg_py
from PIL import Image, ImageFont

from cabochon.render.art.palette import ROOM
from cabochon.render.svg import svg
from cabochon.rules import Facts

WIDTH, HEIGHT = 880, 600


def picture(facts: Facts) -> Image.Image:
    """The table in the middle of 880 by 600, RGB. A Position shows all reserved cards, a View those
    that its viewer knows."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg(facts),
        width=WIDTH,
        skip_system_fonts=True,
        font_files=[_font().name],
        sans_serif_family=_family(),
        serif_family=_family(),
    )
    table = Image.open(io.BytesIO(drawn)).convert("RGB")
    room = Image.new("RGB", (WIDTH, HEIGHT), ROOM)
    room.paste(table, (0, (HEIGHT - table.height) // 2))
    return room


@cache
def _font() -> IO[bytes]:
    """A file with Pillow's own font, for as long as the process lives."""
    font: Any = ImageFont.load_default(16)
    file = tempfile.NamedTemporaryFile(suffix=".ttf")  # noqa: SIM115
    file.write(font.font_bytes)
    file.flush()
    return file


@cache
def _family() -> str:
    font: Any = ImageFont.load_default(16)
    return str(font.getname()[0])
