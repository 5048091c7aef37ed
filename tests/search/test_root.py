"""Which move a search plays: a high value that was tried often enough to be believed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.kernel.actions import actions_of
from cabochon.rules import Phase
from cabochon.search import Limit, Searcher
from cabochon.search.net import random_weights
from cabochon.search.root import best_edge, most_visited, sure_value
from cabochon.search.simulate import SearchSettings, pull_of
from cabochon.search.tree import Tree, new_tree
from tests.search.games import RULESETS, random_positions

EDGES = st.lists(
    st.tuples(st.integers(0, 3000), st.floats(0, 1, width=32)), min_size=1, max_size=12
)


def _tree(edges: list[tuple[int, float]]) -> Tree:
    tree = new_tree(1)
    tree.nodes[0]["count"] = len(edges)
    for action, (visits, value) in enumerate(edges):
        edge = tree.edges[action]
        edge["action"], edge["visits"], edge["total"] = action, visits, visits * np.float32(value)
    return tree


@pytest.mark.parametrize(("visits", "played"), [(9, 0), (40, 0), (400, 1), (2000, 1)])
def test_a_better_move_must_have_been_tried_enough(visits: int, played: int) -> None:
    tree = _tree([(1000, 0.50), (visits, 0.55)])
    assert best_edge(tree, SearchSettings().caution) == played


@given(EDGES)
def test_endless_caution_counts_visits(edges: list[tuple[int, float]]) -> None:
    tree = _tree(edges)
    best = best_edge(tree, 1e9)
    assert tree.edges[best]["visits"] == tree.edges[most_visited(tree)]["visits"]


@given(EDGES, st.floats(0, 3))
def test_nothing_is_surer_than_the_best(edges: list[tuple[int, float]], caution: float) -> None:
    tree = _tree(edges)
    best = tree.edges[best_edge(tree, caution)]
    surest = max(sure_value(float(e["total"]), int(e["visits"]), caution) for e in tree.edges)
    assert sure_value(float(best["total"]), int(best["visits"]), caution) == surest


def test_the_first_line_is_the_edge_to_play() -> None:
    searcher = Searcher(random_weights(2, 0.1))
    compared = 0
    for position in list(random_positions(RULESETS[0], 6))[::5]:
        view = position.view(position.seat)
        if view.phase is Phase.RETURN or len(view.legal_moves()) == 1:
            continue
        analysis = searcher.analyse(view, Limit(visits=150, seed=1))
        tree = searcher._trees[0]
        action = int(tree.edges[best_edge(tree, SearchSettings().caution)]["action"])
        assert actions_of(view, analysis.best) == (action,)
        compared += 1
    assert compared > 10


def test_exploration_grows_faster_than_the_root_of_visits() -> None:
    few, many = (float(pull_of(n, SearchSettings())) / n**0.5 for n in (64, 8000))
    assert few == pytest.approx(SearchSettings().exploration, rel=0.05)
    assert many > 1.5 * few
    flat = SearchSettings(growth=0.0)
    assert float(pull_of(8000, flat)) == pytest.approx(flat.exploration * 8000**0.5, rel=1e-5)
