"""The tray where the game lies: nobles, decks, the market and the bank.

nobles 116 | deck 58 | up to four cards | bank 92        three rows of 174, level III on top
"""

from __future__ import annotations

from collections.abc import Iterator

from cabochon.notation import noble_name
from cabochon.render.art.cards import back, card_in_words, face, gems_in_words, noble_in_words, say
from cabochon.render.art.crests import crest, sigil
from cabochon.render.art.draw import (
    ACCENT,
    ACCENT_INK,
    ACCENT_SOFT,
    INK_SOFT,
    LINE_STRONG,
    SURFACE,
    TRAY,
    TRAY_LINE,
    WELL,
    Piece,
    box,
    group,
    tag,
    text,
)
from cabochon.render.art.gems import gem, token
from cabochon.rules.buying import least_payment, missing, price
from cabochon.rules.cards import LEVELS, Card, Noble
from cabochon.rules.facts import Facts, Phase
from cabochon.rules.gems import COLOURS, Gem, Gems

WIDTH, HEIGHT = 860.0, 562.0
_PAD, _ROW, _GAP = 11.0, 174.0, 9.0
_NOBLE, _DECK_X, _DECK, _MARKET_X, _MARKET, _BANK_X = 116.0, 141.0, 58.0, 208.0, 535.0, 760.0
_WIDEST = 172.0


def tray(facts: Facts, names: tuple[str, ...], lang: str) -> Iterator[Piece]:
    """Everything in the middle of the table; `names` are those of the seats."""
    ground = box(0, 0, WIDTH, HEIGHT, 14, TRAY, stroke=TRAY_LINE)
    yield Piece(0, 0, WIDTH, HEIGHT, ground + box(0, 0, WIDTH, HEIGHT, 14, "url(#sheen)"))
    yield from _nobles(facts, names, lang)
    for level in reversed(LEVELS):
        yield from _row(facts, level, lang)
    yield from _bank(facts.bank, lang)


def offer(facts: Facts, seat: int, card: Card, size: tuple[float, float], lang: str) -> list[Piece]:
    """A card that this seat might buy: for the seat to act with a foot, and a frame if it can."""
    width, height = size
    acting = facts.phase is Phase.ACT and seat == facts.seat
    about = card_in_words(card, lang)
    pieces = [Piece(0, 0, width, height, _card_picture(card, width, height, acting), about)]
    if acting:
        bonuses, tokens = facts.bonuses(seat), facts.hands[seat].tokens
        foot = _foot_of(card, bonuses, tokens, width, lang)
        plate = _plate(width, acting)
        pieces.append(Piece(0, height - plate, width, plate, foot))
        if least_payment(card, bonuses, tokens) is not None:
            frame = box(0, 0, width, height, 8, "none", stroke=ACCENT, stroke_width="2.5")
            pieces.append(Piece(0, 0, width, height, frame))
    return pieces


def _plate(width: float, footed: bool) -> float:
    """How high the plate under a face is: room for the price, and for a foot."""
    if width < 100:
        return 43.0 if footed else 24.0
    return 62.0 if footed else 38.0


def _card_picture(card: Card, width: float, height: float, footed: bool) -> str:
    """A whole card: the face, and a plate with the price and, if it is to have a foot, room."""
    small = width < 100
    top = height - _plate(width, footed)
    corner = f"M0 {top:g}V8Q0 0 8 0H{width - 8:g}Q{width:g} 0 {width:g} 8V{top:g}Z"
    clip = f"cut-{width:g}-{top:g}"
    return group(
        box(0, 2, width, height, 8, "#13201d", opacity=".14"),
        box(0, 0, width, height, 8, SURFACE),
        tag("clipPath", tag("path", d=corner), id=clip),
        group(face(card, width, top, 22 if small else 34), clip_path=f"url(#{clip})"),
        _price(card.cost, width, top + (12 if small else 19), 14 if small else 17),
    )


def _price(cost: Gems, width: float, middle: float, size: float) -> str:
    asked = [colour for colour in COLOURS if cost[colour]]
    size = min(size, 14) if len(asked) > 3 else size
    step = (width - 8) / len(asked)
    parts = []
    for i, colour in enumerate(asked):
        x = 4 + step * (i + 0.5) - size * 0.8
        parts.append(gem(colour, x, middle - size / 2, size))
        parts.append(
            text(cost[colour], x + size + 1.5, middle + size * 0.31, size * 0.85, weight=700)
        )
    return "".join(parts)


def _foot_of(card: Card, bonuses: Gems, tokens: Gems, width: float, lang: str) -> str:
    """What the seat to act would pay for the card, or what it lacks."""
    payment = least_payment(card, bonuses, tokens)
    if payment is None:
        due = price(card, bonuses)
        lacking = Gems(*(max(0, due[c] - tokens[c]) for c in COLOURS))
        word, ground, ink = say("short", lang), WELL, INK_SOFT
        if missing(card, bonuses, tokens) < lacking.total:
            word += " " + str(missing(card, bonuses, tokens))
        return _foot(word, lacking, width, ground, ink)
    word = say("pay" if payment.total else "free", lang)
    return _foot(word, payment, width, ACCENT_SOFT, ACCENT_INK)


def _foot(word: str, gems: Gems, width: float, ground: str, ink: str) -> str:
    small = width < 100
    y, height, size = (22.0, 17.0, 11.0) if small else (34.0, 22.0, 12.5)
    asked = [(kind, gems[kind]) for kind in Gem if gems[kind]]
    ems = sum(1 if ord(c) > 255 else 0.6 for c in word) + len(asked) * 2.05
    size = min(size, (width - 14) / ems)
    written = sum(size if ord(c) > 255 else size * 0.6 for c in word)
    long = ems * size
    x, line = (width - long) / 2, y + height / 2 + size * 0.35
    parts = [
        box(5, y, width - 10, height, 5, ground),
        text(word, x, line, size, fill=ink, weight=600),
    ]
    x += written + size * 0.4
    for kind, count in asked:
        parts.append(text(count, x, line, size, fill=ink, weight=700))
        parts.append(gem(kind, x + size * 0.72, line - size * 0.85, size))
        x += size * 2.05
    return "".join(parts)


def _row(facts: Facts, level: int, lang: str) -> Iterator[Piece]:
    row, y = facts.rows[level - 1], _PAD + (3 - level) * (_ROW + _GAP)
    width = min(_WIDEST, (_MARKET - _GAP * (len(row) - 1)) / len(row))
    yield _deck(level, facts.decks[level - 1], lang).moved(_DECK_X, y)
    for column, card in enumerate(row):
        x = _MARKET_X + column * (width + _GAP)
        if card is None:
            yield Piece(x, y, width, _ROW, _empty(width))
        else:
            for piece in offer(facts, facts.seat, card, (width, _ROW), lang):
                yield piece.moved(x, y)


def _empty(width: float) -> str:
    return box(1, 1, width - 2, _ROW - 2, 8, "none", stroke=LINE_STRONG, stroke_width="1.5",
               stroke_dasharray="5 4", opacity=".6")  # fmt: skip


def _deck(level: int, left: int, lang: str) -> Piece:
    about = say("deck", lang, level=level, n=left)
    if not left:
        return Piece(0, 0, _DECK, _ROW, _empty(_DECK), about)
    edge = box(3, 3, _DECK, _ROW, 8, TRAY_LINE) if left > 1 else ""
    band = f"M0 {_ROW - 46:g}H{_DECK:g}V{_ROW - 7:g}Q{_DECK:g} {_ROW:g} {_DECK - 7:g} {_ROW:g}"
    band += f"H7Q0 {_ROW:g} 0 {_ROW - 7:g}Z"
    middle = _DECK / 2
    drawing = (
        edge,
        back(level, _DECK, _ROW),
        tag("path", d=band, fill="#000", fill_opacity=0.34),
        text(left, middle, _ROW - 24, 20, anchor="middle", fill="#fff", weight=700, display=True),
        text(say("left", lang), middle, _ROW - 9, 11, anchor="middle", fill="#fff"),
    )
    return Piece(0, 0, _DECK, _ROW, "".join(drawing), about)


def _nobles(facts: Facts, names: tuple[str, ...], lang: str) -> Iterator[Piece]:
    count = len(facts.nobles)
    height = (HEIGHT - 2 * _PAD - _GAP * (count - 1)) / count
    owners = {noble: seat for seat, hand in enumerate(facts.hands) for noble in hand.nobles}
    for i, noble in enumerate(facts.nobles):
        owner = owners.get(noble)
        about = noble_in_words(noble, lang)
        if owner is not None:
            about += say("claimed", lang, who=names[owner])
        drawing = _noble(noble, owner, height, lang)
        yield Piece(_PAD, _PAD + i * (height + _GAP), _NOBLE, height, drawing, about)


def _noble(noble: Noble, owner: int | None, height: float, lang: str) -> str:
    claimed = owner is not None
    ground = box(0, 0, _NOBLE, height, 8, SURFACE)
    if claimed:
        ground = box(1, 1, _NOBLE - 2, height - 2, 8, "none", stroke=LINE_STRONG)
    upright = height > 150
    tall = 94.0 if upright else min(80.0, height - 26)
    wide = tall * 64 / 78
    x, y = ((_NOBLE - wide) / 2, 14.0) if upright else (8.0, 6.0)
    asked = [colour for colour in COLOURS if noble.cost[colour]]
    parts = [ground, crest(noble, x, y, tall, faded=claimed)]
    if owner is not None:
        parts.append(sigil(owner, x + wide / 2 - 11, y + tall * 0.58 - 11, 22))
    for i, colour in enumerate(asked):
        if upright:
            gx, gy = _NOBLE / 2 + (i - (len(asked) - 1) / 2) * 32 - 13, 122.0
        else:
            gx, gy = 80.0, height / 2 - 12 + (i - (len(asked) - 1) / 2) * 19 - 7
        parts.append(gem(colour, gx, gy, 15))
        parts.append(text(noble.cost[colour], gx + 18, gy + 12, 13, weight=700, fill=INK_SOFT))
    line = noble_name(noble, lang)
    size = 11 if len(line) < 19 else 9.6
    parts.append(text(line, _NOBLE / 2, height - 9, size, anchor="middle", fill=INK_SOFT))
    return "".join(parts)


def _bank(bank: Gems, lang: str) -> Iterator[Piece]:
    step = (HEIGHT - 2 * _PAD) / 6
    about = say("bank", lang, gems=gems_in_words(bank, lang))
    for kind in Gem:
        count = text(bank[kind], 66, 46, 23, weight=700, display=True)
        drawing = token(kind, bank[kind], 0, 10, 56) + count
        yield Piece(_BANK_X, _PAD + step * kind, WIDTH - _BANK_X, step, drawing, about)
