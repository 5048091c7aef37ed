"""Why a match cannot be played or a report cannot be read.

CabochonError
└── ArenaError    (code: ArenaFault)
"""

from __future__ import annotations

from enum import StrEnum

from cabochon.rules import CabochonError


class ArenaFault(StrEnum):
    TOO_FEW_ENTRANTS = "arena-too-few-entrants"
    ENTRANT_TWICE = "arena-entrant-twice"
    BAD_GAMES = "arena-bad-games"
    NOT_ENOUGH_FOR_MIXED = "arena-not-enough-for-mixed"
    BAD_LIMIT = "arena-bad-limit"
    BAD_HYPOTHESES = "arena-bad-hypotheses"
    NOT_A_REPORT = "arena-not-a-report"
    REPORT_ALTERED = "arena-report-altered"


class ArenaError(CabochonError):
    """The match was not begun; `code` is an `ArenaFault`."""
