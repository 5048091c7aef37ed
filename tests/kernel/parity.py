"""One game played twice, by the law and by the kernel, compared at every decision.

Legal moves through the action table and in order, the position, the record byte for byte, the
phase, the outcome.  Where the kernel is finer (tokens go back one by one) the sets of positions
that can be reached are compared.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from cabochon.kernel import (
    STATE,
    act,
    actions_of,
    check,
    deal,
    legal_actions,
    new_states,
    outcome,
    pack,
    packed,
    unpack,
)
from cabochon.kernel.layout import RETURN, States
from cabochon.kernel.playout import TURN_LIMIT, sum_playouts
from cabochon.rules import Move, Phase, Position, Ruleset, ShuffledDealer
from tests.games import RULESETS, TEMPERAMENTS, picked

MORE_RULESETS = tuple(
    Ruleset.parse(text)
    for text in (
        "standard/2:target=50,width=1",
        "standard/3:target=40,width=2",
        "teams/4:target=50",
        "quick/4:scarce=no",
        "quick-teams/4:scarce=no",
    )
)
ALL_RULESETS = (*RULESETS, *MORE_RULESETS)
MOST_TURNS = 400
"""Games to a far target may never end; the first 400 turns will do."""


@dataclass
class Seen:
    """What a run has met: a parity that never saw a pass proves nothing about passes."""

    decisions: int = 0
    games: int = 0
    actions: Counter[int] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    shared: int = 0

    def add(self, other: Seen) -> None:
        self.decisions += other.decisions
        self.games += other.games
        self.actions += other.actions
        self.phases += other.phases
        self.endings += other.endings
        self.shared += other.shared


class Twins:
    """The same game as a Position and as a record."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.states = new_states(1)
        pack(position, self.states)

    def compare(self) -> None:
        """Everything that can be asked of both."""
        position, states = self.position, self.states
        assert unpack(states) == position
        assert packed(position).tobytes() == states.tobytes()
        check(states)
        if position.phase is Phase.RETURN:
            assert _after_returns(states) == {
                packed(position.play_unchecked(move)).tobytes() for move in position.legal_moves()
            }
        else:
            expected = [actions_of(position, move) for move in position.legal_moves()]
            assert [(action,) for action in legal_actions(states)] == expected

    def play(self, move: Move, rng: random.Random) -> tuple[int, ...]:
        """The move by both, tokens going back in any order; returns the actions."""
        actions = list(actions_of(self.position, move))
        rng.shuffle(actions)
        for action in actions:
            act(self.states, 0, action)
        self.position = self.position.play(move)
        return tuple(actions)

    def deal(self, dealer: ShuffledDealer) -> None:
        event = dealer.deal(self.position)
        deal(self.states, 0, event.card)
        self.position = self.position.deal(event)


def _after_returns(states: States) -> set[bytes]:
    """Every record that token-by-token returns lead to; none takes more steps than another."""
    reached = {states.tobytes()}
    copy = new_states(1)
    while states["phase"][0] == RETURN:
        before, reached = reached, set()
        for record in before:
            states = np.frombuffer(bytearray(record), STATE)
            for action in legal_actions(states):
                copy[0] = states[0]
                act(copy, 0, action)
                reached.add(copy.tobytes())
        states = copy
    return reached


def play_twice(ruleset: Ruleset, seed: int, temperament: str) -> Seen:
    """One whole game, compared before every decision and at the end."""
    seen = Seen(games=1)
    rng = random.Random(seed)
    dealer = ShuffledDealer(str(seed))
    twins = Twins(Position.start(ruleset, dealer.opening(ruleset)))
    while twins.position.phase is not Phase.OVER and twins.position.turn < MOST_TURNS:
        twins.compare()
        seen.phases[twins.position.phase.value] += 1
        if twins.position.phase is Phase.DEAL:
            twins.deal(dealer)
            continue
        move = picked(rng, twins.position.legal_moves(), TEMPERAMENTS[temperament])
        seen.actions.update(twins.play(move, rng))
        seen.decisions += 1
    twins.compare()
    assert outcome(twins.states) == twins.position.outcome()
    _note_end(twins, seen)
    return seen


def _note_end(twins: Twins, seen: Seen) -> None:
    result = twins.position.outcome()
    if result is None:
        seen.endings["unfinished"] += 1
        return
    seen.endings[result.ending.value] += 1
    sides = {twins.position.ruleset.side(seat) for seat in result.winners}
    seen.shared += len(sides) > 1
    shares = np.zeros(4)
    sum_playouts(twins.states, 0, new_states(1), np.uint64(1), 1, False, shares)
    expected = [float(seat in result.winners) / len(sides) for seat in range(4)]
    assert np.allclose(shares, expected)


def games(first_seed: int) -> list[tuple[Ruleset, int, str]]:
    """A round of games: every ruleset, every temperament."""
    pairs = [(ruleset, mood) for ruleset in ALL_RULESETS for mood in sorted(TEMPERAMENTS)]
    return [(ruleset, first_seed + n, mood) for n, (ruleset, mood) in enumerate(pairs)]


assert MOST_TURNS < TURN_LIMIT
