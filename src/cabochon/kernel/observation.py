"""What a network sees: 400 numbers, named slice by slice.

Seat-relative: the viewer first, then the others in turn order; chairs that are empty are zeroes.
Only what the viewer may know: a card that another seat drew from a deck is its level, nothing
more; one that it reserved face up is known.  A value is a count divided by the slice's scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cabochon.kernel.actions import CHOOSE_NOBLE, GIVE_BACK
from cabochon.kernel.bits import lane
from cabochon.kernel.cache import compiled
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
from cabochon.rules.cards import CARDS, NOBLES

OBSERVATION_VERSION = 1
CARD_WIDTH, OWN_WIDTH, OTHER_WIDTH, SEAT_WIDTH = 11, 12, 14, 13


@dataclass(frozen=True, slots=True)
class Part:
    """One named slice: ``shape`` is how its numbers are to be read, row by row.

    ``columns`` names the last axis: (name, size, scale, highest count) from left to right.
    """

    name: str
    shape: tuple[int, ...]
    columns: tuple[tuple[str, int, int, int], ...]
    meaning: str
    start: int = 0

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    @property
    def stop(self) -> int:
        return self.start + self.size

    @property
    def slice(self) -> slice:
        return slice(self.start, self.stop)


_CARD = (("cost", 5, 7, 7), ("bonus", 5, 1, 1), ("points", 1, 5, 5))
_SEAT = (("tokens", 6, 7, 7), ("bonuses", 5, 7, 18), ("points", 1, 15, 155), ("cards", 1, 15, 90))

_PARTS = (
    Part("bank", (6,), (("tokens", 6, 7, 7),), "tokens in the bank: w u g r k gold"),
    Part("decks", (3,), (("cards", 3, 40, 40),), "cards left face down, level 1 first"),
    Part("board", (3, 4, 11), _CARD, "face-up cards by level and place; zeroes for a hole"),
    Part("nobles", (5, 5), (("bonuses asked", 5, 4, 4),), "unclaimed nobles in their places"),
    Part("seats", (4, 13), _SEAT, "viewer first; bonuses, points and cards of its side"),
    Part("own reserve", (3, 12), (*_CARD, ("blind", 1, 1, 1)), "the viewer's reserved cards"),
    Part(
        "other reserves",
        (3, 3, 14),
        (("level", 3, 1, 1), *_CARD),
        "next seat first; of a blind card the level alone",
    ),
    Part("phase", (3,), (("act noble return", 3, 1, 1),), "what is to be decided; 0 when over"),
    Part("to move", (4,), (("seat", 4, 1, 1),), "who decides, viewer first"),
    Part("own seat", (4,), (("seat", 4, 1, 1),), "the viewer's place in the round"),
    Part("players", (3,), (("2 3 4", 3, 1, 1),), "how many play"),
    Part("last round", (1,), (("flag", 1, 1, 1),), "somebody has reached the target"),
    Part("passes", (1,), (("turns", 1, 4, 4),), "forced passes in a row"),
    Part("target", (1,), (("points", 1, 15, 50),), "points that end the game"),
    Part("width", (1,), (("cards", 1, 4, 4),), "face-up cards a level"),
    Part("teams", (1,), (("flag", 1, 1, 1),), "partners opposite share bonuses and points"),
    Part("scarce take", (1,), (("flag", 1, 1, 1),), "fewer than three colours may be taken"),
)


def _placed(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    placed, start = [], 0
    for part in parts:
        placed.append(Part(part.name, part.shape, part.columns, part.meaning, start))
        start += part.size
    return tuple(placed)


OBSERVATION = _placed(_PARTS)
OBSERVATION_SIZE = OBSERVATION[-1].stop
SLICES = {part.name: part.slice for part in OBSERVATION}


def _per_value() -> npt.NDArray[np.float32]:
    """(scale, highest count) of each of the numbers."""
    values: list[tuple[int, int]] = []
    for part in OBSERVATION:
        row = [(scale, most) for _, size, scale, most in part.columns for _ in range(size)]
        values += row * (part.size // len(row))
    return np.array(values, np.float32)


SCALE: npt.NDArray[np.float32] = _per_value()[:, 0].copy()
"""What each count is divided by."""
HIGHEST: npt.NDArray[np.float32] = _per_value()[:, 1] / SCALE
"""The greatest value that can stand in each place."""


# Writing observations and masks into buffers.
#
# A byte of the record selects a row of numbers, already scaled. The tables for other seats' cards
# have nothing but the level in the rows of blind cards: what may not be seen is not there.


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
_BONUS, _POINT, _BOUGHT_CARD = _PER[_SEATS + 6], _PER[_SEATS + 11], _PER[_SEATS + 12]
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
        out[start + 12] = np.float32(lane(side, 6)) * _BOUGHT_CARD


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
