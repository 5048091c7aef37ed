"""The picture of a table as PNG, where the painter (resvg) is installed. As a program it reads an
SVG and writes the PNG: `python -m cabochon.render.pixels en < table.svg > table.png`.

English is written in the font that Pillow carries with it, so that the same table gives the same
picture on every machine; Chinese needs a font of the machine's own.
"""

from __future__ import annotations

import os
import sys
import tempfile
from functools import cache
from typing import IO, Any

from cabochon.extras import needed
from cabochon.render.svg import WIDTH, svg
from cabochon.rules.facts import Facts

EXTRA = "envs"
NICE = 10


def png(facts: Facts, *, lang: str = "en") -> bytes:
    """The same picture as `svg` draws. Raises ExtraMissing without resvg and Pillow, and
    ValueError for an unknown language."""
    return painted(svg(facts, lang=lang), round(WIDTH), system_fonts=lang != "en")


def painted(drawing: str, width: int, *, system_fonts: bool = False) -> bytes:
    """Any of our drawings, that wide. Raises ExtraMissing."""
    resvg: Any = needed("resvg_py", EXTRA, "PNG")
    file, family = _font()
    data: bytes = resvg.svg_to_bytes(
        svg_string=drawing,
        width=width,
        skip_system_fonts=not system_fonts,
        font_files=[file.name],
        sans_serif_family=family,
        serif_family=family,
    )
    return bytes(data)


@cache
def _font() -> tuple[IO[bytes], str]:
    """A file with Pillow's own font, for as long as the process lives, and the font's name."""
    fonts: Any = needed("PIL.ImageFont", EXTRA, "PNG")
    font: Any = fonts.load_default(16)
    file = tempfile.NamedTemporaryFile(suffix=".ttf")  # noqa: SIM115
    file.write(font.font_bytes)
    file.flush()
    return file, str(font.getname()[0])


def main() -> None:
    """From the standard input to the standard output; others on the machine come first."""
    os.nice(NICE)
    drawing = sys.stdin.buffer.read().decode()
    data = painted(drawing, round(WIDTH), system_fonts=sys.argv[1:] != ["en"])
    sys.stdout.buffer.write(data)


if __name__ == "__main__":
    main()
