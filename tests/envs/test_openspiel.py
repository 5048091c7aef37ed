"""OpenSpiel's own tests of a Python game, and a playthrough that is compared on every run."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.observation import make_observation

from cabochon.envs import openspiel
from cabochon.notation import parse_position, parse_view
from cabochon.rules import Reserved

PLAYTHROUGH = Path(__file__).with_name("cabochon.playthrough.txt")
QUICK = "cabochon(players=2,variant=quick)"


def stepped(state: Any, random: np.random.Generator) -> None:
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        assert sum(chances) == pytest.approx(1)
        state.apply_action(int(random.choice(outcomes)))
    else:
        state.apply_action(int(random.choice(state.legal_actions())))


def states_of(game: Any, seed: int) -> list[Any]:
    random = np.random.default_rng(seed)
    state = game.new_initial_state()
    seen = [state.clone()]
    while not state.is_terminal():
        stepped(state, random)
        seen.append(state.clone())
    return seen


TABLES = ["cabochon", "cabochon(players=3,variant=quick)", "cabochon(players=4,variant=teams)"]


@pytest.mark.parametrize("game", TABLES)
def test_random_sim_test(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("game", TABLES)
def test_clones_pickles_and_serialised_states_are_equal(game: str) -> None:
    made = pyspiel.load_game(game)
    assert str(pickle.loads(pickle.dumps(made))) == str(made)
    assert pickle.loads(pickle.dumps(made.get_type())) == made.get_type()
    states = states_of(made, seed=2)
    for state in [*states[:4], *states[4::25], states[-1]]:
        again = pickle.loads(pickle.dumps(state))
        _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(made, state))
        for twin in (state.clone(), again, read):
            assert str(twin) == str(state)
            assert twin.history() == state.history()
            assert twin.record.tobytes() == state.record.tobytes()
    final = states[-1]
    assert sum(final.returns()) == pytest.approx(0)
    assert final.legal_actions() == []
    assert [final.player_return(p) for p in range(made.num_players())] == final.returns()


def test_the_playthrough_is_the_committed_one() -> None:
    flags.FLAGS.mark_as_parsed()
    expected, actual = generate_playthrough.replay(str(PLAYTHROUGH))
    for line, (before, now) in enumerate(
        zip(expected.split("\n"), actual.split("\n"), strict=False), start=1
    ):
        assert now == before, f"line {line}"
    assert expected == actual


def test_a_stock_algorithm_plays_a_game() -> None:
    """Information-set Monte Carlo search from OpenSpiel against random play."""
    game = pyspiel.load_game("cabochon(variant=quick,max_turns=30)")
    random = np.random.RandomState(3)
    bot = ISMCTSBot(
        game=game,
        evaluator=RandomRolloutEvaluator(1, random),
        uct_c=1.0,
        max_simulations=3,
        random_state=random,
    )
    state, decisions = game.new_initial_state(), 0
    chance = np.random.default_rng(3)
    while not state.is_terminal():
        if state.current_player() == 0 and decisions < 6:
            decisions += 1
            state.apply_action(bot.step(state))
        else:
            stepped(state, chance)
    assert decisions == 6
    assert sum(state.returns()) == pytest.approx(0)


def test_observers_tell_public_from_private() -> None:
    game = pyspiel.load_game(QUICK)
    kinds = pyspiel.PrivateInfoType

    def observer(public: bool, private: Any) -> Any:
        kind = pyspiel.IIGObservationType(
            perfect_recall=False, public_info=public, private_info=private
        )
        return make_observation(game, kind)

    usual, watching = make_observation(game, None), observer(True, kinds.NONE)
    own, everything = observer(False, kinds.SINGLE_PLAYER), observer(True, kinds.ALL_PLAYERS)
    blind = 0
    for state in states_of(game, seed=5)[12::7]:
        position = state.position()
        texts, tensors = set(), []
        for player in (0, 1):
            watching.set_from(state, player)
            tensors.append(watching.tensor.copy())
            texts.add(watching.string_from(state, player))
            assert parse_view(usual.string_from(state, player)) == position.view(player)
            usual.set_from(state, player)
            own.set_from(state, player)
            assert np.array_equal(usual.dict["own reserve"], own.dict["own reserve"])
            held = position.hands[player].reserved
            assert (own.dict["own reserve"].any(axis=1).sum()) == len(held)
            drawn = [each.card.code for each in held if isinstance(each, Reserved) and each.blind]
            blind += len(drawn)
            for code in drawn:
                assert code in own.string_from(state, player)
                assert code not in usual.string_from(state, 1 - player)
                assert code not in state.information_state_string(1 - player)
                assert code in everything.string_from(state, 1 - player)
        assert len(texts) == 1, "the public part is the same for everybody"
        assert np.array_equal(*tensors)
    assert blind, "the game had hidden cards to keep"


def test_resampling_keeps_what_the_player_knows() -> None:
    game = pyspiel.load_game(QUICK)
    random = np.random.default_rng(1)
    changed = 0
    for state in states_of(game, seed=5)[14::9]:
        if state.is_chance_node() or state.is_terminal():
            continue
        for player in (0, 1):
            other = state.resample_from_infostate(player, random.random)
            assert other.observation_string(player) == state.observation_string(player)
            seen = state.information_state_string(player)
            assert other.information_state_string(player) == seen
            changed += str(other) != str(state)
    assert changed


def test_states_speak_json_and_positions() -> None:
    state = states_of(pyspiel.load_game(QUICK), seed=1)[40]
    assert parse_position(str(state)) == state.position()
    assert '"bank"' in state.to_json()
    assert '"viewer"' in state.to_observation_struct(1).to_json()


def test_a_game_that_nobody_finishes_ends_as_it_stands() -> None:
    game = pyspiel.load_game("cabochon(max_turns=3)")
    assert game.max_game_length() == 15
    final = states_of(game, seed=1)[-1]
    assert final.record["turn"][0] == 3
    assert final.returns() == [0.0, 0.0] or sum(final.returns()) == pytest.approx(0)


@pytest.mark.parametrize(
    ("game", "code"),
    [
        ("cabochon(variant=poker)", "unknown-variant"),
        ("cabochon(players=5)", "seats-out-of-range"),
        ("cabochon(variant=teams)", "teams-need-four"),
        ("cabochon(max_turns=0)", "max_turns"),
        ("cabochon(max_turns=2000000000)", "max_turns"),
        ("cabochon(variant=quick/3)", "players must be 3"),
    ],
)
def test_bad_parameters_are_spiel_errors_with_our_code(game: str, code: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=code):
        pyspiel.load_game(game)


def test_what_is_not_legal_is_a_spiel_error_with_our_code() -> None:
    states = states_of(pyspiel.load_game(QUICK), seed=1)
    playing = next(state for state in states[12:] if not state.is_chance_node())
    dealing = next(state for state in states[14:] if state.is_chance_node())
    for state, action, code in (
        (playing, 60, "pass-not-forced"),
        (playing, 500, "unknown-move"),
        (dealing, 99, "deal-not-in-deck"),
        (states[0], 0, "deal-not-in-deck"),
        (states[-1], 0, "game-over"),
    ):
        before = str(state), state.history()
        with pytest.raises(pyspiel.SpielError, match=code):
            state.apply_action(action)
        assert (str(state), state.history()) == before


def test_the_name_is_the_registered_one() -> None:
    assert openspiel.SHORT_NAME in pyspiel.registered_names()
