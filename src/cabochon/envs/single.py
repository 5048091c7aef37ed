"""Gymnasium: one learner, the other seats played by bots.

    env = gymnasium.make("cabochon/Cabochon-v0", opponents=("greedy", "uniform"), players=3)
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(action)

Observation: 400 numbers of the learner's seat; `info["action_mask"]` its legal actions, also from
`env.unwrapped.action_masks()`. Reward: at the end 1 for a victory alone and -1 divided among the
losing sides, else 0. A bot sees its own view and nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
import numpy.typing as npt

from cabochon.bots import Bot, Limit, make_bot
from cabochon.envs.arguments import (
    as_bad_argument,
    asked_ruleset,
    checked_action,
    checked_options,
    checked_seed,
    one_of,
    shown,
    within,
)
from cabochon.envs.frames import RENDER_FPS, RENDER_MODES, show
from cabochon.envs.onegame import ILLEGAL, OneGame, over_mask
from cabochon.envs.refusals import BadArgument, EnvFault, GameEnded, IllegalAction, NotReset
from cabochon.envs.spaces import action_space, observation_space
from cabochon.game import play_on
from cabochon.kernel import ACTION_COUNT
from cabochon.kernel.layout import Floats
from cabochon.rules import IllegalMove, Move, View

MOST_TURNS = 1_000_000


class CabochonEnv(gymnasium.Env[Any, Any]):
    """`opponents` are bot names in turn order after the learner, or one name for all of them;
    `visits` limits those that search. `seat` is the learner's, None draws it for each game.
    `illegal`: an illegal action ends the game with -1 (`end`), raises IllegalAction (`raise`), or
    has the lowest legal one played in its place (`replace`). A game of `max_turns` turns is
    truncated. A bot's purchase pays the least gold, as every action does.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        opponents: str | Sequence[str] = "uniform",
        players: int | None = None,
        variant: str = "standard",
        seat: int | None = None,
        visits: int | None = None,
        illegal: str = "end",
        max_turns: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        self._game = OneGame(asked_ruleset(variant, players))
        seats = self._game.ruleset.seats
        self._names = _names(opponents, seats - 1)
        self._fixed_seat = None if seat is None else within("seat", seat, 0, seats - 1)
        self._visits = None if visits is None else within("visits", visits, 1, MOST_TURNS)
        self._illegal = one_of("illegal", illegal, ILLEGAL)
        self._max_turns = within("max_turns", max_turns, 1, MOST_TURNS)
        self.render_mode = None
        if render_mode is not None:
            self.render_mode = one_of("render_mode", render_mode, RENDER_MODES)
        self.action_space = action_space()
        self.observation_space = observation_space()
        self._seat = 0
        self._bots: dict[int, Bot] = {}
        self._ended = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """A new game, up to the learner's first decision. `options["seat"]` overrides the seat."""
        wishes = checked_options(options)
        super().reset(seed=checked_seed(seed))
        seats = self._game.ruleset.seats
        self._seat = self._chosen_seat(wishes, seats)
        self._game.deal(int(self.np_random.integers(2**63)))
        self._bots = {
            (self._seat + ahead) % seats: make_bot(name, int(self.np_random.integers(2**31)))
            for ahead, name in enumerate(self._names, start=1)
        }
        self._ended = False
        self._let_bots_play()
        return self._game.observation(self._seat), self._info()

    def step(self, action: SupportsIndex) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """The learner's action and all that follows until it decides again. Raises GameEnded,
        NotReset and NotAnAction."""
        self._need_reset()
        if self._ended:
            raise GameEnded(EnvFault.GAME_ENDED, index=0)
        number = checked_action(action, ACTION_COUNT)
        refusal = self._game.refusal(number)
        if refusal is not None and self._illegal != "replace":
            return self._refused(refusal)
        self._game.play_unchecked(self._game.lowest_legal() if refusal else number)
        self._let_bots_play()
        terminated = self._game.is_over
        truncated = not terminated and self._game.turn >= self._max_turns
        self._ended = terminated or truncated
        reward = self._game.rewards()[self._seat] if terminated else 0.0
        if self.render_mode == "human":
            self.render()
        return self._game.observation(self._seat), reward, terminated, truncated, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The learner's legal actions, under the name that MaskablePPO looks for."""
        self._need_reset()
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """What the learner sees, as `render_mode` says."""
        self._need_reset()
        return show(self._game.position().view(self._seat), self.render_mode)

    def _need_reset(self) -> None:
        if not self._bots:
            raise NotReset(EnvFault.NOT_RESET)

    def _refused(self, refusal: IllegalMove) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        if self._illegal == "raise":
            raise IllegalAction(refusal.code, **refusal.params)
        self._ended = True
        info = self._info() | {"code": str(refusal.code), "reason": refusal.en}
        return self._game.observation(self._seat), -1.0, True, False, info

    def _let_bots_play(self) -> None:
        """Until the learner decides again, or the game is over or too long."""
        for _ in play_on(self._game, dict.fromkeys(self._bots, self._ask), self._max_turns):
            pass

    def _ask(self, view: View) -> Move:
        limit = Limit(visits=self._visits, seed=int(self.np_random.integers(2**62)))
        return self._bots[view.seat].choose(view, limit)

    def _chosen_seat(self, wishes: Mapping[str, Any], seats: int) -> int:
        asked = wishes.get("seat", self._fixed_seat)
        if asked is None:
            return int(self.np_random.integers(seats))
        return within("seat", asked, 0, seats - 1)

    def _mask(self) -> npt.NDArray[np.int8]:
        return over_mask() if self._ended else self._game.mask()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask(), "seat": self._seat}


def _names(opponents: str | Sequence[str], count: int) -> tuple[str, ...]:
    """A bot for every other seat. Raises BadArgument for a name or a number there is none of."""
    if isinstance(opponents, str):
        names = (opponents,) * count
    elif isinstance(opponents, (list, tuple)):
        names = tuple(opponents)
        within("len(opponents)", len(names), count, count)
    else:
        raise _no_names(opponents)
    for name in names:
        if not isinstance(name, str):
            raise _no_names(name)
        with as_bad_argument():
            make_bot(name)
    return names


def _no_names(given: object) -> BadArgument:
    known = "the name of a bot, a list of names"
    return BadArgument(EnvFault.BAD_CHOICE, what="opponents", known=known, given=shown(given))
