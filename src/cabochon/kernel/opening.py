"""The start of a game: an empty table by a ruleset, then what chance deals."""

from __future__ import annotations

import numpy as np

from cabochon.kernel.bits import below, next_word, nth_bit, popcount
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import (
    ACT,
    BLIND_DRAW,
    FULL_POOL,
    GOLD_LANE,
    LANE,
    NO_CARD,
    NO_NOBLE,
    NOBODY,
    NOTHING,
    TOKENS,
    Number,
    StateRow,
)
from cabochon.kernel.legal import lay_card
from cabochon.kernel.step import draw, take_from_deck
from cabochon.rules.ruleset import GOLD_TOKENS

u64 = np.uint64
_ONE = u64(1)
_COLOUR_ONES = u64(0x01_01_01_01_01)
_ALL_GOLD = u64(GOLD_TOKENS << LANE * GOLD_LANE)
_ALL_NOBLES = u64((1 << NO_NOBLE) - 1)


@compiled
def clear_table(
    s: StateRow, seats: Number, target: Number, width: Number, teams: bool, scarce: bool
) -> None:
    """Bank full, hands and rows empty, no nobles, every card unseen; the generator stays."""
    s.seats, s.target, s.width, s.scarce = seats, target, width, scarce
    s.side_mask = 1 if teams else 3
    s.bank = TOKENS[seats] * _COLOUR_ONES + _ALL_GOLD
    for level in range(3):
        s.pool[level] = FULL_POOL[level]
        s.decks[level] = popcount(FULL_POOL[level])
    s.prices[:] = 0
    for seat in range(4):
        s.tokens[seat] = 0
        s.sides[seat] = 0
    s.board[:] = NO_CARD
    s.reserved[:] = NO_CARD
    s.owner[:] = NOBODY
    s.nobles[:] = NO_NOBLE
    s.claims[:] = NOBODY
    s.reservable = 0b111 << BLIND_DRAW  # no cards in the rows yet, three full decks
    s.open_nobles = 0
    s.turn = 0
    s.seat, s.phase, s.passes, s.last_round, s.pending = 0, ACT, 0, 0, NOTHING


@compiled
def deal_opening(s: StateRow) -> None:
    """Seats + 1 nobles and the rows, from the record's generator."""
    nobles = _ALL_NOBLES
    for place in range(s.seats + 1):
        noble = nth_bit(nobles, below(next_word(s), popcount(nobles)))
        nobles &= ~(_ONE << noble)
        s.nobles[place] = noble
    s.open_nobles = (1 << (s.seats + 1)) - 1
    for level in range(3):
        for column in range(s.width):
            put_on_board(s, 4 * level + column, draw(s, level))


@compiled
def put_on_board(s: StateRow, place: Number, card: Number) -> None:
    """An unseen card face up in an empty place."""
    take_from_deck(s, place >> 2, card)
    lay_card(s, place, card)


@compiled
def new_game_unchecked(
    s: StateRow,
    seed: np.uint64,
    seats: Number,
    target: Number,
    width: Number,
    teams: bool,
    scarce: bool,
) -> None:
    """A fresh game dealt from ``seed``."""
    s.rng = seed
    clear_table(s, seats, target, width, teams, scarce)
    deal_opening(s)
