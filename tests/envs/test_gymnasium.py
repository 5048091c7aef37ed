"""Gymnasium's own checks, with warnings as errors, and the games behind them."""

from __future__ import annotations

import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import cabochon.envs
from cabochon.envs import learnergames
from cabochon.envs.opponents import Opponents
from cabochon.envs.refusals import BadArgument, GameEnded, IllegalAction, NotAnAction, NotReset
from cabochon.envs.sampling import sample
from cabochon.envs.single import CabochonEnv
from cabochon.envs.vector import CabochonVectorEnv
from cabochon.kernel import SLICES
from cabochon.rules import Refusal

SINGLE = cabochon.envs.GYMNASIUM_ID


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"opponents": "greedy"},
        {"players": 3, "opponents": ("uniform", "greedy"), "variant": "quick"},
        {"variant": "teams", "seat": 2},
        {"illegal": "replace"},
    ],
)
def test_check_env(said: dict[str, Any]) -> None:
    check_env(gymnasium.make(SINGLE, **said).unwrapped)


def finished(env: CabochonEnv, seed: int) -> tuple[float, int]:
    """The reward of a random game, and how many decisions the learner had."""
    _, info = env.reset(seed=seed)
    random = np.random.default_rng(seed)
    for decisions in range(1, 1000):
        action = int(random.choice(np.flatnonzero(info["action_mask"])))
        _, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            return reward, decisions
    raise AssertionError("endless")


def test_whole_games_against_bots() -> None:
    env = CabochonEnv(opponents="uniform")
    rewards = [finished(env, seed)[0] for seed in range(20)]
    assert {-1.0, 1.0} <= set(rewards) <= {-1.0, 0.0, 1.0}
    assert finished(env, 3) == finished(env, 3)


def test_the_learner_sits_where_it_is_asked_to() -> None:
    env = CabochonEnv(players=4, seat=2)
    _, info = env.reset(seed=1)
    assert info["seat"] == 2
    assert env.action_masks().any()
    _, info = env.reset(options={"seat": 3})
    assert info["seat"] == 3


def test_an_illegal_action_ends_the_game_and_says_why() -> None:
    env = CabochonEnv(seat=0)
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(60)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["code"] == Refusal.PASS_NOT_FORCED
    with pytest.raises(GameEnded) as caught:
        env.step(0)
    assert isinstance(caught.value, gymnasium.error.ResetNeeded)
    strict = CabochonEnv(seat=0, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction) as refused:
        strict.step(60)
    assert isinstance(refused.value, IllegalAction)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"opponents": "nobody"}, "unknown-bot"),
        ({"opponents": ("uniform", "uniform")}, "env-bad-number"),
        ({"opponents": None}, "env-bad-opponents"),
        ({"opponents": [1]}, "env-bad-opponents"),
        ({"visits": 0}, "env-bad-number"),
        ({"variant": "chess"}, "unknown-variant"),
        ({"seat": 2}, "env-bad-number"),
        ({"illegal": "maybe"}, "env-bad-choice"),
    ],
)
def test_bad_arguments_are_gymnasium_errors_with_our_code(said: Any, code: str) -> None:
    with pytest.raises(gymnasium.error.Error) as caught:
        CabochonEnv(**said)
    assert isinstance(caught.value, BadArgument)
    assert caught.value.code == code


NOT_ACTIONS: list[Any] = [None, -1, 72, 10**30, "0", 0.7, float("nan"), True, [0], np.zeros(1)]


@pytest.mark.parametrize("action", NOT_ACTIONS)
def test_what_is_not_in_the_action_space_raises_and_changes_nothing(action: Any) -> None:
    env = CabochonEnv(seat=0)
    seen, _ = env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction) as caught:
        env.step(action)
    assert isinstance(caught.value, NotAnAction)
    assert caught.value.code == "env-not-an-action"
    assert np.array_equal(seen, env._seen()[0])
    env.step(np.int64(0))


def test_nothing_is_seen_before_the_first_reset() -> None:
    env: Any = CabochonEnv(render_mode="ansi")
    envs: Any = CabochonVectorEnv(2, render_mode="ansi")
    early = [lambda: env.step(0), env.render, env.action_masks, envs.render, envs.action_masks]
    for call in [*early, envs.sample_actions, lambda: envs.step([0, 0])]:
        with pytest.raises(gymnasium.error.ResetNeeded) as caught:
            call()
        assert isinstance(caught.value, NotReset)
        assert caught.value.code == "env-not-reset"


@pytest.mark.parametrize("seed", ["7", 7.5, -1, True, b"1", float("nan"), object()])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    env, envs = CabochonEnv(), CabochonVectorEnv(2)
    resets: list[Any] = [
        lambda: env.reset(seed=seed),
        lambda: envs.reset(seed=seed),
        lambda: envs.reset(seed=[1, seed]),
    ]
    for call in resets:
        with pytest.raises(gymnasium.error.Error) as caught:
            call()
        assert isinstance(caught.value, BadArgument)
        assert caught.value.code == "env-bad-seed"


def test_numpy_numbers_and_huge_ones_are_seeds() -> None:
    env, envs = CabochonEnv(), CabochonVectorEnv(2)
    seed: Any
    for seed in (0, np.int64(3), 10**40):
        assert np.array_equal(env.reset(seed=seed)[0], env.reset(seed=int(seed))[0])
        assert np.array_equal(envs.reset(seed=seed)[0], envs.reset(seed=int(seed))[0])
    options: Any = 5
    for made in (env, envs):
        with pytest.raises(BadArgument):
            made.reset(options=options)


# Many games at once


@pytest.mark.parametrize("opponents", ["self", "uniform", "biased"])
@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(("variant", "players"), [("standard", 2), ("quick", 3), ("teams", 4)])
def test_every_mode_plays_whole_games(
    opponents: str, mode: AutoresetMode, variant: str, players: int
) -> None:
    envs = CabochonVectorEnv(
        32, players, variant, opponents, autoreset_mode=mode, max_turns=70 * players
    )
    observations, infos = envs.reset(seed=5)
    ended = np.zeros(32, np.bool_)
    finished_games, rewards_seen = 0, set()
    for _ in range(260):
        assert observations in envs.observation_space
        assert observations.flags.owndata
        if mode is AutoresetMode.DISABLED and ended.any():
            observations, infos = envs.reset(options={"reset_mask": ended})
        actions = envs.sample_actions()
        was_ended = ended
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        ended = terminated | truncated
        finished_games += int(ended.sum())
        rewards_seen |= set(np.round(rewards[terminated], 6).tolist())
        assert not rewards[~terminated].any()
        assert np.allclose(infos["rewards"].sum(axis=1), 0)
        assert infos["action_mask"].any(axis=1).all()
        if mode is AutoresetMode.NEXT_STEP:
            assert not (was_ended & ended).any()
            assert (infos["action_mask"][ended].sum(axis=1) == 1).all()
        if mode is AutoresetMode.SAME_STEP:
            assert ("final_obs" in infos) == bool(ended.any())
            for index in np.flatnonzero(ended):
                assert infos["final_obs"][index] in envs.single_observation_space
                assert observations[index][166 + 11] == 0, "a new game has no points"
    assert finished_games > 32
    assert 1.0 in rewards_seen


def shape_of(value: Any) -> Any:
    """What kind of thing it is, down to dtypes and shapes; objects by their first member."""
    if isinstance(value, dict):
        return {key: shape_of(inner) for key, inner in value.items()}
    if value.dtype == object:
        return [None if each is None else shape_of(each) for each in value]
    return value.shape, value.dtype.kind


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_autoreset_is_as_in_gymnasiums_own_vector(mode: AutoresetMode) -> None:
    """Beside SyncVectorEnv over single environments: after every step the same kinds of things
    stand in the answer, and a game ends, is silent and begins again at the same steps. Games of
    four turns, so that both vectors end all of theirs at once."""
    said: dict[str, Any] = {"opponents": "uniform", "seat": 0, "max_turns": 4}
    ours = CabochonVectorEnv(3, autoreset_mode=mode, **said)
    theirs = gymnasium.vector.SyncVectorEnv(
        [lambda: CabochonEnv(**said) for _ in range(3)],
        autoreset_mode=mode,
    )
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.action_space == theirs.action_space
    answers = [ours.reset(seed=1), theirs.reset(seed=1)]
    ended_at = []
    for step in range(9):
        lowest = [infos["action_mask"].argmax(axis=1) for *_, infos in answers]
        results = [envs.step(actions) for envs, actions in zip((ours, theirs), lowest, strict=True)]
        (mine, *my_flags, my_infos), (other, *flags, infos) = results
        assert shape_of(mine) == shape_of(other)
        for flag, expected in zip(my_flags, flags, strict=True):
            assert np.array_equal(flag, expected)
            assert flag.dtype == expected.dtype
        kinds, expected_kinds = shape_of(my_infos), shape_of(infos)
        assert {key: kinds[key] for key in expected_kinds} == expected_kinds
        assert set(kinds) - set(expected_kinds) == {"rewards", "_rewards"}
        ended = my_flags[1] | my_flags[2]
        answers = [(mine, my_infos), (other, infos)]
        if ended.any():
            ended_at.append(step)
            if mode is AutoresetMode.DISABLED:
                again: Any = {"reset_mask": ended}
                answers = [ours.reset(options=dict(again)), theirs.reset(options=dict(again))]
    assert (
        ended_at
        == {
            AutoresetMode.NEXT_STEP: [1, 4, 7],
            AutoresetMode.SAME_STEP: [1, 3, 5, 7],
            AutoresetMode.DISABLED: [1, 3, 5, 7],
        }[mode]
    )


def test_one_seed_is_short_for_as_many_in_a_row() -> None:
    envs = CabochonVectorEnv(3)
    assert np.array_equal(envs.reset(seed=7)[0], envs.reset(seed=[7, 8, 9])[0])
    first = envs.reset(seed=[7, None, 9])[0]
    assert np.array_equal(first[[0, 2]], envs.reset(seed=7)[0][[0, 2]])


def test_the_vector_is_made_by_its_id_and_wears_gymnasiums_wrappers() -> None:
    envs = gymnasium.make_vec(SINGLE, num_envs=8, opponents="uniform", max_turns=60)
    assert isinstance(envs.unwrapped, CabochonVectorEnv)
    wrapped = DictInfoToList(RecordEpisodeStatistics(envs))
    _, infos = wrapped.reset(seed=1)
    assert len(infos) == 8
    counted = 0
    for _ in range(120):
        _, _, _, _, infos = wrapped.step(envs.unwrapped.sample_actions())
        counted += sum("episode" in info for info in infos)
    assert counted >= 8


def test_same_seed_same_games() -> None:
    def walk(seed: Any) -> list[np.ndarray]:
        envs = CabochonVectorEnv(16, opponents="biased")
        seen = [envs.reset(seed=seed)[0]]
        for step in range(30):
            masks = envs.action_masks()
            weights = np.random.default_rng(step).random(masks.shape)
            seen.append(envs.step((masks * weights).argmax(axis=1))[0])
        return seen

    assert all(np.array_equal(a, b) for a, b in zip(walk(3), walk(3), strict=True))
    assert not np.array_equal(walk(3)[0], walk(4)[0])
    listed = walk([7] * 16)
    assert all((step == step[0]).all() for step in listed[:1])


# One task, one id

SAME = [
    {},
    {"opponents": "self"},
    {"opponents": "biased", "players": 3, "variant": "quick"},
    {"opponents": "greedy", "max_turns": 30},
    {"opponents": "topaz", "visits": 4, "max_turns": 12},
    {"opponents": {"greedy": 1, "uniform": 3}, "players": 4, "max_turns": 24},
    {"opponents": ("greedy", "network"), "players": 3, "seat": 1, "max_turns": 20},
]


@pytest.mark.parametrize("said", SAME, ids=str)
def test_one_and_many_are_the_same_games(said: dict[str, Any]) -> None:
    """`make`, `make_vec` native and `make_vec` with Gymnasium's own vector: for the same seed the
    same first observation, and then, for the same actions, the same games one after the other."""
    native = gymnasium.make_vec(SINGLE, num_envs=3, **said)
    sync = gymnasium.make_vec(SINGLE, num_envs=3, vectorization_mode="sync", **said)
    single = gymnasium.make(SINGLE, **said)
    mine, infos = native.reset(seed=11)
    theirs, others = sync.reset(seed=11)
    assert np.array_equal(single.reset(seed=12)[0], mine[1])
    for step in range(60):
        assert np.array_equal(mine, theirs)
        assert np.array_equal(infos["action_mask"], others["action_mask"])
        assert np.array_equal(infos["seat"], others["seat"])
        weights = np.random.default_rng(step).random((3, 72))
        actions = (infos["action_mask"] * weights).argmax(axis=1)
        mine, *flags, infos = native.step(actions)
        theirs, *expected, others = sync.step(actions)
        for flag, other in zip(flags, expected, strict=True):
            assert np.array_equal(flag, other)


@pytest.mark.parametrize("illegal", ["end", "replace"])
def test_an_illegal_action_means_the_same_for_one_and_many(illegal: str) -> None:
    said: dict[str, Any] = {"seat": 0, "illegal": illegal}
    native = gymnasium.make_vec(SINGLE, num_envs=2, **said)
    sync = gymnasium.make_vec(SINGLE, num_envs=2, vectorization_mode="sync", **said)
    native.reset(seed=3)
    sync.reset(seed=3)
    actions = np.array([60, 0])
    mine, reward, terminated, _, infos = native.step(actions)
    theirs, other, ended, _, others = sync.step(actions)
    assert np.array_equal(mine, theirs)
    assert np.array_equal(reward, other)
    assert np.array_equal(terminated, ended)
    if illegal == "end":
        assert reward.tolist() == [-1.0, 0.0]
        assert infos["code"][0] == others["code"][0] == Refusal.PASS_NOT_FORCED
        assert infos["_code"].tolist() == [True, False]
        assert infos["rewards"].sum() == -1


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_last_observation_is_of_the_seat_that_acted(mode: AutoresetMode) -> None:
    """In every mode, also when every seat is the learner's."""
    envs = CabochonVectorEnv(1, opponents="self", max_turns=3, autoreset_mode=mode)
    _, infos = envs.reset(seed=1)
    for _ in range(3):
        seat = int(infos["seat"][0])
        seen, _, _, truncated, infos = envs.step(envs.sample_actions())
    assert truncated[0]
    if mode is AutoresetMode.SAME_STEP:
        seen = infos["final_obs"]
        infos = infos["final_info"]
    assert infos["seat"][0] == seat
    own_seat = SLICES["own seat"]
    assert seen[0][own_seat].argmax() == seat


@pytest.mark.parametrize("options", [{"seed": 1}, {"seat": 9}, {"color": "red"}])
def test_an_unknown_option_is_an_error(options: dict[str, Any]) -> None:
    envs: list[Any] = [CabochonEnv(), CabochonVectorEnv(2)]
    for env in envs:
        env.reset(seed=1)
        with pytest.raises(BadArgument):
            env.reset(options=options)
    with pytest.raises(BadArgument, match=re.escape("has no option 'color'; it has seat.")):
        envs[0].reset(options={"color": "red"})


def test_a_league_draws_an_opponent_for_each_game() -> None:
    league = {"uniform": 1, "greedy": 3, "biased": 0}
    envs = CabochonVectorEnv(400, opponents=league)
    _, infos = envs.reset(seed=4)
    assert envs.league == tuple(league)
    drawn = np.bincount(infos["opponents"][:, 0], minlength=3)
    assert drawn[2] == 0
    assert 60 < drawn[0] < 140
    assert drawn.sum() == 400


@pytest.mark.parametrize("opponents", ["uniform", "greedy", "network"])
def test_the_loops_that_compile_little_play_as_the_whole_one(
    opponents: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen() -> list[Any]:
        envs = CabochonVectorEnv(16, players=3, opponents=opponents)
        shown = [envs.reset(seed=5)[0]]
        for _ in range(30):
            actions = envs.action_masks().argmax(axis=1)
            shown.append(envs.step(actions)[0])
        return shown

    quick = seen()
    for name in ("QUICK_KINDS", "GLANCING_KINDS"):
        monkeypatch.setattr(learnergames, name, frozenset())
    monkeypatch.setattr(Opponents, "are_uniform", False)
    assert np.array_equal(quick, seen())


def test_stronger_opponents_leave_fewer_victories() -> None:
    """A uniform learner wins half its games against uniform, and next to none against greedy."""

    def won(opponents: str) -> float:
        envs = CabochonVectorEnv(64, opponents=opponents, copy=False)
        envs.reset(seed=2)
        rewards: list[float] = []
        while len(rewards) < 100:
            _, reward, terminated, _, _ = envs.step(envs.sample_actions())
            rewards += reward[terminated].tolist()
        return float(np.mean([reward > 0 for reward in rewards]))

    assert 0.3 < won("uniform") < 0.7
    assert won("greedy") < 0.05


def test_sample_draws_legal_actions_evenly() -> None:
    random = np.random.default_rng(1)
    mask = np.zeros((3000, 72), np.int8)
    mask[:, [3, 40, 71]] = 1
    counts = np.bincount(sample(mask, random), minlength=72)
    assert counts[[3, 40, 71]].sum() == 3000
    assert counts[[3, 40, 71]].min() > 850
    assert sample(mask[0], random) in (3, 40, 71)
    assert np.array_equal(
        sample(mask, np.random.default_rng(2)), sample(mask, np.random.default_rng(2))
    )


MASK = [[0, 1, 1], [1, 0, 0]]


@pytest.mark.parametrize(
    ("mask", "generator", "says"),
    [
        ([[0, 1], [0, 0]], None, "Row 1 of the mask allows no action."),
        (np.ones((2, 2, 2), np.int8), None, "(actions,); it is int8 (2, 2, 2)."),
        (np.ones((2, 72)), None, "(actions,); it is float64 (2, 72)."),
        ([[0, 1], [1]], None, "(actions,); it is [[0, 1], [1]]."),
        ("mask", None, "(actions,); it is <U4 ()."),
        (MASK, 7, "numpy.random.default_rng() makes them; it is 7."),
        (MASK, np.random.RandomState(7), "numpy.random.default_rng() makes them; it is"),
    ],
)
def test_sample_says_what_is_wrong_with_what_it_is_given(
    mask: Any, generator: Any, says: str
) -> None:
    with pytest.raises(BadArgument, match=re.escape(says)) as refused:
        sample(mask, generator)
    assert refused.value.zh != refused.value.en


def test_without_copies_the_same_arrays_are_written_over() -> None:
    envs = CabochonVectorEnv(4, copy=False)
    first, _ = envs.reset(seed=1)
    again, *_ = envs.step(envs.sample_actions())
    assert first is again


def test_the_learner_meets_the_same_game_as_the_kernel_says() -> None:
    envs = CabochonVectorEnv(8, players=3, render_mode="ansi")
    envs.reset(seed=2)
    for _ in range(20):
        envs.step(envs.sample_actions())
    frames = envs.render()
    assert frames is not None
    assert len(frames) == 8
    assert "Nobles" in frames[0]


def test_an_illegal_action_moves_no_game() -> None:
    envs = CabochonVectorEnv(4, opponents="self", illegal="raise")
    envs.reset(seed=1)
    actions = envs.sample_actions()
    actions[2] = 60
    with pytest.raises(IllegalAction) as caught:
        envs.step(actions)
    assert caught.value.code is Refusal.PASS_NOT_FORCED
    assert caught.value.__notes__ == ["in game 2 of 4"]
    actions[2] = envs.sample_actions()[2]
    envs.step(actions)
    assert (envs._games.states["turn"] == 1).all()
    huge: Any = np.array([0, 2**63, 0, 0], np.uint64)
    wrong: Any
    for wrong in (
        actions[:3], actions.astype(float), actions[:, None], actions > 0, huge, actions * 0 - 1,
        5, None, "0000", [0, 0, 0, 10**30], [[0], [0, 1]], [None] * 4,
    ):  # fmt: skip
        with pytest.raises(gymnasium.error.InvalidAction) as refused:
            envs.step(wrong)
        assert isinstance(refused.value, NotAnAction)
    with pytest.raises(NotAnAction, match="9223372036854775808"):
        envs.step(huge)
    assert (envs._games.states["turn"] == 1).all()


def test_stepping_a_finished_game_asks_for_a_reset() -> None:
    envs = CabochonVectorEnv(2, opponents="self", max_turns=1, autoreset_mode="Disabled")
    with pytest.raises(NotReset):
        envs.step(np.zeros(2, np.int64))
    envs.reset(seed=1)
    *_, truncated, _ = envs.step(envs.sample_actions())
    assert truncated.all()
    with pytest.raises(gymnasium.error.ResetNeeded) as caught:
        envs.step(np.zeros(2, np.int64))
    assert isinstance(caught.value, GameEnded)
    envs.reset(options={"reset_mask": np.array([True, True])})
    envs.step(envs.sample_actions())


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"opponents": "nobody"}, "unknown-bot"),
        ({"opponents": {}}, "env-bad-weights"),
        ({"opponents": {"greedy": -1}}, "env-bad-weights"),
        ({"opponents": ("greedy", "greedy")}, "env-bad-number"),
        ({"illegal": "maybe"}, "env-bad-choice"),
        ({"num_envs": 0}, "env-bad-number"),
        ({"num_envs": 10**30}, "env-bad-number"),
        ({"num_envs": "4"}, "env-bad-number"),
        ({"seat": 2}, "env-bad-number"),
        ({"variant": 5}, "env-bad-choice"),
        ({"autoreset_mode": "Sometimes"}, "env-bad-choice"),
        ({"variant": "standard/9"}, "seats-out-of-range"),
        ({"render_mode": "human"}, "env-bad-choice"),
    ],
)
def test_bad_arguments_of_the_vector(said: Any, code: str) -> None:
    with pytest.raises(BadArgument) as caught:
        CabochonVectorEnv(**said)
    assert caught.value.code == code


def test_bad_resets_of_the_vector() -> None:
    envs = CabochonVectorEnv(3)
    for mask in (np.zeros(3, np.bool_), np.ones(2, np.bool_), [True, True, True]):
        with pytest.raises(BadArgument):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(BadArgument):
        envs.reset(seed=[1, 2])
