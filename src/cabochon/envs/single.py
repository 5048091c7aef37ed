"""Gymnasium: one learner, the other seats played by bots.

    env = gymnasium.make("cabochon/Cabochon-v0", opponents=("greedy", "uniform"), players=3)
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(action)

Observation: 400 numbers of the learner's seat; `info["action_mask"]` its legal actions, also from
`env.unwrapped.action_masks()`. Reward: at the end 1 for a victory alone and -1 divided among the
losing sides, else 0. A bot sees its own view and nothing more.

It is the vector environment with one game: the same seed gives the same games in both.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

import gymnasium
import numpy as np
import numpy.typing as npt

from cabochon.envs import vector_loops
from cabochon.envs.learnergames import ILLEGAL_CODES, LearnersGames
from cabochon.envs.onegame import MOST_TURNS
from cabochon.envs.opponents import WantedOpponents, asked_opponents
from cabochon.envs.refusals import (
    EnvFault,
    NotReset,
    action_space,
    asked_ruleset,
    checked_action,
    checked_options,
    checked_seed,
    observation_space,
    one_of,
    within,
)
from cabochon.envs.rendering import RENDER_FPS, RENDER_MODES, show
from cabochon.kernel import ACTION_COUNT, OBSERVATION_SIZE
from cabochon.kernel.layout import Floats

_ONLY = np.ones(1, np.bool_)


class CabochonEnv(gymnasium.Env[Any, Any]):
    """`opponents`: a bot for all other seats, one for each in turn order after the learner, a
    league as a dict of names and weights, or `self` (`cabochon.envs.opponents`); `visits` limits
    those that search. `seat` is the learner's, None draws it for each game. `illegal`: an illegal
    action ends the game with -1 (`end`), raises IllegalAction (`raise`), or has the lowest legal
    one played in its place (`replace`). A game of `max_turns` turns is truncated.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        opponents: WantedOpponents = "uniform",
        players: int | None = None,
        variant: str = "standard",
        seat: int | None = None,
        visits: int | None = None,
        illegal: str = "end",
        max_turns: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        ruleset = asked_ruleset(variant, players)
        bound = None if visits is None else within("visits", visits, 1, MOST_TURNS)
        self._games = LearnersGames(
            ruleset,
            1,
            asked_opponents(opponents, ruleset, bound),
            None if seat is None else within("seat", seat, 0, ruleset.seats - 1),
            within("max_turns", max_turns, 1, MOST_TURNS),
            one_of("illegal", illegal, tuple(ILLEGAL_CODES)),
            vector_loops.DISABLED,
        )
        self.render_mode = None
        if render_mode is not None:
            self.render_mode = one_of("render_mode", render_mode, RENDER_MODES)
        self.action_space = action_space()
        self.observation_space = observation_space()
        self._mask = np.zeros(ACTION_COUNT, np.int8)
        self._has_reset = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """A new game, up to the learner's first decision. `options["seat"]` is the learner's for
        this game; there is no other option."""
        wishes = checked_options(options, ("seat",))
        seed = checked_seed(seed)
        asked = wishes.get("seat")
        if asked is not None:
            asked = within("seat", asked, 0, self._games.ruleset.seats - 1)
        super().reset(seed=seed)
        if seed is None and not self._has_reset:
            seed = int(self.np_random.integers(2**62))
        self._games.reseed([seed], _ONLY)
        self._games.reset(_ONLY, asked)
        self._has_reset = True
        return self._seen()

    def step(self, action: SupportsIndex) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """The learner's action and all that follows until it decides again. Raises GameEnded,
        NotReset and NotAnAction."""
        self._need_reset()
        games = self._games
        numbers = np.full(1, checked_action(action, ACTION_COUNT), np.int64)
        refusals = games.illegal_games(numbers)
        games.step(numbers)
        reward = float(games.rewards()[0, games.actors[0]])
        observation, info = self._seen()
        if refusals and games.terminated[0]:
            info |= {"code": str(refusals[0].code), "reason": refusals[0].en}
        if self.render_mode == "human":
            self.render()
        return observation, reward, bool(games.terminated[0]), bool(games.truncated[0]), info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The learner's legal actions, under the name that MaskablePPO looks for."""
        self._need_reset()
        return self._mask.astype(np.bool_)

    def render(self) -> Any:
        """What the learner sees, as `render_mode` says."""
        self._need_reset()
        return show(self._games.position().view(int(self._games.seats[0])), self.render_mode)

    def _need_reset(self) -> None:
        if not self._has_reset:
            raise NotReset(EnvFault.NOT_RESET)

    def _seen(self) -> tuple[Floats, dict[str, Any]]:
        observations = np.empty((1, OBSERVATION_SIZE), np.float32)
        masks = np.empty((1, ACTION_COUNT // 8), np.uint64)
        self._games.show(observations, masks)
        self._mask = masks.view(np.int8)[0]
        info: dict[str, Any] = {"action_mask": self._mask, "seat": int(self._games.seats[0])}
        if self._games.opponents.are_drawn:
            info["opponents"] = self._games.opponents_of(0)
        return observations[0], info
