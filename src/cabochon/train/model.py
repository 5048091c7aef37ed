"""The network of ``search.net`` in PyTorch, for learning only.  ``Weights`` go in and out.

Its inputs are lists of rows to be added up, which PyTorch has no quick way for at this size; so the
sums and their gradients are compiled loops, and everything above them is PyTorch.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import Floats
from cabochon.search import rows
from cabochon.search.net import (
    CARD_WIDTH,
    NARROW,
    PLAIN_DECK,
    PLAIN_PASS,
    PLAIN_RETURN,
    PLAIN_VALUE,
    POOLED,
    SHAPES,
    WIDE,
    Weights,
)
from cabochon.train.samples import TrainingBatch

PLAIN_EXTRA = PLAIN_VALUE + 4
_TABLES = {"card": 0.15, "other": 0.3, "noble": 0.2, "fact": 0.05}
_NEVER = -1e9


@compiled
def sum_rows(
    table: Floats,
    lists: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    first: int,
    out: Floats,
) -> None:
    """``out[k, e]`` = the sum of the table's rows in list e of position k."""
    for k in range(lists.shape[0]):
        for e in range(lists.shape[1]):
            target = out[k, e]
            target[:] = 0
            for i in range(counts[k, first + e]):
                row = table[lists[k, e, i]]
                for j in range(target.shape[0]):
                    target[j] += row[j]


@compiled
def add_to_rows(
    table: Floats,
    lists: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    first: int,
    gradient: Floats,
) -> None:
    """The gradient of ``sum_rows``: each list's gradient is added to its rows of ``table``."""
    for k in range(lists.shape[0]):
        for e in range(lists.shape[1]):
            source = gradient[k, e]
            for i in range(counts[k, first + e]):
                row = table[lists[k, e, i]]
                for j in range(source.shape[0]):
                    row[j] += source[j]


class _SumRows(torch.autograd.Function):
    """A table and lists of its rows -> the sums, through the compiled loops."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, lists: Any, counts: Any, first: int) -> Tensor:
        ctx.lists, ctx.counts, ctx.first, ctx.shape = lists, counts, first, table.shape
        out = torch.empty((lists.shape[0], lists.shape[1], table.shape[1]))
        sum_rows(table.detach().numpy(), lists, counts, first, out.numpy())
        return out

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        table = torch.zeros(ctx.shape)
        gradient = gradients[0].contiguous().numpy()
        add_to_rows(table.numpy(), ctx.lists, ctx.counts, ctx.first, gradient)
        return table, None, None, None


def _sums(table: Tensor, lists: Any, counts: Any, first: int) -> Tensor:
    return cast(Tensor, _SumRows.apply(table, lists, counts, first))  # type: ignore[no-untyped-call]


class Model(nn.Module):
    """Parameters by the names of ``Weights``."""

    card: Tensor
    other: Tensor
    other_bias: Tensor
    noble: Tensor
    noble_bias: Tensor
    fact: Tensor
    fact_bias: Tensor
    pool: Tensor
    narrow: Tensor
    narrow_bias: Tensor
    plain: Tensor
    plain_bias: Tensor
    query: Tensor
    query_bias: Tensor
    vote: Tensor

    def __init__(self, dropout: float = 0.1) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        for name, shape in SHAPES.items():
            self.register_parameter(name, nn.Parameter(_initial(name, shape)))

    def read(self, weights: Weights) -> None:
        """Take over these numbers."""
        with torch.no_grad():
            for name, array in weights._asdict().items():
                getattr(self, name).copy_(torch.from_numpy(array))

    def weights(self) -> Weights:
        """A copy of the numbers, for playing."""
        arrays = {name: getattr(self, name).detach().numpy().copy() for name in SHAPES}
        return Weights(**arrays)

    def forward(self, batch: TrainingBatch) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of actions (illegal ones far below), of sides, and the two extras."""
        counts = batch.counts
        facts = self._sum(self.fact, batch.facts, counts, rows.FACT_COUNT)[:, 0] + self.fact_bias
        present = torch.from_numpy(counts > 0).float().unsqueeze(2)
        cards = self._sum(self.card, batch.cards, counts, 0) + facts[:, None, WIDE:]
        cards = torch.relu(cards) * present[:, : rows.CARD_PLACES]
        others = self._sum(self.other, batch.others, counts, rows.OTHER_COUNT) + self.other_bias
        others = torch.relu(others) * present[:, rows.OTHER_COUNT : rows.NOBLE_COUNT]
        nobles = self._sum(self.noble, batch.nobles, counts, rows.NOBLE_COUNT) + self.noble_bias
        nobles = torch.relu(nobles) * present[:, rows.NOBLE_COUNT : rows.FACT_COUNT]
        pooled = [cards[:, :12].sum(1), cards[:, 12:].sum(1), others.sum(1), nobles.sum(1)]
        wide = torch.relu(facts[:, :WIDE] + torch.cat(pooled, 1) @ self.pool)
        narrow = torch.relu(self.dropout(wide) @ self.narrow + self.narrow_bias)
        narrow = self.dropout(narrow)
        plain = narrow @ self.plain + self.plain_bias
        votes = torch.cat(pooled[:2], 1) @ self.vote
        plain = plain + nn.functional.pad(votes, (0, plain.shape[1] - PLAIN_VALUE))
        logits = self._logits(cards, nobles, plain, narrow @ self.query + self.query_bias)
        logits = logits.masked_fill(~torch.from_numpy(batch.legal), _NEVER)
        value = plain[:, PLAIN_VALUE : PLAIN_VALUE + 4]
        value = value.masked_fill(~torch.from_numpy(batch.sides), _NEVER)
        return logits, value, plain[:, PLAIN_EXTRA : PLAIN_EXTRA + 2]

    def _sum(self, table: Tensor, lists: Any, counts: Any, first: int) -> Tensor:
        return _sums(table, lists, counts, first)

    def _logits(self, cards: Tensor, nobles: Tensor, plain: Tensor, query: Tensor) -> Tensor:
        """In the order of the action table."""
        buy = (cards @ query[:, :CARD_WIDTH, None])[:, :, 0]
        reserve = (cards[:, :12] @ query[:, CARD_WIDTH : 2 * CARD_WIDTH, None])[:, :, 0]
        noble = (nobles @ query[:, 2 * CARD_WIDTH :, None])[:, :, 0]
        takes, decks = plain[:, :PLAIN_DECK], plain[:, PLAIN_DECK:PLAIN_PASS]
        passing, returns = plain[:, PLAIN_PASS:PLAIN_RETURN], plain[:, PLAIN_RETURN:PLAIN_VALUE]
        return torch.cat([takes, reserve, decks, buy, passing, returns, noble], 1)


def _initial(name: str, shape: tuple[int, ...]) -> Tensor:
    if len(shape) == 1 or name == "vote":
        return torch.zeros(shape)
    scale = (
        _TABLES.get(name)
        or {
            "pool": (1 / POOLED) ** 0.5,
            "narrow": (2 / WIDE) ** 0.5,
            "plain": 0.3 / NARROW**0.5,
            "query": 0.3 / NARROW**0.5,
        }[name]
    )
    values = torch.randn(shape) * scale
    if name in _TABLES:
        values[0] = 0
    return values


def losses(model: Model, batch: TrainingBatch) -> tuple[Tensor, Tensor, Tensor]:
    """Cross-entropies of policy (full searches only) and of value, squares of the extras."""
    logits, value, extra = model(batch)
    weight = torch.from_numpy(batch.policy_weight)
    policy = -(torch.from_numpy(batch.policy) * torch.log_softmax(logits, 1)).sum(1)
    policy = (policy * weight).sum() / weight.sum().clamp(min=1)
    target = torch.from_numpy(batch.value)
    share = -(target * torch.log_softmax(value, 1)).sum(1).mean()
    return policy, share, (extra - torch.from_numpy(batch.extra)).square().mean(0)


_BLOCKS = {
    "card": ((rows.CARD_OTHER, 20),),
    "other": ((rows.OTHER_SHORT, 20), (rows.OTHER_HIDDEN, 3)),
    "noble": ((rows.NOBLE_OTHER, 10),),
    "fact": ((rows.FACT_HAND + rows.HAND_ROWS, rows.HAND_ROWS),),
}
"""Where the rows by role begin in each table, and how many each role has."""


def for_more_players(two: Weights, seats: int) -> Weights:
    """A first network for three or four players, from one that was trained for two.

    Every opponent is seen as the only one was; what is added up is divided among them.
    """
    arrays = {name: array.copy() for name, array in two._asdict().items()}
    others = seats - 1
    tables = (seats - 2,) if seats == 3 else (2, 3)
    for table in tables:
        for role in range(rows.FIRST_ROLE[table], rows.FIRST_ROLE[table] + others):
            for name, blocks in _BLOCKS.items():
                for first, size in blocks:
                    _copy_role(arrays[name], first, size, role, 1 if name == "other" else others)
        _copy_table(arrays["fact"], table)
    for name in ("plain", "plain_bias"):
        for column in (2, 3):
            arrays[name][..., PLAIN_VALUE + column] = arrays[name][..., PLAIN_VALUE + 1]
    return Weights(**arrays)


def _copy_role(array: Floats, first: int, size: int, role: int, parts: int) -> None:
    array[first + role * size : first + (role + 1) * size] = array[first : first + size] / parts


def _copy_table(facts: Floats, table: int) -> None:
    """Seats beyond the second start like the second; the rows of the rules are copied."""
    for seat in range(4):
        for last in range(2):
            source = rows.FACT_SEAT + 2 * min(seat, 1) + last
            facts[rows.FACT_SEAT + 8 * table + 2 * seat + last] = facts[source]
    source = rows.FACT_RULES
    facts[source + 9 * table : source + 9 * table + 9] = facts[source : source + 9]
