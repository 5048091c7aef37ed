"""Wrong types at the kernel's checked door: only our own errors, whatever comes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from cabochon import kernel
from cabochon.kernel.checked import refusal_of, seed_word
from cabochon.rules import CabochonError, Facts, Ruleset, View
from tests.wrongs import ODD, POSITION, RULES, Door, anything, of, or_none, refuses

STATES = kernel.new_game(RULES, 7)
BATCH = kernel.Batch(RULES, 2, seed=7)
ARRAYS: tuple[Any, ...] = (
    *(np.zeros(1), np.zeros((2, 2)), np.array([True, False]), np.array(["x"]), np.zeros(0, int)),
    *(np.bool_(True), np.float64(1), np.int64(0), np.array([1e300, 2]), np.array([None, {}])),
    *(STATES[:0], STATES.copy()[::-1], np.zeros(1, kernel.STATE), [1, [2]], [2**70, 1]),
)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_first(value: object) -> bool:
    return _is_whole(value) and value == 0


def _is_none(value: object) -> bool:
    return value is None


def _is_odd(value: object) -> bool:
    """No action that could be legal."""
    return not _is_whole(value) or value not in range(72)


def _raise(error: CabochonError) -> None:
    raise error


def _fresh() -> Any:
    return STATES.copy()


DOORS = [
    Door("new_game's ruleset", lambda v: kernel.new_game(v, 1), of(Ruleset)),
    Door("new_game's seed", lambda v: kernel.new_game(RULES, v), _is_whole),
    Door("new_game's states", lambda v: kernel.new_game(RULES, 1, v)),
    Door("new_game's index", lambda v: kernel.new_game(RULES, 1, _fresh(), v), _is_first),
    Door("seed_word", seed_word, _is_whole),
    Door("new_states", kernel.new_states, _is_whole),
    Door("check", kernel.check),
    Door("check's index", lambda v: kernel.check(STATES, v), _is_first),
    Door("legal_actions", kernel.legal_actions),
    Door("step's states", lambda v: kernel.step(v, 0, 0)),
    Door("step's action", lambda v: kernel.step(_fresh(), 0, v), _is_whole),
    Door("act's action", lambda v: kernel.act(_fresh(), 0, v), _is_whole),
    Door("deal's card", lambda v: kernel.deal(_fresh(), 0, v), lambda v: False),
    Door("outcome", kernel.outcome),
    Door("observation's viewer", lambda v: kernel.observation(STATES, 0, v), _is_whole),
    Door("action_mask", kernel.action_mask),
    Door("playouts' count", lambda v: kernel.playouts(STATES, 0, _few(v), 1), _is_whole),
    Door("playouts' seed", lambda v: kernel.playouts(STATES, 0, 1, v), _is_whole),
    Door("playouts' bias", lambda v: kernel.playouts(STATES, 0, 1, 1, biased=v),
         lambda v: type(v) is bool),
    Door("imagined", lambda v: kernel.imagined(v, 1), of(View)),
    Door("imagined's seed", lambda v: kernel.imagined(POSITION.view(0), v), _is_whole),
    Door("pack", lambda v: kernel.pack(v, _fresh()), of(Facts)),
    Door("pack's states", lambda v: kernel.pack(POSITION, v)),
    Door("packed", kernel.packed, of(Facts)),
    Door("unpack", kernel.unpack),
    Door("unpack's index", lambda v: kernel.unpack(STATES, v), _is_first),
    Door("move_of's facts", lambda v: kernel.move_of(v, 0), of(Facts)),
    Door("move_of's index", lambda v: kernel.move_of(POSITION, v), _is_whole),
    Door("actions_of's facts", lambda v: kernel.actions_of(v, POSITION.legal_moves()[20])),
    Door("actions_of's move", lambda v: kernel.actions_of(POSITION, v)),
    Door("parse_action", kernel.parse_action, of(str)),
    Door("refusal_of's action", lambda v: _raise(refusal_of(POSITION, v if _is_odd(v) else 99)),
         lambda v: False),
    Door("Batch's rulesets", lambda v: kernel.Batch(v), of(Ruleset, list, tuple)),
    Door("Batch's count", lambda v: kernel.Batch(RULES, _few(v)), or_none(_is_whole)),
    Door("Batch's seed", lambda v: kernel.Batch(RULES, 1, seed=v), or_none(_is_whole)),
    Door("Batch's autoreset", lambda v: kernel.Batch(RULES, autoreset=v), _is_whole),
    Door("Batch's threads", lambda v: kernel.Batch(RULES, threads=_few(v)), _is_whole),
    Door("Batch's observations", lambda v: kernel.Batch(RULES, observations=v), _is_none),
    Door("Batch.step", BATCH.step),
    Door("Batch.reset", lambda v: BATCH.reset(v)),
    Door("Batch.sample_actions", BATCH.sample_actions, _is_whole),
    Door("Batch.position", BATCH.position, _is_whole),
    Door("Batch.load", BATCH.load),
]  # fmt: skip


def _few(value: object) -> Any:
    """A count that can be counted to in a test."""
    return 2 if type(value) is int and 2 < value < 10**12 else value


@pytest.mark.parametrize("door", DOORS, ids=str)
def test_what_does_not_belong_there_is_refused_at_every_door(door: Door) -> None:
    for value in (*ODD, *ARRAYS):
        if not (door.name == "actions_of's facts" and isinstance(value, Facts)):
            refuses(door, value)
    BATCH.reset(seed=7)


@settings(max_examples=60)
@given(anything)
def test_any_value_at_every_door(value: Any) -> None:
    for door in DOORS:
        refuses(door, value)


def test_a_bool_is_no_index_no_viewer_and_no_action() -> None:
    asked = [door for door in DOORS if door.name.endswith(("index", "viewer", "action", "seed"))]
    assert len(asked) > 8
    for door in asked:
        with pytest.raises(CabochonError):
            door.enter(True)
