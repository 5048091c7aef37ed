"""One evaluation: lists of rows -> a logit for each legal action, a share for each seat.

One position at a time on one thread; sums of rows stay in the processor's registers (`vectors`).
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
from cabochon.search.vectors import sum_listed_products, sum_products, sum_rows

f32, u64 = np.float32, np.uint64
_ZERO = np.float32(0)
_BUYS, _RESERVES = u64((1 << rows.CARD_PLACES) - 1), u64((1 << RESERVE_DECK - RESERVE) - 1)
_CARD_QUERIES = 2 * CARD_WIDTH
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
    sum_rows(scratch.facts, net.fact_bias, net.fact, facts, count, FACT_WIDTH)


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
        sum_rows(out, context, net.card, lists.cards[place], count, CARD_WIDTH)
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
        out = scratch.nobles[place]
        sum_rows(out, net.noble_bias, net.noble, lists.nobles[place], count, SIDE_WIDTH)
        for j in range(SIDE_WIDTH):
            out[j] = max(out[j], _ZERO)
            pooled[2 * CARD_WIDTH + SIDE_WIDTH + j] += out[j]


@compiled_sums
def _trunk(net: Weights, scratch: Scratch) -> None:
    wide, pooled, narrow = scratch.facts, scratch.pooled, scratch.narrow
    for part in range(len(_PARTS) - 1):
        if _is_empty(scratch.lists.counts, part):
            continue
        sum_products(wide, wide, net.pool, pooled, _PARTS[part], _PARTS[part + 1], WIDE)
    # Units that the ReLU makes zero add nothing: list the others, without a branch, and multiply
    # only their rows.
    active = scratch.active
    count = 0
    for j in range(WIDE):
        active[count] = j
        count += wide[j] > _ZERO
        wide[j] = max(wide[j], _ZERO)
    sum_listed_products(narrow, net.narrow_bias, net.narrow, wide, active, count, NARROW)
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
    sum_products(plain, net.plain_bias, net.plain, narrow, 0, NARROW, PLAIN)
    if s.phase != NOBLE:
        _votes(net, scratch)
    if s.phase == ACT:
        buys, reserves = (wanted >> u64(BUY)) & _BUYS, (wanted >> u64(RESERVE)) & _RESERVES
        if buys != u64(0) and reserves != u64(0):
            _card_queries(net, scratch)
        elif buys != u64(0):
            _buy_query(net, scratch)
        elif reserves != u64(0):
            _reserve_query(net, scratch)
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
        _noble_query(net, scratch)
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
    sum_products(plain, plain, net.vote, pooled, 0, end, PLAIN_VALUE)


@compiled_sums
def _buy_query(net: Weights, scratch: Scratch) -> None:
    sum_products(scratch.query, net.query_bias, net.query, scratch.narrow, 0, NARROW, CARD_WIDTH)


@compiled_sums
def _reserve_query(net: Weights, scratch: Scratch) -> None:
    out, bias = scratch.query[CARD_WIDTH:], net.query_bias[CARD_WIDTH:]
    sum_products(out, bias, net.query[:, CARD_WIDTH:], scratch.narrow, 0, NARROW, CARD_WIDTH)


@compiled_sums
def _card_queries(net: Weights, scratch: Scratch) -> None:
    """Both at once."""
    sum_products(scratch.query, net.query_bias, net.query, scratch.narrow, 0, NARROW, _CARD_QUERIES)


@compiled_sums
def _noble_query(net: Weights, scratch: Scratch) -> None:
    out, bias = scratch.query[_CARD_QUERIES:], net.query_bias[_CARD_QUERIES:]
    sum_products(out, bias, net.query[:, _CARD_QUERIES:], scratch.narrow, 0, NARROW, SIDE_WIDTH)


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
