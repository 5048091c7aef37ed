"""The kinds of games that people have a rating in."""

from __future__ import annotations

from enum import StrEnum

from cabochon.rules import Ruleset


class RatingKind(StrEnum):
    """Puzzles are no games, but have a rating of their own as well."""

    TWO = "two"
    MORE = "more"
    QUICK = "quick"
    TEAMS = "teams"
    PUZZLES = "puzzles"


GAME_KINDS = (RatingKind.TWO, RatingKind.MORE, RatingKind.QUICK, RatingKind.TEAMS)


def kind_of(ruleset: Ruleset) -> RatingKind:
    """Where a game belongs; one with rules of its own, beside what it is nearest to."""
    if ruleset.teams:
        return RatingKind.TEAMS
    if ruleset.variant == "quick":
        return RatingKind.QUICK
    return RatingKind.TWO if ruleset.seats == 2 else RatingKind.MORE


def is_ratable(ruleset: Ruleset) -> bool:
    """Whether everybody plays these rules: a variant as it is, without options."""
    return ruleset == Ruleset.preset(ruleset.variant, ruleset.seats)
