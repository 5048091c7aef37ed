"""A game reviewed: verdicts on decisions only, by what their maker knew, grave ones marked."""

from __future__ import annotations

from functools import cache

import pytest

from cabochon.record import Record
from cabochon.rules import Buy, Deal, Gems, Phase, Position, Ruleset, ShuffledDealer
from cabochon.rules.perft import dealt
from cabochon.search import Analysis, Candidate, Limit, Mark, ReviewedMove, Searcher, review
from cabochon.search.net import random_weights
from tests.search.games import random_positions

LIMIT = Limit(visits=60, seed=1)


@cache
def _searcher() -> Searcher:
    return Searcher(random_weights(2, 0.05))


@cache
def _record(ruleset: Ruleset) -> Record:
    """A whole game: the first legal move that buys, or else the middle one."""
    dealer = ShuffledDealer("review")
    position = Position.start(ruleset, opening := dealer.opening(ruleset))
    record = Record.start(ruleset, opening)
    while position.outcome() is None and len(record.events) < 300:
        moves = position.legal_moves()
        move = next((m for m in moves if isinstance(m, Buy)), moves[len(moves) // 2])
        record = record.append(move)
        after = position.play(move)
        if after.phase is Phase.DEAL:
            position = dealt(after, dealer)
            found = [c for row in position.rows for c in row if c and c not in _cards(after)]
            record = record.append(Deal(found[0]) if found else _blind(after, position))
        else:
            position = after
    return record


def _cards(position: Position) -> set[object]:
    return {card for row in position.rows for card in row}


def _blind(before: Position, after: Position) -> Deal:
    seat = before.seat
    new = set(after.hands[seat].reserved) - set(before.hands[seat].reserved)
    return Deal(new.pop().card)  # type: ignore[union-attr]


@pytest.mark.parametrize("ruleset", [Ruleset.preset("quick", 2), Ruleset.preset("quick", 3)])
def test_every_choice_gets_a_verdict(ruleset: Ruleset) -> None:
    record = _record(ruleset)
    verdicts = list(review(record, LIMIT, _searcher()))
    positions = list(record.replay())
    chosen = [
        ply
        for ply, event in enumerate(record.events)
        if not isinstance(event, Deal) and len(positions[ply].legal_moves()) > 1
    ]
    assert [verdict.ply for verdict in verdicts] == chosen
    for verdict in verdicts:
        assert (verdict.seat, verdict.turn) == (
            positions[verdict.ply].seat,
            positions[verdict.ply].turn,
        )
        assert 0 <= verdict.loss <= 1
        assert verdict.loss == 0 or verdict.played != verdict.analysis.best
    again = review(record, LIMIT, _searcher())
    assert [verdict.loss for verdict in again] == [verdict.loss for verdict in verdicts]


def _verdict(played: int, values: list[float | None]) -> ReviewedMove:
    position = next(iter(random_positions(Ruleset(2), 1)))
    moves = position.legal_moves()
    lines = tuple(
        Candidate(move, 0 if value is None else 9, value, 0.1)
        for move, value in zip(moves, values, strict=False)
    )
    return ReviewedMove(0, 0, 0, moves[played], Analysis((0.5, 0.5), lines, (), 99, 0.1))


@pytest.mark.parametrize(
    ("value", "mark"),
    [
        (0.9, None),
        (0.87, None),
        (0.84, Mark.DUBIOUS),
        (0.79, Mark.MISTAKE),
        (0.69, Mark.BLUNDER),
        (0.95, None),
    ],
)
def test_marks_by_what_was_lost(value: float, mark: Mark | None) -> None:
    assert _verdict(1, [0.9, value, 0.1]).mark is mark


def test_an_untried_move_is_as_bad_as_the_worst() -> None:
    assert _verdict(2, [0.9, 0.6, None]).loss == pytest.approx(0.3)


def test_a_purchase_is_the_same_however_it_was_paid() -> None:
    positions = (p for seed in range(9) for p in random_positions(Ruleset(2), seed))
    for position in positions:
        for move in position.legal_moves():
            if isinstance(move, Buy) and len(position.legal_payments(move.card)) > 1:
                lines = (Candidate(move, 9, 0.5, 1.0),)
                other = Buy(move.card, position.legal_payments(move.card)[1])
                analysis = Analysis((0.5, 0.5), lines, (), 9, 0.1)
                assert other != move
                assert isinstance(other.payment, Gems)
                assert ReviewedMove(0, 0, 0, other, analysis).loss == 0
                return
    raise AssertionError("no purchase with two payments")
