"""Who enters a match: a bot by name or by command line, with a limit of its own if it wants one.

greedy              a bot of this package
quartz@64v          the same with 64 visits a move
diamond@100ms       or with a tenth of a second
cmd:./engine --x    another program over stdin and stdout
python:…, network:…, llm:…     see `cabochon.arena.seating`

Why a match can't be played or a report can't be read is an `ArenaError`, a CabochonError whose code
is an `ArenaFault`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from cabochon.bots import NO_LIMIT, Limit
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


COMMAND = "cmd:"
_LIMIT = re.compile(r"(?P<amount>[0-9]{1,9})(?P<unit>ms|v)")


@dataclass(frozen=True, slots=True)
class Entrant:
    """`text` is how it was entered and how the report calls it."""

    text: str
    name: str
    limit: Limit = NO_LIMIT

    @property
    def is_command(self) -> bool:
        return self.name.startswith(COMMAND)

    @property
    def is_reproducible(self) -> bool:
        """A clock makes other moves on another day; another program promises nothing."""
        is_ours = not self.is_command and not self.name.startswith(("python:", "llm:"))
        return self.limit.seconds is None and is_ours


def parse_entrant(text: str, usual: Limit = NO_LIMIT) -> Entrant:
    """Read one entrant; without a limit of its own it gets the usual one. Raises ArenaError."""
    text = text.strip()
    name, at, tail = text.rpartition("@")
    limit = parse_limit(tail) if at else None
    if limit is not None:
        return Entrant(text, name, limit)
    if at and not text.startswith(COMMAND):
        raise ArenaError(ArenaFault.BAD_LIMIT, text=text)
    return Entrant(text, text, usual)


def parse_limit(text: str) -> Limit | None:
    """Read `100ms`, `64v` or both with a comma between; None when it is something else."""
    limit = NO_LIMIT
    for part in text.split(","):
        found = _LIMIT.fullmatch(part.strip())
        if found is None or int(found["amount"]) == 0:
            return None
        amount = int(found["amount"])
        if found["unit"] == "ms":
            limit = replace(limit, seconds=amount / 1000)
        else:
            limit = replace(limit, visits=amount)
    return limit


def format_limit(limit: Limit) -> str:
    """The text that `parse_limit` reads; empty for no limit."""
    parts = []
    if limit.seconds is not None:
        parts.append(f"{round(limit.seconds * 1000)}ms")
    if limit.visits is not None:
        parts.append(f"{limit.visits}v")
    return ",".join(parts)
