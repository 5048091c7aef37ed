"""The compiled loop behind the vector environment: one action in each game, then the opponents
move until the learner's seat decides again, then what it sees."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cabochon.kernel.actions import PASS
from cabochon.kernel.batch_loops import redeal
from cabochon.kernel.bits import nth_bit, popcount
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import (
    ACT,
    OVER,
    Bools,
    Bytes,
    Floats,
    Ints,
    Masks,
    Number,
    StateRow,
    States,
)
from cabochon.kernel.legal import first_action, legal_mask
from cabochon.kernel.observe import observe, write_mask
from cabochon.kernel.playout import biased_action, random_action
from cabochon.kernel.randomness import below, next_word
from cabochon.kernel.shares import write_shares
from cabochon.kernel.step import step_unchecked

u64 = np.uint64
ANY_SEAT = -1
DISABLED, NEXT_STEP, SAME_STEP = range(3)
NOBODY, UNIFORM, BIASED = range(3)
"""Who plays the other seats; with nobody the learner plays them all."""
RUNNING, TERMINATED, TRUNCATED = range(3)

_ONLY_PASS = u64(1 << PASS)


@compiled
def reseed(states: States, seeds: Masks, chosen: Bools) -> None:
    """Start the generators of the chosen games again."""
    for index in range(len(states)):
        if chosen[index]:
            states[index].rng = seeds[index]


@compiled
def first_refused(
    states: States, legal: Masks, ended: Bytes, actions: Ints, autoreset: Number
) -> Number:
    """The first game whose action cannot be played, or -1."""
    for index in range(len(states)):
        if ended[index] != RUNNING:
            if autoreset == DISABLED:
                return index
            continue
        bit = actions[index] - first_action(states[index].phase)
        if bit < 0 or bit > 63 or (legal[index] >> u64(bit)) & u64(1) == u64(0):
            return index
    return -1


@compiled
def reset_games(
    states: States,
    chosen: Bools,
    opponent: Number,
    fixed_seat: Number,
    most_turns: Number,
    seats: Bytes,
    ended: Bytes,
) -> None:
    """Deal the chosen games anew and play them up to the learner's first decision."""
    for index in range(len(states)):
        if chosen[index]:
            seats[index] = _begin(states[index], opponent, fixed_seat, most_turns)
            ended[index] = RUNNING


@compiled
def step_games(
    states: States,
    actions: Ints,
    autoreset: Number,
    opponent: Number,
    fixed_seat: Number,
    most_turns: Number,
    seats: Bytes,
    ended: Bytes,
    finished: Bytes,
    shares: Floats,
    actors: Bytes,
    final_observations: Floats,
) -> None:
    """One action in each game; a game that had ended is dealt anew instead.

    ``ended`` says how a game stands, ``finished`` how this step left it: the two differ where
    SAME_STEP has dealt the next game already.
    """
    for index in range(len(states)):
        s = states[index]
        shares[index, :] = np.float32(0)
        actors[index] = seats[index]
        if ended[index] != RUNNING:
            seats[index] = _begin(s, opponent, fixed_seat, most_turns)
            ended[index] = finished[index] = RUNNING
            continue
        step_unchecked(s, actions[index])
        if opponent == NOBODY:
            seats[index] = s.seat
        else:
            _let_others_play(s, np.int64(seats[index]), opponent, most_turns)
        how = TERMINATED if s.phase == OVER else TRUNCATED if s.turn >= most_turns else RUNNING
        ended[index] = finished[index] = how
        if how == TERMINATED:
            write_shares(s, shares[index])
        if how != RUNNING and autoreset == SAME_STEP:
            observe(s, np.int64(actors[index]), final_observations[index])
            seats[index] = _begin(s, opponent, fixed_seat, most_turns)
            ended[index] = RUNNING


@compiled
def show_games(
    states: States,
    seats: Bytes,
    ended: Bytes,
    legal: Masks,
    observations: Floats,
    masks: npt.NDArray[np.uint64],
) -> None:
    """What the deciding seats see, and their masks; `pass` alone for a game that has ended."""
    for index in range(len(states)):
        s = states[index]
        observe(s, np.int64(seats[index]), observations[index])
        if ended[index] == RUNNING:
            legal[index] = legal_mask(s)
            write_mask(s.phase, legal[index], masks[index])
        else:
            write_mask(ACT, _ONLY_PASS, masks[index])


@compiled
def sample_actions(states: States, legal: Masks, ended: Bytes, words: Masks, actions: Ints) -> None:
    """A legal action in each game, all equally likely, by a random word each; `pass` in a game that
    has ended."""
    for index in range(len(states)):
        actions[index] = PASS
        if ended[index] == RUNNING:
            mask = legal[index]
            bit = nth_bit(mask, below(words[index], popcount(mask)))
            actions[index] = first_action(states[index].phase) + np.int64(bit)


@compiled
def _begin(s: StateRow, opponent: Number, fixed_seat: Number, most_turns: Number) -> Number:
    """A new game, up to the first decision of the learner; returns its seat."""
    redeal(s)
    if opponent == NOBODY:
        return 0
    seat = fixed_seat
    if seat == ANY_SEAT:
        seat = np.int64(below(next_word(s), u64(s.seats)))
    _let_others_play(s, seat, opponent, most_turns)
    return seat


@compiled
def _let_others_play(s: StateRow, seat: Number, opponent: Number, most_turns: Number) -> None:
    while s.phase != OVER and s.seat != seat and s.turn < most_turns:
        action = biased_action(s) if opponent == BIASED else random_action(s)
        step_unchecked(s, action)
