"""The colours of the pictures: porcelain by day, six gems, and amethyst for whoever is to act."""

from __future__ import annotations

from typing import NamedTuple

from cabochon.rules.gems import Gem

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
