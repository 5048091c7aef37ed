"""The searcher: legal, repeatable, blind to what is hidden, in time, and able to see a win."""

from __future__ import annotations

import time
from functools import cache
from random import Random

import pytest

from cabochon.rules import Phase, Position, Return, Ruleset, ShuffledDealer, View
from cabochon.rules.facts import Hand, Hidden
from cabochon.rules.perft import dealt
from cabochon.search import Analysis, Limit, Searcher
from cabochon.search.net import random_weights
from cabochon.search.reference import imagined, played, reference_search, shares_of
from cabochon.search.searcher import CROWDED_EXPLORATION
from cabochon.search.simulate import SearchSettings
from tests.bars import keeps
from tests.search.games import RULESETS, random_positions


@cache
def searcher(kind: str, threads: int = 1) -> Searcher:
    return Searcher(random_weights(2, 0.05) if kind == "net" else None, threads)


def _play(ruleset: Ruleset, kind: str, seed: int, visits: int) -> Position:
    dealer = ShuffledDealer(f"{ruleset} {seed}")
    position = Position.start(ruleset, dealer.opening(ruleset))
    for number in range(150):
        if position.outcome() is not None:
            break
        view = position.view(position.seat)
        analysis = searcher(kind).analyse(view, Limit(visits=visits, seed=number))
        _check(view, analysis, ruleset)
        position = dealt(position.play(analysis.best), dealer)
    return position


def _check(view: View, analysis: Analysis, ruleset: Ruleset) -> None:
    moves = view.legal_moves()
    assert sorted(map(str, (line.move for line in analysis.lines))) == sorted(map(str, moves))
    assert sum(analysis.shares) == pytest.approx(2 if ruleset.teams else 1, abs=1e-3)
    assert len(analysis.shares) == ruleset.seats
    if len(moves) > 1 and view.phase is not Phase.RETURN:
        assert sum(line.visits for line in analysis.lines) == analysis.visits - 1
        assert sum(line.prior for line in analysis.lines) == pytest.approx(1, abs=0.3)
    assert analysis.variation[0] == analysis.best


@pytest.mark.parametrize("kind", ["net", "playouts"])
@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_plays_legal_moves(ruleset: Ruleset, kind: str) -> None:
    _play(ruleset, kind, 1, visits=24)


@pytest.mark.parametrize("kind", ["net", "playouts"])
def test_same_seed_same_analysis(kind: str) -> None:
    for position in list(random_positions(RULESETS[1], 4))[::9]:
        view = position.view(position.seat)
        first = searcher(kind).analyse(view, Limit(visits=60, seed=5))
        again = searcher(kind).analyse(view, Limit(visits=60, seed=5))
        other = Searcher(searcher(kind).net if kind == "net" else None)
        fresh = other.analyse(view, Limit(visits=60, seed=5))
        assert first.lines == again.lines == fresh.lines
        assert first.shares == again.shares == fresh.shares


@pytest.mark.parametrize("kind", ["net", "playouts"])
def test_does_not_see_hidden_cards(kind: str) -> None:
    """Another world that the mover cannot tell apart gives the same analysis."""
    seen = 0
    for seed in range(3):
        for position in list(random_positions(RULESETS[0], seed))[::5]:
            view = position.view(position.seat)
            if not any(isinstance(r, Hidden) for hand in view.hands for r in hand.reserved):
                continue
            other = imagined(view, Random(seed))
            assert other.view(position.seat) == view
            seen += other != position
            limit = Limit(visits=40, seed=1)
            one = searcher(kind).analyse(view, limit)
            two = searcher(kind).analyse(other.view(position.seat), limit)
            assert one.lines == two.lines
    assert seen > 3


@pytest.mark.timing
def test_keeps_its_time() -> None:
    position = next(iter(random_positions(RULESETS[0], 1)))
    view = position.view(position.seat)
    searcher("net").analyse(view, Limit(seconds=0.01))

    def measure() -> float:
        begin = time.perf_counter()
        analysis = searcher("net").analyse(view, Limit(seconds=0.05))
        assert analysis.visits > 50
        return time.perf_counter() - begin

    keeps(0.1, measure)


@pytest.mark.parametrize(
    ("rules", "exploration"),
    [("standard/2", 0.9), ("standard/3", CROWDED_EXPLORATION), ("teams/4", 0.9)],
)
def test_more_than_two_parties_explore_less(rules: str, exploration: float) -> None:
    ruleset = Ruleset.parse(rules)
    view = Position.start(ruleset, ShuffledDealer("parties").opening(ruleset)).view(0)
    net, limit = random_weights(1), Limit(visits=300, seed=1)
    lines = Searcher(net).analyse(view, limit).lines
    for tried in (0.9, CROWDED_EXPLORATION):
        told = Searcher(net, settings=SearchSettings(exploration=tried)).analyse(view, limit)
        assert (told.lines == lines) == (tried == exploration)


def test_threads_add_up() -> None:
    position = next(iter(random_positions(RULESETS[0], 1)))
    analysis = searcher("net", threads=2).analyse(position.view(0), Limit(visits=200))
    assert analysis.visits == 202
    assert sum(line.visits for line in analysis.lines) == 200


def test_returns_are_one_move() -> None:
    found = 0
    for seed in range(6):
        for position in random_positions(RULESETS[0], seed):
            if position.phase is Phase.RETURN:
                view = position.view(position.seat)
                analysis = searcher("playouts").analyse(view, Limit(visits=150))
                assert isinstance(analysis.best, Return)
                assert position.is_legal(analysis.best)
                assert analysis.lines[0].visits > 0
                found += 1
    assert found > 5


def _wins_at_once(position: Position) -> dict[str, bool]:
    """For the last turn: which moves win."""
    random = Random(1)
    wins = {}
    for move in position.legal_moves():
        after = played(position, move, random)
        while after.outcome() is None:
            after = played(after, after.legal_moves()[0], random)
        outcome = after.outcome()
        assert outcome is not None
        wins[str(move)] = shares_of(after, outcome)[position.seat] == 1
    return wins


@pytest.mark.parametrize("kind", ["net", "playouts"])
def test_finds_the_win_on_the_last_turn(kind: str) -> None:
    found = 0
    for seed in range(60):
        for position in random_positions(RULESETS[0], seed):
            if position.last_round and position.phase is Phase.ACT:
                wins = _wins_at_once(position)
                if any(wins.values()) and not all(wins.values()):
                    view = position.view(position.seat)
                    best = searcher(kind).analyse(view, Limit(visits=200)).best
                    assert wins[str(best)]
                    found += 1
    assert found >= 1


def test_agrees_with_the_reference() -> None:
    """Near the end, where playouts are short: the same value, and its choice is as good."""
    compared = 0
    for seed in range(12):
        positions = [p for p in random_positions(RULESETS[0], seed) if p.phase is Phase.ACT]
        position = positions[-2]
        if sum(position.hands[position.seat].tokens) > 7 or len(position.legal_moves()) < 2:
            continue
        view = position.view(position.seat)
        slow = reference_search(view, 250, seed)
        fast = searcher("playouts").analyse(view, Limit(visits=4000, seed=seed))
        values = {line.move: line.value or 0.0 for line in fast.lines}
        best = max(slow.branches, key=lambda move: slow.branches[move].visits)
        assert values[best] >= (fast.lines[0].value or 0.0) - 0.2
        assert slow.total / slow.visits == pytest.approx(fast.shares[position.seat], abs=0.2)
        compared += 1
    assert compared >= 5


def test_hand_is_a_value() -> None:
    """``imagined`` fills hidden cards and nothing else."""
    for position in list(random_positions(RULESETS[2], 2))[::10]:
        view = position.view(position.seat)
        world = imagined(view, Random(1))
        assert [Hand(h.tokens, h.bought, (), h.nobles) for h in world.hands] == [
            Hand(h.tokens, h.bought, (), h.nobles) for h in position.hands
        ]
