"""One game on the kernel, with what environments ask of it: shared by all that step one game."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cabochon.kernel import ACTION_COUNT, OBSERVATION_SIZE, actions_of, new_states, unpack
from cabochon.kernel.actions import PASS
from cabochon.kernel.checked import clear_for, refusal_of, seed_word
from cabochon.kernel.entrypoints import (
    STEP,
    advance_at_unchecked,
    deal_opening_at,
    legal_at,
    mask_at,
    observe_at,
)
from cabochon.kernel.layout import OVER, Floats
from cabochon.kernel.legal import FIRST_ACTION
from cabochon.rules import IllegalMove, Move, Outcome, Position, Ruleset, View
from cabochon.rules.ending import outcome_of

Mask = npt.NDArray[np.int8]

MOST_TURNS = 1_000_000
"""The highest bound that an environment accepts for the turns, or cycles, of a game."""

ILLEGAL = ("end", "raise", "replace")
"""What an illegal action does: end the game with -1 for who played it, raise, or have the lowest
legal action played in its place."""


def ruleset_of(variant: str, players: int | None) -> Ruleset:
    """A preset by name, or a whole ruleset as text (`quick/3:target=12`). Raises BadRuleset."""
    if "/" in variant or ":" in variant:
        return Ruleset.parse(variant)
    return Ruleset.preset(variant, players)


def zero_sum(outcome: Outcome, ruleset: Ruleset) -> list[float]:
    """Rewards by seat: 1 for who wins alone, -1 divided among the losing sides, a shared victory
    shared; they add up to 0."""
    partners = 2 if ruleset.teams else 1
    sides = ruleset.seats // partners
    won = partners / len(outcome.winners)
    lost_all = -1 / (sides - 1)
    return [(sides * won - 1) / (sides - 1) if rank == 1 else lost_all for rank in outcome.ranking]


def over_mask() -> Mask:
    """The mask when there is nothing to decide: `pass` alone, so that a softmax over it is never
    empty."""
    mask = np.zeros(ACTION_COUNT, np.int8)
    mask[PASS] = 1
    return mask


class OneGame:
    """A game that is dealt, looked at and stepped."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._states = new_states(1)
        self._seat, self._phase, self._turn = (
            self._states[name] for name in ("seat", "phase", "turn")
        )

    def deal(self, seed: int) -> None:
        clear_for(self.ruleset, self._states, 0)
        deal_opening_at(self._states, 0, seed_word(seed))

    @property
    def seat(self) -> int:
        """Who decides."""
        return int(self._seat[0])

    @property
    def turn(self) -> int:
        return int(self._turn[0])

    @property
    def is_over(self) -> bool:
        return bool(self._phase[0] == OVER)

    def observation(self, viewer: int) -> Floats:
        out = np.empty(OBSERVATION_SIZE, np.float32)
        observe_at(self._states, 0, viewer, out)
        return out

    def mask(self) -> Mask:
        """The legal actions of the seat that decides."""
        words = np.empty(ACTION_COUNT // 8, np.uint64)
        mask_at(self._states, 0, words)
        return words.view(np.int8)

    def refusal(self, action: int) -> IllegalMove | None:
        """Why the action is illegal, or None."""
        bit = action - self._first_action()
        if 0 <= bit < 64 and int(legal_at(self._states, 0)) >> bit & 1:
            return None
        return refusal_of(self.position(), action)

    def lowest_legal(self) -> int:
        bits = int(legal_at(self._states, 0))
        return self._first_action() + (bits & -bits).bit_length() - 1

    def play_unchecked(self, action: int) -> None:
        """The action, and the card that is then due."""
        advance_at_unchecked(self._states, 0, STEP, action)

    def view(self, seat: int) -> View:
        """What the seat may know now."""
        return self.position().view(seat)

    def play(self, move: Move) -> None:
        """A legal move of the seat that decides, as the actions it stands for."""
        for action in actions_of(self.position(), move):
            self.play_unchecked(action)

    def rewards(self) -> list[float]:
        """By seat, as things stand."""
        return zero_sum(outcome_of(self.position()), self.ruleset)

    def position(self) -> Position:
        return unpack(self._states)

    def _first_action(self) -> int:
        return FIRST_ACTION[int(self._phase[0])]
