"""Self-play: sound positions, named statistics, files that workers leave behind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import States, new_states
from cabochon.kernel.opening import new_game_unchecked
from cabochon.search.simulate import SearchSettings
from cabochon.train.config import GameMix, SelfPlayConfig
from cabochon.train.samples import ReplayBuffer, fill_batch, new_batch
from cabochon.train.selfplay import STATISTICS, _weighing, add_statistics, new_statistics
from cabochon.train.selfplayworker import incoming, take_files, write_file
from tests.train.small import MIXES, play_some, some_samples

pytestmark = pytest.mark.xdist_group("train")
"""In one process: the first of them compiles."""


@pytest.mark.parametrize("mix", MIXES)
def test_samples_are_sound(mix: GameMix) -> None:
    samples = some_samples(mix)
    batch = new_batch(len(samples.full))
    fill_batch(samples, np.arange(len(samples.full)), 0.3, batch)
    full = batch.policy_weight > 0
    assert full.any()
    np.testing.assert_allclose(batch.policy[full].sum(1), 1, atol=1e-3)
    assert not (batch.policy[full] * ~batch.legal[full]).any()
    np.testing.assert_allclose(batch.value.sum(1), 1, atol=1e-3)
    assert (batch.legal.sum(1) > 1).all()


@pytest.mark.parametrize("mix", MIXES)
def test_statistics_count_the_games_of_one_call(mix: GameMix) -> None:
    samples, buffers = play_some(mix, games=3)
    totals = buffers.statistics[0]
    assert totals["games"] == 3
    assert totals["searches"] <= totals["decisions"]
    assert totals["searches"] >= len(samples.full)
    assert 3 * 10 <= totals["winner_points"] <= 3 * 30
    assert 0 <= totals["first_seat_share"] <= 3
    assert 0 < totals["reservations"] <= totals["searches"]
    again = play_some(mix, games=3)[1]
    assert again.statistics == buffers.statistics  # from zero, not on top of the last call


def test_statistics_of_several_calls_add_up() -> None:
    total, part = new_statistics(), new_statistics()
    names = STATISTICS.names or ()
    for place, name in enumerate(names):
        part[name] = place + 0.5
    add_statistics(total, part)
    add_statistics(total, part)
    assert [total[name].item() for name in names] == [2 * place + 1 for place in range(len(names))]


def test_files_of_workers_come_back_as_they_were(tmp_path: Path) -> None:
    samples, buffers = play_some(MIXES[0], games=1)
    incoming(tmp_path).mkdir()
    write_file(incoming(tmp_path) / "1.npz", samples, buffers.statistics)
    ((read, statistics),) = take_files(tmp_path)
    assert statistics == buffers.statistics
    assert all(np.array_equal(read[n], samples[n]) for n in range(len(samples)))
    assert take_files(tmp_path) == []


def test_files_of_workers_from_before_named_statistics_are_read(tmp_path: Path) -> None:
    """They had sixteen numbers, of which two were no statistics at all."""
    samples = some_samples(MIXES[0], games=1)
    tally = np.array([40, 900, 21, 1100, 620, 0, 5, 300, 880, 0.7, 3, 4, 9, 0, 0, 0], np.float64)
    incoming(tmp_path).mkdir()
    np.savez(incoming(tmp_path) / "1.npz", tally=tally, **samples.to_arrays())  # type: ignore[arg-type]
    ((_, statistics),) = take_files(tmp_path)
    named = {name: statistics[name].item() for name in STATISTICS.names or ()}
    assert named == {
        "games": 40,
        "decisions": 900,
        "searches": 880,
        "first_seat_share": 21,
        "rounds": 1100,
        "winner_points": 620,
        "quick_games": 5,
        "reservations": 300,
        "shy_share": 4,
        "shy_seats": 9,
    }


def test_a_saved_replay_buffer_goes_on_where_it_was(tmp_path: Path) -> None:
    samples = some_samples(MIXES[0])
    count = len(samples.full)
    buffer, again = ReplayBuffer(count - 5), ReplayBuffer(count - 5)
    buffer.add(samples.rows(slice(0, 20)))
    buffer.add(samples.rows(slice(20, None)))  # the oldest five give way
    buffer.save(tmp_path / "replay.npz")
    again.load(tmp_path / "replay.npz")
    again.load(tmp_path / "nothing.npz")
    assert len(again) == len(buffer) == count - 5
    assert np.array_equal(again.samples.states, samples.states[5:])
    drawn = again.draw(np.random.default_rng(1), 200, window=10)
    assert set(drawn) <= set(range(count - 15, count - 5))


@compiled
def _weighing_at(
    states: States, seats: int, teams: bool, given: SearchSettings, config: SelfPlayConfig
) -> SearchSettings:
    new_game_unchecked(states[0], np.uint64(1), seats, 15, 4, teams, True)
    return _weighing(states[0], given, config)


@pytest.mark.parametrize(
    ("seats", "teams", "exploration"), [(2, False, 1.0), (3, False, 0.6), (4, True, 1.0)]
)
def test_self_play_explores_less_among_three_parties(
    seats: int, teams: bool, exploration: float
) -> None:
    given = SearchSettings(exploration=1.0, uniform=0.1)
    weighing = _weighing_at(new_states(1), seats, teams, given, SelfPlayConfig(crowded=0.6))
    assert weighing == given._replace(exploration=exploration)
