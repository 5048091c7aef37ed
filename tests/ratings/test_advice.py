"""Whom to play next."""

from __future__ import annotations

from cabochon.bots.roster import LEVEL_NAMES
from cabochon.ratings import RatingKind, Strength, fixed_points
from cabochon.ratings.strength import GAME_KINDS, LadderStep, advise


def _said(value: float, *steps: LadderStep) -> tuple[str, str]:
    found = advise(RatingKind.TWO, Strength(value, 100), {step.bot: step for step in steps})
    return found.fair, found.why["en"]


def test_the_ladder_moves() -> None:
    assert _said(1400, LadderStep("calcite", 4, 3)) == (
        "fluorite",
        "You beat Calcite 3 times out of 4: Fluorite would be a fair match.",
    )
    assert _said(1050, LadderStep("calcite", 4, 0)) == (
        "gypsum",
        "Calcite won 4 times out of 4: Gypsum would be a fair match.",
    )
    assert _said(1220, LadderStep("calcite", 4, 2))[1] == "Calcite is a fair match for you."
    assert _said(1200) == ("calcite", "Calcite would be a good start.")


def test_every_level_is_fair_for_somebody_in_every_kind() -> None:
    for kind in GAME_KINDS:
        points = {point.bot: point.value for point in fixed_points(kind)}
        for name in LEVEL_NAMES:
            assert advise(kind, Strength(points[name], 50), {}).fair == name
