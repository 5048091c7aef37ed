"""What lies in front of each seat: sigil, points, purse, reserved cards, nobles."""

from __future__ import annotations

from collections.abc import Iterator

from cabochon.render.art.cards import ROMAN, art, back, card_in_words, gems_in_words, say
from cabochon.render.art.crests import crest, sigil
from cabochon.render.art.draw import (
    ACCENT,
    INK,
    INK_SOFT,
    LINE,
    LINE_STRONG,
    SURFACE,
    TONES,
    Piece,
    box,
    tag,
    text,
)
from cabochon.render.art.gems import gem
from cabochon.render.art.tray import offer
from cabochon.rules.cards import Card
from cabochon.rules.facts import Facts, HeldCard, Phase, Reserved
from cabochon.rules.gems import COLOURS, Gem
from cabochon.rules.ruleset import RESERVE_LIMIT, TOKEN_LIMIT

WIDTH = 354.0
_GAP = 10.0
_TALL = 250.0  # from here on a panel has room for whole cards


def panels(
    facts: Facts, names: tuple[str, ...], you: int | None, height: float, lang: str
) -> Iterator[Piece]:
    """All seats in a column of that height, in turn order."""
    seats = facts.ruleset.seats
    each = (height - _GAP * (seats - 1)) / seats
    for seat in range(seats):
        for piece in _panel(facts, seat, names[seat], seat == you, each, lang):
            yield piece.moved(0, seat * (each + _GAP))


def _panel(
    facts: Facts, seat: int, name: str, own: bool, height: float, lang: str
) -> Iterator[Piece]:
    hand = facts.hands[seat]
    to_act = facts.phase is not Phase.OVER and seat == facts.seat
    about = say(
        "hand",
        lang,
        who=name,
        points=hand.points,
        bonuses=gems_in_words(hand.bonuses, lang),
        tokens=gems_in_words(hand.tokens, lang),
        reserved=len(hand.reserved),
    )
    edge = {"stroke": ACCENT, "stroke_width": "2.5"} if to_act else {"stroke": LINE}
    frame = (
        box(1, 1, WIDTH - 2, height - 2, 12, SURFACE, **edge),
        sigil(seat, 14, 12, 22, ACCENT if own or to_act else INK),
        text(name, 44, 29, 15, weight=700),
        _nobles(facts, seat, lang),
    )
    yield Piece(0, 0, WIDTH, height, "".join(frame), about)
    yield Piece(0, 0, WIDTH, 40, _score(facts, seat, lang), about)
    for piece in _purse(facts, seat, 59 if height >= _TALL else 34):
        yield piece.moved(14, 44)
    yield from _below(facts, seat, height, lang)


def _score(facts: Facts, seat: int, lang: str) -> str:
    hand = facts.hands[seat]
    parts = [
        text(hand.points, WIDTH - 16, 33, 28, anchor="end", weight=700, display=True),
        text(
            f"{say('tokens', lang)} {hand.tokens.total}/{TOKEN_LIMIT} · "
            f"{say('cards', lang)} {len(hand.bought)}",
            WIDTH - 58, 28, 11.5, anchor="end", fill=INK_SOFT,
        ),
    ]  # fmt: skip
    return "".join(parts)


def _nobles(facts: Facts, seat: int, lang: str) -> str:
    hand = facts.hands[seat]
    x = 50 + sum(15 if ord(c) > 255 else 8.4 for c in say("seat", lang, n=seat + 1))
    return "".join(crest(noble, x + 27 * i, 8, 30) for i, noble in enumerate(hand.nobles))


def _purse(facts: Facts, seat: int, step: float) -> Iterator[Piece]:
    """Six columns in the fixed order: gem, bonus as a square, token as a circle."""
    hand = facts.hands[seat]
    for kind in Gem:
        bonus = "" if kind is Gem.GOLD else _bonus(kind, hand.bonuses[kind])
        drawing = gem(kind, 7, 0, 15) + bonus + _tokens(kind, hand.tokens[kind])
        yield Piece(kind * step, 0, 29, 81, drawing)


def _bonus(kind: Gem, n: int) -> str:
    fill, stroke, ink = _cell(kind, n)
    count = text(n or "·", 14.5, 39, 15, anchor="middle", weight=700, fill=ink)
    return box(0, 20, 29, 27, 5, fill, stroke=stroke, stroke_width="1.5") + count


def _tokens(kind: Gem, n: int) -> str:
    fill, stroke, ink = _cell(kind, n)
    parts = [tag("circle", cx=14.5, cy=66, r=14.3, fill=fill, stroke=stroke, stroke_width=1.5)]
    if n:
        parts.append(tag("ellipse", cx=10.5, cy=59, rx=4.6, ry=2.6, fill=TONES[kind].glint,
                         fill_opacity=0.35))  # fmt: skip
    parts.append(text(n or "·", 14.5, 71, 15, anchor="middle", weight=700, fill=ink))
    return "".join(parts)


def _cell(kind: Gem, n: int) -> tuple[str, str, str]:
    tones = TONES[kind]
    return (tones.body, tones.rim, tones.letter) if n else ("none", LINE, INK_SOFT)


def _below(facts: Facts, seat: int, height: float, lang: str) -> Iterator[Piece]:
    """The three places for reserved cards: whole cards in a tall panel, else slips at right."""
    reserved: tuple[HeldCard | None, ...] = facts.hands[seat].reserved
    places = (*reserved, *(None,) * (RESERVE_LIMIT - len(reserved)))
    if height >= _TALL:
        width = 88.0
        x, y, step, tall = 14.0, 136.0, (WIDTH - 28 - width) / 2, height - 136 - 14
    else:
        width, step = 38.0, 42.0
        x, y, tall = WIDTH - 14 - width - 2 * step, 44.0, min(94.0, height - 44 - 9)
    for i, place in enumerate(places):
        for piece in _place(facts, seat, place, (width, tall), lang):
            yield piece.moved(x + step * i, y)


def _place(
    facts: Facts, seat: int, reserve: HeldCard | None, size: tuple[float, float], lang: str
) -> list[Piece]:
    width, height = size
    if reserve is None:
        empty = box(1, 1, width - 2, height - 2, 7, "none", stroke=LINE_STRONG, opacity=".5",
                    stroke_dasharray="4 4")  # fmt: skip
        return [Piece(0, 0, width, height, empty)]
    if not isinstance(reserve, Reserved):
        about = say("hidden", lang, level=reserve.level)
        return [Piece(0, 0, width, height, back(reserve.level, width, height), about)]
    if width < 50:
        about = card_in_words(reserve.card, lang)
        return [Piece(0, 0, width, height, _slip(reserve.card, width, height), about)]
    return offer(facts, seat, reserve.card, size, lang)


def _slip(card: Card, width: float, height: float) -> str:
    """A card where there is little room: the stone, the points and the price in a column."""
    asked = [colour for colour in COLOURS if card.cost[colour]]
    top = min(50.0, height - 3 - 13.5 * len(asked))
    ink = TONES[card.bonus].face_ink
    parts = [
        box(0.5, 0.5, width - 1, height - 1, 4, SURFACE, stroke=LINE_STRONG),
        art(card, width, top),
        text(ROMAN[card.level], 4, top - 4, 8, weight=700, display=True, fill=ink),
    ]
    if card.points:
        parts.append(text(card.points, 4, 15, 15, weight=700, display=True, fill=ink))
    for i, colour in enumerate(asked):
        y = (top + height) / 2 + 13.5 * (i - len(asked) / 2)
        parts.append(gem(colour, 6, y + 1, 12))
        parts.append(text(card.cost[colour], 22, y + 11.2, 12, weight=700))
    return "".join(parts)
