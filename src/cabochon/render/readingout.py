"""A card, a noble or a hand read out in sentences: for ears, and for who asks about one thing."""

from __future__ import annotations

from collections.abc import Iterator

from cabochon.notation import noble_name
from cabochon.rules import COLOURS, Card, Gem, Gems, Hidden, Noble, Reserved, View
from cabochon.rules.buying import least_payment, missing, price
from cabochon.words import Words


def in_words(gems: Gems, words: Words, kind: str = "token") -> str:
    """`2 white, 1 gold`. Some languages count a `token` and a `bonus` in different words."""
    parts = [
        words(f"read.{kind}", count=gems[gem], colour=words.colour(gem.letter))
        for gem in Gem
        if gems[gem]
    ]
    return words("read.comma").join(parts) or words("read.nothing")


def read_card(card: Card, view: View, words: Words) -> str:
    """The whole card, and for a seat what it would pay or what it lacks."""
    line = words(
        "read.card",
        card=card.code,
        level=card.level,
        bonus=words.colour(card.bonus.letter),
        points=card.points,
        cost=in_words(card.cost, words),
    )
    if view.viewer is None:
        return line
    tokens, bonuses = view.hands[view.viewer].tokens, view.bonuses(view.viewer)
    payment = least_payment(card, bonuses, tokens)
    if payment is not None:
        return line + words("read.pay", gems=in_words(payment, words))
    due = price(card, bonuses)
    short = Gems(*(max(0, due[gem] - tokens[gem]) for gem in COLOURS))
    count = missing(card, bonuses, tokens)
    return line + words("read.lack", gems=in_words(short, words), count=count)


def read_noble(noble: Noble, view: View, words: Words) -> str:
    """What the noble asks for, and for a seat which bonuses it lacks."""
    name, cost = noble_name(noble, words.lang), in_words(noble.cost, words, "bonus")
    line = words("read.noble", noble=noble.code, name=name, points=noble.points, cost=cost)
    if view.viewer is None:
        return line
    bonuses = view.bonuses(view.viewer)
    short = Gems(*(max(0, c - b) for c, b in zip(noble.cost, bonuses, strict=True)))
    return line + words("read.noble-lack", gems=in_words(short, words, "bonus"))


def read_hand(view: View, seat: int, name: str, words: Words) -> Iterator[str]:
    """Everything the viewer may know of a hand, remembered faces of reserved cards included."""
    hand = view.hands[seat]
    yield words("read.hand", who=name, points=hand.points, cards=len(hand.bought))
    yield words("read.tokens", gems=in_words(hand.tokens, words), count=hand.tokens.total)
    yield words("read.bonuses", gems=in_words(hand.bonuses, words, "bonus"))
    if hand.nobles:
        yield words("read.nobles", nobles=" ".join(noble.code for noble in hand.nobles))
    for reserve in hand.reserved:
        yield words("read.reserved", card=_reserve(reserve, view, words))


def _reserve(reserve: Reserved | Hidden, view: View, words: Words) -> str:
    if isinstance(reserve, Hidden):
        return words("read.hidden", level=reserve.level)
    return read_card(reserve.card, view, words)
