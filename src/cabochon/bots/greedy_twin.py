"""The greedy bot's judgement, compiled, over the kernel's records: `greedy` is its law.

Every legal action gets the number that `greedy.worth_of` gives its move; a test compares the two.
What is asked of many cards at once (how many half turns until each could be bought?) stands in
rows of float32, a place a card, so that LLVM makes vectors of it.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cabochon.kernel.actions import (
    ACTION_COUNT,
    BUY,
    BUY_RESERVED,
    CHOOSE_NOBLE,
    PASS,
    RESERVE,
    RESERVE_DECK,
)
from cabochon.kernel.bits import lowest_bit
from cabochon.kernel.cache import compiled, inlined
from cabochon.kernel.card_words import GAIN, NOBLE_PRICE, POINTS_LANE, PRICE, TAKE
from cabochon.kernel.lanes import COLOURS, HIGH_SIX, covers, excess, lane, sum_colours, sum_tokens
from cabochon.kernel.layout import CARD_BITS, NO_CARD, NOBLE, RETURN, Number, StateRow
from cabochon.kernel.legal import first_action, legal_mask
from cabochon.kernel.shares import points_of
from cabochon.rules.cards import CARDS, NOBLE_POINTS
from cabochon.rules.ruleset import TOKEN_LIMIT

u64, f32 = np.uint64, np.float32
Doubles = npt.NDArray[np.float64]

LONGEST = 64
DISCOUNTS = 4 * LONGEST
"""As long as four goals can take, one after the other; from LONGEST on they are all alike."""
PLANNED = 4
GOALS = 16
"""Twelve face-up cards and three of one's own, and one place more to make a vector."""
NO_GOAL = -1
_WIN, _TOKEN = 100.0, 0.01
_ONE = u64(1)
_GOLD = u64(1 << 40)
_ZERO, _TWO, _THREE, _THIRD, _BIT = f32(0), f32(2), f32(3), f32(1 / 3), f32(0.01)

TASTE = np.dtype(
    [
        (name, np.float64)
        for name in (
            "points", "bonus", "engine", "engine_point", "noble", "fading", "next_best",
            "exposed", "blind", "block",
        )
    ]
)  # fmt: skip
"""A `greedy.Taste` without its patience, which is a table of discounts by half turns."""

MIXES = tuple(
    tuple(combinations_with_replacement(range(6), count)) if count else () for count in range(4)
)
"""What can be given back when one, two or three tokens are too many, in the law's order."""
MIX_COUNT = np.array([len(mixes) for mixes in MIXES], np.int64)
MOST_MIXES = int(MIX_COUNT.max())
MIX_WORDS = np.array(
    [
        [sum(1 << 8 * gem for gem in mix) for mix in mixes] + [0] * (MOST_MIXES - len(mixes))
        for mixes in MIXES
    ],
    np.uint64,
)
MIX_WEIGHTS = np.array([1, 6, 36], np.int64)

_COST = np.zeros((128, 5), np.float32)
_COST[: len(CARDS)] = [card.cost[:5] for card in CARDS]
_BONUS = np.zeros(128, np.int64)
_BONUS[: len(CARDS)] = [card.bonus for card in CARDS]
_POINTS = np.zeros(128, np.int64)
_POINTS[: len(CARDS)] = [card.points for card in CARDS]


NOTES = np.dtype(
    [
        ("prices", np.float32, (5, GOALS)),
        ("half", np.float32, GOALS),
        ("near_prices", np.float32, (5, PLANNED)),
        ("near_half", np.float32, PLANNED),
        ("cards", np.int64, GOALS),
        ("worth", np.float64, GOALS),
        ("later", np.float64, GOALS),
        ("promises", np.float64, GOALS),
        ("near_cards", np.int64, PLANNED),
        ("near_worth", np.float64, PLANNED),
        ("near_promises", np.float64, PLANNED),
        ("demand", np.float64, 5),
        ("need", np.float64, 5),
        ("values", np.float64, ACTION_COUNT),
        ("threats", np.int64, 4),
        ("facts", np.float64, 2),
    ],
    align=True,
)
"""Working memory of one judgement, a record so that it is handed on as one pointer; results are in
``values``, by action or, when tokens go back, by mix."""

Notes: TypeAlias = Any
"""One element of NOTES inside compiled code."""

_COUNT, _SEEN, _THREATS, _THREAT = range(4)
"""Places of ``threats``: how many goals there are, how many of them lie face up, how many of those
a rival would win with, and the last such."""
_TO_GO, _LAST = range(2)
"""Places of ``facts``: how much of the game is left, and whether it is the last round."""


def new_notes() -> npt.NDArray[np.void]:
    """Working memory for one thread: an array of one."""
    return np.zeros(1, NOTES)


# --- what there is to work for


@compiled
def look(s: StateRow, taste: Any, discount: Doubles, notes: Notes) -> None:
    """What is computed once for all actions of the seat to move."""
    side = s.sides[s.seat & s.side_mask]
    bonuses, tokens = side & COLOURS, s.tokens[s.seat]
    most: Number = 0
    for seat in range(np.int64(s.seats)):
        most = max(most, points_of(s, seat))
    notes.facts[_TO_GO] = max(0.0, 1 - taste.fading * (most / np.int64(s.target)))
    notes.facts[_LAST] = s.last_round
    _list_goals(s, notes)
    _set_demand(s, bonuses, taste, notes)
    _set_worth(s, taste, notes)
    _set_need(s, tokens, bonuses, discount, notes)


@compiled
def _list_goals(s: StateRow, notes: Notes) -> None:
    """Face-up cards, then one's own reserved ones; dear dummies fill up the vector."""
    count = 0
    for place in range(12):
        if s.board[place] != NO_CARD:
            notes.cards[count] = s.board[place]
            count += 1
    notes.threats[_SEEN] = count
    for slot in range(3):
        card = s.reserved[4 * np.int64(s.seat) + slot]
        if card != NO_CARD:
            notes.cards[count] = card & CARD_BITS
            count += 1
    notes.threats[_COUNT] = count
    for goal in range(count):
        for colour in range(5):
            notes.prices[colour, goal] = _COST[notes.cards[goal], colour]
    for goal in range(count, GOALS):
        for colour in range(5):
            notes.prices[colour, goal] = 7
        notes.worth[goal] = -1
        notes.later[goal] = -1


@compiled
def _set_demand(s: StateRow, bonuses: np.uint64, taste: Any, notes: Notes) -> None:
    """What one more bonus of each colour is good for."""
    demand = notes.demand
    for colour in range(5):
        demand[colour] = 0
    for goal in range(notes.threats[_COUNT]):
        card = notes.cards[goal]
        saved = taste.engine + taste.engine_point * _POINTS[card]
        _add_where(demand, excess(PRICE[card], bonuses), saved)
    for place in range(5):
        if (s.open_nobles >> place) & 1:
            asked = excess(NOBLE_PRICE[s.nobles[place] & 15], bonuses)
            missing = np.int64(sum_colours(asked))
            _add_where(demand, asked, taste.noble * NOBLE_POINTS / (missing * missing + 2))


@inlined
def _add_where(demand: Doubles, asked: np.uint64, saved: float) -> None:
    """Add where a colour is asked for, without a branch."""
    for colour in range(5):
        demand[colour] += saved if lane(asked, colour) != u64(0) else 0.0


@compiled
def _set_worth(s: StateRow, taste: Any, notes: Notes) -> None:
    """The worth of every goal, now and when it has to wait; and who else would win with it."""
    to_go = notes.facts[_TO_GO]
    notes.threats[_THREATS] = 0
    for goal in range(notes.threats[_COUNT]):
        card = notes.cards[goal]
        worth = taste.points * _POINTS[card]
        worth += (taste.bonus + notes.demand[_BONUS[card]]) * to_go
        notes.worth[goal] = worth
        notes.later[goal] = worth
        if goal < notes.threats[_SEEN]:
            coveted, wins = _wanted(s, card)
            if coveted:
                notes.later[goal] = worth * taste.exposed
            if wins:
                notes.threats[_THREATS] += 1
                notes.threats[_THREAT] = goal


@inlined
def _wanted(s: StateRow, card: Number) -> tuple[bool, bool]:
    """Whether a rival could buy the card now, and whether one would then reach the target."""
    mine = s.seat & s.side_mask
    coveted, wins = False, False
    for seat in range(np.int64(s.seats)):
        if np.int64(seat & s.side_mask) != np.int64(mine):
            side, tokens = s.sides[seat & s.side_mask], s.tokens[seat]
            lacking = sum_colours(excess(PRICE[card], (side & COLOURS) + (tokens & COLOURS)))
            if lacking <= lane(tokens, 5):
                coveted = True
                points = np.int64(lane(side, POINTS_LANE)) + _POINTS[card]
                wins |= points >= np.int64(s.target)
    return coveted, wins


@compiled
def _set_need(
    s: StateRow, tokens: np.uint64, bonuses: np.uint64, discount: Doubles, notes: Notes
) -> None:
    """How many tokens of each colour the nearest goal asks for."""
    _all_half_turns(notes.prices, tokens, bonuses, s.bank, notes.half)
    best, most = NO_GOAL, -1.0
    for goal in range(notes.threats[_COUNT]):
        promise = notes.later[goal] * discount[np.int64(notes.half[goal])]
        if promise > most:
            best, most = goal, promise
    for colour in range(5):
        notes.need[colour] = 0
        if best != NO_GOAL:
            held = np.int64(lane(bonuses, colour))
            notes.need[colour] = _COST[notes.cards[best], colour] - held


# --- what a hand promises


@compiled
def _all_half_turns(
    prices: npt.NDArray[np.float32],
    tokens: np.uint64,
    bonuses: np.uint64,
    bank: np.uint64,
    out: npt.NDArray[np.float32],
) -> None:
    """About how many half turns until each card is bought; gold fills the widest gap first."""
    means = (tokens & COLOURS) + bonuses
    h0, h1, h2 = _count(means, 0), _count(means, 1), _count(means, 2)
    h3, h4 = _count(means, 3), _count(means, 4)
    l0, l1, l2 = _count(bank, 0), _count(bank, 1), _count(bank, 2)
    l3, l4 = _count(bank, 3), _count(bank, 4)
    gold = _count(tokens, 5)
    p0, p1, p2, p3, p4 = prices[0], prices[1], prices[2], prices[3], prices[4]
    for k in range(out.shape[0]):
        g0, g1, g2 = max(p0[k] - h0, _ZERO), max(p1[k] - h1, _ZERO), max(p2[k] - h2, _ZERO)
        g3, g4 = max(p3[k] - h3, _ZERO), max(p4[k] - h4, _ZERO)
        total = ((g0 + g1) + (g2 + g3)) + g4
        longest = max(max(_turns(g0, l0), _turns(g1, l1)), _turns(g2, l2))
        longest = max(longest, max(_turns(g3, l3), _turns(g4, l4)))
        short = total - gold
        # Three tokens a turn: rounded up, and a little added against what 1/3 is not.
        rounds = f32(np.floor((short + _TWO) * _THIRD + _BIT))
        late = max(longest - gold - gold, rounds + rounds)
        out[k] = _TWO + late if short > _ZERO else _TWO


@inlined
def _count(word: np.uint64, index: Number) -> np.float32:
    return f32(np.int64(lane(word, index)))


@inlined
def _turns(gap: np.float32, left: np.float32) -> np.float32:
    """Half turns to collect so many of one colour when the bank has so many left."""
    spared = f32(1) if gap > f32(1) and left > _THREE else _ZERO
    return gap + gap + (_THREE if gap > left else -spared)


@compiled
def prospect(
    s: StateRow,
    tokens: np.uint64,
    bonuses: np.uint64,
    without: Number,
    secured: Number,
    taste: Any,
    discount: Doubles,
    notes: Notes,
) -> float:
    """The worth of the cards within reach, the best counted most."""
    if notes.facts[_LAST] != 0:
        return 0.0
    if sum_tokens(tokens) > u64(TOKEN_LIMIT):
        tokens = _kept(tokens, notes.need)
    keep = _TOKEN * np.int64(sum_tokens(tokens) + lane(tokens, 5))
    _all_half_turns(notes.prices, tokens, bonuses, s.bank, notes.half)
    count = _nearest(without, secured, discount, notes)
    return keep + _plan(s, count, tokens, bonuses, taste, discount, notes)


@compiled
def _kept(tokens: np.uint64, need: Doubles) -> np.uint64:
    """Ten of the tokens: a rough guess at what would be given back, gold never."""
    while sum_tokens(tokens) > u64(TOKEN_LIMIT):
        least, pick = 1e9, 0
        for colour in range(5):
            held = np.int64(lane(tokens, colour))
            if held > 0 and need[colour] - held < least:
                least, pick = need[colour] - held, colour
        tokens -= _ONE << u64(8 * pick)
    return tokens


@compiled
def _nearest(without: Number, secured: Number, discount: Doubles, notes: Notes) -> Number:
    """The few goals that promise most, the best first, into ``near_…``; returns how many."""
    promises = notes.promises
    for goal in range(GOALS):
        promises[goal] = notes.later[goal] * discount[np.int64(notes.half[goal])]
    if secured != NO_GOAL:
        promises[secured] = notes.worth[secured] * discount[np.int64(notes.half[secured])]
    if without != NO_GOAL:
        promises[without] = -1
    a, b, c, d = _first_four(promises)
    _note_near(notes, 0, a, secured)
    _note_near(notes, 1, b, secured)
    _note_near(notes, 2, c, secured)
    _note_near(notes, 3, d, secured)
    return min(np.int64(notes.threats[_COUNT]) - (without != NO_GOAL), PLANNED)


@inlined
def _first_four(promises: Doubles) -> tuple[Number, Number, Number, Number]:
    """The places of the four highest, the first of equals first. All is chosen by selection, not
    by branches, which nobody could predict."""
    v, w, x, y = -2.0, -2.0, -2.0, -2.0
    a, b, c, d = GOALS - 1, GOALS - 1, GOALS - 1, GOALS - 1
    for goal in range(GOALS):
        p = promises[goal]
        over_v, over_w, over_x, over_y = p > v, p > w, p > x, p > y
        d = c if over_x else (goal if over_y else d)
        y = x if over_x else (p if over_y else y)
        c = b if over_w else (goal if over_x else c)
        x = w if over_w else (p if over_x else x)
        b = a if over_v else (goal if over_w else b)
        w = v if over_v else (p if over_w else w)
        a = goal if over_v else a
        v = p if over_v else v
    return a, b, c, d


@inlined
def _note_near(notes: Notes, k: Number, goal: Number, secured: Number) -> None:
    notes.near_cards[k] = notes.cards[goal]
    notes.near_half[k] = notes.half[goal]
    notes.near_promises[k] = notes.promises[goal]
    notes.near_worth[k] = notes.worth[goal] if goal == secured else notes.later[goal]
    if notes.promises[goal] < 0:
        notes.near_worth[k] = -1
    for colour in range(5):
        notes.near_prices[colour, k] = notes.prices[colour, goal]


@compiled
def _plan(
    s: StateRow,
    count: Number,
    tokens: np.uint64,
    bonuses: np.uint64,
    taste: Any,
    discount: Doubles,
    notes: Notes,
) -> float:
    """What the goals bring when they are bought one after the other: a token pays once, and every
    purchase helps with the next."""
    worth, half = notes.near_worth, notes.near_half
    total, elapsed, weight = 0.0, np.int64(0), 1.0
    for step in range(count):
        best, pick = 0.0, 0
        if step == 0:  # they stand in this order: of equals, the last
            best = notes.near_promises[0]
            while pick + 1 < count and notes.near_promises[pick + 1] == best:
                pick += 1
        else:
            for k in range(PLANNED):
                promise = worth[k] * discount[elapsed + np.int64(half[k])]
                is_better = promise >= best
                best = promise if is_better else best
                pick = k if is_better else pick
        worth[pick] = -1
        total += weight * best
        weight *= taste.next_best
        elapsed += np.int64(half[pick])
        if step + 1 < count:
            card = notes.near_cards[pick]
            tokens = _spent(card, tokens, bonuses)
            bonuses += GAIN[card] & COLOURS
            _all_half_turns(notes.near_prices, tokens, bonuses, s.bank, half)
    return total


@inlined
def _spent(card: Number, tokens: np.uint64, bonuses: np.uint64) -> np.uint64:
    """The tokens without those that go into the card, whatever has still to be collected."""
    due = excess(PRICE[card], bonuses)
    short = excess(due, tokens & COLOURS)
    gold = min(sum_colours(short), lane(tokens, 5))
    return tokens - (due - short) - gold * _GOLD


# --- each kind of action


@compiled
def weigh(s: StateRow, taste: Any, discount: Doubles, notes: Notes) -> None:
    """What every legal action of the seat to move leaves, in points, into ``notes.values``; when
    tokens go back, what every legal mix of them leaves, by its number."""
    if s.phase == NOBLE:
        _weigh_nobles(s, notes)
        return
    look(s, taste, discount, notes)
    if s.phase == RETURN:
        _weigh_mixes(s, taste, discount, notes)
        return
    bonuses, tokens = s.sides[s.seat & s.side_mask] & COLOURS, s.tokens[s.seat]
    mask = legal_mask(s)
    notes.values[PASS] = 0
    while mask & u64((1 << RESERVE) - 1):
        action = np.int64(lowest_bit(mask))
        mask &= mask - _ONE
        notes.values[action] = prospect(
            s, tokens + TAKE[action], bonuses, NO_GOAL, NO_GOAL, taste, discount, notes
        )
    if mask & u64((1 << BUY) - 1):
        _weigh_reservations(s, tokens, bonuses, taste, discount, notes)
    mask &= ~u64((1 << BUY) - 1)
    while mask & u64((1 << PASS) - 1):
        action = np.int64(lowest_bit(mask))
        mask &= mask - _ONE
        notes.values[action] = _buying(s, action, tokens, bonuses, taste, discount, notes)


@compiled
def _weigh_reservations(
    s: StateRow,
    tokens: np.uint64,
    bonuses: np.uint64,
    taste: Any,
    discount: Doubles,
    notes: Notes,
) -> None:
    """All leave the same tokens: only a card that somebody else could buy is worth more in hand."""
    if lane(s.bank, 5) != u64(0):
        tokens += _GOLD
    base = prospect(s, tokens, bonuses, NO_GOAL, NO_GOAL, taste, discount, notes)
    goal = 0
    for place in range(12):
        if s.board[place] != NO_CARD:
            value = base
            if notes.worth[goal] != notes.later[goal]:
                value = prospect(s, tokens, bonuses, NO_GOAL, goal, taste, discount, notes)
            if notes.threats[_THREATS] == 1 and notes.threats[_THREAT] == goal:
                value += taste.block
            notes.values[RESERVE + place] = value
            goal += 1
    for level in range(3):
        notes.values[RESERVE_DECK + level] = base + taste.blind * notes.facts[_TO_GO]


@compiled
def _buying(
    s: StateRow,
    action: Number,
    tokens: np.uint64,
    bonuses: np.uint64,
    taste: Any,
    discount: Doubles,
    notes: Notes,
) -> float:
    goal = _goal_of(s, action, notes)
    card = notes.cards[goal]
    side = s.sides[s.seat & s.side_mask] + GAIN[card]
    after = side & COLOURS
    points = np.int64(lane(side, POINTS_LANE))
    value = notes.worth[goal]
    for place in range(5):
        if (s.open_nobles >> place) & 1 and covers(after, NOBLE_PRICE[s.nobles[place] & 15]):
            points += NOBLE_POINTS
            value += NOBLE_POINTS
            break
    if points >= np.int64(s.target):
        value += _WIN + points
    if goal < notes.threats[_SEEN] and notes.threats[_THREATS] > 0 and _wanted(s, card)[1]:
        value += taste.block
    left = _spent(card, tokens, bonuses)
    return float(value + prospect(s, left, after, goal, NO_GOAL, taste, discount, notes))


@compiled
def _goal_of(s: StateRow, action: Number, notes: Notes) -> Number:
    """The goal that a purchase is about: holes in the rows are not among the goals."""
    if action >= BUY_RESERVED:
        return np.int64(notes.threats[_SEEN]) + action - BUY_RESERVED
    goal = 0
    for place in range(action - BUY):
        goal += s.board[place] != NO_CARD
    return goal


@compiled
def _weigh_nobles(s: StateRow, notes: Notes) -> None:
    """The noble that a rival is nearest to."""
    mine = np.int64(s.seat & s.side_mask)
    for place in range(5):
        least: Number = 100
        for seat in range(np.int64(s.seats)):
            if np.int64(seat & s.side_mask) != mine:
                bonuses = s.sides[seat & s.side_mask] & COLOURS
                asked = excess(NOBLE_PRICE[s.nobles[place] & 15], bonuses)
                least = min(least, np.int64(sum_colours(asked)))
        notes.values[CHOOSE_NOBLE + place] = -least


@compiled
def _weigh_mixes(s: StateRow, taste: Any, discount: Doubles, notes: Notes) -> None:
    tokens, bonuses = s.tokens[s.seat], s.sides[s.seat & s.side_mask] & COLOURS
    over = too_many(s)
    for mix in range(MIX_COUNT[over]):
        if holds_mix(tokens, over, mix):
            left = tokens - MIX_WORDS[over, mix]
            notes.values[mix] = prospect(s, left, bonuses, NO_GOAL, NO_GOAL, taste, discount, notes)


@inlined
def too_many(s: StateRow) -> Number:
    """How many tokens the seat to move has to give back."""
    return np.int64(sum_tokens(s.tokens[s.seat])) - TOKEN_LIMIT


@inlined
def holds_mix(tokens: np.uint64, over: Number, mix: Number) -> bool:
    """Whether those tokens are there to be given back."""
    return bool(((tokens | HIGH_SIX) - MIX_WORDS[over, mix]) & HIGH_SIX == HIGH_SIX)


# --- the choice


@compiled
def best_action(s: StateRow, notes: Notes) -> Number:
    """The legal action of the highest value, the first of equals; not when tokens go back."""
    mask, base = legal_mask(s), first_action(s.phase)
    best = base + np.int64(lowest_bit(mask))
    while mask:
        action = base + np.int64(lowest_bit(mask))
        mask &= mask - _ONE
        if notes.values[action] > notes.values[best]:
            best = action
    return best


@compiled
def best_mix(s: StateRow, notes: Notes) -> Number:
    """The mix of tokens whose loss leaves most, the first of equals."""
    over, best = too_many(s), -1
    for mix in range(MIX_COUNT[over]):
        if holds_mix(s.tokens[s.seat], over, mix) and (
            best < 0 or notes.values[mix] > notes.values[best]
        ):
            best = mix
    return best
