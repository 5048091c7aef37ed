"""Whom to play next: the bot with whom somebody would win about every second game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cabochon.bots.roster import LEVEL_NAMES
from cabochon.ratings.fixedpoints import fixed_points
from cabochon.ratings.strength import RatingKind, Strength
from cabochon.words import languages, template, text

ENOUGH = 3
"""Games with a bot that are worth a sentence."""


@dataclass(frozen=True, slots=True)
class LadderStep:
    """How somebody has fared against one level."""

    bot: str
    played: int
    won: int


@dataclass(frozen=True, slots=True)
class LadderAdvice:
    """The level that would be a fair match, and why, by language."""

    fair: str
    why: Mapping[str, str]


def advise(kind: RatingKind, strength: Strength, ladder: Mapping[str, LadderStep]) -> LadderAdvice:
    """The nearest level by rating, with what was played against its neighbours as the reason."""
    fair = nearest_level(kind, strength.value)
    place = LEVEL_NAMES.index(fair)
    softer = [ladder[name] for name in reversed(LEVEL_NAMES[:place]) if name in ladder]
    harder = [ladder[name] for name in LEVEL_NAMES[place + 1 :] if name in ladder]
    for step in softer:
        if step.played >= ENOUGH and step.won * 2 > step.played:
            return LadderAdvice(fair, _why("beaten", fair, step.bot, step.won, step.played))
    for step in harder:
        lost = step.played - step.won
        if step.played >= ENOUGH and lost * 2 > step.played:
            return LadderAdvice(fair, _why("lost", fair, step.bot, lost, step.played))
    known = ladder.get(fair)
    return LadderAdvice(fair, _why("even" if known and known.played else "begin", fair, fair, 0, 0))


def nearest_level(kind: RatingKind, value: float) -> str:
    """The level whose rating is nearest."""
    levels = [point for point in fixed_points(kind) if point.bot in LEVEL_NAMES]
    return min(levels, key=lambda point: abs(point.value - value)).bot


def _why(key: str, fair: str, bot: str, count: int, played: int) -> Mapping[str, str]:
    return {
        lang: text(
            f"ladder.{key}",
            lang,
            bot=template(f"bots.{bot}.title", lang),
            fair=template(f"bots.{fair}.title", lang),
            count=count,
            played=played,
        )
        for lang in languages()
    }
