"""Training in small: the model equals what is played, a loop learns, stops, goes on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from cabochon.kernel.cache import compiled  # noqa: E402
from cabochon.kernel.layout import States, new_states  # noqa: E402
from cabochon.kernel.opening import new_game_unchecked  # noqa: E402
from cabochon.rules import Ruleset  # noqa: E402
from cabochon.search.forward import Scratch, evaluate, new_scratch  # noqa: E402
from cabochon.search.net import Weights, load_weights, random_weights, zero_weights  # noqa: E402
from cabochon.search.searcher import usual_settings  # noqa: E402
from cabochon.search.simulate import NETWORK, PLAYOUT, Settings  # noqa: E402
from cabochon.train.batch import fill_batch, new_batch  # noqa: E402
from cabochon.train.course import Course  # noqa: E402
from cabochon.train.exam import Contender, Score, play  # noqa: E402
from cabochon.train.learner import Learner  # noqa: E402
from cabochon.train.loop import Loop  # noqa: E402
from cabochon.train.match import Rules  # noqa: E402
from cabochon.train.model import Model, losses  # noqa: E402
from cabochon.train.plot import curve, draw, elo_axis  # noqa: E402
from cabochon.train.sample import Samples, new_samples  # noqa: E402
from cabochon.train.selfplay import (  # noqa: E402
    Mix,
    Recipe,
    _weighing,
    new_bench,
    play_games,
)
from cabochon.train.transfer import for_more_players  # noqa: E402

pytestmark = pytest.mark.xdist_group("train")
"""In one process: the first of them compiles."""

MIXES = (Mix(2, quick=0.5), Mix(3), Mix(4, quick=0.3, teams=0.5))


@compiled
def _evaluate(states: States, index: int, net: Weights, scratch: Scratch) -> None:
    evaluate(states[index], net, scratch)


def _samples(mix: Mix, games: int = 2) -> Samples:
    samples = new_samples(4000)
    bench = new_bench(100)
    recipe = Recipe(full_visits=16, quick_visits=4)
    settings = Settings(PLAYOUT)
    count = play_games(bench, zero_weights(), settings, recipe, mix, np.uint64(9), games, samples)
    assert bench.tally[0] == games
    return samples.rows(slice(0, int(count)))


@pytest.mark.parametrize("mix", MIXES)
def test_model_equals_what_is_played(mix: Mix) -> None:
    samples, model, scratch = _samples(mix), Model(), new_scratch()
    count = min(64, len(samples.full))
    batch = new_batch(count)
    fill_batch(samples, np.arange(count), 0.0, batch)
    model.eval()
    logits, value, _ = model(batch)
    for row in range(count):
        _evaluate(samples.states, row, model.weights(), scratch)
        legal = batch.legal[row]
        expected = logits[row].detach().numpy()[legal]
        np.testing.assert_allclose(scratch.logits[legal], expected, atol=1e-4)
        seat = int(samples.states[row]["seat"])
        mine = float(torch.softmax(value[row].detach(), 0)[0])
        assert scratch.shares[seat] == pytest.approx(mine, abs=1e-4)


@pytest.mark.parametrize("mix", MIXES)
def test_samples_are_sound(mix: Mix) -> None:
    samples = _samples(mix)
    batch = new_batch(len(samples.full))
    fill_batch(samples, np.arange(len(samples.full)), 0.3, batch)
    full = batch.policy_weight > 0
    assert full.any()
    np.testing.assert_allclose(batch.policy[full].sum(1), 1, atol=1e-3)
    assert not (batch.policy[full] * ~batch.legal[full]).any()
    np.testing.assert_allclose(batch.value.sum(1), 1, atol=1e-3)
    assert (batch.legal.sum(1) > 1).all()


def test_gradients_are_right() -> None:
    samples, model = _samples(MIXES[0], 1), Model(dropout=0.0)
    batch = new_batch(8)
    fill_batch(samples, np.arange(8), 0.0, batch)

    def loss() -> Tensor:
        policy, value, extra = losses(model, batch)
        return policy + value + extra.sum()

    loss().backward()  # type: ignore[no-untyped-call]
    for name, place in (("card", (int(batch.cards[0, 0, 0]), 3)), ("pool", (5, 7))):
        parameter = getattr(model, name)
        slope = float(parameter.grad[place])
        with torch.no_grad():
            parameter[place] += 1e-2
            above = float(loss().detach())
            parameter[place] -= 2e-2
            below = float(loss().detach())
            parameter[place] += 1e-2
        assert slope == pytest.approx((above - below) / 2e-2, abs=2e-3, rel=0.1)


def test_learns_a_few_positions() -> None:
    samples, learner = _samples(MIXES[0]), Learner(1)
    which = np.arange(min(256, len(samples.full)))
    first = learner.step(samples, which, 2e-3, 0.3)
    for _ in range(40):
        last = learner.step(samples, which, 2e-3, 0.3)
    assert last[0] < 0.8 * first[0]
    assert last[1] < first[1]


def test_loop_stops_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cabochon.train.loop.FIRST_POSITIONS", 600)
    monkeypatch.setattr("cabochon.train.loop.CHUNK_GAMES", 2)
    monkeypatch.setattr("cabochon.train.loop.EXAM_GAMES", 2)
    monkeypatch.setattr("cabochon.train.loop.LADDER_GAMES", 2)
    monkeypatch.setattr("cabochon.train.loop.LADDER_VISITS", 8)
    monkeypatch.setattr("cabochon.train.loop.EXAM_VISITS", 4)
    recipe = Recipe(full_visits=8, quick_visits=2)
    course = Course(2, Mix(2, quick=1.0), recipe, window_most=4000, generation=700, exam_every=1)
    loop = Loop(course, tmp_path, lambda kind, _: loop.stop.set() if kind == "exam" else None)
    loop.run(minutes=5)
    again = Loop(course, tmp_path)
    assert again.games == loop.games > 0
    assert again.learner.steps == loop.learner.steps > 0
    assert len(again.replay) == len(loop.replay)
    for one, two in zip(again.learner.weights(), loop.learner.weights(), strict=True):
        np.testing.assert_allclose(one, two, rtol=2e-3, atol=1e-4)
    lines = [json.loads(line) for line in (again.folder / "log.jsonl").read_text().splitlines()]
    assert {line["kind"] for line in lines} == {"generation", "exam"}
    assert all(0 < line["core_minutes"] <= again.core_minutes for line in lines)
    assert again.core_minutes == pytest.approx(loop.core_minutes, abs=0.006)
    load_weights(again.folder / "best.npz")


def test_equal_players_share_equally() -> None:
    one = Contender.as_in_play(random_weights(1, 0.03), 4, Ruleset(2))
    score = play(one, one, 40, seed=2, rules=Rules(2, 10, 3))
    assert score.games == 40
    assert 0.2 < score.share < 0.8


@pytest.mark.parametrize("seats", [3, 4])
def test_more_players_start_from_two(seats: int) -> None:
    weights = for_more_players(random_weights(4), seats)
    assert all(np.isfinite(array).all() for array in weights)
    one = Contender.as_in_play(weights, 2, Ruleset(seats))
    assert play(one, one, seats, 1, Rules(seats)).games == seats


def test_plot() -> None:
    points = curve([{"kind": "exam", "games": 1500, "against_playouts": 0.4}, {"kind": "x"}])
    picture = draw({"2 players": points}, "Strength", "minutes")
    assert points == [(1.5, 0.4)]
    assert picture.startswith("<svg")
    assert "2 players" in picture


def test_plot_of_elo() -> None:
    axis = elo_axis(-20.0, 130.0)
    assert (axis.low, axis.high) == (-100.0, 200.0)
    picture = draw({"3 players": [(0.0, -100.0), (8.0, 200.0)]}, "Strength", "games", axis)
    assert [text for _, text in axis.marks] == ["-100", "+0", "+100", "+200"]
    assert all(f">{text}</text>" in picture for _, text in axis.marks)
    assert 'points="56.0,316.0 704.0,40.0"' in picture  # from corner to corner


def test_window_counts_earlier_sittings() -> None:
    course = Course(2, Mix(2), Recipe(), window_least=60, window_most=600, reuse=7.0)
    assert [course.window(7 * positions) for positions in (0, 1000, 10_000)] == [60, 200, 600]


@pytest.mark.parametrize(
    ("seats", "teams", "exploration"), [(2, False, 1.0), (3, False, 0.6), (4, True, 1.0)]
)
def test_self_play_explores_less_among_three_parties(
    seats: int, teams: bool, exploration: float
) -> None:
    states, given = new_states(1), Settings(exploration=1.0, uniform=0.1)
    new_game_unchecked(states[0], np.uint64(1), seats, 15, 4, teams, True)
    weighing = _weighing(states[0], given, Recipe(crowded=0.6))
    assert weighing == given._replace(exploration=exploration)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_exams_weigh_as_play_does(
    seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[Contender] = []

    def watched(one: Contender, other: Contender, *_: object) -> Score:
        met.extend((one, other))
        return Score(1.0, 0.0, 1)

    monkeypatch.setattr("cabochon.train.loop.play", watched)
    monkeypatch.setattr("cabochon.train.loop.glimpse", lambda *_: "")
    loop = Loop(Course(seats, Mix(seats), Recipe()), tmp_path)
    loop.examine()
    loop.examine()
    ruleset = Ruleset(seats)
    shipped, playouts = [False, False], [False, True]
    best = [False, False]  # from the second exam on
    met_playouts = [one.weights is None for one in met]
    assert met_playouts == shipped + playouts + best + shipped + playouts
    for contender in met:
        judge = PLAYOUT if contender.weights is None else NETWORK
        assert contender.settings == usual_settings(ruleset, judge)
