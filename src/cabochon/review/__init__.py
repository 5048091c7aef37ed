"""Reviews: every decision of a game judged, with skill separated from luck."""

from cabochon.limit import DEEP_VISITS, QUICK_VISITS
from cabochon.review.judge import Judge, engine_for, review
from cabochon.review.verdicts import (
    Engine,
    Knowledge,
    Mark,
    MoveVerdict,
    PlayerSummary,
    Review,
    TurnVerdict,
)

__all__ = [
    "DEEP_VISITS",
    "QUICK_VISITS",
    "Engine",
    "Judge",
    "Knowledge",
    "Mark",
    "MoveVerdict",
    "PlayerSummary",
    "Review",
    "TurnVerdict",
    "engine_for",
    "review",
]
