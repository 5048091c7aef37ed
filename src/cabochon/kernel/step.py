"""One action, one deal: the moves of a record.  Nothing here checks that an action is legal.

``act_unchecked`` stops in phase DEAL when a card must come from a deck; ``deal_unchecked`` puts a
card there that the caller names (records, parity, explicit chance nodes); ``step_unchecked`` does
both and draws the card itself from the record's generator.
"""

from __future__ import annotations

import numpy as np

from cabochon.kernel.actions import (
    BUY,
    BUY_RESERVED,
    CHOOSE_NOBLE,
    GIVE_BACK,
    PASS,
    RESERVE,
    RESERVE_DECK,
)
from cabochon.kernel.bits import (
    COLOURS,
    below,
    excess,
    lane,
    lowest_bit,
    next_word,
    nth_bit,
    popcount,
    sum_colours,
    sum_tokens,
)
from cabochon.kernel.cache import compiled, inlined
from cabochon.kernel.layout import (
    ACT,
    BLIND,
    BLIND_DRAW,
    CARD_BITS,
    CARDS_LANE,
    DEAL,
    GAIN,
    GOLD_LANE,
    LANE,
    LEVEL_START,
    NO_CARD,
    NOBLE,
    NOBLE_GAIN,
    NOTHING,
    OVER,
    POINTS_LANE,
    PRICE,
    RETURN,
    TAKE,
    Floats,
    Number,
    StateRow,
)
from cabochon.kernel.legal import lay_card, lift_card, visiting_nobles
from cabochon.rules.ruleset import TOKEN_LIMIT

# What follows an action, in the law's order: noble, token limit, the end of the turn.
#
#     act -> [deal] -> settle: nobles -> limit -> end_turn -> next seat, or over
#
# A phase is entered only when somebody must decide; otherwise the turn runs through.


u64 = np.uint64
_ONE = u64(1)


@inlined
def settle(s: StateRow) -> None:
    """After the refill: one noble comes by itself, several wait for a choice."""
    visitors = visiting_nobles(s)
    if visitors != u64(0):
        if visitors & (visitors - _ONE) != u64(0):
            s.phase = NOBLE
            return
        claim_noble(s, lowest_bit(visitors))
    check_limit(s)


@compiled
def claim_noble(s: StateRow, place: np.uint64) -> None:
    """The noble goes to the mover; its points to the mover's side."""
    before = 0  # a record keeps in which order a seat's nobles came
    for other in range(5):
        before += (s.claims[other] & 15) == s.seat
    s.claims[place] = s.seat + (before << 4)
    s.open_nobles &= ~(_ONE << place)
    s.sides[s.seat & s.side_mask] += NOBLE_GAIN[s.nobles[place] & 15]
    s.passes = 0  # points were won, so the game is not stuck


@inlined
def check_limit(s: StateRow) -> None:
    """With more than ten tokens the mover gives some back first."""
    if sum_tokens(s.tokens[s.seat]) > u64(TOKEN_LIMIT):
        s.phase = RETURN
    else:
        end_turn(s)


@inlined
def end_turn(s: StateRow) -> None:
    """The next seat acts, unless the round that somebody ended is complete, or all passed."""
    if lane(s.sides[s.seat & s.side_mask], POINTS_LANE) >= u64(s.target):
        s.last_round = 1
    s.turn += 1
    s.seat += 1
    s.phase = ACT
    if s.seat == s.seats:
        s.seat = 0
        if s.last_round != 0:
            s.phase = OVER
    if s.passes >= s.seats:
        s.phase = OVER


_GOLD = u64(1 << LANE * GOLD_LANE)


@compiled
def step_unchecked(s: StateRow, action: Number) -> None:
    """The action, and if a card is then due, one drawn from the record's generator."""
    if action < GIVE_BACK:
        _act(s, action)
        if s.phase == DEAL:
            _place(s, draw(s, pending_level(s)))
        settle(s)
    else:
        _finish_turn(s, action)


@compiled
def act_unchecked(s: StateRow, action: Number) -> None:
    """The action of the seat to move; ends in phase DEAL if a card is due."""
    if action < GIVE_BACK:
        _act(s, action)
        if s.phase != DEAL:
            settle(s)
    else:
        _finish_turn(s, action)


@compiled
def deal_unchecked(s: StateRow, card: Number) -> None:
    """The card, out of its pool, into the pending place; the turn goes on."""
    _place(s, card)
    settle(s)


@inlined
def pending_level(s: StateRow) -> Number:
    """Level, from 0, of the card that is due."""
    if s.pending >= BLIND_DRAW:
        return np.int64(s.pending) - BLIND_DRAW
    return np.int64(s.pending) >> 2


@inlined
def draw(s: StateRow, level: Number) -> Number:
    """A card of the level's pool, each alike, by the record's generator.  It stays in the pool."""
    pool = s.pool[level]
    bit = nth_bit(pool, below(next_word(s), popcount(pool)))
    return np.int64(bit) + np.int64(LEVEL_START[level])


@inlined
def take_from_deck(s: StateRow, level: Number, card: Number) -> None:
    """The card is no longer unseen, and the deck one shorter."""
    s.pool[level] &= ~(_ONE << (u64(card) - u64(LEVEL_START[level])))
    s.decks[level] -= 1
    if s.decks[level] == 0:
        s.reservable &= ~(1 << (BLIND_DRAW + level))


@inlined
def _act(s: StateRow, action: Number) -> None:
    """A take, reservation, purchase or pass, up to the moment before the refill."""
    s.passes = np.int64(s.passes) + 1 if action == PASS else 0
    if action < RESERVE:
        s.bank -= TAKE[action]
        s.tokens[s.seat] += TAKE[action]
    elif action < RESERVE_DECK:
        place = action - RESERVE
        _put_into_reserve(s, np.int64(s.board[place]))
        _take_gold(s)
        _leave_hole(s, place)
    elif action < BUY:
        _take_gold(s)
        s.pending = BLIND_DRAW + action - RESERVE_DECK
        s.phase = DEAL
    elif action < BUY_RESERVED:
        place = action - BUY
        _pay_and_own(s, np.int64(s.board[place]))
        _leave_hole(s, place)
    elif action < PASS:
        _buy_reserved(s, action - BUY_RESERVED)


@inlined
def _place(s: StateRow, card: Number) -> None:
    """The card from its deck into the pending place, or into the mover's reserve."""
    take_from_deck(s, pending_level(s), card)
    if s.pending < BLIND_DRAW:
        lay_card(s, np.int64(s.pending), card)
    else:
        _put_into_reserve(s, card | BLIND)
    s.pending = NOTHING


@compiled
def _finish_turn(s: StateRow, action: Number) -> None:
    """One token given back, or the noble that was chosen."""
    if action < CHOOSE_NOBLE:
        token = _ONE << (u64(action - GIVE_BACK) << u64(3))
        s.tokens[s.seat] -= token
        s.bank += token
    else:
        claim_noble(s, u64(action - CHOOSE_NOBLE))
    check_limit(s)


@inlined
def _take_gold(s: StateRow) -> None:
    gold = u64(s.bank >= _GOLD) * _GOLD  # gold is the highest lane: the word compares like it
    s.bank -= gold
    s.tokens[s.seat] += gold


@inlined
def _put_into_reserve(s: StateRow, card: Number) -> None:
    """Into the first free of the mover's three slots; counting them needs no branch."""
    first = 4 * np.int64(s.seat)
    held = np.int64(s.reserved[first] != NO_CARD) + np.int64(s.reserved[first + 1] != NO_CARD)
    s.reserved[first + held] = card


@inlined
def _leave_hole(s: StateRow, place: Number) -> None:
    """The place is empty; a card is due there unless the deck is."""
    lift_card(s, place)
    if s.decks[place >> 2] != 0:
        s.pending = place
        s.phase = DEAL


@inlined
def _buy_reserved(s: StateRow, slot: Number) -> None:
    """Buy from the reserve; the later cards move up, so that there is never a gap."""
    first = 4 * np.int64(s.seat)
    _pay_and_own(s, np.int64(s.reserved[first + slot]) & CARD_BITS)
    if slot == 0:
        s.reserved[first] = s.reserved[first + 1]
    if slot <= 1:
        s.reserved[first + 1] = s.reserved[first + 2]
    s.reserved[first + 2] = NO_CARD


@inlined
def _pay_and_own(s: StateRow, card: Number) -> None:
    """Price minus bonuses, in coloured tokens as far as they go, the rest in gold.

    Six lanes at once: what a colour is short of becomes that many more in the lane of gold.
    """
    side = s.seat & s.side_mask
    due = excess(PRICE[card], s.sides[side] & COLOURS)
    short = excess(due, s.tokens[s.seat] & COLOURS)
    paid = due - short + sum_colours(short) * _GOLD
    s.tokens[s.seat] -= paid
    s.bank += paid
    s.sides[side] += GAIN[card]
    s.owner[card] = s.seat


# How the sides stand: points, then fewest bought cards; equal is shared.


@compiled
def points_of(s: StateRow, seat: Number) -> Number:
    """The points of the seat's side."""
    return np.int64(lane(s.sides[seat & s.side_mask], POINTS_LANE))


@compiled
def cards_of(s: StateRow, seat: Number) -> Number:
    """How many cards the seat's side has bought."""
    return np.int64(lane(s.sides[seat & s.side_mask], CARDS_LANE))


@compiled
def merit(s: StateRow, seat: Number) -> Number:
    """A number that is higher for the side that ranks higher, and equal for a shared rank."""
    side = s.sides[seat & s.side_mask]
    # Points first, then fewer cards: a lane stays below 256, so cards can never outweigh a point.
    return np.int64(lane(side, POINTS_LANE)) * 256 - np.int64(lane(side, CARDS_LANE))


@compiled
def write_shares(s: StateRow, shares: Floats) -> None:
    """Each seat's part of the victory as things stand, 0 for an empty chair.

    One winning side gets 1, k that share it get 1/k each; partners both get their team's part.
    """
    seats = np.int64(s.seats)
    best: Number = -1000
    winners = 0
    for seat in range(seats):
        mine = merit(s, seat)
        if mine > best:
            best, winners = mine, 0
        winners += mine == best
    sides = winners // 2 if s.side_mask == 1 else winners
    for seat in range(4):
        won = seat < seats and merit(s, seat) == best
        shares[seat] = np.float32(1) / np.float32(sides) if won else np.float32(0)
