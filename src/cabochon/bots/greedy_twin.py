"""The greedy bot's judgement, compiled, over the kernel's records: `greedy` is its law.

Every legal action gets the number that `greedy.worth_of` gives its move; a test compares the two.
What there is to work for is looked at once; then the hands that the actions leave are planned all
together (`greedy_plans`).
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np

from cabochon.bots.greedy import WIN
from cabochon.bots.greedy_plans import (
    BONUS,
    COST,
    GOALS,
    NO_GOAL,
    Doubles,
    Notes,
    add_hand,
    half_turns,
    note_bank,
    plan_hands,
)
from cabochon.kernel.actions import (
    ACTION_COUNT,
    BUY,
    BUY_RESERVED,
    CHOOSE_NOBLE,
    PASS,
    RESERVE,
    RESERVE_DECK,
)
from cabochon.kernel.bits import (
    COLOURS,
    HIGH_SIX,
    covers,
    excess,
    lane,
    lowest_bit,
    sum_colours,
    sum_tokens,
)
from cabochon.kernel.cache import compiled, inlined
from cabochon.kernel.layout import (
    CARD_BITS,
    GAIN,
    NO_CARD,
    NOBLE,
    NOBLE_PRICE,
    POINTS_LANE,
    PRICE,
    RETURN,
    TAKE,
    Number,
    StateRow,
)
from cabochon.kernel.legal import first_action, legal_mask
from cabochon.kernel.step import points_of
from cabochon.rules.cards import CARDS, NOBLE_POINTS
from cabochon.rules.ruleset import TOKEN_LIMIT

u64 = np.uint64

_ONE = u64(1)
_GOLD = u64(1 << 40)
_TAKES = u64((1 << RESERVE) - 1)
_RESERVATIONS = u64((1 << BUY) - (1 << RESERVE))
_PURCHASES = u64((1 << PASS) - (1 << BUY))
ANY_CARD = ACTION_COUNT
"""The place in ``values`` after the actions': reserving a card that nobody else could buy."""

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

_POINTS = np.zeros(128, np.int64)
_POINTS[: len(CARDS)] = [card.points for card in CARDS]

_COUNT, _SEEN, _THREATS, _THREAT = range(4)
"""Places of ``threats``: how many goals there are, how many of them lie face up, how many of those
a rival would win with, and the last such."""
_TO_GO, _LAST = range(2)
"""Places of ``facts``: how much of the game is left, and whether it is the last round."""


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
    notes.hands[0] = 0
    note_bank(notes, s.bank)
    _list_goals(s, notes)
    _set_demand(s, bonuses, taste, notes)
    _set_worth(s, taste, notes)
    _set_need(tokens, bonuses, discount, notes)


@compiled
def _list_goals(s: StateRow, notes: Notes) -> None:
    """Face-up cards, then one's own reserved ones; what is no card fills up the vector."""
    count: Number = 0
    for place in range(12):
        notes.cards[u64(count)] = s.board[place]
        count += s.board[place] != NO_CARD
    notes.threats[_SEEN] = count
    for slot in range(3):
        card = s.reserved[4 * np.int64(s.seat) + slot]
        notes.cards[u64(count)] = card & CARD_BITS
        count += card != NO_CARD
    notes.threats[_COUNT] = count
    for goal in range(count, GOALS):
        notes.cards[u64(goal)] = NO_CARD
    for colour in range(5):
        for goal in range(GOALS):
            notes.prices[colour, goal] = COST[colour, notes.cards[goal]]
    for goal in range(GOALS):
        notes.costs[goal] = PRICE[notes.cards[goal]]
        notes.worth[goal] = -1
        notes.later[goal] = -1


Demand: TypeAlias = tuple[float, float, float, float, float]


@compiled
def _set_demand(s: StateRow, bonuses: np.uint64, taste: Any, notes: Notes) -> None:
    """What one more bonus of each colour is good for."""
    demand = (0.0, 0.0, 0.0, 0.0, 0.0)
    for goal in range(notes.threats[_COUNT]):
        saved = taste.engine + taste.engine_point * _POINTS[notes.cards[goal]]
        demand = _more(demand, excess(notes.costs[goal], bonuses), saved)
    for place in range(5):
        if (s.open_nobles >> place) & 1:
            asked = excess(NOBLE_PRICE[s.nobles[place] & 15], bonuses)
            missing = np.int64(sum_colours(asked))
            demand = _more(demand, asked, taste.noble * NOBLE_POINTS / (missing * missing + 2))
    for colour in range(5):
        notes.demand[colour] = demand[colour]


@inlined
def _more(demand: Demand, asked: np.uint64, saved: float) -> Demand:
    """Add where a colour is asked for, without a branch."""
    w, u, g, r, k = demand
    w += saved if lane(asked, 0) != u64(0) else 0.0
    u += saved if lane(asked, 1) != u64(0) else 0.0
    g += saved if lane(asked, 2) != u64(0) else 0.0
    r += saved if lane(asked, 3) != u64(0) else 0.0
    k += saved if lane(asked, 4) != u64(0) else 0.0
    return w, u, g, r, k


@compiled
def _set_worth(s: StateRow, taste: Any, notes: Notes) -> None:
    """The worth of every goal, now and when it has to wait; and who else would win with it."""
    _note_wishes(s, notes)
    to_go, seen = notes.facts[_TO_GO], notes.threats[_SEEN]
    notes.threats[_THREATS] = 0
    for goal in range(notes.threats[_COUNT]):
        card = notes.cards[goal]
        worth = taste.points * _POINTS[card]
        worth += (taste.bonus + notes.demand[BONUS[card]]) * to_go
        notes.worth[goal] = worth
        notes.later[goal] = worth
        if goal < seen:
            if notes.coveted[goal] != u64(0):
                notes.later[goal] = worth * taste.exposed
            if notes.wins[goal] != u64(0):
                notes.threats[_THREATS] += 1
                notes.threats[_THREAT] = goal


@compiled
def _note_wishes(s: StateRow, notes: Notes) -> None:
    """Which goals a rival could buy now, and with which one would then reach the target."""
    mine = s.seat & s.side_mask
    for goal in range(GOALS):
        notes.coveted[goal] = 0
        notes.wins[goal] = 0
    for seat in range(np.int64(s.seats)):
        if np.int64(seat & s.side_mask) != np.int64(mine):
            side, tokens = s.sides[seat & s.side_mask], s.tokens[seat]
            means, gold = (side & COLOURS) + (tokens & COLOURS), lane(tokens, 5)
            asked = np.int64(s.target) - np.int64(lane(side, POINTS_LANE))
            for goal in range(GOALS):
                can = u64(sum_colours(excess(notes.costs[goal], means)) <= gold)
                notes.coveted[goal] |= can
                notes.wins[goal] |= can & u64(_POINTS[notes.cards[goal]] >= asked)


@compiled
def _set_need(tokens: np.uint64, bonuses: np.uint64, discount: Doubles, notes: Notes) -> None:
    """How many tokens of each colour the nearest goal asks for."""
    half = notes.half[0]
    half_turns(notes, tokens, bonuses, half)
    best, most = NO_GOAL, -1.0
    for goal in range(notes.threats[_COUNT]):
        promise = notes.later[goal] * discount[u64(half[goal])]
        if promise > most:
            best, most = goal, promise
    for colour in range(5):
        notes.need[colour] = 0
        if best != NO_GOAL:
            held = np.int64(lane(bonuses, colour))
            notes.need[colour] = notes.prices[colour, best] - held


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
    mask = legal_mask(s)
    notes.values[PASS] = 0
    _weigh_takes(s, mask & _TAKES, discount, notes)
    if mask & _RESERVATIONS:
        _weigh_reservations(s, taste, discount, notes)
    _weigh_purchases(s, mask & _PURCHASES, taste, discount, notes)
    plan_hands(notes, taste.next_best, discount)
    if mask & _RESERVATIONS:
        _share_hand(s, taste, notes)


@inlined
def _hope(
    notes: Notes,
    place: Number,
    value: float,
    tokens: np.uint64,
    bonuses: np.uint64,
    without: Number,
    secured: Number,
    discount: Doubles,
) -> None:
    """The value of an action, without what the hand it leaves promises: that is added when all
    hands are planned. After the last round there is nothing to hope for."""
    notes.values[place] = value
    if notes.facts[_LAST] == 0:
        add_hand(notes, place, tokens, bonuses, without, secured, discount)


@compiled
def _weigh_takes(s: StateRow, mask: np.uint64, discount: Doubles, notes: Notes) -> None:
    bonuses, tokens = s.sides[s.seat & s.side_mask] & COLOURS, s.tokens[s.seat]
    while mask:
        action = np.int64(lowest_bit(mask))
        mask &= mask - _ONE
        after = tokens + TAKE[action]
        _hope(notes, action, 0.0, after, bonuses, NO_GOAL, NO_GOAL, discount)


@compiled
def _weigh_reservations(s: StateRow, taste: Any, discount: Doubles, notes: Notes) -> None:
    """All leave the same tokens: only a card that somebody else could buy is worth more in hand.
    The others share one hand, and get its value when it is planned."""
    bonuses, tokens = s.sides[s.seat & s.side_mask] & COLOURS, s.tokens[s.seat]
    if lane(s.bank, 5) != u64(0):
        tokens += _GOLD
    _hope(notes, ANY_CARD, 0.0, tokens, bonuses, NO_GOAL, NO_GOAL, discount)
    goal = 0
    for place in range(12):
        if s.board[place] != NO_CARD:
            if notes.worth[goal] != notes.later[goal]:
                value = taste.block if _is_only_threat(notes, goal) else 0.0
                where = RESERVE + place
                _hope(notes, where, value, tokens, bonuses, NO_GOAL, goal, discount)
            goal += 1


@compiled
def _share_hand(s: StateRow, taste: Any, notes: Notes) -> None:
    goal, base = 0, notes.values[ANY_CARD]
    for place in range(12):
        if s.board[place] != NO_CARD:
            if notes.worth[goal] == notes.later[goal]:
                block = taste.block if _is_only_threat(notes, goal) else 0.0
                notes.values[RESERVE + place] = base + block
            goal += 1
    for level in range(3):
        notes.values[RESERVE_DECK + level] = base + taste.blind * notes.facts[_TO_GO]


@inlined
def _is_only_threat(notes: Notes, goal: Number) -> bool:
    return bool(notes.threats[_THREATS] == 1 and notes.threats[_THREAT] == goal)


@compiled
def _weigh_purchases(
    s: StateRow, mask: np.uint64, taste: Any, discount: Doubles, notes: Notes
) -> None:
    bonuses, tokens = s.sides[s.seat & s.side_mask] & COLOURS, s.tokens[s.seat]
    while mask:
        action = np.int64(lowest_bit(mask))
        mask &= mask - _ONE
        goal = _goal_of(s, action, notes)
        card = notes.cards[goal]
        value, left = _gained(s, goal, taste, notes), _spent(card, tokens, bonuses)
        after = bonuses + (GAIN[card] & COLOURS)
        _hope(notes, action, value, left, after, goal, NO_GOAL, discount)


@compiled
def _gained(s: StateRow, goal: Number, taste: Any, notes: Notes) -> float:
    """What a purchase brings at once."""
    card = notes.cards[goal]
    side = s.sides[s.seat & s.side_mask] + GAIN[card]
    points = np.int64(lane(side, POINTS_LANE))
    value = notes.worth[goal]
    for place in range(5):
        price = NOBLE_PRICE[s.nobles[place] & 15]
        if (s.open_nobles >> place) & 1 and covers(side & COLOURS, price):
            points += NOBLE_POINTS
            value += NOBLE_POINTS
            break
    if points >= np.int64(s.target):
        value += WIN + points
    if goal < notes.threats[_SEEN] and notes.threats[_THREATS] > 0 and notes.wins[goal] != u64(0):
        value += taste.block
    return float(value)


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
            _hope(notes, mix, 0.0, left, bonuses, NO_GOAL, NO_GOAL, discount)
    plan_hands(notes, taste.next_best, discount)


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
