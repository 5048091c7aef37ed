"""A trained network as a plain PyTorch module: to look inside, to train it further in your own way,
or to use it elsewhere.

    from cabochon.train.torchnet import torch_network
    network = torch_network(2)                       # the shipped one for two players, or a file
    policy, shares = network.judge([view])           # chances of the 72 actions; the seats' shares

What goes in are lists of rows (`network_inputs`); row 0 of every table is zero, so a list is filled
up with zeroes and added up by a gather. Everything is PyTorch, and the numbers are those that play.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import States, new_states
from cabochon.kernel.packing import pack
from cabochon.rules import View
from cabochon.rules.errors import wrong
from cabochon.rules.view import only_view
from cabochon.search.encoding import Lists, encode
from cabochon.search.net import Weights, load_weights
from cabochon.search.searcher import shipped
from cabochon.train.model import Model
from cabochon.train.samples import TrainingBatch, fill_legal, new_batch


def torch_network(source: int | str | Path | Weights) -> TorchNetwork:
    """The network of a file, of numbers, or (2, 3, 4) the shipped one for that many players, ready
    to judge. Raises BadWeights, and WrongArgument for anything else."""
    if isinstance(source, Weights):
        weights = source
    elif isinstance(source, str | Path):
        weights = load_weights(Path(source))
    elif type(source) is int and source in (2, 3, 4):
        weights = shipped(source)
    else:
        raise wrong("source", "network", source)
    network = TorchNetwork(dropout=0.0)
    network.read(weights)
    return network.eval()


class TorchNetwork(Model):
    """`forward` takes `network_inputs`: logits of the actions (illegal ones far below), logits of
    the sides from the mover on, and what training adds. Parameters have the names of `Weights`."""

    def judge(self, views: Sequence[View]) -> tuple[Tensor, Tensor]:
        """For the seat to move of each view: the chances of all actions (n, 72), and each seat's
        expected share of the victory (n, 4), by its number. Raises NotAView."""
        logits, value, _ = self(network_inputs(views))
        by_side = torch.softmax(value, 1)
        shares = torch.zeros(len(views), 4)
        for row, view in enumerate(views):
            seats, teams = view.ruleset.seats, view.ruleset.teams
            for step in range(seats):
                side = step % 2 if teams else step
                shares[row, (view.seat + step) % seats] = by_side[row, side]
        return torch.softmax(logits, 1), shares

    def _sum(self, table: Tensor, lists: Any, counts: Any, first: int) -> Tensor:
        places = torch.from_numpy(np.arange(lists.shape[2]))
        used = torch.from_numpy(counts[:, first : first + lists.shape[1], None].astype(np.int64))
        which = torch.from_numpy(lists.astype(np.int64)).masked_fill(places >= used, 0)
        return table[which].sum(2)


def network_inputs(views: Sequence[View]) -> TrainingBatch:
    """The network's input for positions: lists of rows, how many of each count, the legal actions;
    the targets of training are left at zero. Raises NotAView."""
    states = new_states(len(views))
    for index, view in enumerate(views):
        pack(only_view(view), states, index)
    batch = new_batch(len(views))
    _fill_inputs(states, batch)
    return batch


@compiled
def _fill_inputs(states: States, batch: TrainingBatch) -> None:
    for k in range(len(states)):
        s = states[k]
        places = Lists(
            batch.cards[k], batch.others[k], batch.nobles[k], batch.facts[k, 0], batch.counts[k]
        )
        encode(s, places)
        fill_legal(s, batch.legal[k])
        sides = 2 if s.side_mask == 1 else np.int64(s.seats)
        for side in range(4):
            batch.sides[k, side] = side < sides
