"""What is charged for work that grows with a table, in plain requests: each stands for about a
millisecond of the processor, as `benchmarks/folding.py` measures it."""

from __future__ import annotations

from cabochon.play.table import Table

EVENTS_FOLDED = 40
"""How many events are read back for the price of one request, ..."""
LINES_TOLD = 100
"""... how many lines of a log are sent, ..."""
DECISIONS_RECORDED = 50
"""... and how many decisions are written into a record."""
MESSAGE = 0.4
MESSAGE_WITH_FACTS = 1.0
STEP = 0.1
STEP_WITH_FACTS = 0.5
STUDY_STEP = 1.5
"""A step with all that can be played from it."""
CHARACTERS_READ = 2000
BYTES_SENT = 100_000
"""Of an answer that was kept."""
DRAFTS_CHECKED = 10
CHECK = 3.0
"""Everything that is wrong with a position."""
SVG = 5.0
PNG = 50.0
PASSWORD = 10.0
EXPORT = 50.0
CODES = 60.0
"""Hashed slowly, in two threads that everybody who signs in waits for."""


def of_folding(events: int) -> float:
    """Reading a table back."""
    return events / EVENTS_FOLDED


def of_joining(table: Table, missed: int | None, facts: bool) -> float:
    """Telling a newcomer: the events they missed, or (None) everything."""
    if missed is None:
        return len(table.log) / LINES_TOLD
    if not missed:
        return 0.0
    return of_folding(table.seq) + missed * (MESSAGE_WITH_FACTS if facts else MESSAGE)


def of_record(table: Table) -> float:
    return table.ply / DECISIONS_RECORDED


def of_replay(table: Table, facts: bool) -> float:
    return table.ply * (STEP_WITH_FACTS if facts else STEP)


def of_reading(characters: int) -> float:
    """A record or position that somebody sends."""
    return characters / CHARACTERS_READ


def of_drafts(nodes: int) -> float:
    """An edited tree, checked move by move."""
    return nodes / DRAFTS_CHECKED


def of_study(nodes: int) -> float:
    return nodes * STUDY_STEP


def of_sending(size: int) -> float:
    """A large answer, also one that was made before."""
    return size / BYTES_SENT
