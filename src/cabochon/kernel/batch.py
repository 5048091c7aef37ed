"""Many games at once in numpy buffers: what learners step.

    batch = Batch(Ruleset.preset("standard", 2), count=1024, seed=7)
    while True:
        batch.step(choose(batch.observations, batch.masks))

Everything a learner reads is in ``batch.observations`` and its neighbours, overwritten by every
step.  The seat to move is the viewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from cabochon.kernel import entrypoints
from cabochon.kernel.actions import ACTION_COUNT, whole
from cabochon.kernel.bits import stream_seed
from cabochon.kernel.checked import (
    check_playable,
    checked_count,
    clear_for,
    refusal_of,
    seed_word,
)
from cabochon.kernel.entrypoints import RESET, SHOW, SKIP
from cabochon.kernel.errors import KernelError, KernelFault
from cabochon.kernel.layout import MOST_RECORDS, Bools, Bytes, Floats, Ints, States, new_states
from cabochon.kernel.observation import OBSERVATION_SIZE
from cabochon.kernel.packing import check_states, unpack
from cabochon.rules.errors import IllegalMove, Refusal, wrong
from cabochon.rules.position import Position
from cabochon.rules.ruleset import Ruleset

MOST_GAMES = MOST_RECORDS
MOST_THREADS = 256


class Autoreset(IntEnum):
    """When a finished game is dealt anew."""

    NEVER = entrypoints.NEVER
    """Only by ``reset``; to step a finished game is refused, unless its action is SKIP."""
    NEXT_STEP = entrypoints.NEXT_STEP
    """By the step after the last one, whose action for that game is ignored."""
    SAME_STEP = entrypoints.SAME_STEP
    """At once; ``final_observations`` keeps what was seen at the end."""


class Batch:
    """``count`` games; one ruleset for all, or one for each.

    observations        (count, 400) float32, by the seat to move
    masks               (count, 72) bool: its legal actions
    seats               (count,) uint8: who that is
    rewards             (count, 4) float32 per seat: its part of the victory when the game ends
                        (1, 1/k if k share it, partners alike), 0 before
    done                (count,) bool: this game is over (with SAME_STEP: the last step ended one)
    final_observations  as observations, where a game ended by SAME_STEP; else of no rows

    Same seed and actions give the same games, whatever the number of threads.  Pass arrays of your
    own as ``observations`` and ``masks`` to have them written elsewhere (shared memory).
    """

    def __init__(
        self,
        rulesets: Ruleset | Sequence[Ruleset],
        count: int | None = None,
        *,
        seed: int = 0,
        autoreset: Autoreset = Autoreset.NEVER,
        threads: int = 1,
        observations: Floats | None = None,
        masks: Bools | None = None,
    ) -> None:
        every = self._rulesets(rulesets, count)
        self.count = len(every)
        self.autoreset = _autoreset(autoreset)
        self._states = new_states(self.count)
        self._legal = np.zeros(self.count, np.uint64)
        self._allocate(observations, masks)
        self._slices = _slices(self.count, checked_count("threads", threads, 1, MOST_THREADS))
        self._pool = ThreadPoolExecutor(len(self._slices)) if len(self._slices) > 1 else None
        for index, ruleset in enumerate(every):
            clear_for(ruleset, self._states, index)
        self.reset(seed=seed)

    @staticmethod
    def _rulesets(rulesets: Ruleset | Sequence[Ruleset], count: int | None) -> list[Ruleset]:
        if isinstance(rulesets, Ruleset):
            number = checked_count("games", 1 if count is None else count, 1, MOST_GAMES)
            return [rulesets] * number
        every = list(rulesets) if isinstance(rulesets, Sequence) else []
        if not every or not all(isinstance(each, Ruleset) for each in every):
            raise wrong("rulesets", "rulesets", rulesets)
        checked_count("games", len(every) if count is None else count, 1, MOST_GAMES)
        if count is not None and count != len(every):
            checked_count("rulesets", len(every), count, count)
        return every

    def _allocate(self, observations: Floats | None, masks: Bools | None) -> None:
        n = self.count
        if observations is None:
            observations = np.zeros((n, OBSERVATION_SIZE), np.float32)
        if masks is None:
            masks = np.zeros((n, ACTION_COUNT), np.bool_)
        _check_buffer("observations", observations, (n, OBSERVATION_SIZE), np.float32)
        _check_buffer("masks", masks, (n, ACTION_COUNT), np.bool_)
        self.observations, self.masks = observations, masks
        self._mask_words = masks.view(np.uint64)
        self.rewards: Floats = np.zeros((n, 4), np.float32)
        self.done: Bools = np.zeros(n, np.bool_)
        self.seats: Bytes = np.zeros(n, np.uint8)
        kept = n if self.autoreset is Autoreset.SAME_STEP else 0
        self.final_observations: Floats = np.zeros((kept, OBSERVATION_SIZE), np.float32)

    def reset(self, which: npt.ArrayLike | None = None, *, seed: int | None = None) -> None:
        """Deal all games anew, or those that ``which`` (count bools) chooses.

        With a seed their generators start again; without one they go on.
        """
        chosen = np.ones(self.count, np.bool_) if which is None else _array("which", which)
        _check_buffer("which", chosen, (self.count,), np.bool_)
        if seed is not None:
            word = seed_word(seed)
            for index in np.flatnonzero(chosen):
                self._states["rng"][index] = stream_seed(word, np.uint64(index))
        self.step_unchecked(np.where(chosen, RESET, SKIP))

    def step(self, actions: npt.ArrayLike) -> None:
        """One action in each game.

        Raises IllegalMove (a note names the game) or KernelError before anything has changed.
        """
        numbers = self._checked_actions(actions)
        refused = entrypoints.first_refused(
            self._states, self._legal, numbers, int(self.autoreset), 0, self.count
        )
        if refused >= 0:
            raise self._refusal(int(refused), int(numbers[refused]))
        self.step_unchecked(numbers)

    def step_unchecked(self, actions: Ints) -> None:
        """As ``step`` for actions known to be legal, as int64; any other breaks the games."""
        arguments = (
            self._states,
            self._legal,
            actions,
            int(self.autoreset),
            self.observations,
            self._mask_words,
            self.rewards,
            self.done,
            self.seats,
            self.final_observations,
        )
        if self._pool is None:
            entrypoints.step_slice_unchecked(*arguments, 0, self.count)
            return
        run = entrypoints.step_slice_unchecked
        for future in [self._pool.submit(run, *arguments, a, b) for a, b in self._slices]:
            future.result()

    def sample_actions(self, seed: int) -> Ints:
        """A uniform legal action for each game; SKIP for a finished one."""
        actions = np.empty(self.count, np.int64)
        entrypoints.sample_actions(
            self._states, self._legal, seed_word(seed), actions, 0, self.count
        )
        return actions

    def position(self, index: int) -> Position:
        """The law's Position of one game, hidden cards included."""
        return unpack(self._states, index)

    def states(self) -> States:
        """A copy of the records."""
        return self._states.copy()

    def load(self, states: States) -> None:
        """Continue from these records.  Raises KernelError for one that shows no possible game."""
        check_states(states)
        checked_count("records", len(states), self.count, self.count)
        for index in range(self.count):
            check_playable(states, index)
        self._states[:] = states
        self.step_unchecked(np.full(self.count, SHOW, np.int64))

    def close(self) -> None:
        """End the threads, if there are any."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _checked_actions(self, actions: npt.ArrayLike) -> Ints:
        numbers = _array("actions", actions)
        if numbers.shape != (self.count,) or numbers.dtype.kind not in "iu":
            raise KernelError(
                KernelFault.BAD_BUFFER,
                what="actions",
                expected=f"integers of shape ({self.count},)",
                given=f"{numbers.dtype} of shape {numbers.shape}",
            )
        return np.ascontiguousarray(numbers, np.int64)

    def _refusal(self, index: int, action: int) -> IllegalMove:
        if not 0 <= action < ACTION_COUNT:
            refusal = IllegalMove(Refusal.UNKNOWN_MOVE, what=f"action {action}")
        else:
            refusal = refusal_of(self.position(index), action)
        refusal.add_note(f"in game {index} of the batch")
        return refusal


def _slices(count: int, threads: int) -> list[tuple[int, int]]:
    """Almost equal parts of 0..count, one per thread, none empty."""
    edges = [count * part // threads for part in range(threads + 1)]
    return [(a, b) for a, b in pairwise(edges) if a < b]


def _autoreset(given: Autoreset) -> Autoreset:
    number = whole(given)
    if number not in tuple(Autoreset):
        raise wrong("autoreset", "autoreset", given)
    return Autoreset(number)


def _array(what: str, given: npt.ArrayLike) -> npt.NDArray[Any]:
    try:
        return np.asarray(given)
    except (ValueError, TypeError, RecursionError, OverflowError):
        raise wrong(what, "array", given) from None


def _check_buffer(what: str, given: Any, shape: tuple[int, ...], dtype: type) -> None:
    """An array of exactly this shape and type, in one piece, writable and aligned to words."""
    fits = isinstance(given, np.ndarray) and given.shape == shape and given.dtype == dtype
    if fits and given.flags.c_contiguous and given.flags.writeable and not given.ctypes.data % 8:
        return
    shown = getattr(given, "dtype", type(given).__name__), getattr(given, "shape", "no shape")
    raise KernelError(
        KernelFault.BAD_BUFFER,
        what=what,
        expected=f"{np.dtype(dtype)} of shape {shape}, contiguous, aligned and writable",
        given=f"{shown[0]} of shape {shown[1]}",
    )
