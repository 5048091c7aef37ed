"""One evaluation: lists of rows -> a logit for each legal action, a share for each seat.

One position at a time on one thread, vectorised by LLVM: four rows of weights are added at once, so
that a sum is loaded and stored a quarter as often.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.kernel.actions import (
    ACTION_COUNT,
    BUY,
    BUY_RESERVED,
    CHOOSE_NOBLE,
    GIVE_BACK,
    PASS,
    RESERVE,
    RESERVE_DECK,
)
from cabochon.kernel.cache import compiled_sums
from cabochon.kernel.layout import ACT, NOBLE, Floats, Number, StateRow
from cabochon.search import rows
from cabochon.search.encoding import Lists, Rows, encode, new_lists
from cabochon.search.net import (
    CARD_WIDTH,
    FACT_WIDTH,
    NARROW,
    PLAIN,
    PLAIN_DECK,
    PLAIN_PASS,
    PLAIN_RETURN,
    PLAIN_VALUE,
    POOLED,
    QUERY,
    SIDE_WIDTH,
    VOTERS,
    WIDE,
    Weights,
)

f32, u64 = np.float32, np.uint64
_ZERO = np.float32(0)
_BUYS, _RESERVES = u64((1 << rows.CARD_PLACES) - 1), u64((1 << RESERVE_DECK - RESERVE) - 1)
_PARTS = (0, CARD_WIDTH, 2 * CARD_WIDTH, 2 * CARD_WIDTH + SIDE_WIDTH, POOLED)
"""Where the sums of face-up cards, own reserved, others' reserved and nobles begin, and the end."""


class Scratch(NamedTuple):
    """Working memory of one evaluation; results are in ``logits`` and ``shares``."""

    lists: Lists
    cards: Floats
    others: Floats
    nobles: Floats
    facts: Floats
    pooled: Floats
    narrow: Floats
    plain: Floats
    query: Floats
    logits: Floats
    shares: Floats
    active: npt.NDArray[np.int32]


def new_scratch() -> Scratch:
    """Working memory for one thread."""
    return Scratch(
        new_lists(),
        np.zeros((rows.CARD_PLACES, CARD_WIDTH), np.float32),
        np.zeros(SIDE_WIDTH, np.float32),
        np.zeros((rows.NOBLE_PLACES, SIDE_WIDTH), np.float32),
        np.zeros(FACT_WIDTH, np.float32),
        np.zeros(POOLED, np.float32),
        np.zeros(NARROW, np.float32),
        np.zeros(PLAIN, np.float32),
        np.zeros(QUERY, np.float32),
        np.zeros(ACTION_COUNT, np.float32),
        np.zeros(4, np.float32),
        np.zeros(WIDE + 4, np.int32),
    )


@compiled_sums
def evaluate(s: StateRow, wanted: np.uint64, net: Weights, scratch: Scratch) -> None:
    """Each seat's share, and logits of the wanted actions of this phase, a bit each as in
    `legal.legal_mask`; what others have there means nothing."""
    encode(s, scratch.lists)
    _facts(net, scratch)
    _cards(net, scratch)
    _nobles(net, scratch)
    _trunk(net, scratch)
    _logits(s, wanted, net, scratch)
    _shares(s, scratch)


@compiled_sums
def _facts(net: Weights, scratch: Scratch) -> None:
    lists = scratch.lists
    facts = lists.facts
    count = np.int64(lists.counts[rows.FACT_COUNT])
    out = scratch.facts
    for j in range(FACT_WIDTH):
        out[j] = net.fact_bias[j]
    _pad(facts, count)
    for k in range(0, count, 4):
        a, b, c, d = facts[k], facts[k + 1], facts[k + 2], facts[k + 3]
        for j in range(FACT_WIDTH):
            out[j] += (net.fact[a, j] + net.fact[b, j]) + (net.fact[c, j] + net.fact[d, j])


@compiled_sums
def _pad(out: Rows, count: Number) -> None:
    """Fill up with row 0, which is zero, so that four at a time come out even."""
    for k in range(count, count + 3):
        out[k] = 0


@compiled_sums
def _cards(net: Weights, scratch: Scratch) -> None:
    lists = scratch.lists
    pooled = scratch.pooled
    context = scratch.facts[WIDE:]
    for j in range(2 * CARD_WIDTH):
        pooled[j] = _ZERO
    for place in range(rows.CARD_PLACES):
        count = np.int64(lists.counts[place])
        if count == 0:
            continue
        out = scratch.cards[place]
        which = lists.cards[place]
        _pad(which, count)
        for j in range(CARD_WIDTH):
            out[j] = context[j]
        for k in range(0, count, 4):
            a, b, c, d = which[k], which[k + 1], which[k + 2], which[k + 3]
            for j in range(CARD_WIDTH):
                out[j] += (net.card[a, j] + net.card[b, j]) + (net.card[c, j] + net.card[d, j])
        first = 0 if place < 12 else CARD_WIDTH
        for j in range(CARD_WIDTH):
            out[j] = max(out[j], _ZERO)
            pooled[first + j] += out[j]


@compiled_sums
def _nobles(net: Weights, scratch: Scratch) -> None:
    """The nobles, and before them the cards that others have reserved."""
    lists = scratch.lists
    pooled = scratch.pooled
    for j in range(2 * CARD_WIDTH, POOLED):
        pooled[j] = _ZERO
    for place in range(rows.OTHER_PLACES):
        count = lists.counts[rows.OTHER_COUNT + place]
        if count != 0:
            a = lists.others[place, 0]
            b = lists.others[place, 1] if count == 2 else np.int32(0)
            for j in range(SIDE_WIDTH):
                value = net.other_bias[j] + net.other[a, j] + net.other[b, j]
                pooled[2 * CARD_WIDTH + j] += max(value, _ZERO)
    for place in range(rows.NOBLE_PLACES):
        count = np.int64(lists.counts[rows.NOBLE_COUNT + place])
        if count == 0:
            continue
        which = lists.nobles[place]
        out = scratch.nobles[place]
        _pad(which, count)
        for j in range(SIDE_WIDTH):
            out[j] = net.noble_bias[j]
        for k in range(0, count, 4):
            a, b, c, d = which[k], which[k + 1], which[k + 2], which[k + 3]
            for j in range(SIDE_WIDTH):
                out[j] += (net.noble[a, j] + net.noble[b, j]) + (net.noble[c, j] + net.noble[d, j])
        for j in range(SIDE_WIDTH):
            out[j] = max(out[j], _ZERO)
            pooled[2 * CARD_WIDTH + SIDE_WIDTH + j] += out[j]


@compiled_sums
def _trunk(net: Weights, scratch: Scratch) -> None:
    wide, pooled, narrow = scratch.facts, scratch.pooled, scratch.narrow
    for part in range(len(_PARTS) - 1):
        if _is_empty(scratch.lists.counts, part):
            continue
        for i in range(_PARTS[part], _PARTS[part + 1], 4):
            a, b, c, d = pooled[i], pooled[i + 1], pooled[i + 2], pooled[i + 3]
            for j in range(WIDE):
                wide[j] += (a * net.pool[i, j] + b * net.pool[i + 1, j]) + (
                    c * net.pool[i + 2, j] + d * net.pool[i + 3, j]
                )
    # Units that the ReLU makes zero add nothing: list the others, without a branch, and multiply
    # only their rows.
    active = scratch.active
    count = 0
    for j in range(WIDE):
        active[count] = j
        count += wide[j] > _ZERO
        wide[j] = max(wide[j], _ZERO)
    for j in range(NARROW):
        narrow[j] = net.narrow_bias[j]
    whole = count & ~3
    for k in range(0, whole, 4):
        p, q, r, t = active[k], active[k + 1], active[k + 2], active[k + 3]
        a, b, c, d = wide[p], wide[q], wide[r], wide[t]
        for j in range(NARROW):
            narrow[j] += (a * net.narrow[p, j] + b * net.narrow[q, j]) + (
                c * net.narrow[r, j] + d * net.narrow[t, j]
            )
    for k in range(whole, count):
        p = active[k]
        a = wide[p]
        for j in range(NARROW):
            narrow[j] += a * net.narrow[p, j]
    for j in range(NARROW):
        narrow[j] = max(narrow[j], _ZERO)


@compiled_sums
def _is_empty(counts: Rows, part: Number) -> bool:
    """Whether a part of the sums is nothing but zeroes, because nobody has reserved a card."""
    if part == 1:
        return bool(counts[12] == 0)
    if part == 2:
        first = rows.OTHER_COUNT
        return bool(counts[first] == 0 and counts[first + 3] == 0 and counts[first + 6] == 0)
    return False


@compiled_sums
def _logits(s: StateRow, wanted: np.uint64, net: Weights, scratch: Scratch) -> None:
    plain, query, narrow, logits = scratch.plain, scratch.query, scratch.narrow, scratch.logits
    for j in range(PLAIN):
        plain[j] = net.plain_bias[j]
    for i in range(0, NARROW, 4):
        a, b, c, d = narrow[i], narrow[i + 1], narrow[i + 2], narrow[i + 3]
        for j in range(PLAIN):
            plain[j] += (a * net.plain[i, j] + b * net.plain[i + 1, j]) + (
                c * net.plain[i + 2, j] + d * net.plain[i + 3, j]
            )
    if s.phase != NOBLE:
        _votes(net, scratch)
    if s.phase == ACT:
        buys, reserves = (wanted >> u64(BUY)) & _BUYS, (wanted >> u64(RESERVE)) & _RESERVES
        first = 0 if buys != u64(0) else CARD_WIDTH
        _queries(net, scratch, first, 2 * CARD_WIDTH if reserves != u64(0) else CARD_WIDTH)
        for action in range(RESERVE):
            logits[action] = plain[action]
        for level in range(3):
            logits[RESERVE_DECK + level] = plain[PLAIN_DECK + level]
        logits[PASS] = plain[PLAIN_PASS]
        for place in range(rows.CARD_PLACES):
            if ((buys | reserves) >> u64(place)) & u64(1) != u64(0):
                card = scratch.cards[place]
                buy = _ZERO
                reserve = _ZERO
                for j in range(CARD_WIDTH):
                    buy += card[j] * query[j]
                    reserve += card[j] * query[CARD_WIDTH + j]
                if place < 12:
                    logits[BUY + place] = buy
                    logits[RESERVE + place] = reserve
                else:
                    logits[BUY_RESERVED + place - 12] = buy
    elif s.phase == NOBLE:
        _queries(net, scratch, 2 * CARD_WIDTH, QUERY)
        for place in range(rows.NOBLE_PLACES):
            if scratch.lists.counts[rows.NOBLE_COUNT + place] != 0:
                value = _ZERO
                for j in range(SIDE_WIDTH):
                    value += scratch.nobles[place, j] * query[2 * CARD_WIDTH + j]
                logits[CHOOSE_NOBLE + place] = value
    else:
        for gem in range(6):
            logits[GIVE_BACK + gem] = plain[PLAIN_RETURN + gem]


@compiled_sums
def _votes(net: Weights, scratch: Scratch) -> None:
    """Let the sums of cards speak for takes directly: which colours are lacking where is more than
    the 64 numbers of the trunk can hold."""
    plain, pooled = scratch.plain, scratch.pooled
    end = CARD_WIDTH if _is_empty(scratch.lists.counts, 1) else VOTERS
    for i in range(0, end, 4):
        a, b, c, d = pooled[i], pooled[i + 1], pooled[i + 2], pooled[i + 3]
        for j in range(PLAIN_VALUE):
            plain[j] += (a * net.vote[i, j] + b * net.vote[i + 1, j]) + (
                c * net.vote[i + 2, j] + d * net.vote[i + 3, j]
            )


@compiled_sums
def _queries(net: Weights, scratch: Scratch, first: Number, end: Number) -> None:
    query, narrow = scratch.query, scratch.narrow
    for j in range(first, end):
        query[j] = net.query_bias[j]
    for i in range(0, NARROW, 4):
        a, b, c, d = narrow[i], narrow[i + 1], narrow[i + 2], narrow[i + 3]
        for j in range(first, end):
            query[j] += (a * net.query[i, j] + b * net.query[i + 1, j]) + (
                c * net.query[i + 2, j] + d * net.query[i + 3, j]
            )


@compiled_sums
def _shares(s: StateRow, scratch: Scratch) -> None:
    """Softmax over the sides, turned from the mover's chair to the table's."""
    value, shares = scratch.plain[PLAIN_VALUE:], scratch.shares
    sides = 2 if s.side_mask == 1 else np.int64(s.seats)
    most = value[0]
    for side in range(1, sides):
        most = max(most, value[side])
    total = _ZERO
    for side in range(sides):
        value[side] = f32(np.exp(value[side] - most))
        total += value[side]
    for seat in range(4):
        shares[seat] = _ZERO
    for step in range(np.int64(s.seats)):
        side = step & 1 if s.side_mask == 1 else step
        shares[(s.seat + step) % s.seats] = value[side] / total
