"""Whether a record shows a possible game: what the checked functions ask before they touch one.

Each question is a function that answers True when all is well; ``fault_at`` asks them in an order
in which none reads outside an array because of what an earlier one would have refused.
"""

from __future__ import annotations

import numpy as np

from cabochon.kernel.bits import COLOURS, covers, lane, popcount, sum_tokens
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import (
    BLIND,
    BLIND_DRAW,
    CARD_BITS,
    CARD_COUNT,
    DEAL,
    FULL_POOL,
    GAIN,
    HIDDEN,
    LEVEL,
    LEVEL_START,
    NO_CARD,
    NO_NOBLE,
    NOBLE,
    NOBLE_GAIN,
    NOBLE_PRICE,
    NOBODY,
    NOTHING,
    OVER,
    RETURN,
    TOKENS,
    Number,
    StateRow,
    States,
)
from cabochon.kernel.legal import PRICE_GROUP, visiting_nobles
from cabochon.kernel.step import points_of
from cabochon.rules.ruleset import (
    GOLD_TOKENS,
    HIGHEST_TARGET,
    TAKE_COLOURS,
    TOKEN_LIMIT,
    WIDEST_ROW,
)

u64 = np.uint64
_ONE = u64(1)
_GOLD_COUNT = u64(GOLD_TOKENS)

FAULTS = (
    "",
    "ruleset",
    "seat or phase",
    "tokens",
    "rows",
    "reserved cards",
    "owners of cards",
    "a card twice or nowhere",
    "nobles",
    "points and bonuses",
    "pending card",
    "end of the game",
)
"""What ``fault_at`` means, by number; 0 is no fault."""


@compiled
def fault_at(states: States, index: Number) -> Number:
    """The number of the first thing that is wrong with a record, 0 if nothing is."""
    s = states[index]
    if not _ruleset_is_sound(s):
        return 1
    if not _clock_is_sound(s):
        return 2
    if not _tokens_are_sound(s):
        return 3
    if not _rows_are_sound(s):
        return 4
    if not _reserves_are_sound(s):
        return 5
    if not _owners_are_sound(s):
        return 6
    if not _cards_are_sound(s):
        return 7
    if not _nobles_are_sound(s):
        return 8
    if not _sides_are_sound(s):
        return 9
    if not _pending_is_sound(s):
        return 10
    if not _end_is_sound(s):
        return 11
    return 0


@compiled
def _ruleset_is_sound(s: StateRow) -> bool:
    sides = s.side_mask == 3 or (s.side_mask == 1 and s.seats == 4)
    numbers = 2 <= s.seats <= 4 and 1 <= s.target <= HIGHEST_TARGET and 1 <= s.width <= WIDEST_ROW
    return bool(sides and numbers and s.scarce <= 1)


@compiled
def _clock_is_sound(s: StateRow) -> bool:
    in_turn = s.seat == np.int64(s.turn) % np.int64(s.seats)
    return bool(s.phase <= OVER and in_turn and s.last_round <= 1)


@compiled
def _tokens_are_sound(s: StateRow) -> bool:
    """Every token of the game is in the bank or a hand, and no hand is too full."""
    for gem in range(8):
        total = lane(s.bank, gem)
        for seat in range(4):
            total += lane(s.tokens[seat], gem)
        expected = TOKENS[s.seats] if gem < 5 else _GOLD_COUNT
        if total != (expected if gem < 6 else u64(0)):
            return False
    for seat in range(4):
        most = TOKEN_LIMIT if seat < s.seats else 0
        if seat == s.seat and DEAL <= s.phase <= RETURN:
            most += TAKE_COLOURS
        if sum_tokens(s.tokens[seat]) > u64(most):
            return False
    return bool(s.phase != RETURN or sum_tokens(s.tokens[s.seat]) > u64(TOKEN_LIMIT))


@compiled
def _rows_are_sound(s: StateRow) -> bool:
    """Cards of the level, holes only where a deck is empty or a card is due."""
    bits = 0
    prices = np.zeros(4, np.uint64)
    for place in range(12):
        card, level = s.board[place], place >> 2
        if card == NO_CARD:
            may_be_due = s.pending == place or s.decks[level] == 0
            if (place & 3) < s.width and not may_be_due:
                return False
        elif card >= CARD_COUNT or LEVEL[card] != level or (place & 3) >= s.width:
            return False
        else:
            bits |= 1 << place
            prices[place & 3] |= PRICE_GROUP[level, card]
    for level in range(3):
        if s.decks[level] != 0:
            bits |= 1 << (BLIND_DRAW + level)
    sound = s.reservable == bits
    for column in range(4):
        sound &= prices[column] == s.prices[column]
    return bool(sound)


@compiled
def _reserves_are_sound(s: StateRow) -> bool:
    """At most three per seat, without gaps, each a card or a hidden one."""
    for slot in range(16):
        byte = s.reserved[slot]
        if byte == NO_CARD:
            continue
        gap = (slot & 3) > 0 and s.reserved[slot - 1] == NO_CARD
        hidden = HIDDEN <= byte < HIDDEN + 3
        if gap or slot & 3 == 3 or slot >> 2 >= s.seats:
            return False
        if not hidden and (byte & CARD_BITS) >= CARD_COUNT:
            return False
    return True


@compiled
def _owners_are_sound(s: StateRow) -> bool:
    for card in range(CARD_COUNT):
        if s.owner[card] >= s.seats and s.owner[card] != NOBODY:
            return False
    return True


@compiled
def _cards_are_sound(s: StateRow) -> bool:
    """Every card in exactly one place; decks as long as the pool less the hidden cards."""
    for level in range(3):
        first, full = np.int64(LEVEL_START[level]), FULL_POOL[level]
        seen = s.pool[level]
        count = popcount(seen)
        for index in range(np.int64(popcount(full))):
            if s.owner[first + index] != NOBODY:
                seen |= _ONE << u64(index)
                count += _ONE
        for place in range(4 * level, 4 * level + 4):
            if s.board[place] != NO_CARD:
                seen |= _ONE << (u64(s.board[place]) - u64(first))
                count += _ONE
        hidden = 0
        for slot in range(16):
            card = s.reserved[slot] & CARD_BITS
            if card < CARD_COUNT and LEVEL[card] == level:
                seen |= _ONE << (u64(card) - u64(first))
                count += _ONE
            hidden += card == HIDDEN + level
        if seen != full or count != popcount(full):
            return False
        if np.int64(popcount(s.pool[level])) != np.int64(s.decks[level]) + hidden:
            return False
    return True


@compiled
def _nobles_are_sound(s: StateRow) -> bool:
    """Seats + 1 different nobles; claims of seats, numbered without gaps.

    A seat's five bits of ``orders`` must be 00000, 00001, 00011, and so on.
    """
    ids, orders = 0, 0
    for place in range(5):
        noble, claim = s.nobles[place], s.claims[place]
        is_open = (s.open_nobles >> place) & 1 == 1
        if place > s.seats:
            if noble != NO_NOBLE or claim != NOBODY or is_open:
                return False
            continue
        if noble >= NO_NOBLE or (ids >> noble) & 1 or is_open != (claim == NOBODY):
            return False
        ids |= 1 << noble
        if claim != NOBODY:
            seat, order = claim & 15, claim >> 4
            if seat >= s.seats or order > 4:
                return False
            orders |= 1 << (5 * seat + order)
    for seat in range(4):
        mine = (orders >> (5 * seat)) & 31
        if mine & (mine + 1):  # true unless all its set bits are the lowest ones
            return False
    claimed = u64(np.int64(s.seats) + 1) - popcount(u64(s.open_nobles))
    return bool(s.open_nobles < 32 and popcount(u64(orders)) == claimed)


@compiled
def _sides_are_sound(s: StateRow) -> bool:
    """The pooled words are what cards and nobles add up to, and every noble was earned."""
    words = np.zeros(4, np.uint64)
    for card in range(CARD_COUNT):
        if s.owner[card] != NOBODY:
            words[s.owner[card] & s.side_mask] += GAIN[card]
    for place in range(5):
        if s.claims[place] != NOBODY:
            words[s.claims[place] & 15 & s.side_mask] += NOBLE_GAIN[s.nobles[place]]
    sound = True
    for side in range(4):
        sound &= words[side] == s.sides[side]
    for place in range(5):
        if s.claims[place] != NOBODY:
            bonuses = words[s.claims[place] & 15 & s.side_mask] & COLOURS
            sound &= covers(bonuses, NOBLE_PRICE[s.nobles[place]])
    return sound


@compiled
def _pending_is_sound(s: StateRow) -> bool:
    if s.phase != DEAL:
        return bool(s.pending == NOTHING)
    if s.pending >= BLIND_DRAW + 3:
        return False
    if s.pending >= BLIND_DRAW:
        room = s.reserved[4 * np.int64(s.seat) + 2] == NO_CARD
        return bool(room and s.decks[s.pending - BLIND_DRAW] > 0)
    is_hole = s.board[s.pending] == NO_CARD and (s.pending & 3) < s.width
    return bool(is_hole and s.decks[s.pending >> 2] > 0)


@compiled
def _end_is_sound(s: StateRow) -> bool:
    """The last round is marked when somebody has the points, and nothing goes on after the end."""
    reached = False
    for seat in range(np.int64(s.seats)):
        reached |= points_of(s, seat) >= s.target
    just_now = DEAL <= s.phase <= RETURN and points_of(s, np.int64(s.seat)) >= s.target
    if (s.last_round == 1) != reached and not (just_now and s.last_round == 0):
        return False
    round_done = s.last_round == 1 and s.seat == 0
    if round_done and s.phase != OVER:
        return False
    return _passes_are_sound(s, round_done)


@compiled
def _passes_are_sound(s: StateRow, round_done: bool) -> bool:
    """A whole round of them ends the game, unless the last one brought nobles to choose from."""
    visitors = visiting_nobles(s)
    several = visitors & (visitors - _ONE) != u64(0)
    passes, seats, turn = np.int64(s.passes), np.int64(s.seats), np.int64(s.turn)
    if s.phase == NOBLE:
        return bool(several and passes <= seats and passes <= turn + 1)
    if s.phase == OVER:
        return bool((round_done or passes == seats) and passes <= min(seats, turn))
    return bool(passes <= min(seats - 1, turn))


assert BLIND > HIDDEN
