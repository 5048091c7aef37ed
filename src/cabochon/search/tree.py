"""The search tree in flat arrays.

A node is one decision of one seat, reached by a sequence of actions whatever cards chance dealt
on the way ("open loop"), until its edge has been tried often enough: then every card that is
dealt face up there gets a node of its own.

The edges of a node lie side by side; the first ``opened`` of them compete in the selection, the
others wait, and the one with the highest prior is opened next: an edge without visits has no
value of its own, so of those only the best prior can be chosen.

    nodes   first ........ edges[first : first + count], up to room
            mask ......... the actions that have an edge, as bits of this phase
            seen ......... sum of the priors of visited edges
            total ........ sum of the values of the seat that moves here, over ``visits``
            card ......... the card dealt before it, or NO_KEY: whatever card; next: its sister
    edges   total ........ the same for the simulations through this edge
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

NODE = np.dtype(
    [
        ("mask", np.uint64),
        ("total", np.float64),
        ("first", np.int32),
        ("count", np.int32),
        ("room", np.int32),
        ("opened", np.int32),
        ("visits", np.int32),
        ("seen", np.float32),
        ("seat", np.int32),
        ("phase", np.int32),
        ("card", np.int32),
        ("next", np.int32),
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("total", np.float32),
        ("visits", np.int32),
        ("prior", np.float32),
        ("child", np.int32),
        ("action", np.int32),
    ],
    align=True,
)
SLACK = 4
"""Edges a node can add later for actions that were not legal in the world that made it."""
DEPTH = 400
EDGES_A_NODE = 36
NO_CHILD = -1
NO_KEY = -1

Nodes = npt.NDArray[np.void]


class Tree(NamedTuple):
    """Arrays of one tree; ``used`` counts nodes, edges and the values that ``shares`` sums up."""

    nodes: Nodes
    edges: Nodes
    used: npt.NDArray[np.int64]
    shares: npt.NDArray[np.float64]
    path: npt.NDArray[np.int32]


def new_tree(simulations: int) -> Tree:
    """Room for about that many simulations; when it is full, no more leaves are added."""
    nodes = simulations + 2
    return Tree(
        np.zeros(nodes, NODE),
        np.zeros(nodes * EDGES_A_NODE + 128, EDGE),
        np.zeros(3, np.int64),
        np.zeros(4, np.float64),
        np.zeros((DEPTH, 2), np.int32),
    )
