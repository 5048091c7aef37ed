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
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from cabochon.recordparts import (
    EVENT_TYPES,
    check_parts,
    check_texts,
    damage,
    is_text_by,
    is_text_or_none,
    is_tuple_of,
)
from cabochon.recordshares import ShareProof, share_proof, without_shares
from cabochon.rules import (
    Card,
    Deal,
    Dealer,
    Event,
    IllegalDeal,
    Opening,
    Outcome,
    Position,
    Ruleset,
    ShuffledDealer,
    View,
    commitment,
)
from cabochon.rules.errors import Param, wrong
from cabochon.turn import HiddenDeal, SeenEvent, Turn, label_of, turns_of
from cabochon.variation import (
    MAIN_LINE,
    LineBranch,
    LinePath,
    LineStep,
    Variation,
    added,
    applied,
    branches,
    changed,
    checked_variations,
    deleted,
    events_along,
    line_at,
    path_text,
    promoted,
    walk_line,
)

__all__ = [
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

VERSION = 1
START, GIVEN = "Start", "given"
"""The header of a game that was played from a position somebody chose."""
HINTS = "Hints"
"""The header with the turns in which somebody was given a hint."""
NOBODY = "?"
"""The name of a player whose name is not known."""

_TURNS = re.compile(r"[1-9][0-9]*[a-d]( [1-9][0-9]*[a-d])*")
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
class Record(_Sheet):
    """A whole game. `opening` is the first deal, or the position from which a study starts.
    `comments` stand after the ply that is their key, 0 before the first. `players` are names by
    seat. The `seed` is there only when it has been revealed. `variations` are other ways to play
    on, by the ply at which they hang; what the game was is said by `events` alone."""

    opening: Opening | Position
    events: tuple[Event, ...] = ()
    comments: Mapping[int, str] = field(default_factory=dict, hash=False)
    seed: str | None = None
    variations: tuple[Variation, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        check_parts(
            ("opening", "start", self.opening, isinstance(self.opening, Opening | Position)),
            ("events", "events", self.events, is_tuple_of(self.events, *EVENT_TYPES)),
            ("comments", "comments", self.comments, is_text_by(self.comments, int)),
            ("seed", "text", self.seed, is_text_or_none(self.seed)),
        )
        object.__setattr__(self, "comments", dict(sorted(self.comments.items())))
        _check_ruleset(self.ruleset, self.opening)
        for ply in self.comments:
            if not 0 <= ply <= len(self.events):
                raise damage(RecordFault.COMMENT_PLY, at=ply, plies=len(self.events))
        check_texts("comments", self.comments.values())
        check_texts("seed", [self.seed or ""])
        variations = checked_variations(self.variations, 1, len(self.events) + 1)
        object.__setattr__(self, "variations", variations)

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
        check_parts(
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

    def replay(self, path: LinePath = MAIN_LINE) -> Iterator[Position]:
        """The first position, then the one after each ply of the main line, or of the game as the
        variation at that path has it. Raises RecordError at the ply that cannot be played, when
        it is reached."""
        position = self.first()
        yield position
        for line, ply, event in events_along(self.trunk, path):
            position = applied(position, event, ply, line)
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

    def turns(self, path: LinePath = MAIN_LINE) -> tuple[Turn, ...]:
        """The events of the main line, or of the game as that variation has it, in turns, with
        the nobles that came by themselves. Raises RecordError."""
        return turns_of(self.replay(path), self.line_events(path))

    def seen_by(self, viewer: int | None) -> SeenRecord:
        """What that seat, or a watcher (None), may know while the game runs. Comments and
        variations stay out: they may say anything. Raises RecordError, and WrongArgument for a
        seat that is not there."""
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
            raise damage(RecordFault.ALREADY_ENDED, ply, result=str(self.result))
        before = self.final()
        after = applied(before, event, ply)
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

    def commented(self, ply: int, comment: str, path: LinePath = MAIN_LINE) -> Record:
        """The record with a comment after that ply of the line, in place of one that was there.
        Raises RecordError for a ply that is not there or a comment that is no text."""
        check_parts(("ply", "whole", ply, type(ply) is int))
        if path:
            return self._with_trunk(
                changed(
                    self.trunk,
                    path,
                    lambda line: replace(line, comments={**line.comments, ply: comment}),
                )
            )
        return replace(self, comments={**self.comments, ply: comment})

    # Its variations

    @cached_property
    def trunk(self) -> Variation:
        """The main line with all that hangs on it."""
        return Variation(
            ply=1, events=self.events, comments=self.comments, variations=self.variations
        )

    def _with_trunk(self, trunk: Variation) -> Record:
        """The same game with other variations."""
        return replace(self, variations=trunk.variations)

    def walk(self) -> Iterator[LineStep]:
        """Every ply of every line with the positions around it, in the order of the text: what
        hangs at a ply comes right after it. Raises RecordError at the first that cannot be
        played, when it is reached."""
        yield from walk_line(self.trunk, MAIN_LINE, self.first())

    def lines(self) -> Iterator[tuple[LinePath, Variation]]:
        """Every variation with its path, a parent before what hangs on it."""
        waiting = list(branches(self.trunk))[::-1]
        while waiting:
            path, variation = waiting.pop()
            yield path, variation
            waiting += list(branches(variation, path))[::-1]

    def variation(self, path: LinePath) -> Variation:
        """The variation at that path. Raises RecordError when there is none."""
        if not path:
            raise damage(RecordFault.NO_VARIATION, variation="-")
        return line_at(self.trunk, path)

    def line_events(self, path: LinePath = MAIN_LINE) -> tuple[Event, ...]:
        """What is played from the start to the end of that line. Raises RecordError when there
        is none."""
        return tuple(event for _, _, event in events_along(self.trunk, path))

    def with_variation(
        self,
        ply: int,
        events: Iterable[Event],
        path: LinePath = MAIN_LINE,
        comments: Mapping[int, str] | None = None,
    ) -> Record:
        """The record with one more variation, the last one at that ply of the line: instead of
        what stands there, or after the line's end. A purchase is written with its payment. Raises
        RecordError for what can't be played there."""
        played = self._playable(ply, events, path)
        variation = Variation(ply=ply, events=played, comments=comments or {})
        return self._with_trunk(added(self.trunk, path, variation))

    def _playable(self, ply: int, events: Iterable[Event], path: LinePath) -> tuple[Event, ...]:
        check_parts(("ply", "whole", ply, type(ply) is int))
        positions = list(self.replay(path))
        if not 1 <= ply <= len(positions):
            raise damage(RecordFault.VARIATION_PLY, at=ply, first=1, last=len(positions))
        there = sum(each.ply == ply for each in line_at(self.trunk, path).variations)
        position, written, branch = positions[ply - 1], [], (*path, LineBranch(ply, there + 1))
        for at, event in enumerate(events, start=ply):
            after = applied(position, event, at, branch)
            written.append(event if isinstance(event, Deal) else position.completed(event))
            position = after
        return tuple(written)

    def without_variation(self, path: LinePath) -> Record:
        """The record without that variation and all that hangs on it. Raises RecordError when
        there is none."""
        self.variation(path)
        return self._with_trunk(deleted(self.trunk, path))

    def without_variations(self) -> Record:
        """The game alone, with its own comments."""
        return replace(self, variations=())

    def promoted(self, path: LinePath) -> Record:
        """The record in which that variation and the rest of its parent line have changed places.

        On the main line that makes another game: it has no seed, commitment, shares or table, and
        its result is the one by the rules. Raises RecordError when there is no such variation, or
        the new main line can't be played."""
        self.variation(path)
        trunk = promoted(self.trunk, path)
        if len(path) > 1:
            return self._with_trunk(trunk)
        record = replace(
            self,
            events=trunk.events,
            comments=trunk.comments,
            variations=trunk.variations,
            headers=without_shares(self.headers),
            seed=None,
            commitment=None,
            result=None,
        )
        outcome = record.final().outcome()
        return record if outcome is None else replace(record, result=Result.of(outcome))


@dataclass(frozen=True, kw_only=True)
class SeenRecord(_Sheet):
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
        _check_ruleset(self.ruleset, self.opening)
        seats = self.ruleset.seats
        elsewhere = isinstance(self.opening, View) and self.opening.viewer != self.viewer
        if elsewhere or (self.viewer is not None and self.viewer not in range(seats)):
            viewer = "-" if self.viewer is None else self.viewer
            raise damage(RecordFault.VIEWER_MISMATCH, viewer=viewer, seats=seats)


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
        """One sentence a problem, then one a verdict, in that language."""
        said: list[RecordError | Finding] = [*self.problems, *self.verdicts]
        return tuple(each.text(language) for each in said)


def verify(
    record: Record,
    labels: Mapping[int, str] | None = None,
    is_ended: bool = True,
    share_hash: str | None = None,
    branch_labels: Mapping[LinePath, Mapping[int, str]] | None = None,
) -> Verification:
    """Check every move and deal against the rules, the deal against the revealed seed and the
    players' shares, the seed against the commitment, and the result against the last position.
    Variations are held to the rules alone: which cards come there is anybody's guess.

    What a text says beside its record (`notation.parse_readings`) is checked too: `labels` are
    those before a ply (`3b`), `branch_labels` those in variations, and `is_ended` is whether it
    came to an end of its own, a result or `*`. `share_hash` is one that somebody remembers: its
    share must be in the deal. Raises WrongArgument for what is no record.
    """
    if not isinstance(record, Record):
        raise wrong("record", "record", record)
    checks = _Checks(record)
    checks.moves()
    checks.labels(labels or {})
    checks.variations(branch_labels or {})
    checks.shares(share_hash)
    checks.seed()
    checks.result(is_ended)
    checks.hints()
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
        self.problems.append(damage(fault, ply, **params))

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
        self._labels(self.record.trunk, MAIN_LINE, self.positions, labels)

    def _labels(
        self,
        line: Variation,
        path: LinePath,
        positions: Sequence[Position],
        labels: Mapping[int, str],
    ) -> None:
        """Only the first wrong one of a line is reported: those after it are wrong in the same
        way."""
        place: dict[str, Param] = {"variation": path_text(path)} if path else {}
        for ply, label in sorted(labels.items()):
            at = ply - line.ply
            if at < min(len(positions), len(line.events)):
                expected = label_of(positions[at].turn, self.record.ruleset.seats)
                if label != expected:
                    params = {"label": label, "expected": expected, **place}
                    self.fails(RecordFault.LABEL_WRONG, ply, **params)
                    return

    def variations(self, labels: Mapping[LinePath, Mapping[int, str]]) -> None:
        """Each from where it hangs, as far as the line before it can be played."""
        legal = unchecked = 0
        waiting = [(MAIN_LINE, self.record.trunk, self.positions)]
        while waiting:
            parent_path, parent, before = waiting.pop()
            for path, variation in branches(parent, parent_path):
                at = variation.ply - parent.ply
                if at >= len(before):
                    unchecked += variation.size
                    continue
                positions = self._line(variation, path, before[at])
                legal += len(positions) > len(variation.events)
                self._labels(variation, path, positions, labels.get(path, {}))
                waiting.append((path, variation, positions))
        if legal:
            self.holds(Verdict.VARIATIONS_LEGAL, count=legal)
        if unchecked:
            self.holds(Verdict.VARIATIONS_UNCHECKED, count=unchecked)

    def _line(self, variation: Variation, path: LinePath, first: Position) -> list[Position]:
        """The positions of the variation, up to the first event that can't be played."""
        positions = [first]
        try:
            for ply, event in enumerate(variation.events, start=variation.ply):
                positions.append(applied(positions[-1], event, ply, path))
        except RecordError as error:
            self.problems.append(error)
        return positions

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

    def hints(self) -> None:
        """What the server says of hints; nobody can prove that there were no others."""
        turns = self.record.headers.get(HINTS, "")
        if _TURNS.fullmatch(turns):
            self.holds(Verdict.HINTS_GIVEN, turns=turns)

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
        self._dealt_from(record.seed if self.proof is None else self.proof.seed, opening)

    def _dealt_from(self, seed: str | None, opening: Opening | None) -> None:
        """With shares the cards come from the seed they were mixed into; where that can't be
        said, nothing is said about the deal."""
        if seed is None:
            return
        if opening is not None:
            self._deal(ShuffledDealer(seed), opening)
        elif self._dealt_on(ShuffledDealer(seed).onwards(self.positions[0])):
            self.holds(Verdict.DEAL_AFTER_POSITION)

    def _dealt_on(self, dealer: Dealer) -> bool:
        """Whether cards were dealt after the given position, and all of them by that dealer. It
        is no fault when they were not: nothing says that they should have been."""
        if not self.is_whole:
            return False
        steps = zip(self.positions, self.record.events, strict=False)
        dealt = [(dealer.deal(at), event) for at, event in steps if isinstance(event, Deal)]
        return bool(dealt) and all(due == event for due, event in dealt)

    def _opening(self) -> Opening | None:
        """What was dealt first, also where a position before the first move stands for it; None
        for a position in the middle of a game, whose deal nobody can check, and for any that the
        record says was given: then it proves nothing about the deal, and claims nothing."""
        opening = self.record.opening
        if isinstance(opening, Opening):
            return opening
        if self.record.headers.get(START) == GIVEN:
            return None
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


def _known(row: tuple[Card | None, ...]) -> tuple[Card, ...]:
    return tuple(card for card in row if card is not None)


def _is_result(result: object) -> bool:
    return (
        isinstance(result, Result)
        and isinstance(result.reason, Reason)
        and isinstance(result.ranking, tuple)
        and all(type(rank) is int for rank in result.ranking)
    )


def _check_ruleset(ruleset: Ruleset, opening: Opening | Position | View) -> None:
    if not isinstance(opening, Opening) and opening.ruleset != ruleset:
        raise damage(
            RecordFault.RULESET_MISMATCH, expected=str(ruleset), ruleset=str(opening.ruleset)
        )
