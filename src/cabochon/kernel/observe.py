"""Writing observations and masks into buffers.

A byte of the record selects a row of numbers, already scaled.  The tables for other seats' cards
have nothing but the level in the rows of blind cards: what may not be seen is not there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cabochon.kernel.actions import CHOOSE_NOBLE, GIVE_BACK
from cabochon.kernel.cache import compiled
from cabochon.kernel.lanes import lane
from cabochon.kernel.layout import (
    ACT,
    BLIND,
    CARD_BITS,
    CARD_COUNT,
    HIDDEN,
    NO_NOBLE,
    NOBLE,
    OVER,
    RETURN,
    Floats,
    Number,
    StateRow,
)
from cabochon.kernel.observation import (
    CARD_WIDTH,
    OTHER_WIDTH,
    OWN_WIDTH,
    SCALE,
    SEAT_WIDTH,
    SLICES,
)
from cabochon.rules.cards import CARDS, NOBLES

u64 = np.uint64

_BANK, _DECKS, _BOARD = (SLICES[name].start for name in ("bank", "decks", "board"))
_NOBLES, _SEATS = SLICES["nobles"].start, SLICES["seats"].start
_OWN, _OTHERS = SLICES["own reserve"].start, SLICES["other reserves"].start
_PHASE = SLICES["phase"].start
_TO_MOVE, _OWN_SEAT = SLICES["to move"].start, SLICES["own seat"].start
_PLAYERS, _FLAGS = SLICES["players"].start, SLICES["last round"].start


def _card_rows() -> np.ndarray:
    """[byte of the record] -> the card's eleven numbers; blind or not, for those who know it."""
    rows = np.zeros((256, CARD_WIDTH), np.float32)
    for card in CARDS:
        row = [*card.cost[:5], *(int(card.bonus == colour) for colour in range(5)), card.points]
        rows[card.id] = rows[card.id + BLIND] = row / SCALE[_BOARD : _BOARD + CARD_WIDTH]
    return rows


def _own_rows() -> np.ndarray:
    rows = np.zeros((256, OWN_WIDTH), np.float32)
    rows[:, :CARD_WIDTH] = _card_rows()
    rows[BLIND : BLIND + CARD_COUNT, CARD_WIDTH] = 1
    return rows


def _other_rows() -> np.ndarray:
    rows = np.zeros((256, OTHER_WIDTH), np.float32)
    known = _card_rows()
    for card in CARDS:
        rows[card.id, card.level - 1] = rows[card.id + BLIND, card.level - 1] = 1
        rows[card.id, 3:] = known[card.id]
    for level in range(3):
        rows[HIDDEN + level, level] = 1
    return rows


def _noble_rows() -> np.ndarray:
    rows = np.zeros((NO_NOBLE + 1, 5), np.float32)
    for noble in NOBLES:
        rows[noble.id] = noble.cost[:5] / SCALE[_NOBLES : _NOBLES + 5]
    return rows


_CARD_ROWS, _OWN_ROWS, _OTHER_ROWS, _NOBLE_ROWS = (
    _card_rows(),
    _own_rows(),
    _other_rows(),
    _noble_rows(),
)
_PER = (np.float32(1) / SCALE).astype(np.float32)
_TOKEN = _PER[_SEATS]
_BONUS, _POINT, _CARD = _PER[_SEATS + 6], _PER[_SEATS + 11], _PER[_SEATS + 12]
_DECK = _PER[_DECKS]
_PASSES, _TARGET, _WIDTH = _PER[_FLAGS + 1], _PER[_FLAGS + 2], _PER[_FLAGS + 3]

SPREAD = np.array(
    [sum((byte >> bit & 1) << 8 * bit for bit in range(8)) for byte in range(256)], np.uint64
)
"""Eight bits as eight bytes of 0 or 1."""


@compiled
def observe(s: StateRow, viewer: Number, out: Floats) -> None:
    """What ``viewer`` may know, as 400 numbers into ``out``."""
    _write_table(s, out)
    _write_seats(s, viewer, out)
    _write_reserves(s, viewer, out)
    _write_clock(s, viewer, out)


@compiled
def _write_table(s: StateRow, out: Floats) -> None:
    bank = s.bank
    for gem in range(6):
        out[_BANK + gem] = np.float32(lane(bank, gem)) * _TOKEN
    for level in range(3):
        out[_DECKS + level] = np.float32(s.decks[level]) * _DECK
    for place in range(12):
        start = _BOARD + CARD_WIDTH * place
        for column in range(CARD_WIDTH):
            out[start + column] = _CARD_ROWS[s.board[place], column]
    for place in range(5):
        noble = s.nobles[place] if (s.open_nobles >> place) & 1 else NO_NOBLE
        for column in range(5):
            out[_NOBLES + 5 * place + column] = _NOBLE_ROWS[noble, column]


@compiled
def _write_seats(s: StateRow, viewer: Number, out: Floats) -> None:
    seats = np.int64(s.seats)
    out[_SEATS + SEAT_WIDTH * seats : _OWN] = np.float32(0)
    for ahead in range(seats):
        seat = viewer + ahead
        if seat >= seats:
            seat -= seats
        tokens, side = s.tokens[seat], s.sides[seat & s.side_mask]
        start = _SEATS + SEAT_WIDTH * ahead
        for gem in range(6):
            out[start + gem] = np.float32(lane(tokens, gem)) * _TOKEN
        for colour in range(5):
            out[start + 6 + colour] = np.float32(lane(side, colour)) * _BONUS
        out[start + 11] = np.float32(lane(side, 5)) * _POINT
        out[start + 12] = np.float32(lane(side, 6)) * _CARD


@compiled
def _write_reserves(s: StateRow, viewer: Number, out: Floats) -> None:
    seats = np.int64(s.seats)
    for slot in range(3):
        card = s.reserved[4 * viewer + slot]
        for column in range(OWN_WIDTH):
            out[_OWN + OWN_WIDTH * slot + column] = _OWN_ROWS[card, column]
    out[_OTHERS : _OTHERS + 9 * OTHER_WIDTH] = np.float32(0)
    for ahead in range(1, seats):
        seat = viewer + ahead
        if seat >= seats:
            seat -= seats
        for slot in range(3):
            card = s.reserved[4 * seat + slot]
            start = _OTHERS + OTHER_WIDTH * (3 * (ahead - 1) + slot)
            for column in range(OTHER_WIDTH):
                out[start + column] = _OTHER_ROWS[card, column]


@compiled
def _write_clock(s: StateRow, viewer: Number, out: Floats) -> None:
    """Phase, who decides, own seat, players, then the single numbers."""
    out[_PHASE:] = np.float32(0)
    one = np.float32(1)
    seats = np.int64(s.seats)
    ahead = np.int64(s.seat) - viewer
    if ahead < 0:
        ahead += seats
    if s.phase == ACT:
        out[_PHASE] = one
    elif s.phase == NOBLE:
        out[_PHASE + 1] = one
    elif s.phase == RETURN:
        out[_PHASE + 2] = one
    if s.phase != OVER:
        out[_TO_MOVE + ahead] = one
    out[_OWN_SEAT + viewer] = one
    out[_PLAYERS + seats - 2] = one
    out[_FLAGS] = np.float32(s.last_round)
    out[_FLAGS + 1] = np.float32(s.passes) * _PASSES
    out[_FLAGS + 2] = np.float32(s.target) * _TARGET
    out[_FLAGS + 3] = np.float32(s.width) * _WIDTH
    out[_FLAGS + 4] = one if s.side_mask == 1 else np.float32(0)
    out[_FLAGS + 5] = np.float32(s.scarce)


@compiled
def write_mask(phase: Number, legal: np.uint64, out: npt.NDArray[np.uint64]) -> None:
    """A legal word as 72 bytes of 0 or 1, which are the nine words of ``out``.

    bits of 72:   0 .. 63 in the low word (acts, and the first three returns)
                 64 .. 71 in the high byte (the other returns, nobles)
    """
    low, high = legal, u64(0)
    if phase == RETURN:
        low, high = legal << u64(GIVE_BACK), legal >> u64(64 - GIVE_BACK)
    elif phase == NOBLE:
        low, high = u64(0), legal << u64(CHOOSE_NOBLE - 64)
    for byte in range(8):
        out[byte] = SPREAD[(low >> u64(8 * byte)) & u64(255)]
    out[8] = SPREAD[high & u64(255)]


assert CARD_BITS == BLIND - 1
