"""What every record says, whole or seen: the rules, who played, how it ended. And the game as one
seat saw it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from cabochon.recordfaults import RecordFault
from cabochon.recordparts import (
    EVENT_TYPES,
    check_parts,
    check_texts,
    damage,
    is_text_by,
    is_text_or_none,
    is_tuple_of,
)
from cabochon.rules import Opening, Outcome, Position, Ruleset, View
from cabochon.turn import HiddenDeal, SeenEvent

VERSION = 1
NOBODY = "?"
"""The name of a player whose name is not known."""

_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_OWN_HEADERS = frozenset(
    {"cabochon", "ruleset", "position", "commitment", "seed", "viewer"}
    | {f"seat{seat}" for seat in range(4)}
)


class Reason(StrEnum):
    """Why a game is over: by the rules, or because of the people."""

    TARGET = "target"
    STALLED = "stalled"
    RESIGNED = "resigned"
    TIMEOUT = "timeout"
    ABANDONED = "abandoned"


BY_THE_RULES = (Reason.TARGET, Reason.STALLED)


@dataclass(frozen=True, slots=True)
class Result:
    """A rank for each seat, 1 is best; an abandoned game may have none at all."""

    ranking: tuple[int, ...]
    reason: Reason

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        return cls(outcome.ranking, Reason(outcome.ending.value))

    def __str__(self) -> str:
        """`1-2 target`, `- abandoned`."""
        return f"{'-'.join(map(str, self.ranking)) or '-'} {self.reason}"

    def fits(self, seats: int) -> bool:
        """Whether each rank is one more than the number of better ones."""
        if not self.ranking:
            return self.reason not in BY_THE_RULES
        ranks = self.ranking
        return len(ranks) == seats and all(
            rank == 1 + sum(other < rank for other in ranks) for rank in ranks
        )


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """What a record and a seen record both say. Raises RecordError when it cannot be so."""

    ruleset: Ruleset
    players: tuple[str, ...]
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)
    commitment: str | None = None
    result: Result | None = None
    version: int = VERSION

    def __post_init__(self) -> None:
        check_parts(
            ("ruleset", "ruleset", self.ruleset, isinstance(self.ruleset, Ruleset)),
            ("players", "players", self.players, is_tuple_of(self.players, str)),
            ("headers", "headers", self.headers, is_text_by(self.headers, str)),
            ("commitment", "text", self.commitment, is_text_or_none(self.commitment)),
            ("result", "result", self.result, self.result is None or _is_result(self.result)),
            ("version", "version", self.version, type(self.version) is int),
        )
        object.__setattr__(self, "headers", dict(self.headers))
        seats = self.ruleset.seats
        if self.version != VERSION:
            raise damage(RecordFault.RECORD_VERSION, version=self.version, expected=VERSION)
        if len(self.players) != seats:
            raise damage(RecordFault.PLAYERS_COUNT, count=len(self.players), seats=seats)
        for name in self.headers:
            if not _HEADER.fullmatch(name) or name.lower() in _OWN_HEADERS:
                shown = name[:40].encode("ascii", "replace").decode()
                raise damage(RecordFault.HEADER_NAME, header=shown)
        if self.result is not None and not self.result.fits(seats):
            raise damage(RecordFault.RESULT_SHAPE, seats=seats, result=str(self.result))
        check_texts("players", self.players)
        check_texts("headers", self.headers.values())
        check_texts("commitment", [self.commitment or ""])


@dataclass(frozen=True, kw_only=True)
class SeenRecord(Sheet):
    """A game as one seat, or a watcher (None), may know it: a card that somebody else drew from a
    deck is a `HiddenDeal`, until its purchase names it. There is no seed and no comment here."""

    viewer: int | None
    opening: Opening | View
    events: tuple[SeenEvent, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        check_parts(
            ("opening", "start", self.opening, isinstance(self.opening, Opening | View)),
            ("events", "events", self.events, is_tuple_of(self.events, *EVENT_TYPES, HiddenDeal)),
            ("viewer", "whole", self.viewer, self.viewer is None or type(self.viewer) is int),
        )
        check_ruleset(self.ruleset, self.opening)
        seats = self.ruleset.seats
        elsewhere = isinstance(self.opening, View) and self.opening.viewer != self.viewer
        if elsewhere or (self.viewer is not None and self.viewer not in range(seats)):
            viewer = "-" if self.viewer is None else self.viewer
            raise damage(RecordFault.VIEWER_MISMATCH, viewer=viewer, seats=seats)


def _is_result(result: object) -> bool:
    return (
        isinstance(result, Result)
        and isinstance(result.reason, Reason)
        and isinstance(result.ranking, tuple)
        and all(type(rank) is int for rank in result.ranking)
    )


def check_ruleset(ruleset: Ruleset, opening: Opening | Position | View) -> None:
    if not isinstance(opening, Opening) and opening.ruleset != ruleset:
        raise damage(
            RecordFault.RULESET_MISMATCH, expected=str(ruleset), ruleset=str(opening.ruleset)
        )
