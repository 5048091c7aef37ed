"""What every record says, whole or seen: the rules, who played, how it ended. And the game as one
seat saw it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from cabochon.recordfaults import (
    EVENT_TYPES,
    RecordError,
    RecordFault,
    check_parts,
    check_texts,
    damage,
    is_text_by,
    is_text_or_none,
    is_tuple_of,
)
from cabochon.rules import Opening, Outcome, Position, Ruleset, View
from cabochon.rules.dealer import is_share, is_share_hash, mixed_seed, share_hash
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
    deck is a `HiddenDeal`, until its purchase names it. It has no seed and no comments."""

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


# Whether the shares of a record prove that its deal was nobody's choice.
#
# A table where people added to the deal writes these headers: `Table`, `ShareRound`, and for each
# seat that took part `ShareHash0` … `ShareHash3` and, once the game is over, `Share0` … `Share3`.


SEATS = range(4)
FIRST_ROUND = 1


@dataclass(frozen=True, slots=True)
class ShareProof:
    """What the share headers of a record show. `seed` is the one that must have dealt the cards,
    or None when that cannot be said: the host's seed or a share is missing, or something is wrong.
    `round` is more than 1 when somebody withheld a share before."""

    hashes: Mapping[int, str]
    seed: str | None
    round: int
    problems: tuple[RecordError, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every share is there and is the one that its hash promised."""
        return self.seed is not None and not self.problems

    @property
    def seats(self) -> str:
        """The seats that took part, as people read them: `0, 2`."""
        return ", ".join(map(str, sorted(self.hashes)))

    def has(self, remembered: str) -> bool:
        """Whether a share with that hash is in the deal."""
        return self.holds and remembered.lower() in self.hashes.values()


def share_headers(
    table: str, round_number: int, hashes: Mapping[int, str], shares: Mapping[int, str]
) -> dict[str, str]:
    """The headers that `share_proof` reads; without hashes there are none."""
    if not hashes:
        return {}
    headers = {"Table": table, "ShareRound": str(round_number)}
    headers |= {f"ShareHash{seat}": hashes[seat] for seat in sorted(hashes)}
    return headers | {f"Share{seat}": shares[seat] for seat in sorted(shares)}


def without_shares(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers without those that say how and where the cards were dealt."""
    dealt = {"table", "shareround", "takenback", "hints"}
    dealt |= {f"{name}{seat}" for name in ("sharehash", "share") for seat in SEATS}
    return {name: text for name, text in headers.items() if name.lower() not in dealt}


def share_proof(headers: Mapping[str, str], seed: str | None) -> ShareProof | None:
    """What the headers show about the deal; None when nobody added to it."""
    said = {name.lower(): value for name, value in headers.items()}
    hashes = _by_seat(said, "sharehash")
    shares = _by_seat(said, "share")
    if not hashes and not shares:
        return None
    problems = _problems(hashes, shares)
    table = said.get("table")
    round_number = _round(said.get("shareround"))
    if table is None or "\n" in table:
        problems.append(RecordError(RecordFault.SHARE_TABLE, ply=0))
    if round_number is None:
        problems.append(RecordError(RecordFault.SHARE_ROUND, ply=0))
    mixed = None
    if not problems and table is not None and seed is not None and hashes.keys() == shares.keys():
        mixed = mixed_seed(seed, table, shares.items())
    return ShareProof(hashes, mixed, round_number or FIRST_ROUND, tuple(problems))


def _by_seat(said: Mapping[str, str], name: str) -> dict[int, str]:
    found = ((seat, said.get(f"{name}{seat}")) for seat in SEATS)
    return {seat: value for seat, value in found if value is not None}


def _round(text: str | None) -> int | None:
    """The first round where nothing is said."""
    if text is None:
        return FIRST_ROUND
    fits = text.isascii() and text.isdigit() and len(text) < 6 and int(text) >= FIRST_ROUND
    return int(text) if fits else None


def _problems(hashes: Mapping[int, str], shares: Mapping[int, str]) -> list[RecordError]:
    """One for each seat at most: a hash that is none, or a share that is not the promised one."""
    problems = []
    for seat in sorted(hashes.keys() | shares.keys()):
        kept, share = hashes.get(seat), shares.get(seat)
        if kept is None or not is_share_hash(kept):
            problems.append(RecordError(RecordFault.SHARE_HASH, ply=0, seat=seat))
        elif share is not None and (not is_share(share) or share_hash(share) != kept):
            problems.append(RecordError(RecordFault.SHARE_NOT_PROMISED, ply=0, seat=seat))
    return problems
