"""What a review says: of a decision, of a turn, of a whole game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from cabochon.record import Record
from cabochon.review.appraisal import SeatShares
from cabochon.review.reasons import MoveReason
from cabochon.rules import Card, Move
from cabochon.search import Analysis
from cabochon.words import text


class Mark(StrEnum):
    """How good or grave a decision was, in the signs of chess."""

    ONLY = "!"
    DUBIOUS = "?!"
    MISTAKE = "?"
    BLUNDER = "??"


LOSSES = {Mark.BLUNDER: 0.20, Mark.MISTAKE: 0.10, Mark.DUBIOUS: 0.05}
"""From what loss of the chance to win on; the gravest first."""
WRONG = (Mark.DUBIOUS, Mark.MISTAKE, Mark.BLUNDER)
ONLY_BY = 0.10
"""The second move must be so much worse for the best one to be the only good one."""
HALF_ACCURATE = 0.10
"""A decision that gives so much away counts as half accurate."""
SWING = 0.10
"""A turn that moves a chance by so much may be one where the game turned."""
MOST_TURNING_POINTS = 3


class Knowledge(StrEnum):
    """By what a decision is judged."""

    OWN = "own"
    """What its maker could know."""
    ALL_CARDS = "all-cards"
    """That, and the reserved cards that others drew unseen; the decks never."""


@dataclass(frozen=True, slots=True)
class MoveVerdict:
    """One decision. `analysis` is the search that looked for the best move, None where there was
    nothing to choose. `skill` is what the decision changed in its maker's chance against the best
    one: below zero when it gave something away. `why` gives reasons for the best move, `why_played`
    for the one that was made instead."""

    ply: int
    played: Move
    best: Move
    skill: float
    mark: Mark | None
    analysis: Analysis | None
    why: tuple[MoveReason, ...] = ()
    why_played: tuple[MoveReason, ...] = ()

    @property
    def is_choice(self) -> bool:
        return self.analysis is not None

    @property
    def loss(self) -> float:
        return max(0.0, -self.skill)


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """The part of a turn's verdict that counts towards the whole game's: `choices` has the loss
    and the mark of every decision that was one."""

    turn: int
    seat: int
    skill: float
    luck: float
    shares: SeatShares
    choices: tuple[tuple[float, Mark | None], ...]


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """One turn of a seat: `after - before == skill + luck`, to rounding.

    `before` is the seat's chance with the best decision, `after` the one it had when the turn was
    over, both by what it knew. `shares` are all seats' chances then, as it would judge them.
    `dealt` is the card that chance added, if it did.
    """

    turn: int
    seat: int
    decisions: tuple[MoveVerdict, ...]
    before: float
    after: float
    skill: float
    luck: float
    shares: SeatShares
    dealt: Card | None = None

    @property
    def loss(self) -> float:
        return sum(decision.loss for decision in self.decisions)

    @property
    def mark(self) -> Mark | None:
        """The gravest mark of its decisions; `!` only if none is grave."""
        marks = {decision.mark for decision in self.decisions}
        return next((mark for mark in (*LOSSES, Mark.ONLY) if mark in marks), None)

    @property
    def figures(self) -> TurnFigures:
        choices = tuple((d.loss, d.mark) for d in self.decisions if d.is_choice)
        return TurnFigures(self.turn, self.seat, self.skill, self.luck, self.shares, choices)


@dataclass(frozen=True, slots=True)
class Engine:
    """Who judged: with these four, and the record, a review can be repeated to the byte."""

    name: str
    network: str
    visits: int
    seed: int
    knowledge: Knowledge = Knowledge.OWN


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """One seat's game. `accuracy` is in per cent, None for a seat that never had a choice;
    `skill` and `luck` are sums over its turns."""

    seat: int
    accuracy: float | None
    mean_loss: float
    skill: float
    luck: float
    marks: dict[Mark, int]


@dataclass(frozen=True, slots=True)
class Review:
    """A whole game gone through once more, turn by turn."""

    record: Record
    engine: Engine
    start: SeatShares
    """Everybody's chances before the first move, as the first player would judge them."""
    turns: tuple[TurnVerdict, ...]

    @property
    def players(self) -> tuple[PlayerSummary, ...]:
        return summaries([turn.figures for turn in self.turns], self.record.ruleset.seats)

    @property
    def turning_points(self) -> tuple[TurnVerdict, ...]:
        return turning_points(self.turns, self.start)


def mark_of(loss: float) -> Mark | None:
    """The mark for what a decision gave away."""
    return next((mark for mark, least in LOSSES.items() if loss >= least), None)


def accuracy_of(losses: Iterable[float]) -> float | None:
    """In per cent: the mean over decisions of a half to the power of loss / ten points."""
    scores = [0.5 ** (loss / HALF_ACCURATE) for loss in losses]
    return 100 * sum(scores) / len(scores) if scores else None


def summaries(turns: Sequence[TurnFigures], seats: int) -> tuple[PlayerSummary, ...]:
    """Every seat's game, from all turns."""
    return tuple(
        summary_of(seat, [turn for turn in turns if turn.seat == seat]) for seat in range(seats)
    )


def summary_of(seat: int, turns: Sequence[TurnFigures]) -> PlayerSummary:
    losses = [loss for turn in turns for loss, _ in turn.choices]
    marks = [mark for turn in turns for _, mark in turn.choices]
    return PlayerSummary(
        seat,
        accuracy_of(losses),
        sum(losses) / len(losses) if losses else 0.0,
        sum(turn.skill for turn in turns),
        sum(turn.luck for turn in turns),
        {mark: marks.count(mark) for mark in Mark},
    )


class JudgedTurn(Protocol):
    """Whatever knows the number of a turn and everybody's chances after it."""

    @property
    def turn(self) -> int: ...

    @property
    def shares(self) -> SeatShares: ...


T = TypeVar("T", bound=JudgedTurn)


def turning_points(turns: Sequence[T], start: SeatShares) -> tuple[T, ...]:
    """The turns that moved somebody's chance most, in the order they were played."""
    swings = []
    shares = start
    for turn in turns:
        swing = max(abs(now - then) for now, then in zip(turn.shares, shares, strict=True))
        swings.append((swing, turn))
        shares = turn.shares
    great = sorted((s for s in swings if s[0] >= SWING), key=lambda s: -s[0])
    chosen = [turn for _, turn in great[:MOST_TURNING_POINTS]]
    return tuple(sorted(chosen, key=lambda turn: turn.turn))


def mark_in_words(mark: Mark, lang: str) -> str:
    """ "a mistake"."""
    return text(f"marks.one.{mark.name.lower()}", lang)


def marks_in_words(mark: Mark, lang: str) -> str:
    """ "mistakes", for how many there were."""
    return text(f"marks.many.{mark.name.lower()}", lang)
