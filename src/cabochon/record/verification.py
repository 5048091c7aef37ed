"""What of a record's moves, deal, commitment and result is proved, left open or broken."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cabochon.record.record import Record
from cabochon.record.sheet import BY_THE_RULES, Result, share_proof
from cabochon.recordfaults import Finding, RecordError, RecordFault, Standing, Verdict, damage
from cabochon.rules import (
    Card,
    Deal,
    Dealer,
    IllegalDeal,
    Opening,
    Position,
    ShuffledDealer,
    commitment,
)
from cabochon.rules.errors import Param, wrong
from cabochon.turn import label_of
from cabochon.variation import MAIN_LINE, LinePath, Variation, applied, branches, path_text

START, GIVEN = "Start", "given"
"""The header of a game that was played from a position somebody chose."""
HINTS = "Hints"
"""The header with the turns in which somebody was given a hint."""

_TURNS = re.compile(r"[1-9][0-9]*[a-d]( [1-9][0-9]*[a-d])*")


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
    those before a ply (`3b`), `branch_labels` those in variations, and `is_ended` is whether it was
    properly ended, by a result or `*`. `share_hash` is one that somebody remembers: its share must
    be in the deal. Raises WrongArgument for anything but a record.
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
        isn't a fault when they were not: nothing says that they should have been."""
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
