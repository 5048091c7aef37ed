"""From a record to lists of rows (``rows``): what the seat to move may know, from its own seat.

Another seat's blind card is only its level, even where the record knows more, so
that an imagined world looks to the network like the information records it was trained on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cabochon.kernel.bits import (
    COLOURS,
    excess,
    lane,
    lowest_bit,
    popcount,
    sum_colours,
    sum_tokens,
)
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import (
    ACT,
    BLIND,
    CARD_BITS,
    CARDS_LANE,
    HIDDEN,
    LEVEL,
    NO_CARD,
    NOBLE,
    NOBLE_PRICE,
    POINTS_LANE,
    PRICE,
    Number,
    StateRow,
)
from cabochon.rules.cards import CARDS, NOBLE_POINTS
from cabochon.rules.ruleset import TOKEN_LIMIT
from cabochon.search import rows

u64 = np.uint64

Rows = npt.NDArray[np.int32]

_BONUS = np.zeros(128, np.int64)
_BONUS[: len(CARDS)] = [card.bonus for card in CARDS]
_POINTS = np.zeros(128, np.int64)
_POINTS[: len(CARDS)] = [card.points for card in CARDS]
_ONES = u64(0x01_01_01_01_01)
_FIRST_ROLE = np.array(rows.FIRST_ROLE, np.int64)


class Lists(NamedTuple):
    """The rows of one input; ``counts`` says how many of each list are used (0: not there)."""

    cards: Rows
    others: Rows
    nobles: Rows
    facts: Rows
    counts: Rows


def new_lists() -> Lists:
    """Room for one input."""
    return Lists(
        np.zeros((rows.CARD_PLACES, rows.CARD_LIST), np.int32),
        np.zeros((rows.OTHER_PLACES, rows.OTHER_LIST), np.int32),
        np.zeros((rows.NOBLE_PLACES, rows.NOBLE_LIST), np.int32),
        np.zeros(rows.FACT_LIST, np.int32),
        np.zeros(rows.COUNTS, np.int32),
    )


@compiled
def table_of(s: StateRow) -> Number:
    """0, 1, 2 for two, three, four players, 3 for teams."""
    if s.side_mask == 1:
        return 3
    return np.int64(s.seats) - 2


@compiled
def encode(s: StateRow, lists: Lists) -> None:
    """Fill ``lists`` for the seat to move."""
    demand, brings = _noble_demand(s), _noble_bringers(s)
    _encode_nobles(s, lists)
    for place in range(12):
        if s.board[place] == NO_CARD:
            lists.counts[place] = 0
        else:
            lists.counts[place] = _encode_card(
                s, s.board[place], 0, demand, brings, lists.cards[place]
            )
    for slot in range(3):
        card = s.reserved[4 * s.seat + slot]
        place = 12 + slot
        if card == NO_CARD:
            lists.counts[place] = 0
        else:
            card &= CARD_BITS
            lists.counts[place] = _encode_card(s, card, 1, demand, brings, lists.cards[place])
    _encode_others(s, lists)
    lists.counts[rows.FACT_COUNT] = _encode_facts(s, lists.facts)


@compiled
def _clip(value: Number, most: Number) -> Number:
    if value < 0:
        return 0
    return most if value > most else value


@compiled
def _noble_demand(s: StateRow) -> np.uint64:
    """Per colour lane: 8 x (unclaimed nobles that ask the mover for more of it, up to 3) + the
    fewest cards missing to one of them (up to 7)."""
    bonuses = s.sides[s.seat & s.side_mask] & COLOURS
    demand = u64(0)
    for place in range(5):
        if (s.open_nobles >> place) & 1:
            missing = excess(NOBLE_PRICE[s.nobles[place] & 15], bonuses)
            total = _clip(np.int64(sum_colours(missing)), 7)
            for colour in range(5):
                if lane(missing, colour) != u64(0):
                    old = np.int64(lane(demand, colour))
                    count = _clip((old >> 3) + 1, 3)
                    least = total if old == 0 else _clip(total, old & 7)
                    shift = u64(8 * colour)
                    demand &= ~(u64(0xFF) << shift)
                    demand |= u64(8 * count + least) << shift
    return demand


@compiled
def _noble_bringers(s: StateRow) -> Number:
    """The colours, as bits, of which one more card brings the mover a noble."""
    bonuses = s.sides[s.seat & s.side_mask] & COLOURS
    found: Number = 0
    for place in range(5):
        if (s.open_nobles >> place) & 1:
            missing = excess(NOBLE_PRICE[s.nobles[place] & 15], bonuses)
            if missing == u64(0):
                found = 31
            elif missing & (missing - u64(1)) == u64(0) and missing & _ONES != u64(0):
                found |= 1 << (np.int64(lowest_bit(missing)) >> 3)
    return found


@compiled
def _next_seat(s: StateRow, step: Number) -> Number:
    """The seat that many chairs further on."""
    seat = np.int64(s.seat) + step
    return seat - np.int64(s.seats) if seat >= np.int64(s.seats) else seat


@compiled
def _encode_card(
    s: StateRow, card: Number, own: Number, demand: np.uint64, brings: Number, out: Rows
) -> Number:
    """The rows of a face-up or own reserved card; returns how many."""
    side = s.sides[s.seat & s.side_mask]
    tokens = s.tokens[s.seat]
    price = PRICE[card]
    bonus = _BONUS[card]
    need = excess(price, side & COLOURS)
    lacking = excess(need, tokens & COLOURS)
    out[0] = rows.CARD_ID + card
    short = np.int64(sum_colours(lacking)) - np.int64(lane(tokens, 5))
    out[1] = rows.CARD_SHORT + 12 * own + _clip(short, 11)
    out[2] = rows.CARD_BONUS + 8 * bonus + _clip(np.int64(lane(side, bonus)), 7)
    out[3] = rows.CARD_NOBLE + np.int64(lane(demand, bonus))
    points = np.int64(lane(side, POINTS_LANE)) + _POINTS[card]
    count = 4
    if (brings >> bonus) & 1:
        points += NOBLE_POINTS
        out[count] = rows.CARD_VISIT
        count += 1
    out[count] = rows.CARD_REMAIN + _clip(np.int64(s.target) - points, 15)
    count += 1
    for colour in range(5):
        needed = np.int64(lane(need, colour))
        if needed != 0:
            lacked = np.int64(lane(lacking, colour))
            out[count] = rows.CARD_NEED + 64 * colour + 8 * needed + lacked
            count += 1
            if lacked != 0:
                held = _clip(np.int64(lane(s.bank, colour)), 7)
                out[count] = rows.CARD_BANK + 64 * colour + 8 * lacked + held
                count += 1
    if own == 0:
        role = _FIRST_ROLE[table_of(s)]
        for step in range(1, s.seats):
            seat = _next_seat(s, step)
            out[count] = rows.CARD_OTHER + 20 * role + _threat(s, seat, card)
            count += 1
            role += 1
    return count


@compiled
def _threat(s: StateRow, seat: Number, card: Number) -> Number:
    """What the card is to another seat: 10 x (would it reach the target?) + what it lacks."""
    side = s.sides[seat & s.side_mask]
    tokens = s.tokens[seat]
    lacking = sum_colours(excess(PRICE[card], (side & COLOURS) + (tokens & COLOURS)))
    short = _clip(np.int64(lacking) - np.int64(lane(tokens, 5)), 9)
    if np.int64(lane(side, POINTS_LANE)) + _POINTS[card] >= np.int64(s.target):
        return 10 + short
    return short


@compiled
def _encode_others(s: StateRow, lists: Lists) -> None:
    role = _FIRST_ROLE[table_of(s)]
    for place in range(rows.OTHER_PLACES):
        lists.counts[rows.OTHER_COUNT + place] = 0
    for step in range(1, s.seats):
        seat = _next_seat(s, step)
        for slot in range(3):
            card = s.reserved[4 * seat + slot]
            if card == NO_CARD:
                break
            place = 3 * (step - 1) + slot
            out = lists.others[place]
            if card >= HIDDEN:  # blind (128 and more) or hidden: its level is all there is to know
                level = np.int64(LEVEL[card & CARD_BITS])
                out[0] = rows.OTHER_HIDDEN + 3 * role + level
                lists.counts[rows.OTHER_COUNT + place] = 1
            else:
                out[0] = rows.OTHER_ID + card
                out[1] = rows.OTHER_SHORT + 20 * role + _threat(s, seat, card)
                lists.counts[rows.OTHER_COUNT + place] = 2
        role += 1


@compiled
def _encode_nobles(s: StateRow, lists: Lists) -> None:
    bonuses = s.sides[s.seat & s.side_mask] & COLOURS
    for place in range(5):
        if not (s.open_nobles >> place) & 1:
            lists.counts[rows.NOBLE_COUNT + place] = 0
            continue
        noble = np.int64(s.nobles[place])
        out = lists.nobles[place]
        missing = excess(NOBLE_PRICE[noble], bonuses)
        out[0] = rows.NOBLE_ID + noble
        out[1] = rows.NOBLE_TOTAL + _clip(np.int64(sum_colours(missing)), 9)
        count = 2
        for colour in range(5):
            lacked = np.int64(lane(missing, colour))
            if lacked != 0:
                out[count] = rows.NOBLE_MISS + 5 * colour + lacked
                count += 1
        role = _FIRST_ROLE[table_of(s)]
        for step in range(1, s.seats):
            seat = _next_seat(s, step)
            theirs = s.sides[seat & s.side_mask] & COLOURS
            lacked = np.int64(sum_colours(excess(NOBLE_PRICE[noble], theirs)))
            out[count] = rows.NOBLE_OTHER + 10 * role + _clip(lacked, 9)
            count += 1
            role += 1
        lists.counts[rows.NOBLE_COUNT + place] = count


@compiled
def _encode_hand(
    s: StateRow, seat: Number, first: Number, lead: Number, out: Rows, count: Number
) -> Number:
    """A seat's tokens, bonuses, points and cards; returns the new count."""
    tokens = s.tokens[seat]
    side = s.sides[seat & s.side_mask]
    for gem in range(6):
        held = _clip(np.int64(lane(tokens, gem)), 7)
        if held != 0:
            out[count] = first + rows.OF_TOKENS + 8 * gem + held
            count += 1
    for colour in range(5):
        held = _clip(np.int64(lane(side, colour)), 8)
        if held != 0:
            out[count] = first + rows.OF_BONUSES + 9 * colour + held
            count += 1
    to_go = np.int64(s.target) - np.int64(lane(side, POINTS_LANE))
    reserved = 0
    while reserved < 3 and s.reserved[4 * seat + reserved] != NO_CARD:
        reserved += 1
    out[count] = first + rows.OF_TOTAL + _clip(np.int64(sum_tokens(tokens)), 13)
    out[count + 1] = first + rows.OF_REMAIN + _clip(to_go + 4, 20)
    out[count + 2] = first + rows.OF_CARDS + _clip(np.int64(lane(side, CARDS_LANE)), 24)
    out[count + 3] = first + rows.OF_RESERVED + reserved
    out[count + 4] = first + rows.OF_LEAD + _clip(lead + 12, 24)
    return count + 5


@compiled
def _encode_facts(s: StateRow, out: Rows) -> Number:
    table = table_of(s)
    mine = np.int64(lane(s.sides[s.seat & s.side_mask], POINTS_LANE))
    count = _encode_hand(s, s.seat, rows.FACT_HAND, 0, out, 0)
    role = _FIRST_ROLE[table]
    for step in range(1, s.seats):
        seat = _next_seat(s, step)
        theirs = np.int64(lane(s.sides[seat & s.side_mask], POINTS_LANE))
        first = rows.FACT_HAND + rows.HAND_ROWS * (1 + role)
        count = _encode_hand(s, seat, first, mine - theirs, out, count)
        role += 1
    for gem in range(6):
        out[count] = rows.FACT_BANK + 8 * gem + _clip(np.int64(lane(s.bank, gem)), 7)
        count += 1
    for level in range(3):
        out[count] = rows.FACT_DECK + 6 * level + _deck_class(np.int64(s.decks[level]))
        count += 1
    target = 0 if s.target == 15 else (1 if s.target == 10 else 2)
    width = 0 if s.width == 4 else (1 if s.width == 3 else 2)
    last = 1 if s.last_round != 0 else 0
    out[count] = rows.FACT_PHASE + _phase_class(s)
    out[count + 1] = rows.FACT_SEAT + 8 * table + 2 * s.seat + last
    out[count + 2] = rows.FACT_RULES + 9 * table + 3 * target + width
    out[count + 3] = rows.FACT_ROUND + _clip(np.int64(s.turn) // np.int64(s.seats), 23)
    out[count + 4] = rows.FACT_NOBLES + np.int64(popcount(u64(s.open_nobles)))
    return count + 5


@compiled
def _deck_class(left: Number) -> Number:
    if left <= 2:
        return left
    if left <= 5:
        return 3
    return 4 if left <= 10 else 5


@compiled
def _phase_class(s: StateRow) -> Number:
    if s.phase == ACT:
        return 0
    if s.phase == NOBLE:
        return 1
    over = np.int64(sum_tokens(s.tokens[s.seat])) - TOKEN_LIMIT
    return 1 + _clip(over, 3)


assert HIDDEN < BLIND
