"""Reviews: every decision of a game judged, skill told apart from luck."""

from cabochon.review.judge import DEEP_VISITS, QUICK_VISITS, Judge, engine_for, review
from cabochon.review.verdicts import (
    Engine,
    Knowledge,
    Mark,
    PlayerSummary,
    Review,
    TurnVerdict,
    Verdict,
)

__all__ = [
    "DEEP_VISITS",
    "QUICK_VISITS",
    "Engine",
    "Judge",
    "Knowledge",
    "Mark",
    "PlayerSummary",
    "Review",
    "TurnVerdict",
    "Verdict",
    "engine_for",
    "review",
]
