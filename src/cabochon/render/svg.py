"""A picture of the table as one SVG: no font, link or script from outside, no random mark.

>>> from cabochon.rules import Position, Ruleset, ShuffledDealer
>>> ruleset = Ruleset.preset("standard", seats=2)
>>> position = Position.start(ruleset, ShuffledDealer("0" * 64).opening(ruleset))
>>> svg(position)[:36]
'<svg xmlns="http://www.w3.org/2000/s'
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from cabochon.render.art import cards, crests, gems, panels, tray
from cabochon.render.art.cards import say
from cabochon.render.art.crests import sigil
from cabochon.render.art.draw import (
    ACCENT,
    DISPLAY,
    INK_SOFT,
    ON_ACCENT,
    ROOM,
    UI,
    Piece,
    box,
    group,
    tag,
    text,
    title,
)
from cabochon.rules.ending import outcome_of
from cabochon.rules.errors import wrong
from cabochon.rules.facts import Facts, Phase
from cabochon.rules.taking import excess
from cabochon.rules.view import View, view_of

_MARGIN, _BAR, _GAP = 12.0, 46.0, 10.0
WIDTH = _MARGIN + tray.WIDTH + _GAP + panels.WIDTH + _MARGIN
HEIGHT = _BAR + tray.HEIGHT + _MARGIN


def svg(facts: Facts, *, seat: int | None = None, lang: str = "en") -> str:
    """The table as these facts show it.

    With `seat`, only what that seat may know is drawn, and it is called "You"; without, a View is
    drawn for its viewer and a Position with all its cards. Raises ValueError for an unknown seat or
    language, WrongArgument for anything else.
    """
    if not isinstance(facts, Facts):
        raise wrong("facts", "table", facts)
    if seat is not None:
        facts = view_of(facts, seat)
    status = _status(facts, _names(facts, lang), lang)
    return tag(
        "svg",
        title(f"Cabochon: {status}"),
        tag("desc", _where(facts, lang)),
        _stock(),
        box(0, 0, WIDTH, HEIGHT, 0, ROOM),
        *map(str, pieces(facts, lang=lang)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        lang=lang,
    )


def pieces(facts: Facts, *, lang: str = "en") -> Iterator[Piece]:
    """What lies on the picture, each over those before it; under all is the colour of the room."""
    names = _names(facts, lang)
    yield Piece(0, 0, WIDTH, _BAR, _bar(facts, _status(facts, names, lang), lang))
    for piece in tray.tray(facts, names, lang):
        yield piece.moved(_MARGIN, _BAR)
    for piece in panels.panels(facts, names, _viewer(facts), tray.HEIGHT, lang):
        yield piece.moved(_MARGIN + tray.WIDTH + _GAP, _BAR)


def svg_of(piece: Piece, margin: float) -> str:
    """One piece as a picture of its own, with a margin for shadows and strokes."""
    width, height = piece.width + 2 * margin, piece.height + 2 * margin
    return tag(
        "svg",
        _stock(),
        piece.drawing,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-margin:g} {-margin:g} {width:g} {height:g}",
        width=width,
        height=height,
    )


@cache
def _stock() -> str:
    """What the drawings take from: faces of letters, gems, grounds, hatchings."""
    return "".join((
        tag("style", f".u{{font-family:{UI}}}.d{{font-family:{DISPLAY}}}"),
        tag("defs", gems.symbols(), gems.domes(), cards.grounds(), crests.hatchings(), _SHEEN),
    ))  # fmt: skip


def _viewer(facts: Facts) -> int | None:
    return facts.viewer if isinstance(facts, View) else None


def _names(facts: Facts, lang: str) -> tuple[str, ...]:
    return tuple(
        say("you", lang) if seat == _viewer(facts) else say("seat", lang, n=seat + 1)
        for seat in range(facts.ruleset.seats)
    )


_SHEEN = tag(
    "radialGradient",
    tag("stop", offset="0", stop_color="#fff", stop_opacity=".42"),
    tag("stop", offset=".75", stop_color="#fff", stop_opacity="0"),
    id="sheen", cx=".5", cy="0", r=".9",
)  # fmt: skip

_LOGO = "".join((
    tag("ellipse", cx=13, cy=10, rx=12.2, ry=9.2, fill=ACCENT),
    tag("path", d="M13 .8A12.2 9.2 0 0 0 .8 10A14 9 0 0 1 25.2 10A12.2 9.2 0 0 0 13 .8Z",
        fill="#fff", opacity=0.28),
    tag("ellipse", cx=8.5, cy=5.6, rx=4, ry=1.9, fill="#fff", opacity=0.85,
        transform="rotate(-18 8.5 5.6)"),
))  # fmt: skip


def _where(facts: Facts, lang: str) -> str:
    rules = facts.ruleset
    parts = [say("players", lang, n=rules.seats), say("target", lang, n=rules.target)]
    if rules.teams:
        parts.insert(1, say("teams", lang))
    parts.append(say("round", lang, n=facts.round))
    if facts.last_round and facts.phase is not Phase.OVER:
        parts.append(say("last-round", lang))
    return " · ".join(parts)


def _status(facts: Facts, names: tuple[str, ...], lang: str) -> str:
    if facts.phase is Phase.OVER:
        return f"{say('over', lang)} · {_verdict(facts, names, lang)}"
    due = excess(facts.hands[facts.seat].tokens)
    return f"{names[facts.seat]} · {say(facts.phase.value, lang, n=due)}"


def _verdict(facts: Facts, names: tuple[str, ...], lang: str) -> str:
    outcome = outcome_of(facts)
    winners = outcome.winners
    if winners == facts.ruleset.side(winners[0]):
        alone = "you-win" if winners[0] == _viewer(facts) else "wins"
        key = alone if len(winners) == 1 else "team-wins"
    else:
        key = "shared"
    who = say("and", lang).join(names[seat] for seat in winners)
    return say(key, lang, who=who, points=max(outcome.points))


def _bar(facts: Facts, status: str, lang: str) -> str:
    where = _where(facts, lang)
    over = facts.phase is Phase.OVER
    x = 158 + _length(where, 12.5)
    width = _length(status, 13.5) + (28 if over else 54)
    parts = [
        group(_LOGO, x=14, y=13),
        text("Cabochon", 48, 29, 20, weight=700, display=True),
        text(where, 158, 28, 12.5, fill=INK_SOFT),
        box(x, 8, width, 30, 15, ACCENT),
        text(status, x + (14 if over else 40), 27.5, 13.5, weight=600, fill=ON_ACCENT),
    ]
    if not over:
        parts.append(sigil(facts.seat, x + 12, 14, 18))
    return "".join(parts)


def _length(words: str, size: float) -> float:
    """About how long a line will be: a wide character is a square, any other half of one."""
    return sum(size if ord(char) > 0x2E80 else size * 0.58 for char in words)
