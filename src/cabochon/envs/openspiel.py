"""OpenSpiel: the game with explicit chance nodes, under the name `cabochon`.

    import cabochon.envs.openspiel
    game = pyspiel.load_game("cabochon(players=3,variant=quick)")

Players' actions are those of the action table. Chance first names the nobles (outcomes 90 + id),
then the cards of the rows, level 1 first; later every card that is due (outcomes 0-89, the card's
id), also one that a seat draws unseen. A game of `max_turns` turns ends as it stands. Returns: 1
for who wins alone, -1 divided among the losing sides.

An observer shows public and private parts, as a tensor and as text:

    public       everything that lies open, the observing seat first (with no private part: seat 0
                 first, so that it is the same for everybody)
    own          the observing seat's reserved cards, also those it drew unseen
    everybody    all seats' reserved cards

With perfect recall there is the text alone: all that has happened as the player knows it.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import Any, Protocol

import numpy as np

from cabochon.envs.onegame import MOST_TURNS, ruleset_of, zero_sum
from cabochon.extras import needed
from cabochon.kernel import (
    ACTIONS,
    OBSERVATION,
    OBSERVATION_SIZE,
    SLICES,
    imagined,
    new_states,
    pack,
    packed,
    unpack,
)
from cabochon.kernel.actions import ACTION_COUNT, move_of
from cabochon.kernel.checked import clear_for, refusal_of
from cabochon.kernel.entrypoints import (
    ACT_ONLY,
    DEAL_CARD,
    advance_at_unchecked,
    legal_at,
    observe_at,
)
from cabochon.kernel.layout import BLIND_DRAW, CARD_COUNT, DEAL, LEVEL_FIRST, OVER, Floats, States
from cabochon.kernel.legal import FIRST_ACTION
from cabochon.kernel.observation import OTHER_WIDTH, OWN_WIDTH
from cabochon.notation import (
    format_move,
    format_position,
    format_view,
    position_to_json,
    view_to_json,
)
from cabochon.rules import (
    CARDS,
    NOBLES,
    CabochonError,
    IllegalDeal,
    IllegalMove,
    Opening,
    Position,
    Refusal,
    Reserved,
    Ruleset,
)
from cabochon.rules.cards import DECK_SIZES, LEVELS
from cabochon.rules.ending import outcome_of
from cabochon.rules.errors import DealFault

pyspiel: Any = needed("pyspiel", "openspiel", "cabochon.envs.openspiel")

_OPEN = tuple(
    part for part in OBSERVATION if part.name not in ("own reserve", "other reserves", "own seat")
)


class ObservedState(Protocol):
    """What an observer asks of a state."""

    @property
    def record(self) -> States: ...

    @property
    def is_open(self) -> bool: ...

    @property
    def log(self) -> str: ...

    def position(self) -> Position: ...

    def seen_log(self, player: int) -> str: ...


class Observer:
    """As OpenSpiel's `observation.py` asks for: `tensor`, `dict`, `set_from`, `string_from`."""

    def __init__(
        self, seats: int, *, perfect_recall: bool, public: bool, own: bool, everybody: bool
    ) -> None:
        self._seats = seats
        self._perfect_recall = perfect_recall
        self._public, self._own, self._everybody = public, own, everybody
        self.tensor: Floats | None = None
        self.dict: dict[str, Floats] = {}
        if not perfect_recall:
            self._allocate()

    def _allocate(self) -> None:
        shapes: dict[str, tuple[int, ...]] = {}
        if self._own or self._everybody:
            shapes["player"] = (self._seats,)
        if self._public:
            shapes |= {part.name: part.shape for part in _OPEN}
            shapes["open reserves"] = (self._seats, 3, OTHER_WIDTH)
        if self._own:
            shapes["own reserve"] = (3, OWN_WIDTH)
        if self._everybody:
            shapes["all reserves"] = (self._seats, 3, OWN_WIDTH)
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(max(1, sum(sizes)), np.float32)
        start = 0
        for (name, shape), size in zip(shapes.items(), sizes, strict=True):
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size
        if not shapes:
            self.dict["nothing"] = self.tensor

    def set_from(self, state: ObservedState, player: int) -> None:
        """Write what the player may know of the state."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        first = player if self._own or self._everybody else 0
        views = [_observation(state, (first + ahead) % self._seats) for ahead in range(self._seats)]
        if "player" in self.dict:
            self.dict["player"][player] = 1
        if self._public:
            self._set_public(views)
        if self._own:
            self.dict["own reserve"][:] = _own_reserve(views[0])
        if self._everybody:
            self.dict["all reserves"][:] = [_own_reserve(view) for view in views]

    def _set_public(self, views: list[Floats]) -> None:
        for part in _OPEN:
            self.dict[part.name][:] = views[0][part.slice].reshape(part.shape)
        for ahead in range(self._seats):
            # The seat after it sees this one last of all, and sees no blind card.
            after = views[(ahead + 1) % self._seats]
            others = after[SLICES["other reserves"]].reshape(3, 3, OTHER_WIDTH)
            self.dict["open reserves"][ahead] = others[self._seats - 2]

    def string_from(self, state: ObservedState, player: int) -> str:
        """The same as text: canonical view, own cards, or what has happened so far."""
        if self._perfect_recall:
            return f"seat {player}: {state.seen_log(player)}"
        if not state.is_open:
            return f"opening {state.log}".strip() if self._public else ""
        position = state.position()
        if self._public and self._own:
            return format_view(position.view(player))
        parts = [format_view(position.view(None))] if self._public else []
        shown = range(self._seats) if self._everybody else [player] if self._own else []
        for seat in shown:
            held = [h.card.code for h in position.hands[seat].reserved if isinstance(h, Reserved)]
            parts.append(f"seat {seat} holds {' '.join(held) or '-'}")
        return "\n".join(parts)


def _observation(state: ObservedState, viewer: int) -> Floats:
    seen = np.empty(OBSERVATION_SIZE, np.float32)
    observe_at(state.record, 0, viewer, seen)
    return seen


def _own_reserve(seen: Floats) -> Floats:
    return seen[SLICES["own reserve"]].reshape(3, OWN_WIDTH)


# The game


SHORT_NAME = "cabochon"
CHANCE_OUTCOMES = CARD_COUNT + len(NOBLES)
MOST_DECISIONS_OF_A_TURN = 5
"""An action, a noble, and three tokens one by one."""

_HIDDEN_DEAL = re.compile(r"deal (\w+)@(\d)")

GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Cabochon (Splendor)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"players": 2, "variant": "standard", "max_turns": 1000},
)


class CabochonGame(pyspiel.Game):  # type: ignore[misc]
    """Parameters: `players`, `variant` (a preset's name), `max_turns`. Raises SpielError."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        said = GAME_TYPE.parameter_specification | (params or {})
        try:
            self.ruleset = ruleset_of(str(said["variant"]), int(said["players"]))
        except CabochonError as error:
            raise pyspiel.SpielError(f"{error.code}: {error.en}") from error
        self.max_turns = int(said["max_turns"])
        if not 1 <= self.max_turns <= MOST_TURNS:
            raise pyspiel.SpielError(
                f"max_turns must be from 1 to {MOST_TURNS}; it is {self.max_turns}"
            )
        if self.ruleset.seats != int(said["players"]):
            raise pyspiel.SpielError(
                f"players must be {self.ruleset.seats}, as in the variant {said['variant']}"
            )
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTION_COUNT,
            max_chance_outcomes=CHANCE_OUTCOMES,
            num_players=self.ruleset.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_DECISIONS_OF_A_TURN * self.max_turns,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> CabochonState:
        return CabochonState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.ruleset.noble_count + CARD_COUNT

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise pyspiel.SpielError(f"observers take no parameters; passed {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(
            self.ruleset.seats,
            perfect_recall=kind.perfect_recall,
            public=kind.public_info,
            own=kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER,
            everybody=kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS,
        )


class CabochonState(pyspiel.State):  # type: ignore[misc]
    """One point in play. `log` is all that has happened, as text; a card that a seat drew unseen
    is marked with its owner there."""

    def __init__(self, game: CabochonGame) -> None:
        super().__init__(game)
        self.rules = str(game.ruleset)
        self.max_turns = game.max_turns
        self.opened: tuple[int, ...] = ()
        self.log = ""
        self.record = new_states(1)
        clear_for(game.ruleset, self.record, 0)

    # What OpenSpiel asks

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if not self.is_open or self._phase == DEAL:
            return int(pyspiel.PlayerId.CHANCE)
        return int(self.record["seat"][0])

    def is_terminal(self) -> bool:
        return bool(self._phase == OVER or self.record["turn"][0] >= self.max_turns)

    def _legal_actions(self, player: int) -> list[int]:
        first, bits = self._first_action, int(legal_at(self.record, 0))
        return [first + bit for bit in range(bits.bit_length()) if bits >> bit & 1]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every card, or noble, that can come, each alike."""
        outcomes = self._in_deck() if self.is_open else self._openings()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        """Raises SpielError, with the rules' own code and sentence, for what is not legal."""
        self._check(action)
        if not self.is_open:
            self._open(action)
        elif self._phase == DEAL:
            owner = f"@{self.record['seat'][0]}" if self._to_hand else ""
            self._say(f"deal {CARDS[action].code}{owner}")
            advance_at_unchecked(self.record, 0, DEAL_CARD, action)
        else:
            self._say(format_move(self._move(action)))
            advance_at_unchecked(self.record, 0, ACT_ONLY, action)

    def _action_to_string(self, player: int, action: int) -> str:
        """`take wug`, `buy 2u5`, `deal 2k1`, `noble rk4` for chance's nobles."""
        if player == pyspiel.PlayerId.CHANCE:
            if action >= CARD_COUNT:
                return f"noble {NOBLES[action - CARD_COUNT].code}"
            return f"deal {CARDS[action].code}"
        return format_move(self._move(action)) if self.is_open else ACTIONS[action].text

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.ruleset.seats
        return zero_sum(outcome_of(self.position()), self.ruleset)

    def __str__(self) -> str:
        return format_position(self.position()) if self.is_open else f"opening {self.log}".strip()

    def resample_from_infostate(self, player: int, sampler: Any) -> CabochonState:
        """A state that `player` cannot tell from this one; `sampler` gives numbers in [0, 1)."""
        state: CabochonState = self.clone()
        if self.is_open:
            view = self.position().view(player)
            state.record = packed(imagined(view, int(sampler() * 2**53)))
        return state

    def _to_struct(self) -> dict[str, Any]:
        if not self.is_open:
            return {"opening": self.log}
        return dict(position_to_json(self.position()))

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        if not self.is_open:
            return {"opening": self.log}
        return dict(view_to_json(self.position().view(player)))

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return {"action": action, "text": self._action_to_string(player, action)}

    # What observers ask

    @property
    def ruleset(self) -> Ruleset:
        return _parsed(self.rules)

    @property
    def is_open(self) -> bool:
        """Whether the nobles and the rows have been dealt."""
        return len(self.opened) == _opening_length(self.ruleset)

    def position(self) -> Position:
        return unpack(self.record)

    def seen_log(self, player: int) -> str:
        """All that has happened as that player knows it."""

        def seen(deal: re.Match[str]) -> str:
            return f"deal {deal[1]}" if int(deal[2]) == player else "deal ?"

        return _HIDDEN_DEAL.sub(seen, self.log)

    # How it goes on

    @property
    def _phase(self) -> int:
        return int(self.record["phase"][0])

    @property
    def _first_action(self) -> int:
        return FIRST_ACTION[self._phase]

    @property
    def _to_hand(self) -> bool:
        return bool(self.record["pending"][0] >= BLIND_DRAW)

    def _move(self, action: int) -> Any:
        return move_of(self.position(), action)

    def _check(self, action: int) -> None:
        if self.is_open and self._phase != DEAL:
            if self.is_terminal():
                why = IllegalMove(Refusal.GAME_OVER)
            elif action in self._legal_actions(self.current_player()):
                return
            else:
                why = refusal_of(self.position(), action)
            raise pyspiel.SpielError(f"{why.code}: {why.en}")
        if action not in (self._in_deck() if self.is_open else self._openings()):
            card = CARDS[action].code if 0 <= action < CARD_COUNT else str(action)
            fault = IllegalDeal(DealFault.DEAL_NOT_IN_DECK, card=card)
            raise pyspiel.SpielError(f"{fault.code}: {fault.en}")

    def _say(self, event: str) -> None:
        self.log = f"{self.log}; {event}" if self.log else event

    def _in_deck(self) -> list[int]:
        """The ids of the cards that may fill the pending place."""
        pending = int(self.record["pending"][0])
        level = pending - BLIND_DRAW if self._to_hand else pending // 4
        pool, first = int(self.record["pool"][0, level]), LEVEL_FIRST[level]
        return [first + bit for bit in range(pool.bit_length()) if pool >> bit & 1]

    def _openings(self) -> list[int]:
        """What chance can name next: a noble, then cards of level 1, 2, 3."""
        rules, place = self.ruleset, len(self.opened)
        if place < rules.noble_count:
            candidates = range(CARD_COUNT, CHANCE_OUTCOMES)
        else:
            level = (place - rules.noble_count) // rules.row_width
            candidates = range(LEVEL_FIRST[level], LEVEL_FIRST[level] + DECK_SIZES[level])
        return [outcome for outcome in candidates if outcome not in self.opened]

    def _open(self, outcome: int) -> None:
        """One more noble or card; the last one makes the first position."""
        self._say(self._action_to_string(int(pyspiel.PlayerId.CHANCE), outcome))
        self.opened = (*self.opened, outcome)
        if self.is_open:
            pack(Position.start(self.ruleset, _opening(self.ruleset, self.opened)), self.record)


@cache
def _parsed(text: str) -> Ruleset:
    return Ruleset.parse(text)


def _opening_length(rules: Ruleset) -> int:
    return rules.noble_count + len(LEVELS) * rules.row_width


def _opening(rules: Ruleset, outcomes: tuple[int, ...]) -> Opening:
    named = iter(outcomes)
    nobles = tuple(NOBLES[each - CARD_COUNT] for each in islice(named, rules.noble_count))
    rows = tuple(tuple(CARDS[each] for each in islice(named, rules.row_width)) for _ in LEVELS)
    return Opening(nobles, rows)


pyspiel.register_game(GAME_TYPE, CabochonGame)
