"""The searcher: from a view and a limit to an analysis."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from cabochon.kernel.bits import stream_seed
from cabochon.kernel.layout import new_states
from cabochon.kernel.packing import pack
from cabochon.limit import NO_LIMIT, Limit, checked_limit
from cabochon.rules import Facts, Phase, Ruleset, View
from cabochon.rules.ending import outcome_of
from cabochon.rules.view import choices, only_view
from cabochon.search.analysis import Analysis, lines_of, variation_of
from cabochon.search.forward import new_scratch
from cabochon.search.net import BadWeights, Weights, WeightsFault, load_weights, zero_weights
from cabochon.search.reuse import follow, transplant
from cabochon.search.simulate import NETWORK, PLAYOUT, SearchBuffers, SearchSettings, clear, grow
from cabochon.search.tree import NO_CHILD, new_tree

WEIGHTS = Path(__file__).parent / "weights"
DEFAULT_VISITS = 800
MOST_NODES = 400_000
LEAST_KEPT = 24
"""A node with fewer visits isn't worth keeping."""
CROWDED_EXPLORATION = 0.45
"""Of a network with three or four parties: shares differ less from move to move than with two."""
_CHUNK_SECONDS = 0.004
_FIRST_PIECE = 200
"""Visits before a growing search first yields an analysis."""


def usual_settings(ruleset: Ruleset, judge: int) -> SearchSettings:
    """The settings of a search in such a game, unless others are given."""
    is_crowded = ruleset.seats > 2 and not ruleset.teams
    if judge == NETWORK and is_crowded:
        return SearchSettings(judge, CROWDED_EXPLORATION)
    return SearchSettings(judge)


def _file(seats: int) -> Path:
    return WEIGHTS / f"players-{seats}.npz"


@cache
def shipped(seats: int) -> Weights:
    """The trained network for a number of players. Raises BadWeights when there is none."""
    return load_weights(_file(seats))


def shipped_for(ruleset: Ruleset) -> Weights:
    """The trained network for a ruleset."""
    return shipped(ruleset.seats)


@cache
def once_shipped(fingerprint: str) -> Weights:
    """A network that comes or came with the package, by the first twelve digits of its file's
    hash: frozen opponents have it for good. Raises BadWeights when it is not kept."""
    for path in sorted(WEIGHTS.rglob("*.npz")):
        if sha256(path.read_bytes()).hexdigest()[:12] == fingerprint:
            return load_weights(path)
    why = "no network of that name is kept"
    raise BadWeights(WeightsFault.BAD_WEIGHTS, path=fingerprint[:60], why=why)


def has_shipped(ruleset: Ruleset) -> bool:
    """Whether this installation has a network for the ruleset."""
    return _file(ruleset.seats).exists()


class Searcher:
    """Analyses views, one at a time: with a network, or with random playouts if it is None.

    Several threads grow a tree each and add up their visits.  With ``reuse``, what the last search
    found out about the line that was then played is kept, unless the limit has a seed: an
    analysis with a seed depends on nothing else.  Not to be shared between threads.
    """

    def __init__(
        self,
        net: Weights | None = None,
        threads: int = 1,
        settings: SearchSettings | None = None,
        reuse: bool = False,
    ) -> None:
        self._judge = PLAYOUT if net is None else NETWORK
        self._given = settings
        self._settings = SearchSettings()
        self.net = zero_weights() if net is None else net
        self.threads, self.reuse = threads, reuse
        self._buffers = [
            SearchBuffers(new_states(1), new_states(1), new_scratch()) for _ in range(threads)
        ]
        self._trees = [new_tree(1) for _ in range(threads)]
        self._spare = [new_tree(1) for _ in range(threads)]
        self._root = new_states(1)
        self._searches = 0
        self.kept_visits = 0
        """What the last search could go on from."""

    def analyse(self, view: View, limit: Limit = NO_LIMIT) -> Analysis:
        """Search for the viewer, whose turn it is. Without a limit it is 800 visits. Raises
        NotAView for a Position or anything else that is no view, and IllegalMove when the viewer
        has nothing to decide."""
        begin = time.perf_counter()
        moves = tuple(choices(view))
        self._search(view, checked_limit(limit), begin, is_forced=len(moves) == 1)
        return self._analysis(view, moves, begin)

    def growing(
        self, view: View, limit: Limit = NO_LIMIT, every: float = 0.1
    ) -> Iterator[Analysis]:
        """The same search, yielding an analysis about every so many seconds; the last one is what
        `analyse` gives for as many visits. It stops when the caller stops iterating. Raises as
        `analyse`."""
        begin = time.perf_counter()
        moves = tuple(choices(view))
        most = 1 if len(moves) == 1 else checked_limit(limit).visits or DEFAULT_VISITS
        self._begin(view, most, None, limit.seed is None)
        seed = self._searches if limit.seed is None else limit.seed
        self._searches += 1
        reached, step = 0, _FIRST_PIECE
        while reached < most:
            before = time.perf_counter()
            reached = min(most, reached + step)
            self._grow(reached, None, seed)
            yield self._analysis(view, moves, begin)
            took = max(time.perf_counter() - before, 1e-6)
            step = max(1, min(2 * step, int(step * every / took)))

    def shares(self, view: View, limit: Limit = NO_LIMIT) -> tuple[float, ...]:
        """Each seat's expected part of the victory by what the viewer knows, no matter who is to
        move; in a finished game, the part it got. Raises NotAView."""
        only_view(view)
        if view.phase is Phase.OVER:
            return final_shares(view)
        self._search(view, checked_limit(limit), time.perf_counter())
        return self._shares(view.ruleset.seats)

    def _search(self, view: View, limit: Limit, begin: float, *, is_forced: bool = False) -> None:
        deadline = None if limit.seconds is None else begin + limit.seconds
        visits = limit.visits
        if visits is None and limit.seconds is None:
            visits = DEFAULT_VISITS
        if is_forced:
            visits = 1
        self._begin(view, visits, limit.seconds, limit.seed is None)
        self._grow(visits, deadline, self._searches if limit.seed is None else limit.seed)
        self._searches += 1

    def _begin(
        self, view: View, visits: int | None, seconds: float | None, may_reuse: bool
    ) -> None:
        """Trees with room for that much, rooted in the view."""
        usual = usual_settings(view.ruleset, self._judge)
        self._settings = (self._given or usual)._replace(judge=self._judge)
        pack(view, self._root)
        self.kept_visits = 0
        for index in range(self.threads):
            self._prepare(index, self._room(visits, seconds), may_reuse)

    def _room(self, visits: int | None, seconds: float | None) -> int:
        nodes = MOST_NODES if seconds is None else min(MOST_NODES, int(400_000 * seconds) + 1000)
        return nodes if visits is None else min(nodes, visits // self.threads + 2)

    def _prepare(self, index: int, room: int, may_reuse: bool) -> None:
        """The tree to go on with: what is left of the last one, or an empty one."""
        tree, buffers = self._trees[index], self._buffers[index]
        node = NO_CHILD
        if self.reuse and may_reuse and tree.used[0] > 0:
            node = int(follow(tree, buffers.root, self._root, buffers.world))
        buffers.root[0] = self._root[0]
        kept = 0 if node == NO_CHILD else int(tree.nodes[node]["visits"])
        room += kept
        if kept >= LEAST_KEPT:
            self.kept_visits += kept
            if len(self._spare[index].nodes) < room:
                self._spare[index] = new_tree(room)
            transplant(tree, np.int64(node), self._spare[index])
            self._trees[index], self._spare[index] = self._spare[index], tree
        else:
            if len(tree.nodes) < room:
                self._trees[index] = new_tree(room)
            clear(self._trees[index])

    def _grow(self, visits: int | None, deadline: float | None, seed: int) -> None:
        if self.threads == 1:
            self._grow_one(0, visits, deadline, seed)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            share = None if visits is None else max(1, -(-visits // self.threads))
            jobs = [
                pool.submit(self._grow_one, index, share, deadline, seed)
                for index in range(self.threads)
            ]
            for job in jobs:
                job.result()

    def _grow_one(self, index: int, visits: int | None, deadline: float | None, seed: int) -> None:
        tree, buffers = self._trees[index], self._buffers[index]
        stream = np.uint64(stream_seed(np.uint64(seed & (2**64 - 1)), np.uint64(index)))
        if visits is not None and tree.used[0] > 0:
            visits = max(1, visits - int(tree.nodes[0]["visits"]) + 1)

        def run(count: int) -> None:
            grow(tree, buffers, self.net, self._settings, stream, count)

        if deadline is None:
            run(visits or 0)
        else:
            _run_until(run, visits, deadline)

    def _shares(self, seats: int) -> tuple[float, ...]:
        valued = sum(int(tree.used[2]) for tree in self._trees)
        sums = sum(tree.shares for tree in self._trees)
        return tuple(float(share) / valued for share in np.asarray(sums)[:seats])

    def _analysis(self, view: View, moves: tuple[object, ...], begin: float) -> Analysis:
        total = sum(int(tree.nodes[0]["visits"]) for tree in self._trees)
        shares = self._shares(view.ruleset.seats)
        lines = lines_of(view, moves, self._trees, self._settings.caution)  # type: ignore[arg-type]
        variation = variation_of(view, lines[0].move, self._buffers[0].root, self._trees[0])
        return Analysis(shares, lines, variation, total, time.perf_counter() - begin)


def final_shares(facts: Facts) -> tuple[float, ...]:
    """What each seat has of the victory in a finished game: sides that share it have equal parts,
    and partners each have their side's."""
    outcome = outcome_of(facts)
    sides = {facts.ruleset.side(seat) for seat in outcome.winners}
    return tuple(1 / len(sides) if rank == 1 else 0.0 for rank in outcome.ranking)


def _run_until(run: Callable[[int], None], visits: int | None, deadline: float) -> None:
    """Simulations in pieces of a few milliseconds, at least one: compiled code cannot look at the
    clock."""
    count, left = 16, visits
    while left is None or left > 0:
        before = time.perf_counter()
        count = count if left is None else min(count, left)
        run(count)
        now = time.perf_counter()
        left = None if left is None else left - count
        if now >= deadline:
            return
        rate = count / max(now - before, 1e-6)
        count = max(1, min(2 * count, int(rate * min(_CHUNK_SECONDS, deadline - now))))
