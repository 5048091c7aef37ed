"""A search that is told of while it grows."""

from __future__ import annotations

import pytest

import cabochon
from cabochon.limit import Limit
from cabochon.rules import IllegalMove
from cabochon.search import Searcher, shipped_for


def test_a_growing_search_ends_as_one_in_a_single_piece() -> None:
    view = cabochon.Game(seed="grows").view(0)
    net = shipped_for(view.ruleset)
    limit = Limit(visits=1500, seed=3)
    found = list(Searcher(net).growing(view, limit, every=0.005))
    assert len(found) > 2
    assert [a.visits for a in found] == sorted({a.visits for a in found})
    whole = Searcher(net).analyse(view, limit)
    last = found[-1]
    assert (last.lines, last.shares, last.variation, last.visits) == (
        whole.lines,
        whole.shares,
        whole.variation,
        whole.visits,
    )


def test_who_stops_asking_stops_it() -> None:
    view = cabochon.Game(seed="grows").view(0)
    growing = Searcher(shipped_for(view.ruleset)).growing(view, Limit(visits=10**6, seed=1))
    first = next(growing)
    assert first.visits < 10_000


def test_a_search_for_somebody_who_has_nothing_to_decide_is_refused() -> None:
    view = cabochon.Game(seed="grows").view(1)
    with pytest.raises(IllegalMove):
        next(Searcher(shipped_for(view.ruleset)).growing(view))
