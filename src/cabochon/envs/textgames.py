"""TextArena: the same game in words, for language models that play one another.

    import textarena
    import cabochon.envs.textgames                      registers "Cabochon-v0"
    env = textarena.make("Cabochon-v0")
    env.reset(num_players=2, seed=7)

Every observation is one text: what the game is, and the table with the legal moves, as it is now.
An action is any text whose last line that is a legal move counts. Who says none three times in a
row loses. Rewards are those of the other environments: 1 for a victory alone, -1 divided among the
losers. `Cabochon-v0-raw` gives the messages one by one, as TextArena's own games do under that
ending. The extra `textarena` brings what it needs.
"""

from __future__ import annotations

from typing import Any

import textarena as ta

from cabochon.bots.prompted import ATTEMPTS, answered
from cabochon.envs.onegame import ruleset_of, zero_sum
from cabochon.game import Game
from cabochon.render.plain import plain_text
from cabochon.rules import View
from cabochon.rules.ending import outcome_of
from cabochon.words import ENGLISH, text

TEXTARENA_ID = "Cabochon-v0"


class CabochonTextEnv(ta.Env):  # type: ignore[misc]
    """`variant` as in the other environments, `lang` the language of all that is said."""

    def __init__(self, variant: str = "standard", lang: str = ENGLISH) -> None:
        self._variant, self._lang = variant, lang

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """A new game; with a seed always the same one."""
        ruleset = ruleset_of(self._variant, num_players)
        self.game = Game(ruleset=ruleset, seed=None if seed is None else str(seed))
        self._names = [f"player {seat}" for seat in range(num_players)]
        self._failed = 0
        self.state = ta.State(num_players=num_players, seed=seed)
        names = dict(enumerate(self._names))
        self.state.standard_resets(
            game_state={}, player_prompt_function=self._prompt, role_mapping=names
        )
        self._show()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """The move of the player whose turn it is; whether the game is over, and what is known."""
        seat = self.game.seat
        view = self.game.view(seat)
        move = answered(str(action), view)
        if move is None:
            self._refuse(seat)
        else:
            self._failed = 0
            kind = ta.ObservationType.PLAYER_ACTION
            self.state.add_observation(
                message=str(action)[-200:], from_id=seat, observation_type=kind
            )
            self.game.play(move)
        if self.game.is_over:
            position = self.game.position
            self._end(zero_sum(outcome_of(position), position.ruleset))
        elif not self.state.done:
            self._show()
        done, info = self.state.step()
        return bool(done), dict(info)

    def _refuse(self, seat: int) -> None:
        """No legal move was said: ask again, and the third time it is lost."""
        self._failed += 1
        self.state.game_info[seat]["invalid_move"] = self._failed >= ATTEMPTS
        if self._failed >= ATTEMPTS:
            others = len(self._names) - 1
            self._end([-1.0 if each == seat else 1 / others for each in range(others + 1)])
            return
        self.state.add_observation(
            message=text("prompt.again", self._lang),
            to_id=seat,
            observation_type=ta.ObservationType.GAME_ADMIN,
        )

    def _end(self, rewards: list[float]) -> None:
        self.state.rewards = dict(enumerate(rewards))
        self.state.done = True

    def _show(self) -> None:
        """The table, for the seat that decides."""
        seat = self.game.seat
        self.state.current_player_id = seat
        self.state.add_observation(
            message=self._table(self.game.view(seat)),
            to_id=seat,
            observation_type=ta.ObservationType.GAME_BOARD,
        )

    def _table(self, view: View) -> str:
        return plain_text(view, self._names, view.legal_moves(), self._lang)

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:
        you = text("prompt.seat", self._lang, name=self._names[player_id])
        target = self.game.position.ruleset.target
        return text("prompt.ask", self._lang, table=you, target=target)


class TableText(ta.ObservationWrapper):  # type: ignore[misc]
    """What a player needs to decide as one text: the game, the table as it is now, and after an
    answer without a legal move that it was none. Nothing that came before is said again."""

    def reset(self, num_players: int, seed: int | None = None) -> None:
        self._prompts: dict[int, str] = {}
        self._tables: dict[int, str] = {}
        self.env.reset(num_players=num_players, seed=seed)

    def observation(self, player_id: int, observation: list[tuple[int, str, Any]]) -> str:
        said = ""
        for _, message, kind in observation:
            if kind is ta.ObservationType.PROMPT:
                self._prompts[player_id] = message
            elif kind is ta.ObservationType.GAME_BOARD:
                self._tables[player_id] = message
            elif kind is ta.ObservationType.GAME_ADMIN:
                said = f"\n\n{message}"
        return f"{self._prompts[player_id]}\n\n{self._tables[player_id]}{said}"


ta.envs.registration.register_with_versions(
    id=TEXTARENA_ID,
    entry_point="cabochon.envs.textgames:CabochonTextEnv",
    wrappers={"default": [TableText]},
)
