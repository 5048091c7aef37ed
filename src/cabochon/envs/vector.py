"""Gymnasium's VectorEnv on the kernel: thousands of games stepped by one compiled loop.

    envs = gymnasium.make_vec("cabochon/Cabochon-v0", num_envs=1024, opponents="greedy")
    observations, infos = envs.reset(seed=7)
    while True:
        actions = choose(observations, infos["action_mask"])
        observations, rewards, terminated, truncated, infos = envs.step(actions)

It is the same task as the single environment of that id: the same defaults, and for the same seed
the same game. A step lasts until the learner's seat decides again. With `opponents="self"` every
seat is the learner's: an observation is that of the seat to move (`infos["seat"]`), a reward that
of the seat which has acted, and `infos["rewards"]` has every seat's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cabochon.envs import vector_loops
from cabochon.envs.learnergames import ILLEGAL_CODES, LearnersGames, said_of
from cabochon.envs.onegame import MOST_TURNS, over_mask
from cabochon.envs.opponents import WantedOpponents, asked_opponents
from cabochon.envs.refusals import (
    BadArgument,
    EnvFault,
    NotAnAction,
    NotReset,
    action_space,
    asked_ruleset,
    checked_options,
    checked_seed,
    observation_space,
    one_of,
    shown,
    within,
)
from cabochon.envs.rendering import RENDER_FPS, RENDER_MODES, Frame, show
from cabochon.kernel import ACTION_COUNT, OBSERVATION_SIZE
from cabochon.kernel.batch import MOST_GAMES
from cabochon.kernel.layout import Bools, Floats, Ints

_MODES = {
    AutoresetMode.DISABLED: vector_loops.DISABLED,
    AutoresetMode.NEXT_STEP: vector_loops.NEXT_STEP,
    AutoresetMode.SAME_STEP: vector_loops.SAME_STEP,
}


class CabochonVectorEnv(VectorEnv[Floats, Ints, npt.NDArray[Any]]):
    """`num_envs` games by one ruleset; the other arguments are those of `CabochonEnv`. Everything
    returned is the caller's to keep, unless `copy=False` has the same arrays written over by every
    step.

    When a game ends, the observation is that of the seat which acted last for the learner, in every
    autoreset mode: `final_obs` in SAME_STEP, the observation itself in the others.
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
        opponents: WantedOpponents = "uniform",
        seat: int | None = None,
        max_turns: int = 1000,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        visits: int | None = None,
        illegal: str = "end",
    ) -> None:
        super().__init__()
        self.ruleset = asked_ruleset(variant, players)
        self.num_envs = within("num_envs", num_envs, 1, MOST_GAMES)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        bound = None if visits is None else within("visits", visits, 1, MOST_TURNS)
        self._games = LearnersGames(
            self.ruleset,
            self.num_envs,
            asked_opponents(opponents, self.ruleset, bound),
            None if seat is None else within("seat", seat, 0, self.ruleset.seats - 1),
            within("max_turns", max_turns, 1, MOST_TURNS),
            one_of("illegal", illegal, tuple(ILLEGAL_CODES)),
            _MODES[self.autoreset_mode],
        )
        self.render_mode = None
        if render_mode is not None:
            self.render_mode = one_of("render_mode", render_mode, RENDER_MODES[1:])
        self.metadata = self.metadata | {"autoreset_mode": self.autoreset_mode}
        self._copy = copy
        self.single_action_space = action_space()
        self.single_observation_space = observation_space()
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._every = np.ones(self.num_envs, np.bool_)
        self._every.flags.writeable = False
        self._observations = np.zeros((self.num_envs, OBSERVATION_SIZE), np.float32)
        self._masks = np.zeros((self.num_envs, ACTION_COUNT // 8), np.uint64)
        self._has_reset = False

    @property
    def league(self) -> tuple[str, ...]:
        """The opponents by the numbers that `infos["opponents"]` has when they are drawn."""
        return self._games.opponents.names

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """Deal all games, or those of `options["reset_mask"]`, the learner in `options["seat"]` if
        that is given; there are no other options. Seeds start the generators again: a list has one
        for each game, and 7 is short for 7, 8, 9, ..., as in Gymnasium."""
        wishes = checked_options(options, ("reset_mask", "seat"))
        chosen = _reset_mask(wishes, self.num_envs)
        asked = wishes.get("seat")
        if asked is not None:
            asked = within("seat", asked, 0, self.ruleset.seats - 1)
        seeds = _seeds(seed, self.num_envs)
        super().reset(seed=None if isinstance(seeds, list) else seeds)
        self._reseed(seeds, chosen)
        self._games.reset(chosen, asked)
        self._has_reset = True
        return self._shown()

    def _reseed(self, seeds: int | list[int | None] | None, chosen: Bools) -> None:
        if seeds is None:
            if self._has_reset:
                return
            seeds = int(self.np_random.integers(2**62))
        if isinstance(seeds, int):
            seeds = [seeds + index for index in range(self.num_envs)]
        self._games.reseed(seeds, chosen)

    def step(
        self, actions: Ints
    ) -> tuple[Floats, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """One action in each game. Raises NotAnAction, GameEnded or, with `illegal="raise"`,
        IllegalAction, and then no game has moved; a note names the game."""
        numbers = self._as_numbers(actions)
        games = self._games
        refusals = games.illegal_games(numbers)
        games.step(numbers)
        observations, infos = self._shown()
        terminated, truncated = games.terminated, games.truncated
        everybody = games.rewards()
        infos["rewards"], infos["_rewards"] = everybody, self._every
        rewards = everybody[np.arange(self.num_envs), games.actors]
        said = {index: why for index, why in refusals.items() if terminated[index]}
        self._add_final(infos, terminated | truncated, said)
        return observations, rewards, terminated, truncated, infos

    def action_masks(self) -> Bools:
        """The legal actions of every game, under the name that MaskablePPO looks for."""
        self._need_reset()
        return self._masks.view(np.bool_).copy()

    def sample_actions(self) -> Ints:
        """A uniform legal action in each game, by the environment's own generator."""
        self._need_reset()
        words = self.np_random.integers(2**64, size=self.num_envs, dtype=np.uint64)
        return self._games.sampled(words)

    def render(self) -> tuple[Any, ...] | None:
        """A frame for each game."""
        if self.render_mode is None:
            return None
        return tuple(self.frame(index) for index in range(self.num_envs))

    def frame(self, index: int) -> Frame:
        """The frame of one game."""
        self._need_reset()
        return show(self._games.position(index), self.render_mode)

    def _shown(self) -> tuple[Floats, dict[str, Any]]:
        if self._copy:
            self._observations = np.empty_like(self._observations)
            self._masks = np.empty_like(self._masks)
        games = self._games
        games.show(self._observations, self._masks)
        infos: dict[str, Any] = {
            "action_mask": self._masks.view(np.int8), "seat": games.seats.astype(np.int64),
        }  # fmt: skip
        if games.opponents.are_drawn:
            every = range(self.num_envs)
            infos["opponents"] = np.array([games.opponents_of(index) for index in every])
        infos |= {f"_{name}": self._every for name in infos}
        return self._observations, infos

    def _need_reset(self) -> None:
        if not self._has_reset:
            raise NotReset(EnvFault.NOT_RESET)

    def _as_numbers(self, actions: Any) -> Ints:
        self._need_reset()
        numbers = _as_array(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            what = f"{numbers.dtype} of shape {numbers.shape}"
            wrong = NotAnAction(EnvFault.NOT_AN_ACTION, given=what, most=ACTION_COUNT - 1)
            wrong.add_note(f"{self.num_envs} whole numbers are needed, one a game")
            raise wrong
        if numbers.dtype == np.uint64 and (numbers >= ACTION_COUNT).any():
            given = str(int(numbers.max()))
            raise NotAnAction(EnvFault.NOT_AN_ACTION, given=given, most=ACTION_COUNT - 1)
        return np.ascontiguousarray(numbers, np.int64)

    def _add_final(self, infos: dict[str, Any], ended: Bools, refusals: Mapping[int, Any]) -> None:
        """What was seen and known at the end of games, as Gymnasium has it: in `final_obs` and
        `final_info` for SAME_STEP, else where it stands already."""
        said = said_of(dict(refusals), self.num_envs) if refusals else {}
        if self.autoreset_mode is not AutoresetMode.SAME_STEP or not ended.any():
            infos |= said
            return
        final = np.full(self.num_envs, None, object)
        for index in np.flatnonzero(ended):
            final[index] = self._games.final[index].copy()
        masks = np.where(ended[:, None], over_mask(), np.int8(0))
        infos["final_obs"], infos["_final_obs"] = final, ended
        infos["final_info"] = said | {
            "action_mask": masks, "_action_mask": ended,
            "seat": np.where(ended, self._games.actors, np.int64(0)), "_seat": ended,
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
        raise BadArgument(EnvFault.BAD_RESET_MASK, count=count, given=shown(mask))
    chosen: Bools = np.ascontiguousarray(mask)
    return chosen
