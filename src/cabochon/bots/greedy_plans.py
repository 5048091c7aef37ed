"""What hands promise, many at once: the part of the greedy bot's judgement that costs its time.

A move leaves a hand, and a hand is worth what the nearest few goals bring when they are bought one
after the other. The hands of all moves that are weighed stand side by side, a column each, and
every step is done for eight columns in one loop without branches, so that LLVM makes vectors of it.
Tokens, prices and half turns are small whole numbers, which float32 holds exactly.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cabochon.bots.greedy import LONGEST, PLANNED, TOKEN
from cabochon.kernel.actions import ACTION_COUNT
from cabochon.kernel.bits import lane, sum_tokens
from cabochon.kernel.cache import compiled, inlined
from cabochon.kernel.layout import Number
from cabochon.rules.cards import CARDS
from cabochon.rules.ruleset import TOKEN_LIMIT

u64, f32 = np.uint64, np.float32
Doubles = npt.NDArray[np.float64]

DISCOUNTS = 4 * LONGEST
"""As long as four goals can take, one after the other; from LONGEST on they are all alike."""
GOALS = 16
"""Twelve face-up cards and three of one's own, and one place more to make a vector."""
WIDTH = 8
HANDS = 7 * WIDTH
"""No turn leaves more different hands: 56 ways to give back three tokens, or 15 takes, 15 purchases
and 13 hands after a reservation."""
NO_GOAL = -1
_ONE = u64(1)
_ZERO, _UNIT, _TWO, _THREE = f32(0), f32(1), f32(2), f32(3)
_THIRD, _BIT = f32(1 / 3), f32(0.01)

COST = np.full((5, 128), 7, np.float32)
"""By colour and card; what is no card is dear."""
COST[:, : len(CARDS)] = np.array([card.cost[:5] for card in CARDS]).T
BONUS = np.zeros(128, np.int64)
BONUS[: len(CARDS)] = [card.bonus for card in CARDS]

NOTES = np.dtype(
    [
        ("prices", np.float32, (5, GOALS)),
        ("half", np.int32, (HANDS, GOALS)),
        ("tokens", np.float32, (6, HANDS)),
        ("bonuses", np.float32, (5, HANDS)),
        ("near_prices", np.float32, (PLANNED, 5, HANDS)),
        ("near_bonus", np.float32, (PLANNED, HANDS)),
        ("near_half", np.float32, (PLANNED, HANDS)),
        ("near_late", np.int32, (PLANNED, HANDS)),
        ("pick", np.float32, HANDS),
        ("elapsed", np.float32, HANDS),
        ("bank", np.float32, (3, 5)),
        ("promises", np.float64, (GOALS, HANDS)),
        ("near_worth", np.float64, (PLANNED, HANDS)),
        ("near_promises", np.float64, (PLANNED, HANDS)),
        ("near", np.float64, (PLANNED, HANDS)),
        ("totals", np.float64, HANDS),
        ("secured", np.int64, HANDS),
        ("places", np.int64, HANDS),
        ("cards", np.uint64, GOALS),
        ("costs", np.uint64, GOALS),
        ("coveted", np.uint64, GOALS),
        ("wins", np.uint64, GOALS),
        ("worth", np.float64, GOALS),
        ("later", np.float64, GOALS),
        ("demand", np.float64, 5),
        ("need", np.float64, 5),
        ("values", np.float64, ACTION_COUNT + 1),
        ("threats", np.int64, 4),
        ("facts", np.float64, 2),
        ("hands", np.int64, 1),
    ],
    align=True,
)
"""Working memory of one judgement, a record so that it is handed on as one pointer; results are in
``values``, by action or, when tokens go back, by mix."""

Notes: TypeAlias = Any
"""One element of NOTES inside compiled code."""


def new_notes() -> npt.NDArray[np.void]:
    """Working memory for one thread: an array of one."""
    return np.zeros(1, NOTES)


@inlined
def half_turns(
    notes: Notes, tokens: np.uint64, bonuses: np.uint64, out: npt.NDArray[np.int32]
) -> None:
    """About how many half turns until each goal is bought; gold fills the widest gap first."""
    h0, h1, h2 = _means(tokens, bonuses, 0), _means(tokens, bonuses, 1), _means(tokens, bonuses, 2)
    h3, h4 = _means(tokens, bonuses, 3), _means(tokens, bonuses, 4)
    gold, prices, bank = count(tokens, 5), notes.prices, _bank(notes)
    for k in range(GOALS):
        g0, g1 = max(prices[0, k] - h0, _ZERO), max(prices[1, k] - h1, _ZERO)
        g2, g3 = max(prices[2, k] - h2, _ZERO), max(prices[3, k] - h3, _ZERO)
        g4 = max(prices[4, k] - h4, _ZERO)
        out[k] = np.int32(_until(g0, g1, g2, g3, g4, gold, bank))


@inlined
def count(word: np.uint64, index: Number) -> np.float32:
    """One count of a word, as the rows have it."""
    return f32(np.int64(lane(word, index)))


@inlined
def _means(tokens: np.uint64, bonuses: np.uint64, colour: Number) -> np.float32:
    return count(tokens, colour) + count(bonuses, colour)


@inlined
def note_bank(notes: Notes, bank: np.uint64) -> None:
    """What the half turns need of the bank: how many of each colour are left, the gap from which
    two of them can be taken at once, and what it costs to want more than are left."""
    for colour in range(5):
        left = count(bank, colour)
        notes.bank[0, colour] = left
        notes.bank[1, colour] = f32(1) if left > f32(3) else f32(100)
        notes.bank[2, colour] = f32(4) if left > f32(3) else f32(3)


Bank: TypeAlias = tuple[tuple[np.float32, np.float32, np.float32], ...]


@inlined
def _bank(notes: Notes) -> Bank:
    """The same as values, which a loop that writes need not read again."""
    bank = notes.bank
    return (
        (bank[0, 0], bank[1, 0], bank[2, 0]),
        (bank[0, 1], bank[1, 1], bank[2, 1]),
        (bank[0, 2], bank[1, 2], bank[2, 2]),
        (bank[0, 3], bank[1, 3], bank[2, 3]),
        (bank[0, 4], bank[1, 4], bank[2, 4]),
    )


@inlined
def _until(
    g0: np.float32,
    g1: np.float32,
    g2: np.float32,
    g3: np.float32,
    g4: np.float32,
    gold: np.float32,
    bank: Bank,
) -> np.float32:
    """Half turns until these gaps are filled and the card is bought."""
    longest = max(max(_turns(g0, bank[0]), _turns(g1, bank[1])), _turns(g2, bank[2]))
    longest = max(longest, max(_turns(g3, bank[3]), _turns(g4, bank[4])))
    short = ((g0 + g1) + (g2 + g3)) + g4 - gold
    # Three tokens a turn: rounded up, and a little added against what 1/3 is not.
    rounds = f32(np.floor((short + _TWO) * _THIRD + _BIT))
    return _TWO + (max(longest - gold - gold, rounds + rounds) if short > _ZERO else _ZERO)


@inlined
def _turns(gap: np.float32, bank: tuple[np.float32, np.float32, np.float32]) -> np.float32:
    """Half turns to collect so many of one colour."""
    left, pairs, dear = bank
    return gap + gap + (dear if gap > left else _ZERO) - (_UNIT if gap > pairs else _ZERO)


# --- a hand is added


@compiled
def add_hand(
    notes: Notes,
    place: Number,
    tokens: np.uint64,
    bonuses: np.uint64,
    without: Number,
    secured: Number,
    discount: Doubles,
) -> None:
    """One more hand to plan for, after the purchase of goal ``without`` or with goal ``secured``
    in reserve; what it promises will be added to the value at ``place``."""
    if sum_tokens(tokens) > u64(TOKEN_LIMIT):
        tokens = _kept(tokens, notes.need)
    hand = u64(notes.hands[0])
    notes.hands[0] += 1
    notes.places[hand] = place
    notes.secured[hand] = secured
    notes.totals[hand] = TOKEN * np.int64(sum_tokens(tokens) + lane(tokens, 5))
    for gem in range(6):
        notes.tokens[gem, hand] = count(tokens, gem)
    for colour in range(5):
        notes.bonuses[colour, hand] = count(bonuses, colour)
    half = notes.half[hand]
    half_turns(notes, tokens, bonuses, half)
    for goal in range(GOALS):
        notes.promises[goal, hand] = notes.later[goal] * discount[u64(half[goal])]
    if secured != NO_GOAL:
        notes.promises[secured, hand] = notes.worth[secured] * discount[u64(half[secured])]
    if without != NO_GOAL:
        notes.promises[without, hand] = -1


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


# --- all hands are planned


@compiled
def plan_hands(notes: Notes, next_best: float, discount: Doubles) -> None:
    """Add to the values what the hands bring: the worth of the goals within reach, the best counted
    most."""
    hands = np.int64(notes.hands[0])
    for first in range(0, hands, WIDTH):
        column, end = u64(first), first + WIDTH if first + WIDTH < hands else hands
        _find_nearest(notes, column)
        for hand in range(first, end):
            _note_near(notes, u64(hand))
            _pick_first(notes, u64(hand))
        weight = 1.0
        for _ in range(1, PLANNED):
            weight *= next_best
            _buy_picked(notes, column)
            for hand in range(first, end):
                _pick_next(notes, u64(hand), weight, discount)
    for hand in range(hands):
        notes.values[notes.places[hand]] += notes.totals[hand]
    notes.hands[0] = 0


Four: TypeAlias = tuple[float, float, float, float, float, float, float, float]
"""Four promises, the highest first, and then the numbers of their goals."""


@compiled
def _find_nearest(notes: Notes, first: np.uint64) -> None:
    """The goals that promise most, the best and of equals the first first: fours are sorted and put
    together. LLVM makes vectors of the outer loop alone, so the inner one is written out."""
    for column in range(WIDTH):
        hand = first + u64(column)
        best = _sorted(notes, hand, 0)
        best = _best_of(best, _sorted(notes, hand, 4))
        best = _best_of(best, _sorted(notes, hand, 8))
        best = _best_of(best, _sorted(notes, hand, 12))
        promises, near = notes.near_promises, notes.near
        promises[0, hand], promises[1, hand], promises[2, hand], promises[3, hand] = best[:4]
        near[0, hand], near[1, hand], near[2, hand], near[3, hand] = best[4:]


@inlined
def _sorted(notes: Notes, hand: np.uint64, goal: Number) -> Four:
    """Four goals that stand side by side; only neighbours change places, so equals never do."""
    a, b, c, d = float(goal), float(goal + 1), float(goal + 2), float(goal + 3)
    v, w = notes.promises[goal, hand], notes.promises[goal + 1, hand]
    x, y = notes.promises[goal + 2, hand], notes.promises[goal + 3, hand]
    v, w, a, b = _in_order(v, w, a, b)
    w, x, b, c = _in_order(w, x, b, c)
    x, y, c, d = _in_order(x, y, c, d)
    v, w, a, b = _in_order(v, w, a, b)
    w, x, b, c = _in_order(w, x, b, c)
    v, w, a, b = _in_order(v, w, a, b)
    return v, w, x, y, a, b, c, d


@inlined
def _in_order(v: float, w: float, a: float, b: float) -> tuple[float, float, float, float]:
    """Two promises and their goals, the higher first: by choices, not by branches, which nobody
    could predict."""
    return max(v, w), min(v, w), b if w > v else a, a if w > v else b


@inlined
def _best_of(early: Four, late: Four) -> Four:
    """The best four of two fours. The higher of the first and the last, the second and the third
    and so on are those four; they rise and fall once, and two rounds sort them."""
    v, a = _higher(early[0], late[3], early[4], late[7])
    w, b = _higher(early[1], late[2], early[5], late[6])
    x, c = _higher(early[2], late[1], early[6], late[5])
    y, d = _higher(early[3], late[0], early[7], late[4])
    v, x, a, c = _in_full_order(v, x, a, c)
    w, y, b, d = _in_full_order(w, y, b, d)
    v, w, a, b = _in_full_order(v, w, a, b)
    x, y, c, d = _in_full_order(x, y, c, d)
    return v, w, x, y, a, b, c, d


@inlined
def _higher(v: float, w: float, a: float, b: float) -> tuple[float, float]:
    return max(v, w), b if w > v else a


@inlined
def _in_full_order(v: float, w: float, a: float, b: float) -> tuple[float, float, float, float]:
    """The same for goals that may stand in any order: of equals, the first first."""
    is_wrong = (w > v) | ((w == v) & (b < a))
    return max(v, w), min(v, w), b if is_wrong else a, a if is_wrong else b


@inlined
def _note_near(notes: Notes, hand: np.uint64) -> None:
    """What the plan needs of the nearest goals, side by side. One that there is not is worth -1."""
    for k in range(PLANNED):
        goal = np.uint64(notes.near[k, hand])
        notes.near_half[k, hand] = notes.half[hand, goal]
        worth = notes.worth[goal] if goal == notes.secured[hand] else notes.later[goal]
        notes.near_worth[k, hand] = worth if notes.near_promises[k, hand] >= 0 else -1.0
        notes.near_bonus[k, hand] = BONUS[notes.cards[goal]]
        for colour in range(5):
            notes.near_prices[k, colour, hand] = notes.prices[colour, goal]


@inlined
def _pick_first(notes: Notes, hand: np.uint64) -> None:
    """The nearest goal; of equals, the last: they stand in this order."""
    near = notes.near_promises
    best = near[0, hand]
    pick = u64(near[1, hand] == best) + u64(near[2, hand] == best) + u64(near[3, hand] == best)
    notes.near_worth[pick, hand] = -1.0
    notes.pick[hand] = f32(pick)
    notes.elapsed[hand] = _ZERO
    notes.totals[hand] += max(best, 0.0)


@compiled
def _buy_picked(notes: Notes, first: np.uint64) -> None:
    """The goal last picked is bought, whatever has still to be collected: a token pays once, and
    every purchase helps with the next. Then the half turns of the goals, from there."""
    bank = _bank(notes)
    for column in range(WIDTH):
        hand = first + u64(column)
        notes.elapsed[hand] += _of_picked(notes.pick[hand], notes.near_half, hand)
        h0, s0 = _pay(notes, hand, 0)
        h1, s1 = _pay(notes, hand, 1)
        h2, s2 = _pay(notes, hand, 2)
        h3, s3 = _pay(notes, hand, 3)
        h4, s4 = _pay(notes, hand, 4)
        gold = max(notes.tokens[5, hand] - (((s0 + s1) + (s2 + s3)) + s4), _ZERO)
        notes.tokens[5, hand] = gold
        elapsed, late = notes.elapsed[hand], notes.near_late
        half0 = _near_until(notes, hand, 0, h0, h1, h2, h3, h4, gold, bank)
        half1 = _near_until(notes, hand, 1, h0, h1, h2, h3, h4, gold, bank)
        half2 = _near_until(notes, hand, 2, h0, h1, h2, h3, h4, gold, bank)
        half3 = _near_until(notes, hand, 3, h0, h1, h2, h3, h4, gold, bank)
        half = notes.near_half
        half[0, hand], half[1, hand], half[2, hand], half[3, hand] = half0, half1, half2, half3
        late[0, hand], late[1, hand] = np.int32(elapsed + half0), np.int32(elapsed + half1)
        late[2, hand], late[3, hand] = np.int32(elapsed + half2), np.int32(elapsed + half3)


@inlined
def _pay(notes: Notes, hand: np.uint64, colour: Number) -> tuple[np.float32, np.float32]:
    """Pay the picked goal's price in one colour: the means that are left, its bonus among them, and
    what was short."""
    pick, prices = notes.pick[hand], notes.near_prices
    p0, p1 = prices[0, colour, hand], prices[1, colour, hand]
    p2, p3 = prices[2, colour, hand], prices[3, colour, hand]
    price = _picked(pick, p0, p1, p2, p3)
    gem = _of_picked(pick, notes.near_bonus, hand)
    had, held = notes.bonuses[colour, hand], notes.tokens[colour, hand]
    due = max(price - had, _ZERO)
    short = max(due - held, _ZERO)
    left, gained = held - (due - short), had + (_UNIT if gem == f32(colour) else _ZERO)
    notes.tokens[colour, hand] = left
    notes.bonuses[colour, hand] = gained
    return left + gained, short


@inlined
def _of_picked(pick: np.float32, row: npt.NDArray[np.float32], hand: np.uint64) -> np.float32:
    return _picked(pick, row[0, hand], row[1, hand], row[2, hand], row[3, hand])


@inlined
def _picked(
    pick: np.float32, n0: np.float32, n1: np.float32, n2: np.float32, n3: np.float32
) -> np.float32:
    """One of four small numbers."""
    early, late = n0 if pick < _UNIT else n1, n2 if pick < _THREE else n3
    return early if pick < _TWO else late


@inlined
def _near_until(
    notes: Notes,
    hand: np.uint64,
    k: Number,
    h0: np.float32,
    h1: np.float32,
    h2: np.float32,
    h3: np.float32,
    h4: np.float32,
    gold: np.float32,
    bank: Bank,
) -> np.float32:
    prices = notes.near_prices
    g0, g1 = max(prices[k, 0, hand] - h0, _ZERO), max(prices[k, 1, hand] - h1, _ZERO)
    g2, g3 = max(prices[k, 2, hand] - h2, _ZERO), max(prices[k, 3, hand] - h3, _ZERO)
    g4 = max(prices[k, 4, hand] - h4, _ZERO)
    return _until(g0, g1, g2, g3, g4, gold, bank)


@inlined
def _pick_next(notes: Notes, hand: np.uint64, weight: float, discount: Doubles) -> None:
    """The goal that promises most of those left; of equals, the last."""
    p0, p1 = _promise(notes, hand, 0, discount), _promise(notes, hand, 1, discount)
    p2, p3 = _promise(notes, hand, 2, discount), _promise(notes, hand, 3, discount)
    best = max(max(max(p0, p1), max(p2, p3)), 0.0)
    pick = u64(p1 == best)
    pick = max(pick, u64(2) * u64(p2 == best))
    pick = max(pick, u64(3) * u64(p3 == best))
    notes.near_worth[pick, hand] = -1.0
    notes.pick[hand] = f32(pick)
    notes.totals[hand] += weight * best


@inlined
def _promise(notes: Notes, hand: np.uint64, k: Number, discount: Doubles) -> float:
    """Below nought for a goal that was picked before."""
    return float(notes.near_worth[k, hand] * discount[u64(notes.near_late[k, hand])])
