"""What is heraldic belongs to people: crests of nobles, sigils of seats.

A crest's blazon is its price: one field for each colour asked for, hatched as engravers do, so
that it reads without colour. The page draws with the same paths (scripts/write_page_data.py).
"""

from __future__ import annotations

from cabochon.render.art.draw import CREST_EDGE, INK, SURFACE, TONES, group, number, seeded, tag
from cabochon.rules.cards import Noble
from cabochon.rules.gems import COLOURS, Gem

HATCHING = {
    Gem.WHITE: "",
    Gem.BLUE: "M0 2H6M0 5H6",
    Gem.GREEN: "M-1 1L1 -1M0 6L6 0M5 7L7 5M-1 4L4 -1M2 7L7 2",
    Gem.RED: "M2 0V6M5 0V6",
    Gem.BLACK: "M0 1.5H6M0 4.5H6M1.5 0V6M4.5 0V6",
}
IN_TWO = (
    ("M0 0H32V80H0Z", "M32 0H64V80H32Z"),  # per pale
    ("M0 0H64V36H0Z", "M0 36H64V80H0Z"),  # per fess
    ("M0 0H64L0 72Z", "M64 0V80H0V72Z"),  # per bend sinister
    ("M0 0H64V52L32 26L0 52Z", "M0 52L32 26L64 52V80H0Z"),  # per chevron
    ("M0 0H64V12L0 66Z", "M64 12V80H0V66Z"),
)
IN_THREE = (
    ("M0 0H21.5V80H0Z", "M21.5 0H42.5V80H21.5Z", "M42.5 0H64V80H42.5Z"),  # tierced per pale
    ("M0 0H64V26H0Z", "M0 26H64V45H0Z", "M0 45H64V80H0Z"),  # tierced per fess
    ("M0 0L32 36V80H0Z", "M0 0H64L32 36Z", "M64 0L32 36V80H64Z"),  # per pairle reversed
    ("M0 0H32V36L0 60Z", "M32 0H64V60L32 36Z", "M0 60L32 36L64 60V80H0Z"),  # per pairle
)
CROWNS = (
    "M12 15L10 3L20 10L26 1L32 9L38 1L44 10L54 3L52 15Z",
    "M12 15V6L20 11L32 0L44 11L52 6V15Z",
    "M12 15L9 5Q17 10 20 2Q27 10 32 0Q37 10 44 2Q47 10 55 5L52 15Z",
    "M12 15V9Q12 3 17 8Q22 1 27 8Q32 1 37 8Q42 1 47 8Q52 3 52 9V15Z",
)
SHIELDS = (
    "M6 18H58V44Q58 64 32 74Q6 64 6 44Z",
    "M6 18Q19 22 32 18Q45 22 58 18V46Q58 62 32 74Q6 62 6 46Z",
    "M8 18H56Q60 30 56 44Q52 62 32 74Q12 62 8 44Q4 30 8 18Z",
)
SIGILS = (
    "M8 0A8 8 0 0 0 8 16Z",  # pale
    "M0 8A8 8 0 0 1 16 8Z",  # fess
    "M2.34 13.66A8 8 0 0 1 13.66 2.34Z",  # bend
    "M8 8V0A8 8 0 0 0 0 8ZM8 8V16A8 8 0 0 0 16 8Z",  # quarterly
)


def hatchings() -> str:
    """The patterns of the five tinctures, and the outlines that shields are cut to."""
    patterns = (_pattern(colour) for colour in COLOURS)
    cuts = (
        tag("clipPath", tag("path", d=shield), id=f"shield-{i}") for i, shield in enumerate(SHIELDS)
    )
    return "".join((*patterns, *cuts))


def crest(noble: Noble, x: float, y: float, height: float, *, faded: bool = False) -> str:
    """The noble's shield, crown and points; its width is 64/78 of the height."""
    draw, gold = seeded(noble.name), TONES[Gem.GOLD]
    colours = [colour for colour in COLOURS if noble.cost[colour]]
    partings: tuple[tuple[str, ...], ...] = IN_TWO if len(colours) == 2 else IN_THREE
    fields = partings[int(draw() * len(partings))]
    which = int(draw() * 3)
    shield, crown = SHIELDS[which], CROWNS[int(draw() * 4)]
    parts = (
        tag("path", d=crown, fill=gold.body, stroke=gold.rim, stroke_width=1.4,
            stroke_linejoin="round"),
        tag("path", d="M12 15H52V18.5H12Z", fill=gold.light, stroke=gold.rim, stroke_width=1),
        group(
            *(tag("path", d=field, transform="translate(0 8)", stroke=gold.glint,
                  fill=f"url(#hatch-{colour.letter})", stroke_width=1.6)
              for field, colour in zip(fields, colours, strict=True)),
            tag("path", d="M6 18Q30 34 10 64L-4 70V18Z", fill="#fff", opacity=0.13),
            clip_path=f"url(#shield-{which})",
        ),
        tag("path", d=shield, fill="none", stroke=CREST_EDGE, stroke_width=4.5),
        tag("path", d=shield, fill="none", stroke=gold.body, stroke_width=2.4),
        _roundel(noble.points),
    )  # fmt: skip
    scale = f"{height / 78:.3f}"
    fading = {"opacity": 0.38} if faded else {}
    placed = f"translate({number(x)} {number(y)}) scale({scale})"
    return tag("g", *parts, transform=placed, **fading)


def sigil(seat: int, x: float, y: float, size: float, ink: str = INK) -> str:
    """A seat's round shield: parted four ways, told apart without colour."""
    parts = (
        tag("circle", cx=8, cy=8, r=7.6, fill=SURFACE),
        tag("path", d=SIGILS[seat], fill=ink),
        tag("circle", cx=8, cy=8, r=7.6, fill="none", stroke=ink, stroke_width=1.4),
    )
    placed = f"translate({number(x)} {number(y)}) scale({size / 16:.3f})"
    return tag("g", *parts, transform=placed)


def _roundel(points: int) -> str:
    gold = TONES[Gem.GOLD]
    return "".join((
        tag("circle", cx=32, cy=44, r=11.5, fill=gold.light, stroke=gold.rim, stroke_width=1.5),
        tag("circle", cx=32, cy=44, r=9, fill="none", stroke=gold.shade, stroke_width=0.8,
            stroke_dasharray="1.6 1.5"),
        tag("text", str(points), x=32, y=49.5, class_="d", font_size=15.5, font_weight=700,
            text_anchor="middle", fill=gold.letter),
    ))  # fmt: skip


def _pattern(colour: Gem) -> str:
    tones, black = TONES[colour], colour is Gem.BLACK
    lines = tag("path", d=HATCHING[colour], stroke="#fff" if black else tones.glint,
                stroke_opacity=0.3 if black else 0.5, stroke_width=0.9)  # fmt: skip
    ground = tag("rect", width=6, height=6, fill=tones.body)
    return tag("pattern", ground, lines if HATCHING[colour] else "", width=6, height=6,
               id=f"hatch-{colour.letter}", patternUnits="userSpaceOnUse")  # fmt: skip
