"""What pictures say."""

from __future__ import annotations

from cabochon.notation import noble_name
from cabochon.rules.cards import Card, Noble
from cabochon.rules.gems import COLOURS, LETTERS, Gems
from cabochon.words import Words, colour_name, text


def say(key: str, lang: str, **params: object) -> str:
    """The words of that key. Raises ValueError for a language there is none of."""
    return Words(lang, "picture")(key, **params)


def gems_in_words(gems: Gems, lang: str) -> str:
    counts = zip(LETTERS, gems, strict=True)
    parts = [f"{count} {colour_name(letter, lang)}" for letter, count in counts if count]
    return text("lists.comma", lang).join(parts) or say("nothing", lang)


def card_in_words(card: Card, lang: str) -> str:
    return say(
        "card",
        lang,
        code=card.code,
        level=card.level,
        bonus=colour_name(card.bonus.letter, lang),
        points=card.points,
        cost=gems_in_words(card.cost, lang),
    )


def noble_in_words(noble: Noble, lang: str) -> str:
    cost = gems_in_words(Gems(*(noble.cost[c] for c in COLOURS)), lang)
    name = noble_name(noble, lang)
    return say("asks", lang, name=name, points=noble.points, cost=cost)
