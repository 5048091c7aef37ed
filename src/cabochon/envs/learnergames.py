"""Games on the kernel for one learner, one or thousands at once: what both Gymnasium environments
step. The same seed, seat and opponents give the same games in either."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cabochon.bots.level_twin import GLANCING_KINDS, QUICK_KINDS
from cabochon.envs import vector_loops
from cabochon.envs.opponents import Opponents
from cabochon.envs.refusals import EnvFault, GameEnded, IllegalAction, NotAnAction
from cabochon.envs.vector_loops import ANY_SEAT, FORFEITED, RUNNING, TERMINATED, TRUNCATED
from cabochon.kernel import ACTION_COUNT, OBSERVATION_SIZE, new_states, unpack
from cabochon.kernel.bits import stream_seed
from cabochon.kernel.checked import clear_for, refusal_of, seed_word
from cabochon.kernel.layout import Bools, Floats, Ints
from cabochon.kernel.legal import FIRST_ACTION
from cabochon.rules import IllegalMove, Position, Ruleset

ILLEGAL_CODES = {
    "end": vector_loops.END,
    "raise": vector_loops.RAISE,
    "replace": vector_loops.REPLACE,
}


class LearnersGames:
    """`count` games by one ruleset. `seats`: whose observation is shown; `ended`: how a game
    stands; `finished`, `actors`, `shares`, `final`: what the last step left."""

    def __init__(
        self,
        ruleset: Ruleset,
        count: int,
        opponents: Opponents,
        seat: int | None,
        max_turns: int,
        illegal: str,
        autoreset: int,
    ) -> None:
        self.ruleset, self.count, self.opponents = ruleset, count, opponents
        self._seat = ANY_SEAT if seat is None else seat
        self._max_turns = max_turns
        self._illegal = ILLEGAL_CODES[illegal]
        self._autoreset = autoreset
        self.states = new_states(count)
        for index in range(count):
            clear_for(ruleset, self.states, index)
        self.legal = np.zeros(count, np.uint64)
        self.who = np.zeros((count, 4), np.uint8)
        self.seats, self.actors = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
        self.ended, self.finished = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
        self._shares = np.zeros((count, 4), np.float32)
        kept = count if autoreset == vector_loops.SAME_STEP else 0
        self.final = np.zeros((kept, OBSERVATION_SIZE), np.float32)

    def reseed(self, seeds: Sequence[int | None], chosen: Bools) -> None:
        """Start the generators of the chosen games again; None lets one go on."""
        words = self.states["rng"]
        for index, seed in enumerate(seeds):
            if seed is not None and chosen[index]:
                words[index] = stream_seed(seed_word(seed), np.uint64(0))

    def reset(self, chosen: Bools, seat: int | None = None) -> None:
        """Deal the chosen games anew, the learner in this seat or its usual one, and play them up
        to its first decision."""
        self._deal(chosen, self._seat if seat is None else seat)
        self._answer()

    def _deal(self, chosen: Bools, seat: int) -> None:
        chairs = (self.opponents.lineup, self.opponents.chances, self.who, self.seats, self.ended)
        vector_loops.deal_games(self.states, chosen, seat, *chairs)

    def step(self, actions: Ints) -> None:
        """One action in each game; a game that had ended is dealt anew instead. Raises GameEnded,
        NotAnAction or, if it is to, IllegalAction; then no game has moved."""
        self._check(actions)
        self.actors[:] = self.seats
        self._deal_ended(self.ended != RUNNING)
        vector_loops.act_in_games(
            self.states, actions, self.legal, self._illegal, self.ended, self.actors
        )
        self._answer()
        vector_loops.close_games(
            self.states, self._max_turns, self.seats, self.ended, self.actors, self._shares
        )
        self.finished[:] = self.ended
        if self._autoreset == vector_loops.SAME_STEP:
            self._begin_again(self.finished != RUNNING)

    def _deal_ended(self, chosen: Bools) -> None:
        """New games in place of an action."""
        if chosen.any():
            self._deal(chosen, self._seat)
            self.actors[chosen] = vector_loops.NO_ACTOR

    def _begin_again(self, chosen: Bools) -> None:
        """Keep how games ended, and deal the next ones within the same step."""
        if chosen.any():
            vector_loops.show_ends(self.states, self.ended, self.actors, self.final)
            self._deal(chosen, self._seat)
            self._answer()

    def _answer(self) -> None:
        """The opponents move until the learner decides in every game; what only others would need
        is not compiled for them."""
        opponents, games = self.opponents, (self.states, self.who, self.ended, self._max_turns)
        minds = opponents.minds
        if minds is None:
            if opponents.are_uniform:
                vector_loops.answer_uniformly(*games)
            elif opponents.names:
                vector_loops.answer_by_chance(*games)
        elif opponents.kinds <= QUICK_KINDS:
            vector_loops.answer_at_sight(*games, minds.rows, minds.discounts, minds.notes)
        elif opponents.kinds <= GLANCING_KINDS:
            vector_loops.answer_by_network(*games, minds.rows, minds.net, minds.buffers.scratch)
        else:
            vector_loops.answer_by_minds(*games, minds)

    def show(self, observations: Floats, masks: npt.NDArray[np.uint64]) -> None:
        """What the deciding seats see, and their masks as words of eight flags."""
        vector_loops.show_games(
            self.states, self.seats, self.ended, self.legal, observations, masks
        )

    def sampled(self, words: npt.NDArray[np.uint64]) -> Ints:
        """A uniform legal action in each game, by a random word each."""
        actions = np.empty(self.count, np.int64)
        vector_loops.sample_actions(self.states, self.legal, self.ended, words, actions)
        return actions

    def rewards(self) -> npt.NDArray[np.float64]:
        """Every seat's reward, 0 in games that have not just ended."""
        rewards = np.zeros((self.count, 4))
        sides = 2 if self.ruleset.teams else self.ruleset.seats
        seats, won = self.ruleset.seats, self.finished == TERMINATED
        rewards[won, :seats] = (sides * self._shares[won, :seats] - 1) / (sides - 1)
        lost = np.flatnonzero(self.finished == FORFEITED)
        rewards[lost, self.actors[lost]] = -1
        return rewards

    @property
    def terminated(self) -> Bools:
        ended: Bools = (self.finished == TERMINATED) | (self.finished == FORFEITED)
        return ended

    @property
    def truncated(self) -> Bools:
        ended: Bools = self.finished == TRUNCATED
        return ended

    def opponents_of(self, index: int) -> Ints:
        """Who plays the seats after the learner's, as numbers in the list of opponents."""
        seats = self.ruleset.seats
        after = [(int(self.seats[index]) + ahead) % seats for ahead in range(1, seats)]
        return self.who[index, after].astype(np.int64)

    def position(self, index: int = 0) -> Position:
        return unpack(self.states, index)

    def illegal_games(self, actions: Ints) -> dict[int, IllegalMove]:
        """Why actions of running games are illegal, by game; empty when all are legal."""
        refused = int(self._first_refused(actions, vector_loops.RAISE))
        found: dict[int, IllegalMove] = {}
        for index in range(refused, self.count) if refused >= 0 else ():
            if self.ended[index] == RUNNING and not self.is_legal(index, int(actions[index])):
                found[index] = refusal_of(self.position(index), int(actions[index]))
        return found

    def is_legal(self, index: int, action: int) -> bool:
        """Of the game as it was shown last."""
        bit = action - FIRST_ACTION[int(self.states["phase"][index])]
        return 0 <= bit < 64 and bool(int(self.legal[index]) >> bit & 1)

    def _first_refused(self, actions: Ints, illegal: int) -> int:
        return int(
            vector_loops.first_refused(
                self.states, self.legal, self.ended, actions, self._autoreset, illegal
            )
        )

    def _check(self, actions: Ints) -> None:
        index = self._first_refused(actions, self._illegal)
        if index < 0:
            return
        refusal = self._refusal(index, int(actions[index]))
        if self.count > 1:
            refusal.add_note(f"in game {index} of {self.count}")
        raise refusal

    def _refusal(self, index: int, given: int) -> GameEnded | IllegalAction | NotAnAction:
        if self.ended[index] != RUNNING:
            return GameEnded(EnvFault.GAME_ENDED, index=index)
        if not 0 <= given < ACTION_COUNT:
            return NotAnAction(EnvFault.NOT_AN_ACTION, given=str(given), most=ACTION_COUNT - 1)
        why = refusal_of(self.position(index), given)
        return IllegalAction(why.code, **why.params)


def said_of(refusals: dict[int, IllegalMove], count: int) -> dict[str, Any]:
    """`code` and `reason` of illegal actions as Gymnasium's vectors have what only some say."""
    which = np.zeros(count, np.bool_)
    which[list(refusals)] = True
    said: dict[str, Any] = {}
    for name, text in (("code", "code"), ("reason", "en")):
        values = np.full(count, None, object)
        for index, refusal in refusals.items():
            values[index] = str(getattr(refusal, text))
        said |= {name: values, f"_{name}": which}
    return said
