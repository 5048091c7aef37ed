"""Bots as compiled code, over the kernel's records: one move by any of them, for the seat to move.
`levels`, `styles` and `greedy` are the law; with the same seed their moves are the same, except
that a blurred choice draws from another generator.

A mind is a row of numbers (`minds` makes it from a bot's name), so that many games with
different opponents are one loop. It reads what its seat may know: a search begins with a record
from which the rest is forgotten, and the network never sees a blind card.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.bots.greedy_plans import Doubles, new_notes
from cabochon.bots.greedy_twin import (
    MIX_COUNT,
    MIX_WORDS,
    MIXES,
    TASTE,
    best_action,
    best_mix,
    holds_mix,
    too_many,
    weigh,
)
from cabochon.kernel.actions import ACTION_COUNT, GIVE_BACK
from cabochon.kernel.bits import lowest_bit, mix, next_word, popcount, stream_seed
from cabochon.kernel.cache import compiled, inlined
from cabochon.kernel.layout import RETURN, Floats, Number, StateRow, new_states
from cabochon.kernel.legal import first_action, legal_mask
from cabochon.kernel.playout import biased_action, forget, random_action
from cabochon.kernel.step import step_unchecked
from cabochon.search.forward import Scratch, evaluate, new_scratch
from cabochon.search.net import Weights
from cabochon.search.root import sure_value
from cabochon.search.simulate import SearchBuffers, SearchSettings, clear, grow
from cabochon.search.tree import NO_CHILD, Tree, new_tree

u64 = np.uint64
_ONE = u64(1)

UNIFORM, BIASED, ONE_MOVE, IMPRESSION, SEARCH, STYLE, PLAYOUTS = KINDS = range(7)
"""Chance; chance that buys when it can; the greedy judgement; the network's likeliest move; the
network with a search, also with a taste of its own; the search with random games."""
QUICK_KINDS = frozenset((UNIFORM, BIASED, ONE_MOVE))
GLANCING_KINDS = frozenset((UNIFORM, BIASED, IMPRESSION))
"""Kinds without a search, which takes a minute and a half to compile: where nobody else plays,
`play_quick_move` or `play_glance` does."""

MIND = np.dtype(
    [
        ("kind", np.int64),
        ("visits", np.int64),
        ("blur", np.float64),
        ("far_worse", np.float64),
        ("pull", np.float64),
        ("most", np.float64),
        ("doubt", np.float64),
        ("return_visits", np.int64),
        ("taste", TASTE),
    ],
    align=True,
)

_MIX_OF = np.zeros((4, 6, 6, 6), np.int64)
"""[how many][first][second][third token] -> the number of the mix, in whatever order they go."""
for _count, _mixes in enumerate(MIXES):
    for _number, _mix in enumerate(_mixes):
        for _a in range(_count):
            for _b in range(_count):
                for _c in range(_count):
                    if len({_a, _b, _c}) == _count:
                        _MIX_OF[_count, _mix[_a], _mix[_b], _mix[_c]] = _number


FOUND = np.dtype(
    [
        ("visits", np.int64, ACTION_COUNT),
        ("totals", np.float64, ACTION_COUNT),
        ("priors", np.float64, ACTION_COUNT),
    ]
)
"""What a search found, by action or by mix of tokens; one record, so one pointer to hand on."""


class Minds(NamedTuple):
    """All opponents of some games, and the memory of one thread in which they think. All these
    arrays are handed on only where they are needed: that costs time, mostly the compiler's."""

    rows: npt.NDArray[np.void]
    discounts: Doubles
    net: Weights
    settings: SearchSettings
    playouts: SearchSettings
    tree: Tree
    buffers: SearchBuffers
    notes: npt.NDArray[np.void]
    found: npt.NDArray[np.void]


def new_minds(
    rows: npt.NDArray[np.void],
    discounts: Doubles,
    net: Weights,
    settings: SearchSettings,
    playouts: SearchSettings,
) -> Minds:
    """The rows with room to think for the deepest of them."""
    deepest = int(max(rows["visits"].max(), rows["return_visits"].max()))
    return Minds(
        rows,
        discounts,
        net,
        settings,
        playouts,
        new_tree(deepest + 2),
        SearchBuffers(new_states(1), new_states(1), new_scratch()),
        new_notes(),
        np.zeros(1, FOUND),
    )


@inlined
def play_move(s: StateRow, who: Number, minds: Minds) -> None:
    """The next move of the seat to act, all tokens that go back with it, by mind ``who``; what is
    drawn comes from the record's generator.

    Minds are many arrays, and handing them on costs as much as a quick move: so this is put into
    its caller, and the quick ones are handed only what they read.
    """
    kind = minds.rows[who].kind
    if kind <= ONE_MOVE:
        play_quick_move(s, who, minds.rows, minds.discounts, minds.notes)
    elif kind == IMPRESSION:
        play_glance(s, who, minds.rows, minds.net, minds.buffers.scratch)
    elif popcount(legal_mask(s)) == _ONE:
        step_unchecked(s, first_action(s.phase) + np.int64(lowest_bit(legal_mask(s))))
    else:
        _carry_out(s, chosen(s, who, minds, next_word(s)))


@inlined
def play_quick_move(
    s: StateRow,
    who: Number,
    rows: npt.NDArray[np.void],
    discounts: Doubles,
    notes: npt.NDArray[np.void],
) -> None:
    """`play_move` for minds of QUICK_KINDS."""
    kind = rows[who].kind
    if kind == UNIFORM:
        step_unchecked(s, random_action(s))
    elif kind == BIASED:
        step_unchecked(s, biased_action(s))
    elif popcount(legal_mask(s)) == _ONE:
        step_unchecked(s, first_action(s.phase) + np.int64(lowest_bit(legal_mask(s))))
    else:
        _carry_out(s, _one_move(s, rows[who], discounts[who], notes[0], next_word(s)))


@inlined
def play_glance(
    s: StateRow, who: Number, rows: npt.NDArray[np.void], net: Weights, scratch: Scratch
) -> None:
    """`play_move` for minds of GLANCING_KINDS."""
    kind = rows[who].kind
    if kind == UNIFORM:
        step_unchecked(s, random_action(s))
    elif kind == BIASED:
        step_unchecked(s, biased_action(s))
    elif popcount(legal_mask(s)) == _ONE:
        step_unchecked(s, first_action(s.phase) + np.int64(lowest_bit(legal_mask(s))))
    else:
        step_unchecked(s, likeliest(s, net, scratch))


@compiled
def _carry_out(s: StateRow, choice: Number) -> None:
    """Play an action, or give back the tokens of a mix."""
    if s.phase != RETURN:
        step_unchecked(s, choice)
        return
    left = MIX_WORDS[too_many(s), choice]
    for gem in range(6):
        for _ in range(np.int64((left >> u64(8 * gem)) & u64(255))):
            step_unchecked(s, GIVE_BACK + gem)


@compiled
def chosen(s: StateRow, who: Number, minds: Minds, seed: np.uint64) -> Number:
    """What a mind that judges chooses: an action, or the number of a mix of tokens to give back."""
    row, found, notes = minds.rows[who], minds.found[0], minds.notes[0]
    if row.kind == ONE_MOVE:
        return _one_move(s, row, minds.discounts[who], notes, seed)
    if row.visits == 1 and s.phase != RETURN and row.kind == SEARCH:
        best = likeliest(s, minds.net, minds.buffers.scratch)
        _read_glance(s, best, minds.buffers.scratch.logits, minds.settings.uniform, found)
    else:
        _search(s, row, minds, seed)
        if s.phase == RETURN:
            _read_returns(minds.tree, too_many(s), found)
        else:
            _read_root(minds.tree, found)
    if row.kind == STYLE:
        weigh(s, row.taste, minds.discounts[who], notes)
        return _by_taste(s, row, notes, found)
    if row.blur == 0:
        return _safest(s, minds.settings.caution, found)
    return _blurred(s, row, found, seed)


# --- one move


@compiled
def _one_move(s: StateRow, row: Any, discount: Doubles, notes: Any, seed: np.uint64) -> Number:
    """The move that looks best when the worth of each is seen unclearly."""
    weigh(s, row.taste, discount, notes)
    if row.blur > 0:
        for place in range(ACTION_COUNT):
            notes.values[place] += row.blur * _normal(stream_seed(seed, u64(place)))
    return best_mix(s, notes) if s.phase == RETURN else best_action(s, notes)


@compiled
def _unit(word: np.uint64) -> float:
    """A number above 0 and up to 1."""
    return float((np.float64(word >> u64(11)) + 1.0) / 9007199254740992.0)


@compiled
def _normal(word: np.uint64) -> float:
    """A number from the normal distribution, by Box and Muller."""
    angle = 2 * np.pi * _unit(mix(word + _ONE))
    return float(np.sqrt(-2 * np.log(_unit(mix(word)))) * np.cos(angle))


# --- the network and the search


@compiled
def likeliest(s: StateRow, net: Weights, scratch: Scratch) -> Number:
    """The network's first thought, a token at a time when they go back."""
    logits = scratch.logits
    mask, base = legal_mask(s), first_action(s.phase)
    evaluate(s, mask, net, scratch)
    best = base + np.int64(lowest_bit(mask))
    while mask:
        action = base + np.int64(lowest_bit(mask))
        mask &= mask - _ONE
        if logits[action] > logits[best]:
            best = action
    return best


@compiled
def _read_glance(s: StateRow, best: Number, logits: Floats, uniform: float, found: Any) -> None:
    """What a search of one visit leaves: priors, and a visit for the highest."""
    legal, base = legal_mask(s), first_action(s.phase)
    total = 0.0
    mask = legal
    while mask:
        action = base + np.int64(lowest_bit(mask))
        mask &= mask - _ONE
        found.priors[action] = np.exp(logits[action] - logits[best])
        found.visits[action] = 0
        found.totals[action] = 0
        total += found.priors[action]
    floor = uniform / np.float64(np.int64(popcount(legal)))
    mask = legal
    while mask:
        action = base + np.int64(lowest_bit(mask))
        mask &= mask - _ONE
        found.priors[action] = found.priors[action] * (1 - uniform) / total + floor
    found.visits[best] = 1


@compiled
def _search(s: StateRow, row: Any, minds: Minds, seed: np.uint64) -> None:
    """As `Searcher` does with one thread and that seed."""
    root = minds.buffers.root
    root[0] = s
    forget(root[0], np.int64(s.seat))
    visits = row.visits
    if s.phase == RETURN:
        visits = max(visits, row.return_visits)
    settings = minds.playouts if row.kind == PLAYOUTS else minds.settings
    clear(minds.tree)
    grow(minds.tree, minds.buffers, minds.net, settings, stream_seed(seed, u64(0)), visits)


@compiled
def _read_root(tree: Tree, found: Any) -> None:
    node = tree.nodes[0]
    for where in range(node.first, node.first + node.count):
        edge = tree.edges[where]
        found.visits[edge.action] = edge.visits
        found.totals[edge.action] = edge.total
        found.priors[edge.action] = edge.prior


@compiled
def _read_returns(tree: Tree, over: Number, found: Any) -> None:
    """What lies behind the tokens that go back: every order of the same mix adds up."""
    for place in range(ACTION_COUNT):
        found.visits[place] = 0
        found.totals[place] = 0
        found.priors[place] = 0
    edges, nodes = tree.edges, tree.nodes
    for a in range(nodes[0].first, nodes[0].first + nodes[0].count):
        first, chance = edges[a].action - GIVE_BACK, np.float64(edges[a].prior)
        if over == 1:
            _add_mix(edges[a], _MIX_OF[1, first, first, first], 1.0, found)
        elif edges[a].child != NO_CHILD:
            node = nodes[edges[a].child]
            for b in range(node.first, node.first + node.count):
                second = edges[b].action - GIVE_BACK
                if over == 2:
                    _add_mix(edges[b], _MIX_OF[2, first, second, second], chance, found)
                elif edges[b].child != NO_CHILD:
                    last, both = nodes[edges[b].child], chance * edges[b].prior
                    for c in range(last.first, last.first + last.count):
                        third = edges[c].action - GIVE_BACK
                        _add_mix(edges[c], _MIX_OF[3, first, second, third], both, found)


@compiled
def _add_mix(edge: Any, number: Number, chance: float, found: Any) -> None:
    found.visits[number] += edge.visits
    found.totals[number] += edge.total
    found.priors[number] += chance * edge.prior


# --- the choice among what was found


@compiled
def _is_option(s: StateRow, place: Number) -> bool:
    """Whether the action, or the mix when tokens go back, is legal."""
    if s.phase == RETURN:
        over = too_many(s)
        return bool(place < MIX_COUNT[over] and holds_mix(s.tokens[s.seat], over, place))
    bit = place - first_action(s.phase)
    return bool(0 <= bit < 64 and (legal_mask(s) >> u64(bit)) & _ONE != u64(0))


@compiled
def _safest(s: StateRow, caution: float, found: Any) -> Number:
    """The highest value less what few visits leave in doubt, then the most visits, then prior."""
    best = -1
    for place in range(ACTION_COUNT):
        if _is_option(s, place) and (best < 0 or _is_safer(found, place, best, caution)):
            best = place
    return best


@compiled
def _is_safer(found: Any, one: Number, other: Number, caution: float) -> bool:
    a = sure_value(found.totals[one], found.visits[one], caution)
    b = sure_value(found.totals[other], found.visits[other], caution)
    if a != b:
        return bool(a > b)
    if found.visits[one] != found.visits[other]:
        return bool(found.visits[one] > found.visits[other])
    return bool(found.priors[one] > found.priors[other])


@compiled
def _blurred(s: StateRow, row: Any, found: Any, seed: np.uint64) -> Number:
    """One of the moves that the search takes seriously, the better ones more likely."""
    weights, most = found.totals, 0.0
    for place in range(ACTION_COUNT):
        weights[place] = 0.0
        if _is_option(s, place):
            weights[place] = found.visits[place] + found.priors[place] + 1e-6
            most = max(most, weights[place])
    total, last = 0.0, 0
    for place in range(ACTION_COUNT):
        if weights[place] < row.far_worse * most or weights[place] == 0.0:
            weights[place] = 0.0
            continue
        weights[place] = weights[place] ** (1 / row.blur)
        total += weights[place]
        last = place
    drawn = _unit(mix(seed)) * total
    for place in range(ACTION_COUNT):
        drawn -= weights[place]
        if weights[place] > 0 and drawn <= 0:
            return place
    return last


@compiled
def _by_taste(s: StateRow, row: Any, notes: Any, found: Any) -> Number:
    """The value, doubted while few visits speak for it, and the longing for the move."""
    worth = notes.values
    dearest, floor = -1e30, -1e30
    for place in range(ACTION_COUNT):
        if _is_option(s, place) and found.visits[place] > 0:
            dearest = max(dearest, worth[place])
            floor = max(floor, found.totals[place] / found.visits[place])
    floor -= row.most
    best, highest = -1, -1e30
    for place in range(ACTION_COUNT):
        if _is_option(s, place) and found.visits[place] > 0:
            value = found.totals[place] + row.doubt * floor
            value /= found.visits[place] + row.doubt
            appeal = value + max(row.pull * (worth[place] - dearest), -row.most)
            if appeal > highest:
                best, highest = place, appeal
    return best
