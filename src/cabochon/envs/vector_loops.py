"""The compiled loops behind the Gymnasium environments: one action in each game, then the opponents
move until the learner's seat decides again, then what it sees.

Each is a loop over all games. Where only chance plays the other seats, nothing of the bots is
compiled.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cabochon.bots.greedy_plans import Doubles
from cabochon.bots.level_twin import Minds, play_glance, play_move, play_quick_move
from cabochon.kernel.actions import ACTION_COUNT, PASS
from cabochon.kernel.bits import below, lowest_bit, next_word, nth_bit, popcount
from cabochon.kernel.cache import compiled, inlined
from cabochon.kernel.entrypoints import redeal
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
from cabochon.kernel.observation import observe, write_mask
from cabochon.kernel.playout import biased_action, random_action
from cabochon.kernel.step import step_unchecked, write_shares
from cabochon.search.forward import Scratch
from cabochon.search.net import Weights

u64 = np.uint64
ANY_SEAT = -1
DISABLED, NEXT_STEP, SAME_STEP = range(3)
NOBODY, DRAWN = -2, -1
"""In a line-up: the learner may play this seat too; who plays it is drawn for each game."""
UNIFORM, BIASED = range(2)
"""Who there is when there are no minds."""
RUNNING, TERMINATED, TRUNCATED, FORFEITED = range(4)
END, RAISE, REPLACE = range(3)
"""What an illegal action does."""

LEARNER = 255
NO_ACTOR = 255
"""For games that were dealt in place of an action."""
_ONLY_PASS = u64(1 << PASS)


@compiled
def first_refused(
    states: States,
    legal: Masks,
    ended: Bytes,
    actions: Ints,
    autoreset: Number,
    illegal: Number,
) -> Number:
    """The first game whose action cannot be played, or -1."""
    for index in range(len(states)):
        if ended[index] != RUNNING:
            if autoreset == DISABLED:
                return index
            continue
        if actions[index] < 0 or actions[index] >= ACTION_COUNT:
            return index
        if illegal == RAISE and not _is_legal(states[index], legal[index], actions[index]):
            return index
    return -1


@inlined
def _is_legal(s: StateRow, legal: np.uint64, action: Number) -> bool:
    bit = action - first_action(s.phase)
    return bool(0 <= bit < 64 and (legal >> u64(bit)) & u64(1) != u64(0))


@compiled
def deal_games(
    states: States,
    chosen: Bools,
    fixed_seat: Number,
    lineup: Ints,
    chances: npt.NDArray[np.float64],
    who: Bytes,
    seats: Bytes,
    ended: Bytes,
) -> None:
    """Deal the chosen games anew and seat everybody; nobody has moved yet."""
    for index in range(len(states)):
        if chosen[index]:
            redeal(states[index])
            seats[index] = _seat_all(states[index], fixed_seat, lineup, chances, who[index])
            ended[index] = RUNNING


@compiled
def act_in_games(
    states: States, actions: Ints, legal: Masks, illegal: Number, ended: Bytes, actors: Bytes
) -> None:
    """The learner's action in each game, except where NO_ACTOR says that it was just dealt."""
    for index in range(len(states)):
        s = states[index]
        if actors[index] == NO_ACTOR:
            continue
        action = actions[index]
        if not _is_legal(s, legal[index], action):
            if illegal == END:
                ended[index] = FORFEITED
                continue
            action = first_action(s.phase) + np.int64(lowest_bit(legal[index]))
        step_unchecked(s, action)


@compiled
def answer_uniformly(states: States, who: Bytes, ended: Bytes, most_turns: Number) -> None:
    """The other seats move, until the learner decides in every game, all moves alike."""
    for index in range(len(states)):
        s = states[index]
        while _is_others(s, who[index], ended[index], most_turns):
            step_unchecked(s, random_action(s))


@compiled
def answer_by_chance(states: States, who: Bytes, ended: Bytes, most_turns: Number) -> None:
    """The same by chance of both kinds."""
    for index in range(len(states)):
        s = states[index]
        while _is_others(s, who[index], ended[index], most_turns):
            action = biased_action(s) if who[index, s.seat] == BIASED else random_action(s)
            step_unchecked(s, action)


@compiled
def answer_by_minds(
    states: States, who: Bytes, ended: Bytes, most_turns: Number, minds: Minds
) -> None:
    """The same by minds of their own."""
    for index in range(len(states)):
        s = states[index]
        while _is_others(s, who[index], ended[index], most_turns):
            play_move(s, np.int64(who[index, s.seat]), minds)


@compiled
def answer_at_sight(
    states: States,
    who: Bytes,
    ended: Bytes,
    most_turns: Number,
    rows: npt.NDArray[np.void],
    discounts: Doubles,
    notes: npt.NDArray[np.void],
) -> None:
    """The same by minds that never search: then no search is compiled."""
    for index in range(len(states)):
        s = states[index]
        while _is_others(s, who[index], ended[index], most_turns):
            play_quick_move(s, np.int64(who[index, s.seat]), rows, discounts, notes)


@compiled
def answer_by_network(
    states: States,
    who: Bytes,
    ended: Bytes,
    most_turns: Number,
    rows: npt.NDArray[np.void],
    net: Weights,
    scratch: Scratch,
) -> None:
    """The same by minds that only ask the network."""
    for index in range(len(states)):
        s = states[index]
        while _is_others(s, who[index], ended[index], most_turns):
            play_glance(s, np.int64(who[index, s.seat]), rows, net, scratch)


@inlined
def _is_others(s: StateRow, who: Bytes, ended: Number, most_turns: Number) -> bool:
    """Whether the decision is not the learner's."""
    is_running = s.phase != OVER and s.turn < most_turns and ended == RUNNING
    return bool(is_running and who[s.seat] != LEARNER)


@compiled
def close_games(
    states: States, most_turns: Number, seats: Bytes, ended: Bytes, actors: Bytes, shares: Floats
) -> None:
    """See which games have ended, and who won. The viewer of a game that has ended is the seat that
    acted last for the learner."""
    for index in range(len(states)):
        s = states[index]
        shares[index, :] = np.float32(0)
        if actors[index] == NO_ACTOR:
            actors[index] = seats[index]
            continue
        if s.phase == OVER:
            ended[index] = TERMINATED
            write_shares(s, shares[index])
        elif ended[index] == RUNNING and s.turn >= most_turns:
            ended[index] = TRUNCATED
        if ended[index] == RUNNING:
            seats[index] = s.seat


@compiled
def show_ends(states: States, ended: Bytes, actors: Bytes, observations: Floats) -> None:
    """What the seats that acted last see of games that have ended: for SAME_STEP alone."""
    for index in range(len(states)):
        if ended[index] != RUNNING:
            observe(states[index], np.int64(actors[index]), observations[index])


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
        phase, word = s.phase, _ONLY_PASS
        if ended[index] == RUNNING:
            legal[index] = word = legal_mask(s)
        else:
            phase = np.uint8(ACT)
        write_mask(phase, word, masks[index])


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
def _seat_all(
    s: StateRow,
    fixed_seat: Number,
    lineup: Ints,
    chances: npt.NDArray[np.float64],
    who: Bytes,
) -> Number:
    """Who plays which seat of a new game; returns the learner's."""
    for chair in range(4):
        who[chair] = LEARNER
    if lineup[0] == NOBODY:
        return 0
    seat = np.int64(fixed_seat)
    if seat == ANY_SEAT:
        seat = np.int64(below(next_word(s), u64(s.seats)))
    for ahead in range(1, np.int64(s.seats)):
        entry = lineup[ahead - 1]
        if entry == DRAWN:
            entry = _drawn(next_word(s), chances)
        who[(seat + ahead) % np.int64(s.seats)] = entry
    return seat


@inlined
def _drawn(word: np.uint64, chances: npt.NDArray[np.float64]) -> Number:
    """One of the league, by the running sums of their chances."""
    part = np.float64(word >> u64(11)) / 9007199254740992.0
    for entry in range(len(chances) - 1):
        if part < chances[entry]:
            return entry
    return len(chances) - 1
