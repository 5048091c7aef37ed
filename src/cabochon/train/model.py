"""The network of ``search.net`` in PyTorch, for learning only.  ``Weights`` go in and out."""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor, nn

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
from cabochon.train.batch import Batch, add_to_rows, sum_rows

PLAIN_EXTRA = PLAIN_VALUE + 4
_TABLES = {"card": 0.15, "other": 0.3, "noble": 0.2, "fact": 0.05}
_NEVER = -1e9


class _SumRows(torch.autograd.Function):
    """A table and lists of its rows -> the sums, through the compiled loops of ``batch``."""

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

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of actions (illegal ones far below), of sides, and the two extras."""
        counts = batch.counts
        facts = _sums(self.fact, batch.facts, counts, rows.FACT_COUNT)[:, 0] + self.fact_bias
        present = torch.from_numpy(counts > 0).float().unsqueeze(2)
        cards = _sums(self.card, batch.cards, counts, 0) + facts[:, None, WIDE:]
        cards = torch.relu(cards) * present[:, : rows.CARD_PLACES]
        others = _sums(self.other, batch.others, counts, rows.OTHER_COUNT) + self.other_bias
        others = torch.relu(others) * present[:, rows.OTHER_COUNT : rows.NOBLE_COUNT]
        nobles = _sums(self.noble, batch.nobles, counts, rows.NOBLE_COUNT) + self.noble_bias
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


def losses(model: Model, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """Cross-entropies of policy (full searches only) and of value, squares of the extras."""
    logits, value, extra = model(batch)
    weight = torch.from_numpy(batch.policy_weight)
    policy = -(torch.from_numpy(batch.policy) * torch.log_softmax(logits, 1)).sum(1)
    policy = (policy * weight).sum() / weight.sum().clamp(min=1)
    target = torch.from_numpy(batch.value)
    share = -(target * torch.log_softmax(value, 1)).sum(1).mean()
    return policy, share, (extra - torch.from_numpy(batch.extra)).square().mean(0)
