"""The compiled evaluation against the same network written with numpy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from cabochon.kernel.cache import compiled, compiled_sums
from cabochon.kernel.layout import ACT, NOBLE, Floats, States
from cabochon.rules import Ruleset
from cabochon.search import rows
from cabochon.search.encoding import Lists, Rows
from cabochon.search.forward import Scratch, evaluate, new_scratch
from cabochon.search.net import CARD_WIDTH, PLAIN_VALUE, VOTERS, WIDE, Weights, random_weights
from cabochon.search.vectors import sum_listed_products, sum_products, sum_rows
from tests.search.games import RULESETS, random_records


@compiled
def _evaluate(states: States, net: Weights, scratch: Scratch) -> None:
    evaluate(states[0], EVERYTHING, net, scratch)


EVERYTHING = np.uint64(2**64 - 1)


def _relu(values: npt.NDArray[np.floating]) -> Floats:
    return np.asarray(np.maximum(values, 0), np.float32)


def _plain(states: States, net: Weights, lists: Lists) -> tuple[Floats, Floats]:
    """Logits by action and shares by seat, as ``net`` draws them."""
    s, counts = states[0], lists.counts

    def total(table: Floats, which: np.ndarray, count: int) -> Floats:
        return np.asarray(table[which[:count]].sum(0), np.float32)

    facts = net.fact_bias + total(net.fact, lists.facts, counts[-1])
    cards = np.zeros((rows.CARD_PLACES, CARD_WIDTH), np.float32)
    for place in range(rows.CARD_PLACES):
        if counts[place]:
            own = total(net.card, lists.cards[place], counts[place])
            cards[place] = _relu(own + facts[WIDE:])
    others = np.zeros(len(net.other_bias), np.float32)
    for place in range(rows.OTHER_PLACES):
        count = counts[rows.OTHER_COUNT + place]
        if count:
            others += _relu(net.other_bias + total(net.other, lists.others[place], count))
    nobles = np.zeros((rows.NOBLE_PLACES, len(net.noble_bias)), np.float32)
    for place in range(rows.NOBLE_PLACES):
        count = counts[rows.NOBLE_COUNT + place]
        if count:
            nobles[place] = _relu(net.noble_bias + total(net.noble, lists.nobles[place], count))
    pooled = np.concatenate([cards[:12].sum(0), cards[12:].sum(0), others, nobles.sum(0)])
    wide = _relu(facts[:WIDE] + pooled @ net.pool)
    narrow = _relu(wide @ net.narrow + net.narrow_bias)
    plain = narrow @ net.plain + net.plain_bias
    plain[:PLAIN_VALUE] += pooled[:VOTERS] @ net.vote
    query = narrow @ net.query + net.query_bias
    logits = np.zeros(72, np.float32)
    logits[:30], logits[42:45], logits[60:67] = plain[:30], plain[30:33], plain[33:40]
    logits[30:42] = cards[:12] @ query[CARD_WIDTH : 2 * CARD_WIDTH]
    logits[45:60] = cards @ query[:CARD_WIDTH]
    logits[67:] = nobles @ query[2 * CARD_WIDTH :]
    return logits, _shares(plain[PLAIN_VALUE : PLAIN_VALUE + 4], s)


def _shares(values: Floats, s: np.void) -> Floats:
    seats, teams = int(s["seats"]), int(s["side_mask"]) == 1
    sides = np.exp(values[: 2 if teams else seats])
    sides /= sides.sum()
    shares = np.zeros(4, np.float32)
    for step in range(seats):
        shares[(int(s["seat"]) + step) % seats] = sides[step & 1 if teams else step]
    return shares


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_matches_numpy(ruleset: Ruleset) -> None:
    net, scratch = random_weights(3), new_scratch()
    for states in random_records(ruleset, 5):
        _evaluate(states, net, scratch)
        logits, shares = _plain(states, net, scratch.lists)
        phase = states[0]["phase"]
        part = slice(0, 61) if phase == ACT else slice(67, 72) if phase == NOBLE else slice(61, 67)
        there = logits[part] != 0
        np.testing.assert_allclose(scratch.logits[part][there], logits[part][there], atol=2e-4)
        np.testing.assert_allclose(scratch.shares, shares, atol=1e-4)
        assert scratch.shares.sum() == pytest.approx(2.0 if ruleset.teams else 1.0, abs=1e-5)


@compiled_sums
def _sums(table: Floats, factors: Floats, which: Rows, count: int, out: Floats) -> None:
    start = out[3]
    sum_rows(out[0], start, table, which, count, 40)
    sum_products(out[1][8:], start, table[:, 8:], factors, 2, 7, 32)
    sum_listed_products(out[2], start, table, factors, which, count, 48)


def test_sums_in_registers_are_those_of_plain_loops() -> None:
    """Rows one after the other; half vectors, a table's columns, a list; nothing beside them."""
    generator = np.random.default_rng(4)
    table = generator.standard_normal((9, 48)).astype(np.float32)
    factors = generator.standard_normal(9).astype(np.float32)
    which = np.array([5, 0, 8, 5, 1], np.int32)
    start = generator.standard_normal(48).astype(np.float32)
    for count in (0, 1, 5):
        out = np.full((4, 48), 7, np.float32)
        out[3] = start
        _sums(table, factors, which, count, out)
        rows_sum = start[:40].copy()
        for row in which[:count]:
            rows_sum += table[row, :40]
        assert np.array_equal(out[0, :40], rows_sum)
        assert (out[0, 40:] == 7).all()
        products = start[:32] + factors[2:7] @ table[2:7, 8:40]
        np.testing.assert_allclose(out[1, 8:40], products, atol=1e-5)
        assert (out[1, :8] == 7).all()
        assert (out[1, 40:] == 7).all()
        listed = start + factors[which[:count]] @ table[which[:count]]
        np.testing.assert_allclose(out[2], listed, atol=1e-5)
