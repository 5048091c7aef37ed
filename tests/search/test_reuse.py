"""What is kept of the last tree: a sound tree about the position at hand."""

from __future__ import annotations

import numpy as np
import pytest

from cabochon.rules import Position, Ruleset, ShuffledDealer
from cabochon.rules.perft import dealt
from cabochon.search import Limit, Searcher, SearchSettings
from cabochon.search.net import random_weights
from cabochon.search.tree import NO_CHILD, Tree
from tests.search.games import RULESETS


def _check(tree: Tree) -> None:
    """Every node is reached once, and its visits are those of its edges and its own."""
    used = int(tree.used[0])
    reached = np.zeros(used, np.int64)
    reached[0] = 1
    for index in range(used):
        node = tree.nodes[index]
        edges = tree.edges[int(node["first"]) : int(node["first"] + node["count"])]
        assert node["visits"] == 1 + edges["visits"].sum()
        for edge in edges:
            child = int(edge["child"])
            while child != NO_CHILD:
                reached[child] += 1
                child = int(tree.nodes[child]["next"])
    assert (reached == 1).all()


@pytest.mark.parametrize("ruleset", RULESETS[:3], ids=str)
def test_kept_trees_are_sound(ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cabochon.search.searcher.LEAST_KEPT", 2)
    net, settings = random_weights(5, 0.15), SearchSettings(keyed=8)
    bots = [Searcher(net, settings=settings, reuse=True) for _ in range(ruleset.seats)]
    dealer = ShuffledDealer("reuse")
    position = Position.start(ruleset, dealer.opening(ruleset))
    kept = 0
    for _ in range(60):
        if position.outcome() is not None:
            break
        searcher = bots[position.seat]
        analysis = searcher.analyse(position.view(position.seat), Limit(visits=300))
        assert position.is_legal(analysis.best)
        assert sum(analysis.shares) == pytest.approx(1, abs=1e-3)
        tree = searcher._trees[0]
        _check(tree)
        kept += tree.used[2] < analysis.visits
        if len(position.legal_moves()) > 1:
            assert analysis.visits >= 300
        position = dealt(position.play(analysis.best), dealer)
    assert kept > 0


def test_a_seed_means_no_memory() -> None:
    dealer = ShuffledDealer("seed")
    position = Position.start(RULESETS[0], dealer.opening(RULESETS[0]))
    searcher = Searcher(None, reuse=True)
    first = searcher.analyse(position.view(0), Limit(visits=100, seed=1))
    again = searcher.analyse(position.view(0), Limit(visits=100, seed=1))
    assert first.lines == again.lines
    assert again.visits == 101
