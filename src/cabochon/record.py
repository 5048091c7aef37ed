"""One sitting, written down: the opening and every move and deal after it. This list alone
replays the game; no generator and no seed are needed.

    Record       everything, hidden cards included: for the table's authority, and for everybody
                 once the game is over
    SeenRecord   what one seat, or a watcher, may know of it while it runs
    verify       what of the moves, deal, commitment and result is proved, left open or broken

A ply is one move or deal, counted from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from cabochon.recordfaults import (
    Finding,
    RecordError,
    RecordFault,
    Standing,
    Verdict,
    at_ply,
)
from cabochon.recordshares import ShareProof, share_proof
from cabochon.rules import (
    Buy,
    CabochonError,
    Card,
    ChooseNoble,
    Deal,
    Event,
    IllegalDeal,
    Opening,
    Outcome,
    Pass,
    Position,
    Reserve,
    Return,
    Ruleset,
    ShuffledDealer,
    Take,
    View,
    commitment,
)
from cabochon.rules.errors import Param, shown, wrong
from cabochon.turn import HiddenDeal, SeenEvent, Turn, label_of, turns_of

__all__ = [
    "Finding",
    "HiddenDeal",
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
    "Verdict",
    "Verification",
    "verify",
]

VERSION = 1
NOBODY = "?"
"""The name of a player whose name is not known."""

_EVENTS = (Take, Reserve, Buy, Return, ChooseNoble, Pass, Deal)
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
class _Sheet:
    """What a record and a seen record both say. Raises RecordError when it cannot be so."""

    ruleset: Ruleset
    players: tuple[str, ...]
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)
    commitment: str | None = None
    result: Result | None = None
    version: int = VERSION

    def __post_init__(self) -> None:
        _check_parts(
            ("ruleset", "ruleset", self.ruleset, isinstance(self.ruleset, Ruleset)),
            ("players", "players", self.players, _is_tuple_of(self.players, str)),
            ("headers", "headers", self.headers, _is_text_by(self.headers, str)),
            ("commitment", "text", self.commitment, _is_text_or_none(self.commitment)),
            ("result", "result", self.result, self.result is None or _is_result(self.result)),
            ("version", "version", self.version, type(self.version) is int),
        )
        object.__setattr__(self, "headers", dict(self.headers))
        seats = self.ruleset.seats
        if self.version != VERSION:
            raise _damage(RecordFault.RECORD_VERSION, version=self.version, expected=VERSION)
        if len(self.players) != seats:
            raise _damage(RecordFault.PLAYERS_COUNT, count=len(self.players), seats=seats)
        for name in self.headers:
            if not _HEADER.fullmatch(name) or name.lower() in _OWN_HEADERS:
                shown = name[:40].encode("ascii", "replace").decode()
                raise _damage(RecordFault.HEADER_NAME, header=shown)
        if self.result is not None and not self.result.fits(seats):
            raise _damage(RecordFault.RESULT_SHAPE, seats=seats, result=str(self.result))
        _check_text("players", self.players)
        _check_text("headers", self.headers.values())
        _check_text("commitment", [self.commitment or ""])


@dataclass(frozen=True, kw_only=True)
class Record(_Sheet):
    """A whole game. `opening` is the first deal, or the position from which a study starts.
    `comments` stand after the ply that is their key, 0 before the first. `players` are names by
    seat. The `seed` is there only when it has been revealed."""

    opening: Opening | Position
    events: tuple[Event, ...] = ()
    comments: Mapping[int, str] = field(default_factory=dict, hash=False)
    seed: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_parts(
            ("opening", "start", self.opening, isinstance(self.opening, Opening | Position)),
            ("events", "events", self.events, _is_tuple_of(self.events, *_EVENTS)),
            ("comments", "comments", self.comments, _is_text_by(self.comments, int)),
            ("seed", "text", self.seed, _is_text_or_none(self.seed)),
        )
        object.__setattr__(self, "comments", dict(sorted(self.comments.items())))
        _check_ruleset(self.ruleset, self.opening)
        for ply in self.comments:
            if not 0 <= ply <= len(self.events):
                raise _damage(RecordFault.COMMENT_PLY, at=ply, plies=len(self.events))
        _check_text("comments", self.comments.values())
        _check_text("seed", [self.seed or ""])

    @classmethod
    def start(
        cls,
        ruleset: Ruleset,
        opening: Opening | Position,
        players: Iterable[str] = (),
        *,
        headers: Mapping[str, str] | None = None,
        commitment: str | None = None,
    ) -> Record:
        """A record before the first move. Raises RecordError for an opening that cannot be, or
        parts of other types than they should be."""
        _check_parts(
            ("ruleset", "ruleset", ruleset, isinstance(ruleset, Ruleset)),
            ("players", "players", players, isinstance(players, Iterable)),
        )
        names = tuple(players) or (NOBODY,) * ruleset.seats
        record = cls(
            ruleset=ruleset,
            players=names,
            headers={} if headers is None else headers,
            commitment=commitment,
            opening=opening,
        )
        record.first()
        return record

    # Reading it

    def first(self) -> Position:
        """Where the game starts. Raises RecordError for an opening that cannot be."""
        if isinstance(self.opening, Position):
            return self.opening
        try:
            return Position.start(self.ruleset, self.opening)
        except IllegalDeal as error:
            raise at_ply(error, 0) from error

    def replay(self) -> Iterator[Position]:
        """The first position, then the one after each ply. Raises RecordError at the ply that
        cannot be played, when it is reached."""
        position = self.first()
        yield position
        for ply, event in enumerate(self.events, start=1):
            position = _applied(position, event, ply)
            yield position

    def final(self) -> Position:
        """The last position. Raises RecordError."""
        return self._final

    @cached_property
    def _final(self) -> Position:
        *_, last = self.replay()
        return last

    def views(self, viewer: int | None) -> Iterator[View]:
        """The same walk as that seat, or a watcher (None), saw it. Nothing that can be reached
        from what is handed out leads to the record or to a hidden card, so it may be given to a
        bot. Raises RecordError for a record that does not replay, before the first view."""
        return iter(tuple([position.view(viewer) for position in self.replay()]))

    def turns(self) -> tuple[Turn, ...]:
        """The events in turns, with the nobles that came by themselves. Raises RecordError."""
        return turns_of(self.replay(), self.events)

    def seen_by(self, viewer: int | None) -> SeenRecord:
        """What that seat, or a watcher (None), may know while the game runs. Comments stay out:
        they may say anything. Raises RecordError, and WrongArgument for a seat that is not
        there."""
        first = self.first()
        view = first.view(viewer)
        return SeenRecord(
            viewer=viewer,
            ruleset=self.ruleset,
            players=self.players,
            headers=self.headers,
            commitment=self.commitment,
            result=self.result,
            opening=self.opening if isinstance(self.opening, Opening) else view,
            events=tuple(self._seen_events(viewer)),
        )

    def _seen_events(self, viewer: int | None) -> Iterator[SeenEvent]:
        for position, event in zip(self.replay(), self.events, strict=False):
            place = position.pending
            to_hand = isinstance(event, Deal) and place is not None and place.column is None
            yield HiddenDeal() if to_hand and position.seat != viewer else event

    # Writing on

    def append(self, event: Event) -> Record:
        """The record one ply longer; a purchase is written with its payment, and the last ply of
        a game brings the result. Raises RecordError for what cannot follow."""
        ply = len(self.events) + 1
        if self.result is not None:
            raise _damage(RecordFault.ALREADY_ENDED, ply, result=str(self.result))
        before = self.final()
        after = _applied(before, event, ply)
        written = event if isinstance(event, Deal) else before.completed(event)
        outcome = after.outcome()
        record = replace(
            self,
            events=(*self.events, written),
            result=None if outcome is None else Result.of(outcome),
        )
        record.__dict__["_final"] = after
        return record

    def ended(self, reason: Reason, ranking: tuple[int, ...] = ()) -> Record:
        """The record of a game that people have ended. Raises RecordError for a bad ranking or
        reason."""
        return replace(self, result=Result(ranking, reason))

    def revealed(self, seed: str) -> Record:
        """The record with the seed that dealt it. Raises RecordError for what is no text."""
        return replace(self, seed=seed)

    def commented(self, ply: int, comment: str) -> Record:
        """The record with a comment after that ply, in place of one that was there. Raises
        RecordError for a ply that is not there or a comment that is no text."""
        _check_parts(("ply", "whole", ply, type(ply) is int))
        return replace(self, comments={**self.comments, ply: comment})


@dataclass(frozen=True, kw_only=True)
class SeenRecord(_Sheet):
    """A game as one seat, or a watcher (None), may know it: a card that somebody else drew from a
    deck is a `HiddenDeal`, until its purchase names it. There is no seed and no comment here."""

    viewer: int | None
    opening: Opening | View
    events: tuple[SeenEvent, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_parts(
            ("opening", "start", self.opening, isinstance(self.opening, Opening | View)),
            ("events", "events", self.events, _is_tuple_of(self.events, *_EVENTS, HiddenDeal)),
            ("viewer", "whole", self.viewer, self.viewer is None or type(self.viewer) is int),
        )
        _check_ruleset(self.ruleset, self.opening)
        seats = self.ruleset.seats
        elsewhere = isinstance(self.opening, View) and self.opening.viewer != self.viewer
        if elsewhere or (self.viewer is not None and self.viewer not in range(seats)):
            viewer = "-" if self.viewer is None else self.viewer
            raise _damage(RecordFault.VIEWER_MISMATCH, viewer=viewer, seats=seats)


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found wrong (`problems`), and what was proved or had to be left open (`verdicts`).
    Nothing is claimed that was not looked at."""

    problems: tuple[RecordError, ...]
    verdicts: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Nothing is wrong; that need not mean that everything is proved."""
        return not self.problems

    @property
    def standing(self) -> Standing:
        if self.problems:
            return Standing.BROKEN
        return Standing.NOT_PROVED if self.unproved else Standing.PROVED

    @property
    def proved(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.verdicts if finding.code.is_proof)

    @property
    def unproved(self) -> tuple[Finding, ...]:
        """What the record leaves open: a seed that is not revealed, a missing result, ..."""
        return tuple(finding for finding in self.verdicts if not finding.code.is_proof)

    def lines(self, language: str = "en") -> tuple[str, ...]:
        """One sentence a problem, then one a verdict, in that language (`en` or `zh`)."""
        said: list[RecordError | Finding] = [*self.problems, *self.verdicts]
        return tuple(each.zh if language == "zh" else each.en for each in said)


def verify(
    record: Record,
    labels: Mapping[int, str] | None = None,
    is_ended: bool = True,
    share_hash: str | None = None,
) -> Verification:
    """Check every move and deal against the rules, the deal against the revealed seed and the
    players' shares, the seed against the commitment, and the result against the last position.

    What a text says beside its record (`notation.parse_readings`) is checked too: `labels` are
    those before a ply (`3b`), and `is_ended` is whether it came to an end of its own, a result
    or `*`. `share_hash` is one that somebody remembers: its share must be in the deal. Raises
    WrongArgument for what is no record.
    """
    if not isinstance(record, Record):
        raise wrong("record", "record", record)
    checks = _Checks(record)
    checks.moves()
    checks.labels(labels or {})
    checks.shares(share_hash)
    checks.seed()
    checks.result(is_ended)
    return Verification(tuple(checks.problems), tuple(checks.verdicts))


class _Checks:
    """The steps of one verification and what they found."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.proof = share_proof(record.headers, record.seed)
        self.positions: list[Position] = []
        self.problems: list[RecordError] = []
        self.verdicts: list[Finding] = []

    def holds(self, verdict: Verdict, **params: Param) -> None:
        self.verdicts.append(Finding(verdict, params))

    def fails(self, fault: RecordFault, ply: int = 0, **params: Param) -> None:
        self.problems.append(_damage(fault, ply, **params))

    @property
    def plies(self) -> int:
        """How many plies of the record replay."""
        return max(0, len(self.positions) - 1)

    @property
    def is_whole(self) -> bool:
        """Whether all of them do."""
        return len(self.positions) > len(self.record.events)

    def moves(self) -> None:
        try:
            for position in self.record.replay():
                self.positions.append(position)
        except RecordError as error:
            self.problems.append(error)
        if self.is_whole:
            self.holds(Verdict.MOVES_LEGAL, plies=self.plies)
            return
        if self.plies:
            self.holds(Verdict.MOVES_UNTIL, plies=self.plies)
        self.holds(Verdict.REST_UNCHECKED, ply=self.plies)

    def labels(self, labels: Mapping[int, str]) -> None:
        """Only the first wrong one is reported: those after it are wrong in the same way."""
        seats = self.record.ruleset.seats
        for ply, label in sorted(labels.items()):
            if ply <= min(len(self.positions), len(self.record.events)):
                expected = label_of(self.positions[ply - 1].turn, seats)
                if label != expected:
                    self.fails(RecordFault.LABEL_WRONG, ply, label=label, expected=expected)
                    return

    def shares(self, remembered: str | None) -> None:
        """What people added to the deal, if they did."""
        proof = self.proof
        if proof is not None:
            self.problems += proof.problems
            if not proof.problems:
                told = Verdict.SHARES_HOLD if proof.holds else Verdict.SHARES_NOT_TOLD
                self.holds(told, seats=proof.seats)
            if proof.round > 1:
                self.holds(Verdict.SHARES_AGAIN, round=proof.round)
        if remembered is None:
            return
        if proof is not None and proof.has(remembered):
            self.holds(Verdict.SHARE_FOUND, hash=remembered)
        else:
            self.fails(RecordFault.SHARE_MISSING, hash=remembered[:64])

    def seed(self) -> None:
        record, opening = self.record, self._opening()
        if opening is None:
            self.holds(Verdict.GIVEN_POSITION)
        if record.seed is None:
            self.holds(Verdict.NOT_REVEALED)
            return
        if record.commitment is None:
            self.holds(Verdict.NOT_COMMITTED)
        elif commitment(record.seed) == record.commitment.lower():
            self.holds(Verdict.SEED_COMMITTED)
        else:
            self.fails(RecordFault.SEED_NOT_COMMITTED)
        if opening is not None:
            self._dealt_from(record.seed, opening)

    def _dealt_from(self, seed: str, opening: Opening) -> None:
        """With shares the cards come from the seed they were mixed into; where that can't be
        said, nothing is said about the deal."""
        if self.proof is None:
            self._deal(ShuffledDealer(seed), opening)
        elif self.proof.seed is not None:
            self._deal(ShuffledDealer(self.proof.seed), opening)

    def _opening(self) -> Opening | None:
        """What was dealt first, also where a position before the first move stands for it; None
        for a position in the middle of a game, whose deal nobody can check."""
        opening = self.record.opening
        if isinstance(opening, Opening):
            return opening
        first = Opening(opening.nobles, tuple(_known(row) for row in opening.rows))
        try:
            return first if Position.start(opening.ruleset, first) == opening else None
        except IllegalDeal:
            return None

    def _deal(self, dealer: ShuffledDealer, opening: Opening) -> None:
        """Only the first wrong card is reported: after it, none can be right."""
        if dealer.opening(self.record.ruleset) != opening:
            self.fails(RecordFault.OPENING_NOT_FROM_SEED)
            return
        steps = zip(self.positions, self.record.events[: self.plies], strict=False)
        for ply, (position, event) in enumerate(steps, start=1):
            if not isinstance(event, Deal) or position.pending is None:
                continue
            due = dealer.deal(position)
            if due != event:
                fault, card = RecordFault.DEAL_NOT_FROM_SEED, event.card.code
                self.fails(fault, ply, card=card, expected=due.card.code)
                return
        if self.is_whole:
            self.holds(Verdict.DEAL_AGREES)
        elif self.plies:
            self.holds(Verdict.DEAL_UNTIL, plies=self.plies)

    def result(self, is_ended: bool) -> None:
        if not self.is_whole:
            return
        outcome = self.positions[-1].outcome()
        right = None if outcome is None else Result.of(outcome)
        said, ply = self.record.result, len(self.record.events)
        if said is None:
            self._no_result(right, is_ended)
        elif right is None and said.reason in BY_THE_RULES:
            self.fails(RecordFault.RESULT_TOO_EARLY, ply, result=str(said))
        elif right is None:
            self.holds(Verdict.RESULT_TAKEN_ON_TRUST, result=str(said))
        elif right != said:
            self.fails(RecordFault.RESULT_WRONG, ply, result=str(said), expected=str(right))
        else:
            self.holds(Verdict.RESULT_AGREES, result=str(said))

    def _no_result(self, right: Result | None, is_ended: bool) -> None:
        if right is not None:
            self.holds(Verdict.RESULT_MISSING, expected=str(right))
        else:
            self.holds(Verdict.NO_RESULT if is_ended else Verdict.CUT)


def _applied(position: Position, event: Event, ply: int) -> Position:
    try:
        return position.apply(event)
    except CabochonError as error:
        raise at_ply(error, ply) from error


def _damage(fault: RecordFault, ply: int = 0, **params: Param) -> RecordError:
    return RecordError(fault, ply=ply, **params)


def _known(row: tuple[Card | None, ...]) -> tuple[Card, ...]:
    return tuple(card for card in row if card is not None)


def _check_parts(*parts: tuple[str, str, object, bool]) -> None:
    """Raise RecordError for the first part (name, what it should be, what it is) that is not."""
    for part, wanted, given, fits in parts:
        if not fits:
            raise _damage(RecordFault.RECORD_PART, part=part, wanted=wanted, given=shown(given))


def _is_tuple_of(things: object, *kinds: type) -> bool:
    return isinstance(things, tuple) and all(isinstance(thing, kinds) for thing in things)


def _is_text_by(texts: object, key: type) -> bool:
    return isinstance(texts, Mapping) and all(
        type(name) is key and isinstance(text, str) for name, text in texts.items()
    )


def _is_text_or_none(text: object) -> bool:
    return text is None or isinstance(text, str)


def _is_result(result: object) -> bool:
    return (
        isinstance(result, Result)
        and isinstance(result.reason, Reason)
        and isinstance(result.ranking, tuple)
        and all(type(rank) is int for rank in result.ranking)
    )


def _check_ruleset(ruleset: Ruleset, opening: Opening | Position | View) -> None:
    if not isinstance(opening, Opening) and opening.ruleset != ruleset:
        raise _damage(
            RecordFault.RULESET_MISMATCH, expected=str(ruleset), ruleset=str(opening.ruleset)
        )


def _check_text(where: str, texts: Iterable[str]) -> None:
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise _damage(RecordFault.NOT_TEXT, where=where) from None
