"""Judging a game turn by turn: what each decision gave away, and what the cards then did.

    before ──(decision)──▶ expected ──(card)──▶ … ──(decision)──▶ after
             skill                    luck            skill

Each arrow is the difference of the prices at its ends, so the sum along a turn is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from cabochon.bots.roster import engine_name, network_fingerprint
from cabochon.limit import DEEP_VISITS
from cabochon.record import Record
from cabochon.review.appraisal import DRAWS, Appraiser, SeatShares
from cabochon.review.reasons import reasons_for
from cabochon.review.verdicts import (
    ONLY_BY,
    Engine,
    Knowledge,
    Mark,
    MoveVerdict,
    Review,
    TurnVerdict,
    mark_of,
)
from cabochon.rules import Deal, Move, Position, View
from cabochon.search import Analysis, Limit, Searcher, shipped_for


@dataclass(frozen=True, slots=True)
class TurnStep:
    """One event of a turn: where it was made, and its number in the record (the first is 0)."""

    ply: int
    position: Position
    event: Move | Deal


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """The events of one turn, and the position after them."""

    steps: tuple[TurnStep, ...]
    end: Position


def turns_in(record: Record) -> Iterator[PlayedTurn]:
    """The record's finished turns in order. Raises RecordError at a ply that cannot be played."""
    steps: list[TurnStep] = []
    before: Position | None = None
    for ply, position in enumerate(record.replay()):
        if before is not None:
            steps.append(TurnStep(ply - 1, before, record.events[ply - 1]))
            if position.turn != before.turn or position.outcome() is not None:
                yield PlayedTurn(tuple(steps), position)
                steps = []
        before = position


class Judge:
    """Reviews records of one ruleset with one engine. Not to be shared by threads."""

    def __init__(self, record: Record, engine: Engine, searcher: Searcher | None = None) -> None:
        self.record = record
        self.engine = engine
        self._searcher = searcher or Searcher(shipped_for(record.ruleset))
        self._appraiser = Appraiser(
            self._searcher,
            engine.visits,
            engine.seed,
            open_hands=engine.knowledge is Knowledge.ALL_CARDS,
        )

    def start(self) -> SeatShares:
        """Everybody's chances before the first move, as its player would judge them."""
        first = self.record.first()
        return self._appraiser.shares(self._appraiser.look(first, first.seat))

    def turns(self, since: int = 0) -> Iterator[TurnVerdict]:
        """A verdict on every finished turn, in order; without the first `since` of them. A verdict
        doesn't depend on those before it: who was interrupted goes on where it was."""
        return map(self.turn, islice(turns_in(self.record), since, None))

    def turn(self, played: PlayedTurn) -> TurnVerdict:
        """Priced from the end backwards: a decision is worth what it led to, except that a card
        which nobody could foresee is averaged out."""
        first = played.steps[0].position
        shares = self._appraiser.shares(self._appraiser.look(played.end, first.seat))
        decisions: list[MoveVerdict] = []
        worth, luck, dealt = shares[first.seat], 0.0, None
        for step in reversed(played.steps):
            if isinstance(step.event, Deal):
                dealt = step.event.card
                continue
            weighed = self._weighed(
                step, step.event, worth, is_dealt=step is played.steps[0] and dealt is not None
            )
            luck += worth - weighed.expected
            decisions.insert(0, weighed.verdict)
            worth = weighed.best
        return TurnVerdict(
            turn=first.turn,
            seat=first.seat,
            decisions=tuple(decisions),
            before=worth,
            after=shares[first.seat],
            skill=sum(decision.skill for decision in decisions),
            luck=luck,
            shares=shares,
            dealt=dealt,
        )

    def _weighed(self, step: TurnStep, move: Move, then: float, *, is_dealt: bool) -> _Weighed:
        """`then` is what the decision led to, with the card that came."""
        view = self._appraiser.look(step.position, step.position.seat)
        analysis = self._analysed(view)
        best_move = move if analysis is None else view.completed(analysis.best)
        expected = self._appraiser.price(view, move).mean if is_dealt else then
        best = expected if best_move == move else self._appraiser.price(view, best_move).mean
        skill = expected - best
        mark = mark_of(-skill)
        if move == best_move and analysis is not None and is_only_move(analysis):
            mark = Mark.ONLY
        why = reasons_for(view, best_move, () if analysis is None else analysis.variation)
        why_played = () if move == best_move else reasons_for(view, move)
        verdict = MoveVerdict(
            ply=step.ply,
            played=move,
            best=best_move,
            skill=skill,
            mark=mark,
            analysis=analysis,
            why=why,
            why_played=why_played,
        )
        return _Weighed(verdict, best, expected)

    def _analysed(self, view: View) -> Analysis | None:
        if len(view.legal_moves()) == 1:
            return None
        seed = self._appraiser.seed(view, DRAWS)
        return self._searcher.analyse(view, Limit(visits=self.engine.visits, seed=seed))


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A verdict, with its maker's chance before the decision and as expected after it."""

    verdict: MoveVerdict
    best: float
    expected: float


def is_only_move(analysis: Analysis) -> bool:
    """Whether the best move is far ahead of all others, and the first impression missed it."""
    if len(analysis.lines) < 2:
        return False
    best, second = analysis.lines[0], analysis.lines[1]
    if best.value is None or second.value is None:
        return False
    favourite = max(analysis.lines, key=lambda line: line.prior)
    return favourite.move != best.move and best.value - second.value >= ONLY_BY


def engine_for(
    record: Record,
    visits: int = DEEP_VISITS,
    seed: int = 0,
    knowledge: Knowledge = Knowledge.OWN,
) -> Engine:
    """The shipped engine, named so that its review can be repeated."""
    return Engine(engine_name(), network_fingerprint(record.ruleset.seats), visits, seed, knowledge)


def review(
    record: Record,
    visits: int = DEEP_VISITS,
    seed: int = 0,
    knowledge: Knowledge = Knowledge.OWN,
    searcher: Searcher | None = None,
) -> Review:
    """The whole game reviewed. Raises RecordError at a ply that cannot be played."""
    judge = Judge(record, engine_for(record, visits, seed, knowledge), searcher)
    return Review(record, judge.engine, judge.start(), tuple(judge.turns()))
