"""Random games for the tests of the search."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import DEAL, OVER, States, new_states
from cabochon.kernel.opening import new_game_unchecked
from cabochon.kernel.packing import unpack
from cabochon.kernel.playout import random_action
from cabochon.kernel.step import step_unchecked
from cabochon.rules import Position, Ruleset

RULESETS = tuple(
    Ruleset.parse(text)
    for text in (
        "standard/2",
        "standard/3",
        "standard/4",
        "quick/2",
        "teams/4",
        "quick-teams/4",
    )
)


@compiled
def _start(
    states: States, seed: np.uint64, seats: int, target: int, width: int, teams: bool, scarce: bool
) -> None:
    new_game_unchecked(states[0], seed, seats, target, width, teams, scarce)


@compiled
def _step(states: States) -> None:
    step_unchecked(states[0], random_action(states[0]))


def random_records(ruleset: Ruleset, seed: int) -> Iterator[States]:
    """The record of every decision of one random game; the same array each time."""
    states = new_states(1)
    _start(
        states,
        np.uint64(seed),
        ruleset.seats,
        ruleset.target,
        ruleset.row_width,
        ruleset.teams,
        ruleset.scarce_take,
    )
    while states[0]["phase"] not in (DEAL, OVER):
        yield states
        _step(states)


def random_positions(ruleset: Ruleset, seed: int) -> Iterator[Position]:
    """The same as the law's positions."""
    for states in random_records(ruleset, seed):
        yield unpack(states)
