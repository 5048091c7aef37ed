"""Many games at once: the same games as one by one, refusals before anything moves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from cabochon.kernel import (
    OBSERVATION_SIZE,
    SKIP,
    Autoreset,
    Batch,
    KernelError,
    KernelFault,
    action_mask,
    legal_actions,
    new_states,
    observation,
    outcome,
    packed,
    step,
    unpack,
)
from cabochon.rules import IllegalMove, Refusal, Ruleset
from tests.arrange import arrange, hand
from tests.games import RULESETS


def _play(batch: Batch, steps: int, seed: int = 1) -> None:
    for turn in range(steps):
        batch.step(batch.sample_actions(seed * 1000 + turn))


def _assert_published(batch: Batch) -> None:
    """The buffers show what the checked door says of every game."""
    states = batch.states()
    for index in range(batch.count):
        seat = int(states["seat"][index])
        assert batch.seats[index] == seat
        assert np.array_equal(batch.observations[index], observation(states, index, seat))
        assert np.array_equal(batch.masks[index], action_mask(states, index))


def test_it_plays_the_games_that_single_steps_play() -> None:
    batch = Batch(RULESETS, seed=3)
    single = batch.states()
    over = np.zeros(batch.count, bool)
    for turn in range(150):
        actions = batch.sample_actions(turn)
        batch.step(actions)
        for index, action in enumerate(actions):
            if action != SKIP:
                assert action in legal_actions(single, index)
                step(single, index, int(action))
        assert single.tobytes() == batch.states().tobytes()
        ended = batch.done & ~over
        for over_now in np.flatnonzero(ended):
            result = outcome(single, int(over_now))
            assert result is not None
            won = np.array([seat in result.winners for seat in range(4)])
            assert np.array_equal(batch.rewards[over_now] > 0, won)
        assert not batch.rewards[~ended].any()
        over |= batch.done
    _assert_published(batch)
    assert over.any()
    assert not over.all()


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads() -> None:
    batches = [Batch(Ruleset(seats=3), 37, seed=9, threads=n) for n in (1, 2, 5)]
    for batch in batches:
        _play(batch, 60)
    first = batches[0]
    for other in batches[1:]:
        assert np.array_equal(first.observations, other.observations)
        assert first.states().tobytes() == other.states().tobytes()
        other.close()
    assert first.states().tobytes() != Batch(Ruleset(seats=3), 37, seed=10).states().tobytes()


def _finish(batch: Batch) -> npt.NDArray[np.bool_]:
    """Step until some game ends; which."""
    for turn in range(2000):
        batch.step(batch.sample_actions(turn))
        if batch.done.any():
            return batch.done.copy()
    raise AssertionError("no game ended")


def test_never_a_finished_game_waits_for_reset() -> None:
    batch = Batch(Ruleset.preset("quick", 2), 8, seed=1)
    ended = _finish(batch)
    index = int(np.flatnonzero(ended)[0])
    assert not batch.masks[index].any()
    actions = batch.sample_actions(1)
    assert actions[index] == SKIP
    before = batch.states().tobytes()
    actions[index] = 0
    with pytest.raises(IllegalMove) as caught:
        batch.step(actions)
    assert caught.value.code is Refusal.GAME_OVER
    assert f"in game {index} of the batch" in caught.value.__notes__
    assert batch.states().tobytes() == before
    actions[index] = SKIP
    batch.step(actions)
    assert batch.done[index]
    assert not batch.rewards[index].any()
    batch.reset(batch.done)
    assert not batch.done.any()
    assert batch.states()["turn"][index] == 0
    _assert_published(batch)


def test_next_step_deals_anew_and_ignores_the_action() -> None:
    batch = Batch(Ruleset.preset("quick", 2), 8, seed=1, autoreset=Autoreset.NEXT_STEP)
    ended = _finish(batch)
    index = int(np.flatnonzero(ended)[0])
    assert batch.rewards[index].sum() > 0
    actions = batch.sample_actions(1)
    actions[index] = 12345
    batch.step(actions)
    assert not batch.done[index]
    assert batch.states()["turn"][index] == 0
    _assert_published(batch)


def test_same_step_keeps_the_last_observation() -> None:
    batch = Batch(Ruleset.preset("quick", 2), 8, seed=1, autoreset=Autoreset.SAME_STEP)
    twin = Batch(Ruleset.preset("quick", 2), 8, seed=1)
    for turn in range(2000):
        actions = batch.sample_actions(turn)
        batch.step(actions)
        twin.step(actions)
        if batch.done.any():
            break
    for index in np.flatnonzero(batch.done):
        assert np.array_equal(batch.final_observations[index], twin.observations[index])
        assert np.array_equal(batch.rewards[index], twin.rewards[index])
        assert batch.rewards[index].sum() > 0
        assert batch.states()["turn"][index] == 0
    _assert_published(batch)


def test_a_reset_of_some_leaves_the_others() -> None:
    batch = Batch(Ruleset(), 6, seed=2)
    _play(batch, 10)
    before = batch.states()
    which = np.array([True, False, False, True, False, False])
    batch.reset(which, seed=5)
    after = batch.states()
    assert np.array_equal(before[~which], after[~which])
    assert not after["turn"][which].any()
    again = Batch(Ruleset(), 6, seed=5).states()
    assert np.array_equal(again[which], after[which])


def test_an_illegal_action_moves_nothing_and_names_the_game() -> None:
    batch = Batch(Ruleset(), 4, seed=2)
    before = batch.states().tobytes(), batch.observations.tobytes()
    for action, code in ((60, Refusal.PASS_NOT_FORCED), (72, Refusal.UNKNOWN_MOVE)):
        with pytest.raises(IllegalMove) as caught:
            batch.step([0, 0, action, 0])
        assert caught.value.code is code
        assert caught.value.__notes__ == ["in game 2 of the batch"]
        assert (batch.states().tobytes(), batch.observations.tobytes()) == before


@pytest.mark.parametrize("action", [-2, -3, -(2**63), 2**63 - 1])
def test_no_number_outside_the_table_slips_through(action: int) -> None:
    batch = Batch(Ruleset(), 2, seed=2)
    with pytest.raises(IllegalMove) as caught:
        batch.step(np.array([0, action]))
    assert caught.value.code is Refusal.UNKNOWN_MOVE


@pytest.mark.parametrize(
    "actions",
    [[0], [[0, 0]], [0.0, 0.0], [True, False], ["0", "0"], [], None],
    ids=["short", "two axes", "floats", "bools", "texts", "empty", "nothing"],
)
def test_actions_of_another_shape_or_kind(actions: object) -> None:
    batch = Batch(Ruleset(), 2, seed=2)
    with pytest.raises(KernelError) as caught:
        batch.step(actions)  # type: ignore[arg-type]
    assert caught.value.code is KernelFault.BAD_BUFFER


def test_buffers_of_ones_own() -> None:
    seen = np.full((3, OBSERVATION_SIZE), -1, np.float32)
    masks = np.zeros((3, 72), np.bool_)
    batch = Batch(Ruleset(), 3, seed=1, observations=seen, masks=masks)
    assert batch.observations is seen
    assert (seen >= 0).all()
    assert masks.sum(axis=1).tolist() == [30, 30, 30]


@pytest.mark.parametrize(
    "wrong",
    [
        {"observations": np.zeros((3, 399), np.float32)},
        {"observations": np.zeros((2, 400), np.float32)},
        {"observations": np.zeros((3, 400), np.float64)},
        {"observations": np.zeros((400, 3), np.float32).T},
        {"observations": [0.0]},
        {"masks": np.zeros((3, 71), np.bool_)},
        {"masks": np.zeros((3, 72), np.uint8)},
        {"masks": np.zeros(217, np.bool_)[1:].reshape(3, 72)},
    ],
    ids=["short", "few", "double", "turned", "list", "short mask", "bytes", "unaligned"],
)
def test_a_buffer_that_does_not_fit(wrong: dict[str, npt.NDArray[np.generic]]) -> None:
    with pytest.raises(KernelError) as caught:
        Batch(Ruleset(), 3, seed=1, **wrong)  # type: ignore[arg-type]
    assert caught.value.code is KernelFault.BAD_BUFFER
    assert caught.value.zh


@pytest.mark.parametrize("count", [0, -3, 2**30])
def test_a_number_of_games_that_makes_no_sense(count: int) -> None:
    with pytest.raises(KernelError) as caught:
        Batch(Ruleset(), count)
    assert caught.value.code is KernelFault.BAD_COUNT
    with pytest.raises(KernelError):
        Batch([Ruleset()] * 2, 3)
    with pytest.raises(KernelError):
        Batch(Ruleset(), 2, threads=0)


def test_which_must_be_bools_of_the_right_length() -> None:
    batch = Batch(Ruleset(), 2)
    for which in ([True], [0, 1], [[True, True]]):
        with pytest.raises(KernelError):
            batch.reset(which)


def test_loading_checks_every_record() -> None:
    batch = Batch(Ruleset(), 2, seed=1)
    position = arrange("quick/3", hands=[hand("w")], turn=3)
    states = new_states(2)
    states[:] = packed(position)[0]
    batch.load(states)
    assert batch.position(1) == position
    _assert_published(batch)
    states["bank"][1] += np.uint64(1)
    with pytest.raises(KernelError) as caught:
        batch.load(states)
    assert caught.value.code is KernelFault.CORRUPT_RECORD
    with pytest.raises(KernelError):
        batch.load(states[:1])


def test_a_loaded_game_that_is_over_is_shown_as_over() -> None:
    batch = Batch(Ruleset.preset("quick", 2), 4, seed=1)
    _finish(batch)
    rewards, states = batch.rewards.copy(), batch.states()
    other = Batch(Ruleset(), 4, seed=8)
    other.load(states)
    assert np.array_equal(other.done, batch.done)
    assert np.array_equal(other.rewards, rewards)
    assert unpack(states, 0) == other.position(0)


def test_all_numbers_of_players_in_one_batch() -> None:
    batch = Batch([Ruleset(seats=n) for n in (2, 3, 4)], seed=1)
    _play(batch, 9)
    players = batch.observations[:, 391:394]
    assert players.argmax(axis=1).tolist() == [0, 1, 2]
