"""Which game a record is of."""

from __future__ import annotations

from hashlib import sha256

from cabochon.notation.records import format_record
from cabochon.record import Record


def fingerprint(record: Record) -> str:
    """SHA-256 of the game, whoever played it and whatever was said about it."""
    bare = Record(ruleset=record.ruleset, players=("?",) * record.ruleset.seats,
                  opening=record.opening, events=record.events)  # fmt: skip
    return sha256(format_record(bare).encode()).hexdigest()
