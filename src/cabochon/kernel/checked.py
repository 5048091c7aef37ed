"""The checked functions: every size, number and rule is looked at before anything changes.

A record that shows no possible game raises KernelError, an illegal action the same IllegalMove
that the law raises for the move it means, a card that cannot come IllegalDeal.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cabochon.kernel import entrypoints
from cabochon.kernel.actions import ACTION_COUNT, ACTIONS, ActionKind, move_of, whole
from cabochon.kernel.errors import KernelError, KernelFault
from cabochon.kernel.integrity import FAULTS, fault_at
from cabochon.kernel.layout import DEAL, States, new_states
from cabochon.kernel.legal import FIRST_ACTION
from cabochon.kernel.observation import OBSERVATION_SIZE
from cabochon.kernel.packing import checked_index, pack, packed, unpack
from cabochon.kernel.playout import sum_playouts
from cabochon.rules.cards import Card
from cabochon.rules.ending import Outcome
from cabochon.rules.errors import DealFault, IllegalDeal, IllegalMove, Refusal, quoted, wrong
from cabochon.rules.facts import Phase
from cabochon.rules.moves import Deal, Pass, Return
from cabochon.rules.position import Position
from cabochon.rules.ruleset import Ruleset
from cabochon.rules.view import View, only_view

MOST_PLAYOUTS = 10**9


def seed_word(seed: int) -> np.uint64:
    """Any whole number as a generator's 64 bits.  Raises WrongArgument for anything else."""
    number = whole(seed)
    if number is None:
        raise wrong("seed", "whole", seed)
    return np.uint64(number & 0xFFFF_FFFF_FFFF_FFFF)


def new_game(ruleset: Ruleset, seed: int, states: States | None = None, index: int = 0) -> States:
    """A fresh game dealt from the seed into ``states[index]``, or into a new array of one.

    Raises WrongArgument for a wrong ruleset or seed, KernelError for anything but records.
    """
    if not isinstance(ruleset, Ruleset):
        raise wrong("ruleset", "ruleset", ruleset)
    word = seed_word(seed)
    if states is None:
        states = new_states(1)
    index = checked_index(states, index)
    clear_for(ruleset, states, index)
    entrypoints.deal_opening_at(states, index, word)
    return states


def clear_for(ruleset: Ruleset, states: States, index: int) -> None:
    """An empty table by this ruleset: the generator stays, nothing is dealt."""
    entrypoints.clear_at(
        states,
        index,
        ruleset.seats,
        ruleset.target,
        ruleset.row_width,
        ruleset.teams,
        ruleset.scarce_take,
    )


def check(states: States, index: int = 0) -> int:
    """The index as a plain number, if ``states[index]`` shows a possible game.

    Cards may be hidden.  Raises KernelError.
    """
    number = checked_index(states, index)
    fault = fault_at(states, number)
    if fault:
        raise KernelError(KernelFault.CORRUPT_RECORD, index=number, what=FAULTS[fault])
    return number


def check_playable(states: States, index: int = 0) -> int:
    """As ``check``, and nothing in it may be hidden."""
    number = check(states, index)
    if entrypoints.has_hidden_at(states, number):
        raise KernelError(KernelFault.HIDDEN_CARDS, index=number)
    return number


def legal_actions(states: States, index: int = 0) -> tuple[int, ...]:
    """The legal actions in the order of the table; none while a card is due or after the end."""
    index = check(states, index)
    first = FIRST_ACTION[int(states["phase"][index])]
    bits = int(entrypoints.legal_at(states, index))
    return tuple(first + bit for bit in range(bits.bit_length()) if bits >> bit & 1)


def step(states: States, index: int, action: int) -> None:
    """The action, and the card that is then due from the record's own generator.

    Raises IllegalMove, and then nothing has changed.
    """
    index = check_playable(states, index)
    number = _checked_action(states, index, action)
    entrypoints.advance_at_unchecked(states, index, entrypoints.STEP, number)


def act(states: States, index: int, action: int) -> None:
    """The action alone: if a card is due the record then waits for ``deal``."""
    index = check_playable(states, index)
    number = _checked_action(states, index, action)
    entrypoints.advance_at_unchecked(states, index, entrypoints.ACT_ONLY, number)


def deal(states: States, index: int, card: Card) -> None:
    """The card that chance dealt into the pending place.  Raises IllegalDeal."""
    index = check_playable(states, index)
    if int(states["phase"][index]) != DEAL:
        raise IllegalDeal(DealFault.DEAL_NOT_PENDING)
    unpack(states, index).deal(Deal(card))
    entrypoints.advance_at_unchecked(states, index, entrypoints.DEAL_CARD, card.id)


def outcome(states: States, index: int = 0) -> Outcome | None:
    """How the game ended, or None while it goes on."""
    index = check_playable(states, index)
    return unpack(states, index).outcome()


def observation(states: States, index: int, viewer: int) -> npt.NDArray[np.float32]:
    """What the viewer may know, as numbers; ``observation.OBSERVATION`` names them."""
    index = check(states, index)
    _check_viewer(states, index, viewer)
    out = np.zeros(OBSERVATION_SIZE, np.float32)
    entrypoints.observe_at(states, index, int(viewer), out)
    return out


def action_mask(states: States, index: int = 0) -> npt.NDArray[np.bool_]:
    """72 answers: is this action legal now?"""
    index = check(states, index)
    words = np.zeros(ACTION_COUNT // 8, np.uint64)
    entrypoints.mask_at(states, index, words)
    return words.view(np.bool_)


def playouts(
    states: States, index: int, count: int, seed: int, *, biased: bool = False
) -> tuple[float, ...]:
    """Each seat's mean part of the victory over ``count`` random games from here.

    Hidden cards are imagined anew for each game; the record and its generator are not touched.
    """
    index = check(states, index)
    count, word = checked_count("playouts", count, 1, MOST_PLAYOUTS), seed_word(seed)
    if type(biased) is not bool:
        raise wrong("biased", "flag", biased)
    if int(states["phase"][index]) == DEAL:
        raise IllegalMove(Refusal.WRONG_PHASE, phase=Phase.DEAL.value)
    shares = np.zeros(4)
    sum_playouts(states, index, new_states(1), word, count, biased, shares)
    return tuple(float(share) / count for share in shares[: int(states["seats"][index])])


def imagined(view: View, seed: int) -> Position:
    """A full position that the viewer cannot rule out, each of them alike.

    Takes a View and nothing else, so that it cannot know more than the viewer does.
    Raises NotAView.
    """
    states = packed(only_view(view))
    entrypoints.imagine_at(states, 0, seed_word(seed))
    return unpack(states)


def refusal_of(position: Position, action: int) -> IllegalMove:
    """Why an action that is not legal here is refused, in the law's own words."""
    if position.phase is Phase.OVER:
        return IllegalMove(Refusal.GAME_OVER)
    try:
        move = move_of(position, action)
    except IllegalMove as nothing_there:
        return _phase_refusal(position, action) or nothing_there
    if position.phase is Phase.RETURN and isinstance(move, Return):
        colour = move.gems.letters
        return IllegalMove(Refusal.RETURN_NOT_HELD, colour=colour, held=0, asked=1)
    refusal = position.refusal(move)
    assert refusal is not None, f"the law allows action {action}"
    return refusal


def _phase_refusal(position: Position, action: int) -> IllegalMove | None:
    """The phase forbids the action whatever lies in the place it names."""
    number = whole(action)
    if number is None or not 0 <= number < ACTION_COUNT:
        return None
    if ACTIONS[number].kind is ActionKind.NOBLE:
        wrong = position.phase is not Phase.NOBLE
        return IllegalMove(Refusal.NOBLE_NOT_PENDING) if wrong else None
    return None if position.phase is Phase.ACT else position.refusal(Pass())


def _checked_action(states: States, index: int, action: int) -> int:
    """The action as a plain number, if it is legal in a playable record."""
    number = whole(action)
    if number is None:
        raise IllegalMove(Refusal.UNKNOWN_MOVE, what=f"action {quoted(action)}")
    first = FIRST_ACTION[int(states["phase"][index])]
    bits = int(entrypoints.legal_at(states, index))
    if number < first or number >= ACTION_COUNT or not bits >> (number - first) & 1:
        raise refusal_of(unpack(states, index), number)
    return number


def _check_viewer(states: States, index: int, viewer: int) -> None:
    checked_count("viewer", viewer, 0, int(states["seats"][index]) - 1)


def checked_count(what: str, given: int, least: int, most: int) -> int:
    """The number as a plain one.  Raises KernelError unless it is whole and lies within."""
    number = whole(given)
    if number is None or not least <= number <= most:
        raise KernelError(
            KernelFault.BAD_COUNT, what=what, least=least, most=most, given=quoted(given)
        )
    return number


__all__ = [
    "act",
    "action_mask",
    "check",
    "check_playable",
    "deal",
    "imagined",
    "legal_actions",
    "new_game",
    "observation",
    "outcome",
    "pack",
    "playouts",
    "refusal_of",
    "step",
    "unpack",
]
