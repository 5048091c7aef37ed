"""The model in PyTorch equals what is played, and learns."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from cabochon.kernel.cache import compiled  # noqa: E402
from cabochon.kernel.layout import States  # noqa: E402
from cabochon.kernel.legal import legal_mask  # noqa: E402
from cabochon.rules import Ruleset  # noqa: E402
from cabochon.search.forward import Scratch, evaluate, new_scratch  # noqa: E402
from cabochon.search.net import Weights, random_weights  # noqa: E402
from cabochon.train.config import GameMix  # noqa: E402
from cabochon.train.evaluation import Contender, MatchRules, play  # noqa: E402
from cabochon.train.learner import Learner  # noqa: E402
from cabochon.train.model import Model, for_more_players, losses  # noqa: E402
from cabochon.train.samples import fill_batch, new_batch  # noqa: E402
from tests.train.small import MIXES, some_samples  # noqa: E402

pytestmark = pytest.mark.xdist_group("train")


@compiled
def _evaluate(states: States, index: int, net: Weights, scratch: Scratch) -> None:
    evaluate(states[index], legal_mask(states[index]), net, scratch)


@pytest.mark.parametrize("mix", MIXES)
def test_model_equals_what_is_played(mix: GameMix) -> None:
    samples, model, scratch = some_samples(mix), Model(), new_scratch()
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


def test_gradients_are_right() -> None:
    samples, model = some_samples(MIXES[0], 1), Model(dropout=0.0)
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
    samples, learner = some_samples(MIXES[0]), Learner(1)
    which = np.arange(min(256, len(samples.full)))
    first = learner.step(samples, which, 2e-3, 0.3)
    for _ in range(40):
        last = learner.step(samples, which, 2e-3, 0.3)
    assert last[0] < 0.8 * first[0]
    assert last[1] < first[1]


@pytest.mark.parametrize("seats", [3, 4])
def test_more_players_start_from_two(seats: int) -> None:
    weights = for_more_players(random_weights(4), seats)
    assert all(np.isfinite(array).all() for array in weights)
    one = Contender.as_in_play(weights, 2, Ruleset(seats))
    assert play(one, one, seats, 1, MatchRules(seats)).games == seats
