"""The compiled functions that Python calls: an array and an index, never a record.  Unchecked."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cabochon.kernel.bits import below, mix, nth_bit, popcount
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import OVER, Bools, Bytes, Floats, Ints, Masks, Number, StateRow, States
from cabochon.kernel.legal import first_action, legal_mask
from cabochon.kernel.observation import observe, write_mask
from cabochon.kernel.opening import clear_table, deal_opening
from cabochon.kernel.playout import has_hidden, imagine
from cabochon.kernel.step import act_unchecked, deal_unchecked, step_unchecked, write_shares

STEP, ACT_ONLY, DEAL_CARD = range(3)


@compiled
def clear_at(
    states: States,
    index: Number,
    seats: Number,
    target: Number,
    width: Number,
    teams: bool,
    scarce: bool,
) -> None:
    """A table with nothing dealt yet."""
    clear_table(states[index], seats, target, width, teams, scarce)


@compiled
def deal_opening_at(states: States, index: Number, seed: np.uint64) -> None:
    """Seed a cleared table and deal nobles and rows."""
    states[index].rng = seed
    deal_opening(states[index])


@compiled
def legal_at(states: States, index: Number) -> np.uint64:
    return legal_mask(states[index])


@compiled
def advance_at_unchecked(states: States, index: Number, how: Number, number: Number) -> None:
    """STEP or ACT_ONLY the action of that number, or DEAL_CARD: one function, compiled once."""
    s = states[index]
    if how == STEP:
        step_unchecked(s, number)
    elif how == ACT_ONLY:
        act_unchecked(s, number)
    else:
        deal_unchecked(s, number)


@compiled
def imagine_at(states: States, index: Number, seed: np.uint64) -> None:
    imagine(states[index], seed)


@compiled
def has_hidden_at(states: States, index: Number) -> bool:
    return has_hidden(states[index])


@compiled
def observe_at(states: States, index: Number, viewer: Number, out: Floats) -> None:
    observe(states[index], viewer, out)


@compiled
def mask_at(states: States, index: Number, out: npt.NDArray[np.uint64]) -> None:
    s = states[index]
    write_mask(s.phase, legal_mask(s), out)


# The loops of a batch, over a slice of its games, so that threads can share the work.


u64 = np.uint64

NEVER, NEXT_STEP, SAME_STEP = 0, 1, 2
SKIP, RESET, SHOW = -1, -2, -3
"""No action, everything stays as it is; a new deal; the same game, shown again."""

_STREAM = u64(0xD1B54A32D192ED03)


@compiled
def redeal(s: StateRow) -> None:
    """A new game by the record's own ruleset, its generator going on."""
    seats, target, width = np.int64(s.seats), np.int64(s.target), np.int64(s.width)
    clear_table(s, seats, target, width, s.side_mask == 1, s.scarce == 1)
    deal_opening(s)


@compiled
def publish(
    s: StateRow,
    index: Number,
    legal: Masks,
    observations: Floats,
    masks: Masks,
    seats: Bytes,
) -> None:
    """Legal word, observation of the seat to move, mask and that seat."""
    word = legal_mask(s)
    legal[index] = word
    write_mask(s.phase, word, masks[index])
    observe(s, np.int64(s.seat), observations[index])
    seats[index] = s.seat


@compiled
def first_refused(
    states: States, legal: Masks, actions: Ints, autoreset: Number, start: Number, stop: Number
) -> Number:
    """The first game whose action is not legal, or -1."""
    for index in range(start, stop):
        phase = states[index].phase
        if actions[index] == SKIP or (phase == OVER and autoreset == NEXT_STEP):
            continue
        bit = actions[index] - first_action(phase)
        if bit < 0 or bit > 63 or (legal[index] >> u64(bit)) & u64(1) == u64(0):
            return index
    return -1


@compiled
def step_slice_unchecked(
    states: States,
    legal: Masks,
    actions: Ints,
    autoreset: Number,
    observations: Floats,
    masks: Masks,
    rewards: Floats,
    done: Bools,
    seats: Bytes,
    final_observations: Floats,
    start: Number,
    stop: Number,
) -> None:
    """One action in each game of the slice, and everything a learner reads afterwards.

    With NEXT_STEP a finished game is dealt anew whatever its action, SHOW excepted.
    """
    for index in range(start, stop):
        s = states[index]
        action = actions[index]
        rewards[index, :] = np.float32(0)
        if action == RESET or (s.phase == OVER and autoreset == NEXT_STEP and action != SHOW):
            redeal(s)
        elif action == SKIP:
            continue
        elif action != SHOW:
            step_unchecked(s, action)
        done[index] = s.phase == OVER
        if s.phase == OVER:
            write_shares(s, rewards[index])
            if autoreset == SAME_STEP:
                observe(s, np.int64(s.seat), final_observations[index])
                redeal(s)
        publish(s, index, legal, observations, masks, seats)


@compiled
def sample_actions(
    states: States, legal: Masks, seed: np.uint64, actions: Ints, start: Number, stop: Number
) -> None:
    """A uniform legal action for each game, SKIP for a finished one."""
    for index in range(start, stop):
        count = popcount(legal[index])
        if count == u64(0):
            actions[index] = SKIP
        else:
            word = mix(seed + u64(index) * _STREAM)
            bit = nth_bit(legal[index], below(word, count))
            actions[index] = first_action(states[index].phase) + np.int64(bit)
