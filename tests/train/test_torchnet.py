"""A shipped network as a PyTorch module says what play says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from cabochon.bots import Limit
from cabochon.kernel import actions_of
from cabochon.rules import NotAView, Position, Ruleset, ShuffledDealer, View
from cabochon.rules.errors import WrongArgument
from cabochon.search import BadWeights, Searcher, shipped
from cabochon.search.net import random_weights, save_weights
from cabochon.train.torchnet import torch_network

pytestmark = pytest.mark.xdist_group("train")


def views(ruleset: Ruleset, count: int) -> list[View]:
    """What is seen along a game of first legal moves, one after another from both ends."""
    dealer = ShuffledDealer("torch")
    position = Position.start(ruleset, dealer.opening(ruleset))
    found: list[View] = []
    while len(found) < count:
        found.append(position.view(position.seat))
        moves = position.legal_moves()
        position = position.play(moves[-1] if len(found) % 3 else moves[0])
        while position.pending is not None:
            position = position.deal(dealer.deal(position))
    return found


@pytest.mark.parametrize("ruleset", [Ruleset(2), Ruleset(3), Ruleset.preset("teams")], ids=str)
def test_outputs_are_equal_to_those_of_play(ruleset: Ruleset) -> None:
    network = torch_network(ruleset.seats)
    seen = views(ruleset, 24)
    with torch.no_grad():
        policy, shares = network.judge(seen)
    searcher = Searcher(shipped(ruleset.seats))
    for row, view in enumerate(seen):
        found = searcher.analyse(view, Limit(visits=1, seed=0))
        for line in found.lines if view.phase.value == "act" else ():
            action = actions_of(view, line.move)[0]
            # The search mixes 4 % of uniform chance into its priors.
            plain = (line.prior - 0.04 / len(found.lines)) / 0.96
            assert float(policy[row, action]) == pytest.approx(plain, abs=1e-4)
        assert float(policy[row].sum()) == pytest.approx(1, abs=1e-5)
        assert float(shares[row].sum()) == pytest.approx(2 if ruleset.teams else 1, abs=1e-5)


def test_a_file_loads_and_the_module_can_learn(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    save_weights(path, random_weights(3), {"by": "a test"})
    network = torch_network(path)
    assert sum(parameter.numel() for parameter in network.parameters()) > 400_000
    policy, _ = network.judge(views(Ruleset(2), 4))
    (-torch.log(policy[:, 0] + 1e-9).sum()).backward()  # type: ignore[no-untyped-call]
    assert float(network.pool.grad.abs().sum()) > 0  # type: ignore[union-attr]
    again = torch_network(network.weights())
    assert np.allclose(again.judge(views(Ruleset(2), 4))[0].detach(), policy.detach(), atol=1e-6)
    with pytest.raises(BadWeights):
        torch_network(str(tmp_path / "absent.npz"))
    for other in (5, None, True, 2.0):
        with pytest.raises(WrongArgument, match=f"a weight file, not {other}"):
            torch_network(other)  # type: ignore[arg-type]
    position = Position.start(Ruleset(2), ShuffledDealer("").opening(Ruleset(2)))
    with pytest.raises(NotAView):
        network.judge([position])  # type: ignore[list-item]
