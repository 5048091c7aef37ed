"""PettingZoo's own suite, with warnings as errors, and what it does not look at."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    performance_benchmark,
    render_test,
    seed_test,
)

import cabochon.envs
from cabochon.envs import aec, cabochon_v0
from cabochon.envs.refusals import BadArgument, GameEnded, IllegalAction, NotAnAction, NotReset
from cabochon.extras import ExtraMissing
from cabochon.kernel import ACTIONS
from cabochon.rules import Refusal

TABLES = [(2, "standard"), (3, "quick"), (4, "standard"), (4, "teams"), (2, "standard/2:target=5")]


@pytest.fixture(autouse=True)
def known_to_have_dict_observations() -> Iterator[None]:
    """api_test knows its own dict environments by name and warns about any other: with ours among
    them, every warning that is left is an error."""
    suite = sys.modules["pettingzoo.test.api_test"]
    lists = (suite.env_obs_dicts, suite.env_obs_space)
    for names in lists:
        names.append("cabochon_v0")
    yield
    for names in lists:
        names.remove("cabochon_v0")


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_api(players: int, variant: str) -> None:
    api_test(cabochon_v0.env(players=players, variant=variant), num_cycles=150)


def test_api_of_games_that_are_truncated() -> None:
    api_test(cabochon_v0.env(max_cycles=7), num_cycles=30)


@pytest.mark.parametrize("players", [2, 4])
def test_seed(players: int) -> None:
    seed_test(lambda: cabochon_v0.env(players=players), num_cycles=100)


def test_parallel_api() -> None:
    parallel_api_test(cabochon_v0.parallel_env(), num_cycles=100)


def test_max_cycles() -> None:
    """The suite is as it is; the module that it is given is ours with two settings. It samples
    without masks, so illegal actions are replaced; and it counts the steps of each agent, of which
    giving tokens back would be one more, so the spaces are seeded to play without."""

    def seeded(made: Any) -> Any:
        for seat, agent in enumerate(made.possible_agents):
            made.action_space(agent).seed(seat)
        return made

    max_cycles_test(
        SimpleNamespace(
            env=lambda **said: seeded(cabochon_v0.env(illegal="replace", **said)),
            parallel_env=lambda **said: seeded(cabochon_v0.parallel_env(illegal="replace", **said)),
        )
    )


def test_render(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(cabochon_v0.env)
    assert "Nobles" in capsys.readouterr().out


def test_performance_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    """As it is, five seconds and all; benchmarks/envs.py is where figures are taken."""
    performance_benchmark(cabochon_v0.env())
    assert "Finished performance benchmark" in capsys.readouterr().out


def test_it_is_made_by_its_id() -> None:
    made = pettingzoo.make("aec", cabochon.envs.AEC_ID, players=3)
    made.reset(seed=1)
    assert made.possible_agents == ["player_0", "player_1", "player_2"]
    assert made.metadata["name"] == "cabochon_v0"
    assert pettingzoo.make("parallel", "cabochon/cabochon_v0").possible_agents == [
        "player_0",
        "player_1",
    ]


def played(made: Any, seed: int) -> dict[str, float]:
    """The sum of each agent's rewards over one random game."""
    made.reset(seed=seed)
    random = np.random.default_rng(seed)
    total = dict.fromkeys(made.possible_agents, 0.0)
    for agent in made.agent_iter():
        observation, reward, terminated, truncated, info = made.last()
        total[agent] += reward
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        legal = np.flatnonzero(info["action_mask"])
        made.step(None if terminated or truncated else int(random.choice(legal)))
    return total


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_rewards_add_up_to_nothing_and_somebody_wins(players: int, variant: str) -> None:
    made = cabochon_v0.env(players=players, variant=variant)
    for seed in range(3):
        total = played(made, seed)
        assert sum(total.values()) == pytest.approx(0)
        assert max(total.values()) > 0
        if variant == "teams":
            assert total["player_0"] == total["player_2"] == -total["player_1"]


def test_a_truncated_game_rewards_nobody() -> None:
    assert set(played(cabochon_v0.env(max_cycles=2), 1).values()) == {0.0}


def test_only_the_agent_whose_turn_it_is_has_a_mask() -> None:
    made = cabochon_v0.env(players=3)
    made.reset(seed=4)
    assert made.observe("player_0")["action_mask"].any()
    assert not made.observe("player_1")["action_mask"].any()
    assert made.state().shape == made.unwrapped.state_space.shape


def test_an_illegal_action_ends_the_game_and_says_why() -> None:
    made = cabochon_v0.env()
    made.reset(seed=1)
    made.step(60)
    assert made.rewards == {"player_0": -1.0, "player_1": 0.0}
    assert all(made.terminations.values())
    assert made.infos["player_0"]["code"] == Refusal.PASS_NOT_FORCED
    assert made.infos["player_0"]["reason"].endswith(".")


def test_an_illegal_action_raises_or_is_replaced_if_that_is_asked_for() -> None:
    made = cabochon_v0.env(illegal="raise")
    made.reset(seed=1)
    with pytest.raises(IllegalAction) as caught:
        made.step(71)
    assert caught.value.code is Refusal.NOBLE_NOT_PENDING
    kind = cabochon_v0.env(illegal="replace")
    kind.reset(seed=1)
    kind.step(71)
    assert ACTIONS[0].text == "take wug"
    assert list(kind.unwrapped._game.position().hands[0].tokens[:3]) == [1, 1, 1]


def test_steps_out_of_order_get_the_communitys_own_answers() -> None:
    made = cabochon_v0.env()
    with pytest.raises(AssertionError, match="reset"):
        made.step(0)
    played(made, 1)
    assert made.agents == []
    raw: Any = aec.raw_env(render_mode="ansi")
    for early in (lambda: raw.step(0), raw.render, lambda: raw.observe("player_0")):
        with pytest.raises(NotReset) as caught:
            early()
        assert caught.value.code == "env-not-reset"


@pytest.mark.parametrize(
    "action",
    [None, -1, 72, 10**30, "0", 0.0, 0.7, float("nan"), True, [0], np.zeros(1), np.zeros(72)],
)
@pytest.mark.parametrize("illegal", ["end", "raise", "replace"])
def test_what_is_not_in_the_action_space_is_an_assertion_with_our_code(
    action: Any, illegal: str
) -> None:
    made = cabochon_v0.env(illegal=illegal)
    made.reset(seed=1)
    before = made.state()
    with pytest.raises(AssertionError, match="action space") as caught:
        made.step(action)
    assert isinstance(caught.value, NotAnAction)
    assert caught.value.code == "env-not-an-action"
    assert np.array_equal(made.state(), before)
    assert made.agents
    made.step(np.int64(0))


def test_a_finished_game_takes_none_alone() -> None:
    made = cabochon_v0.env()
    made.reset(seed=1)
    made.step(60)
    with pytest.raises(ValueError, match="only valid action is None") as caught:
        made.step(0)
    assert isinstance(caught.value, GameEnded)
    assert caught.value.code == "env-only-none"
    made.step(None)
    made.step(None)
    assert made.agents == []


@pytest.mark.parametrize("seed", ["7", 7.5, -1, True, [1], b"1", float("nan")])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    made = cabochon_v0.env()
    with pytest.raises(BadArgument) as caught:
        made.reset(seed=seed)
    assert caught.value.code == "env-bad-seed"
    for good in (0, 10**40, np.int64(3), None):
        made.reset(seed=good)
    with pytest.raises(BadArgument):
        made.reset(options=5)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"variant": "cities"}, "cities-not-supported"),
        ({"variant": "poker"}, "unknown-variant"),
        ({"players": 5}, "seats-out-of-range"),
        ({"players": 10**30}, "seats-out-of-range"),
        ({"players": "2"}, "env-bad-number"),
        ({"players": 2.0}, "env-bad-number"),
        ({"players": True}, "env-bad-number"),
        ({"players": 2, "variant": "quick/3"}, "env-two-numbers"),
        ({"players": 3, "variant": "teams"}, "teams-need-four"),
        ({"variant": None}, "env-bad-choice"),
        ({"variant": b"quick"}, "env-bad-choice"),
        ({"variant": "standard/2:target=999999999999"}, "not-a-ruleset"),
        ({"illegal": "ignore"}, "env-bad-choice"),
        ({"render_mode": "hologram"}, "env-bad-choice"),
        ({"render_mode": ""}, "env-bad-choice"),
        ({"max_cycles": -3}, "env-bad-number"),
        ({"max_cycles": 0}, "env-bad-number"),
        ({"max_cycles": 10**30}, "env-bad-number"),
    ],
)
def test_bad_arguments_are_value_errors_with_our_code(arguments: Any, code: str) -> None:
    with pytest.raises(BadArgument) as caught:
        cabochon_v0.env(**arguments)
    assert isinstance(caught.value, ValueError)
    assert caught.value.code == code
    assert caught.value.en != caught.value.zh


def test_pixels_need_pillow_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    made = cabochon_v0.env(render_mode="rgb_array")
    made.reset(seed=1)
    assert made.render().shape == (600, 880, 3)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ExtraMissing, match=r"cabochon\[envs\]"):
        made.render()


def test_an_environment_can_be_pickled() -> None:
    made = pickle.loads(pickle.dumps(aec.raw_env(players=4, variant="quick")))
    made.reset(seed=2)
    assert made.num_agents == 4


def test_the_page_names_the_real_spaces() -> None:
    page = aec.__doc__ or ""
    made = aec.raw_env()
    assert f"Discrete({made.action_space('player_0').n})" in page
    assert f"{made.observation_space('player_0')['observation'].shape}" in page
