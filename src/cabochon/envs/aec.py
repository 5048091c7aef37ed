"""
# Cabochon

| Creation           | `make("aec", "cabochon/cabochon-v0")`                     |
|--------------------|-----------------------------------------------------------|
| Actions            | Discrete                                                  |
| Parallel API       | Yes (only the action of the agent whose turn it is counts) |
| Manual Control     | No                                                        |
| Agents             | `agents = ["player_0", "player_1"]`, up to `player_3`     |
| Agents             | 2-4                                                       |
| Action Shape       | `()`                                                      |
| Action Values      | `Discrete(72)`                                            |
| Observation Shape  | `(400,)`                                                  |
| Observation Values | `[0, HIGHEST]`, float32                                   |

Cabochon is Splendor by its exact rules: 2-4 players collect tokens, reserve and buy cards and
receive nobles; when somebody has 15 points the round is finished, and most points win.

### Arguments

`env(players=None, variant="standard", max_cycles=500, illegal="end", render_mode=None)`

`players`: 2, 3 or 4; None is the variant's usual number. `variant`: `standard`, `quick`, `teams`,
`quick-teams`, or a whole ruleset as text (`quick/3:target=12,scarce=no`). `max_cycles`: rounds
after which the game is truncated, None for never. `illegal`: see below.

### Observation Space

A dictionary: `observation`, 400 numbers by the agent that looks, which hold only what it may know
(`docs/environments.md` has the index of every slice), and `action_mask`, 72 numbers of 0 and 1.

#### Legal Actions Mask

The mask of the agent whose turn it is; all zeros for the others. It stands in `info["action_mask"]`
as well. When the game is over the mask holds `pass` alone, and only None may be stepped.

An illegal action, with `illegal="end"`, ends the game with -1 for who played it and 0 for the
others, and `info` of that agent says why (`code`, `reason`); with `"raise"` it raises
`IllegalAction`; with `"replace"` the lowest legal action is played in its place. What is not in
the action space at all raises `NotAnAction`, an `AssertionError`.

### Action Space

One frozen table of 72 actions (`docs/environments.md`). Tokens above ten go back one by one, and
a noble may have to be chosen, so the same agent may act several times in a row.

### Rewards

At the end 1 for who wins alone and -1 divided among the losing sides (-1 with two players, -1/2
each with three, -1/3 with four; both partners of a team get their side's reward); a victory that
is shared by all is 0. Before the end, and when the game is truncated, 0.

### Version History

* v0: Initial version
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.env_logger import EnvLogger

from cabochon.envs.onegame import ILLEGAL, MOST_TURNS, OneGame, over_mask
from cabochon.envs.refusals import (
    EnvFault,
    GameEnded,
    IllegalAction,
    NotReset,
    action_space,
    asked_ruleset,
    checked_action,
    checked_options,
    checked_seed,
    masked_observation_space,
    one_of,
    state_space,
    within,
)
from cabochon.envs.rendering import RENDER_FPS, RENDER_MODES, Frame, show
from cabochon.kernel import ACTION_COUNT
from cabochon.rules import IllegalMove

__all__ = ["env", "parallel_env", "raw_env"]

Observation = dict[str, npt.NDArray[Any]]


def env(**kwargs: Any) -> AECEnv[str, Observation, int | None]:
    """The environment with PettingZoo's check of the order of calls around it; that an action is
    in its space the environment checks itself, with an AssertionError that says more."""
    return wrappers.OrderEnforcingWrapper(raw_env(**kwargs))


def parallel_env(
    *, max_cycles: int | None = None, **kwargs: Any
) -> ParallelEnv[str, Observation, int | None]:
    """The same game as a ParallelEnv: all agents act, only the action of the agent whose turn it
    is counts, so a cycle is one decision."""
    return turn_based_aec_to_parallel(env(max_cycles=None, max_decisions=max_cycles, **kwargs))


class raw_env(AECEnv[str, Observation, int | None], EzPickle):  # type: ignore[misc]  # noqa: N801
    """The game itself; the module's docstring is its page."""

    metadata = {  # noqa: RUF012
        "name": "cabochon_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        players: int | None = None,
        variant: str = "standard",
        max_cycles: int | None = 500,
        illegal: str = "end",
        render_mode: str | None = None,
        max_decisions: int | None = None,
    ) -> None:
        EzPickle.__init__(self, players, variant, max_cycles, illegal, render_mode, max_decisions)
        super().__init__()
        self._game = OneGame(asked_ruleset(variant, players))
        self._illegal = one_of("illegal", illegal, ILLEGAL)
        self.render_mode = None
        if render_mode is not None:
            self.render_mode = one_of("render_mode", render_mode, RENDER_MODES)
        self._max_rounds = _cycles(max_cycles)
        self._max_decisions = _cycles(max_decisions)
        self._generator, _ = seeding.np_random()
        seats = self._game.ruleset.seats
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._spaces = {agent: masked_observation_space() for agent in self.possible_agents}
        self._actions = {agent: action_space() for agent in self.possible_agents}
        self.state_space = state_space(seats)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; with a seed the generator of all later ones starts again."""
        checked_options(options)
        seed = checked_seed(seed)
        if seed is not None:
            self._generator, _ = seeding.np_random(seed)
        self._game.deal(int(self._generator.integers(2**63)))
        self._decisions = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": _nothing()} for agent in self.agents
        }
        self._skip_agent_selection = None
        self.agent_selection = self._to_act()

    def observe(self, agent: str) -> Observation:
        self._need_reset()
        return {
            "observation": self._game.observation(self._seat_of[agent]),
            "action_mask": self._mask(agent),
        }

    def state(self) -> npt.NDArray[np.float32]:
        """What every seat may know, one row per seat: together that is everything but the decks."""
        return np.stack([self._game.observation(seat) for seat in self._seat_of.values()])

    def step(self, action: int | None) -> None:
        self._need_reset()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise GameEnded(EnvFault.ONLY_NONE)
            self._was_dead_step(action)
            return
        number = checked_action(action, ACTION_COUNT)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos[agent] = {"action_mask": _nothing()}
        self._play(agent, number)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Frame:
        """The table as `render_mode` says: shown (human), a text, or an array of pixels."""
        self._need_reset()
        return show(self._game.position(), self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def _need_reset(self) -> None:
        if not hasattr(self, "agent_selection"):
            raise NotReset(EnvFault.NOT_RESET)

    def _play(self, agent: str, action: int) -> None:
        refusal = self._game.refusal(action)
        if refusal is not None:
            if self._illegal == "raise":
                raise IllegalAction(refusal.code, **refusal.params)
            if self._illegal == "end":
                self._refuse(agent, refusal)
                return
            action = self._game.lowest_legal()
        self._game.play_unchecked(action)
        self._decisions += 1
        if self._game.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, self._game.rewards(), strict=True))
        elif self._is_cut_off():
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._to_act()

    def _refuse(self, agent: str, refusal: IllegalMove) -> None:
        """The game ends; the player of the illegal action loses 1, and learns why."""
        EnvLogger.warn_on_illegal_move()
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards[agent] = -1.0
        self.infos[agent] |= {"code": str(refusal.code), "reason": refusal.en}
        self.agent_selection = self._to_act()

    def _is_cut_off(self) -> bool:
        rounds = self._game.turn // self._game.ruleset.seats
        return rounds >= self._max_rounds or self._decisions >= self._max_decisions

    def _to_act(self) -> str:
        """Who is next, whose mask then stands in its info; at the end everybody's does."""
        agent = self.possible_agents[self._game.seat]
        ended = self.terminations[agent] or self.truncations[agent]
        for seen in self.agents if ended else [agent]:
            self.infos[seen]["action_mask"] = self._mask(seen, selected=True)
        return agent

    def _mask(self, agent: str, selected: bool = False) -> npt.NDArray[np.int8]:
        if self.terminations.get(agent) or self.truncations.get(agent):
            return over_mask()
        return self._game.mask() if selected or agent == self.agent_selection else _nothing()


def _cycles(given: int | None) -> float:
    return inf if given is None else within("max_cycles", given, 1, MOST_TURNS)


def _nothing() -> npt.NDArray[np.int8]:
    return np.zeros(ACTION_COUNT, np.int8)
