"""The loop learns, stops, and goes on; also from the checkpoints that are in this repository."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from cabochon.rules import Ruleset  # noqa: E402
from cabochon.search.net import load_weights, random_weights  # noqa: E402
from cabochon.search.searcher import usual_settings  # noqa: E402
from cabochon.search.simulate import NETWORK, PLAYOUT  # noqa: E402
from cabochon.train.config import (  # noqa: E402
    CONFIGS,
    EVALUATION,
    GENERATION,
    GameMix,
    SelfPlayConfig,
    TrainingConfig,
)
from cabochon.train.evaluation import Contender, MatchRules, Score, play  # noqa: E402
from cabochon.train.loop import (  # noqa: E402
    TrainingLoop,
    minutes_trained,
    read_log,
)
from cabochon.train.plot import curve  # noqa: E402
from tests.train.small import MIXES, some_samples  # noqa: E402

pytestmark = pytest.mark.xdist_group("train")
TRAINING = Path(__file__).resolve().parents[2] / "training"


def test_loop_stops_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cabochon.train.loop.FIRST_POSITIONS", 600)
    monkeypatch.setattr("cabochon.train.loop.CHUNK_GAMES", 2)
    monkeypatch.setattr("cabochon.train.loop.GATE_GAMES", 2)
    monkeypatch.setattr("cabochon.train.loop.PLAYOUT_GAMES", 2)
    monkeypatch.setattr("cabochon.train.loop.PLAYOUT_VISITS", 8)
    monkeypatch.setattr("cabochon.train.loop.GATE_VISITS", 4)
    recipe = SelfPlayConfig(full_visits=8, quick_visits=2)
    config = TrainingConfig(
        2, GameMix(2, quick=1.0), recipe, window_most=4000, generation=700, evaluate_every=1
    )
    loop = TrainingLoop(
        config, tmp_path, lambda kind, _: loop.stop.set() if kind == EVALUATION else None
    )
    loop.run(minutes=5)
    again = TrainingLoop(config, tmp_path)
    assert again.games == loop.games > 0
    assert again.learner.steps == loop.learner.steps > 0
    assert len(again.replay) == len(loop.replay)
    for one, two in zip(again.learner.weights(), loop.learner.weights(), strict=True):
        np.testing.assert_allclose(one, two, rtol=2e-3, atol=1e-4)
    lines = [json.loads(line) for line in (again.folder / "log.jsonl").read_text().splitlines()]
    assert {line["kind"] for line in lines} == {GENERATION, EVALUATION}
    assert all(0 < line["core_minutes"] <= again.core_minutes for line in lines)
    assert again.core_minutes == pytest.approx(loop.core_minutes, abs=0.006)
    load_weights(again.folder / "best.npz")


def test_equal_players_share_equally() -> None:
    one = Contender.as_in_play(random_weights(1, 0.03), 4, Ruleset(2))
    score = play(one, one, 40, seed=2, rules=MatchRules(2, 10, 3))
    assert score.games == 40
    assert 0.2 < score.share < 0.8


def test_window_counts_earlier_runs() -> None:
    config = TrainingConfig(
        2, GameMix(2), SelfPlayConfig(), window_least=60, window_most=600, reuse=7.0
    )
    assert [config.window(7 * positions) for positions in (0, 1000, 10_000)] == [60, 200, 600]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_evaluations_weigh_as_play_does(
    seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[Contender] = []

    def watched(one: Contender, other: Contender, *_: object) -> Score:
        met.extend((one, other))
        return Score(1.0, 0.0, 1)

    monkeypatch.setattr("cabochon.train.loop.play", watched)
    monkeypatch.setattr("cabochon.train.loop.sample_game", lambda *_: "")
    loop = TrainingLoop(TrainingConfig(seats, GameMix(seats), SelfPlayConfig()), tmp_path)
    loop.evaluate()
    loop.evaluate()
    ruleset = Ruleset(seats)
    shipped, playouts = [False, False], [False, True]
    best = [False, False]  # from the second evaluation on
    met_playouts = [one.weights is None for one in met]
    assert met_playouts == shipped + playouts + best + shipped + playouts
    for contender in met:
        judge = PLAYOUT if contender.weights is None else NETWORK
        assert contender.settings == usual_settings(ruleset, judge)


@pytest.mark.parametrize("players", CONFIGS)
def test_training_goes_on_from_what_lies_in_the_repository(players: int, tmp_path: Path) -> None:
    """Checkpoints and logs are promises: hours of training hang on them."""
    config = CONFIGS[players]
    kept = config.folder(TRAINING)
    shutil.copytree(kept, config.folder(tmp_path))
    loop = TrainingLoop(config, tmp_path)
    log = read_log(tmp_path, config)
    with np.load(kept / "checkpoint.npz") as archive:
        about = json.loads(str(archive["header"]))
    assert (loop.games, loop.generation) == (about["games"], about["generation"])
    assert (loop.minutes, loop.learner.steps) == (about["minutes"], about["steps"])
    assert minutes_trained(tmp_path, config) == log[-1]["minutes"]
    assert len(curve(log)) == sum(line["kind"] == "exam" for line in log) > 10
    samples = some_samples(MIXES[players - 2])
    before = loop.learner.test(samples)
    loop.learner.step(samples, np.arange(len(samples.full)), 1e-5, 0.3)
    assert loop.learner.test(samples)[1] == pytest.approx(before[1], abs=0.01)
    assert loop.learner.steps > 20_000
