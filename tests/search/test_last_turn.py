"""The exact last turn against the law: every legal move played and scored."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import Floats, States
from cabochon.kernel.packing import packed
from cabochon.rules import Phase, Position, Ruleset
from cabochon.search.last_turn import is_last_turn, solve_last_turn
from cabochon.search.reference import played, shares_of
from tests.search.games import RULESETS, random_positions


@compiled
def _solve(states: States, shares: Floats) -> bool:
    if not is_last_turn(states[0]):
        return False
    solve_last_turn(states[0], shares)
    return True


def _best(position: Position, seat: int) -> tuple[float, ...]:
    """Of all ends that the mover can choose, the one that gives it most."""
    outcome = position.outcome()
    if outcome is not None:
        return shares_of(position, outcome)
    random = Random(1)
    moves = position.legal_moves()
    if position.phase is Phase.RETURN:
        moves = moves[:1]
    ends = [_best(played(position, move, random), seat) for move in moves]
    return max(ends, key=lambda shares: shares[seat])


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_equals_every_move_tried(ruleset: Ruleset) -> None:
    solved = 0
    for seed in range(40):
        for position in random_positions(ruleset, seed):
            shares = np.zeros(4, np.float32)
            if position.last_round and _solve(packed(position), shares):
                expected = _best(position, position.seat)
                assert shares[position.seat] == pytest.approx(expected[position.seat])
                solved += 1
    assert solved > 3
