"""One sitting, written down: the opening and every move and deal after it. This list alone
replays the game; no generator and no seed are needed.

    Record       everything, hidden cards included: for the table's authority, and for everybody
                 once the game is over
    SeenRecord   what one seat, or a watcher, may know of it while it runs
    verify       what of the moves, deal, commitment and result is proved, left open or broken

A ply is one move or deal, counted from 1.
"""

from __future__ import annotations

from cabochon.record.record import Record
from cabochon.record.sheet import NOBODY, VERSION, Reason, Result, SeenRecord, ShareProof
from cabochon.record.verification import GIVEN, HINTS, START, Verification, verify
from cabochon.recordfaults import Finding, RecordError, RecordFault, Standing, Verdict
from cabochon.turn import HiddenDeal, SeenEvent, Turn
from cabochon.variation import LineBranch, LinePath, LineStep, Variation

__all__ = [
    "GIVEN",
    "HINTS",
    "NOBODY",
    "START",
    "VERSION",
    "Finding",
    "HiddenDeal",
    "LineBranch",
    "LinePath",
    "LineStep",
    "Reason",
    "Record",
    "RecordError",
    "RecordFault",
    "Result",
    "SeenEvent",
    "SeenRecord",
    "ShareProof",
    "Standing",
    "Turn",
    "Variation",
    "Verdict",
    "Verification",
    "verify",
]
