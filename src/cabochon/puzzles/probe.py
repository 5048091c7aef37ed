"""A search of one decision that can be taken further: what it thinks of every action, and what it
expects to follow each."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from cabochon.kernel.bits import stream_seed
from cabochon.kernel.layout import ACT, States, new_states
from cabochon.rules import Ruleset
from cabochon.search.forward import new_scratch
from cabochon.search.net import Weights, zero_weights
from cabochon.search.searcher import shipped, usual_settings
from cabochon.search.simulate import NETWORK, PLAYOUT, SearchBuffers, clear, grow
from cabochon.search.tree import NO_CHILD, Tree, new_tree

MOST_FOLLOWING = 12


@dataclass(frozen=True, slots=True)
class Opinion:
    """Of one action: visits, the mover's mean share after it, the first impression."""

    action: int
    visits: int
    value: float
    prior: float

    @property
    def doubt(self) -> float:
        """One standard deviation of the mean, for a game that is won or lost."""
        if self.visits == 0:
            return 0.5
        return sqrt(max(self.value * (1 - self.value), 0.0) / self.visits)


class DecisionProbe:
    """Searches records of one number of seats, one after the other."""

    def __init__(self, seats: int, most_visits: int, *, playouts: bool = False) -> None:
        self._net: Weights = zero_weights() if playouts else shipped(seats)
        self._settings = usual_settings(Ruleset(seats=seats), PLAYOUT if playouts else NETWORK)
        self._tree: Tree = new_tree(most_visits)
        self._buffers = SearchBuffers(new_states(1), new_states(1), new_scratch())
        self._seed = np.uint64(0)

    def begin(self, states: States, index: int, seed: int, without: int | None = None) -> None:
        """Look at another record: what its mover knows. `without` an action, the others have all
        the visits; a search that has found a good move hardly looks at a second one."""
        self._buffers.root[0] = states[index]
        self._seed = np.uint64(stream_seed(np.uint64(seed), np.uint64(1)))
        clear(self._tree)
        if without is not None:
            self._leave_out(without)

    def _leave_out(self, action: int) -> None:
        """Plant the root and take the action's edge away; its bit stays, so it does not return."""
        grow(self._tree, self._buffers, self._net, self._settings, self._seed, 0)
        root, edges = self._tree.nodes[0], self._edges(0)
        edges[edges["action"] == action] = edges[-1]
        root["count"] -= 1
        root["opened"] -= 1

    def visit(self, visits: int) -> list[Opinion]:
        """Every action, the best first, after so many visits in all."""
        done = int(self._tree.nodes[0]["visits"]) if self._tree.used[0] else 0
        if visits > done:
            grow(self._tree, self._buffers, self._net, self._settings, self._seed, visits - done)
        return self.opinions()

    def opinions(self) -> list[Opinion]:
        """As `visit` gives them, without another visit."""
        found = [
            Opinion(
                int(edge["action"]),
                int(edge["visits"]),
                float(edge["total"]) / max(1, int(edge["visits"])),
                float(edge["prior"]),
            )
            for edge in self._edges(0)
        ]
        caution = self._settings.caution
        return sorted(
            found,
            key=lambda o: (o.value - caution / sqrt(o.visits)) if o.visits else -9,
            reverse=True,
        )

    def following(self, action: int, hero: int) -> list[int]:
        """The action and the most tried ones after it, until the hero is to act again."""
        line = [action]
        edge = next(edge for edge in self._edges(0) if edge["action"] == action)
        while len(line) < MOST_FOLLOWING:
            node = self._child(edge)
            if node == NO_CHILD:
                break
            here = self._tree.nodes[node]
            if here["seat"] == hero and here["phase"] == ACT:
                break
            edges = self._edges(node)
            if len(edges) == 0 or edges["visits"].max() == 0:
                break
            edge = edges[int(np.lexsort((edges["total"], edges["visits"]))[-1])]
            line.append(int(edge["action"]))
        return line

    def _edges(self, node: int) -> np.ndarray:
        first = int(self._tree.nodes[node]["first"])
        return self._tree.edges[first : first + int(self._tree.nodes[node]["count"])]

    def _child(self, edge: np.void) -> int:
        child = best = int(edge["child"])
        while child != NO_CHILD:
            if self._tree.nodes[child]["visits"] > self._tree.nodes[best]["visits"]:
                best = child
            child = int(self._tree.nodes[child]["next"])
        return best
