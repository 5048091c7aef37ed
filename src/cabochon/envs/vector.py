"""Gymnasium's VectorEnv on the kernel: thousands of games stepped by one compiled loop.

    envs = gymnasium.make_vec("cabochon/Cabochon-v0", num_envs=1024, opponents="uniform")
    observations, infos = envs.reset(seed=7)
    while True:
        actions = choose(observations, infos["action_mask"])
        observations, rewards, terminated, truncated, infos = envs.step(actions)

With `opponents="self"` every seat is the learner's: an observation is that of the seat to move
(`infos["seat"]`), a reward that of the seat which has acted, and `infos["rewards"]` has every
seat's. With `uniform` or `biased` the other seats are played by the kernel's policies, and a step
lasts until the learner's seat decides again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cabochon.envs import vector_loops
from cabochon.envs.arguments import (
    asked_ruleset,
    checked_options,
    checked_seed,
    one_of,
    shown,
    within,
)
from cabochon.envs.frames import RENDER_FPS, RENDER_MODES, Frame, show
from cabochon.envs.onegame import over_mask
from cabochon.envs.refusals import (
    BadArgument,
    EnvFault,
    GameEnded,
    IllegalAction,
    NotAnAction,
    NotReset,
)
from cabochon.envs.spaces import action_space, observation_space
from cabochon.kernel import ACTION_COUNT, OBSERVATION_SIZE, new_states, unpack
from cabochon.kernel.batch import MOST_GAMES
from cabochon.kernel.checked import clear_for, refusal_of, seed_word
from cabochon.kernel.layout import Bools, Floats, Ints
from cabochon.kernel.randomness import stream_seed

OPPONENTS = ("self", "uniform", "biased")
_MODES = {
    AutoresetMode.DISABLED: vector_loops.DISABLED,
    AutoresetMode.NEXT_STEP: vector_loops.NEXT_STEP,
    AutoresetMode.SAME_STEP: vector_loops.SAME_STEP,
}
MOST_TURNS = 1_000_000


class CabochonVectorEnv(VectorEnv[Floats, Ints, npt.NDArray[Any]]):
    """`num_envs` games by one ruleset. Everything returned is the caller's to keep, unless
    `copy=False` has the same arrays written over by every step.

    `seat` is the learner's, None draws it for each game. An illegal action raises IllegalAction
    before any game has moved. A game of `max_turns` turns is truncated.
    """

    metadata = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES[1:]),
        "render_fps": RENDER_FPS,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        players: int | None = None,
        variant: str = "standard",
        opponents: str = "self",
        seat: int | None = None,
        max_turns: int = 1000,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.ruleset = asked_ruleset(variant, players)
        self.num_envs = within("num_envs", num_envs, 1, MOST_GAMES)
        self._opponent = OPPONENTS.index(one_of("opponents", opponents, OPPONENTS))
        seats = self.ruleset.seats
        self._seat = vector_loops.ANY_SEAT if seat is None else within("seat", seat, 0, seats - 1)
        self._max_turns = within("max_turns", max_turns, 1, MOST_TURNS)
        self.render_mode = None
        if render_mode is not None:
            self.render_mode = one_of("render_mode", render_mode, RENDER_MODES[1:])
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = self.metadata | {"autoreset_mode": self.autoreset_mode}
        self._copy = copy
        self.single_action_space = action_space()
        self.single_observation_space = observation_space()
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._allocate()

    def _allocate(self) -> None:
        n = self.num_envs
        self._states = new_states(n)
        for index in range(n):
            clear_for(self.ruleset, self._states, index)
        self._every = np.ones(n, np.bool_)
        self._every.flags.writeable = False
        self._legal = np.zeros(n, np.uint64)
        self._seats, self._actors = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
        self._ended, self._finished = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
        self._shares = np.zeros((n, 4), np.float32)
        kept = n if self.autoreset_mode is AutoresetMode.SAME_STEP else 0
        self._final = np.zeros((kept, OBSERVATION_SIZE), np.float32)
        self._observations = np.zeros((n, OBSERVATION_SIZE), np.float32)
        self._masks = np.zeros((n, ACTION_COUNT // 8), np.uint64)
        self._has_reset = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """Deal all games, or those of `options["reset_mask"]`. Seeds start the generators again:
        a list has one for each game, and 7 is short for 7, 8, 9, ..., as in Gymnasium."""
        chosen = _reset_mask(checked_options(options), self.num_envs)
        seeds = _seeds(seed, self.num_envs)
        super().reset(seed=None if isinstance(seeds, list) else seeds)
        self._reseed(seeds, chosen)
        fixed = (self._opponent, self._seat, self._max_turns)
        vector_loops.reset_games(self._states, chosen, *fixed, self._seats, self._ended)
        self._has_reset = True
        return self._shown()

    def _reseed(self, seeds: int | list[int | None] | None, chosen: Bools) -> None:
        if seeds is None:
            if self._has_reset:
                return
            seeds = int(self.np_random.integers(2**62))
        if isinstance(seeds, int):
            seeds = [seeds + index for index in range(self.num_envs)]
        words = self._states["rng"].copy()
        for index, seed in enumerate(seeds):
            if seed is not None:
                words[index] = stream_seed(seed_word(seed), np.uint64(0))
        vector_loops.reseed(self._states, words, chosen)

    def step(
        self, actions: Ints
    ) -> tuple[Floats, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """One action in each game. Raises IllegalAction, NotAnAction or GameEnded, and then no
        game has moved; a note names the game."""
        numbers = self._checked(actions)
        mode = _MODES[self.autoreset_mode]
        vector_loops.step_games(
            self._states,
            numbers,
            mode,
            self._opponent,
            self._seat,
            self._max_turns,
            self._seats,
            self._ended,
            self._finished,
            self._shares,
            self._actors,
            self._final,
        )
        observations, infos = self._shown()
        terminated = self._finished == vector_loops.TERMINATED
        truncated = self._finished == vector_loops.TRUNCATED
        everybody = self._zero_sum(terminated)
        infos["rewards"], infos["_rewards"] = everybody, self._every
        rewards = everybody[np.arange(self.num_envs), self._actors]
        self._add_final(infos, terminated | truncated)
        return observations, rewards, terminated, truncated, infos

    def action_masks(self) -> Bools:
        """The legal actions of every game, under the name that MaskablePPO looks for."""
        self._need_reset()
        return self._masks.view(np.bool_).copy()

    def sample_actions(self) -> Ints:
        """A uniform legal action in each game, by the environment's own generator."""
        self._need_reset()
        words = self.np_random.integers(2**64, size=self.num_envs, dtype=np.uint64)
        chosen = np.empty(self.num_envs, np.int64)
        vector_loops.sample_actions(self._states, self._legal, self._ended, words, chosen)
        return chosen

    def render(self) -> tuple[Any, ...] | None:
        """A frame for each game."""
        if self.render_mode is None:
            return None
        return tuple(self.frame(index) for index in range(self.num_envs))

    def frame(self, index: int) -> Frame:
        """The frame of one game."""
        self._need_reset()
        return show(unpack(self._states, index), self.render_mode)

    def _shown(self) -> tuple[Floats, dict[str, Any]]:
        if self._copy:
            self._observations = np.empty_like(self._observations)
            self._masks = np.empty_like(self._masks)
        vector_loops.show_games(
            self._states, self._seats, self._ended, self._legal, self._observations, self._masks
        )
        infos = {"action_mask": self._masks.view(np.int8), "seat": self._seats.astype(np.int64)}
        return self._observations, infos | {"_action_mask": self._every, "_seat": self._every}

    def _need_reset(self) -> None:
        if not self._has_reset:
            raise NotReset(EnvFault.NOT_RESET)

    def _checked(self, actions: Any) -> Ints:
        self._need_reset()
        numbers = _as_array(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            what = f"{numbers.dtype} of shape {numbers.shape}"
            wrong = NotAnAction(EnvFault.NOT_AN_ACTION, given=what, most=ACTION_COUNT - 1)
            wrong.add_note(f"{self.num_envs} whole numbers are needed, one a game")
            raise wrong
        plain = np.ascontiguousarray(numbers, np.int64)
        mode = _MODES[self.autoreset_mode]
        refused = int(
            vector_loops.first_refused(self._states, self._legal, self._ended, plain, mode)
        )
        if refused >= 0:
            refusal = self._refusal(refused, int(numbers[refused]))
            refusal.add_note(f"in game {refused} of {self.num_envs}")
            raise refusal
        return plain

    def _refusal(self, index: int, given: int) -> GameEnded | IllegalAction | NotAnAction:
        if self._ended[index] != vector_loops.RUNNING:
            return GameEnded(EnvFault.GAME_ENDED, index=index)
        if not 0 <= given < ACTION_COUNT:
            return NotAnAction(EnvFault.NOT_AN_ACTION, given=str(given), most=ACTION_COUNT - 1)
        why = refusal_of(unpack(self._states, index), given)
        return IllegalAction(why.code, **why.params)

    def _zero_sum(self, terminated: Bools) -> npt.NDArray[np.float64]:
        """Every seat's reward, 0 in games that have not just ended."""
        rewards = np.zeros((self.num_envs, 4))
        sides = 2 if self.ruleset.teams else self.ruleset.seats
        seats = self.ruleset.seats
        rewards[terminated, :seats] = (sides * self._shares[terminated, :seats] - 1) / (sides - 1)
        return rewards

    def _add_final(self, infos: dict[str, Any], ended: Bools) -> None:
        """As Gymnasium has it for SAME_STEP: what was seen and known at the end of a game."""
        if self.autoreset_mode is not AutoresetMode.SAME_STEP or not ended.any():
            return
        final = np.full(self.num_envs, None, object)
        for index in np.flatnonzero(ended):
            final[index] = self._final[index].copy()
        masks = np.where(ended[:, None], over_mask(), np.int8(0))
        infos["final_obs"], infos["_final_obs"] = final, ended
        infos["final_info"] = {
            "action_mask": masks, "_action_mask": ended,
            "seat": np.where(ended, self._actors, np.int64(0)), "_seat": ended,
        }  # fmt: skip
        infos["_final_info"] = ended


def _autoreset_mode(given: AutoresetMode | str) -> AutoresetMode:
    known = tuple(mode.value for mode in AutoresetMode)
    text = given.value if isinstance(given, AutoresetMode) else given
    return AutoresetMode(one_of("autoreset_mode", text, known))


def _seeds(given: Any, count: int) -> int | list[int | None] | None:
    """One seed for all, or a list of as many as there are games. Raises BadArgument."""
    if not isinstance(given, (list, tuple, np.ndarray)):
        return checked_seed(given)
    within("len(seed)", len(given), count, count)
    return [checked_seed(each) for each in given]


def _as_array(actions: Any) -> npt.NDArray[Any]:
    try:
        return np.asarray(actions)
    except (ValueError, TypeError, RecursionError, OverflowError):
        return np.full(0, None, object)


def _reset_mask(wishes: Mapping[str, Any], count: int) -> Bools:
    mask = wishes.get("reset_mask")
    if mask is None:
        return np.ones(count, np.bool_)
    fits = isinstance(mask, np.ndarray) and mask.shape == (count,) and mask.dtype == np.bool_
    if not fits or not mask.any():
        known = f"a bool array of shape ({count},) with at least one True"
        raise BadArgument(EnvFault.BAD_CHOICE, what="reset_mask", known=known, given=shown(mask))
    chosen: Bools = np.ascontiguousarray(mask)
    return chosen
