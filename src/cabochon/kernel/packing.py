"""The one place where layouts meet: a Position or View of the law, and a kernel record.

    pack(position)   the full record            unpack -> the same Position
    pack(view)       an information record      (``hidden.imagine`` makes it playable)

The generator is no fact of a position: ``pack`` leaves 0 there, ``unpack`` never reads it.
"""

from __future__ import annotations

import operator
import struct
from functools import lru_cache

import numpy as np

from cabochon.kernel.affordable import PRICE_GROUP
from cabochon.kernel.errors import KernelError, KernelFault
from cabochon.kernel.layout import (
    BLIND,
    BLIND_DRAW,
    CARD_BITS,
    CARD_COUNT,
    HIDDEN,
    LEVEL_FIRST,
    NO_CARD,
    NO_NOBLE,
    NOBODY,
    NOTHING,
    PHASE_NAMES,
    STATE,
    States,
)
from cabochon.kernel.numbers import whole
from cabochon.kernel.tables import GAIN, NOBLE_GAIN
from cabochon.rules.cards import CARDS, NOBLES, Card, Noble
from cabochon.rules.errors import quoted, wrong
from cabochon.rules.facts import Facts, Phase, Place
from cabochon.rules.gems import Gems
from cabochon.rules.hands import Hand, Reserved
from cabochon.rules.hands import Reserve as HeldCard
from cabochon.rules.position import Position
from cabochon.rules.ruleset import Ruleset

_RECORD = struct.Struct("<QQ 4Q 4Q 3Q 4Q I H 12s 16s 3s 5s 5s 11s 90s 4x")
MOST_TURNS = 2**32 - 1
_PHASES = tuple(Phase(name) for name in PHASE_NAMES)
_NO_CARD, _NO_NOBLE = bytes([NO_CARD]), bytes([NO_NOBLE])
_GAINS, _NOBLE_GAINS, _PRICE_GROUPS = GAIN.tolist(), NOBLE_GAIN.tolist(), PRICE_GROUP.tolist()
_PHASE_NUMBER = {phase: number for number, phase in enumerate(_PHASES)}


def check_states(states: States) -> None:
    """Raise KernelError unless this is an array of records that can be worked on."""
    is_array = isinstance(states, np.ndarray) and states.dtype == STATE and states.ndim == 1
    if not is_array or not states.flags.c_contiguous or not states.flags.writeable:
        what = f"{getattr(states, 'dtype', type(states).__name__)}"
        raise KernelError(KernelFault.NOT_STATES, what=what[:60])


def checked_index(states: States, index: int) -> int:
    """The index as a plain number.  Raises KernelError unless the array has that record."""
    check_states(states)
    number = whole(index)
    if number is None or not 0 <= number < len(states):
        raise KernelError(KernelFault.BAD_INDEX, index=quoted(index), count=len(states))
    return number


def pack(facts: Facts, states: States, index: int = 0) -> None:
    """Write the position, or what a view knows of it, into ``states[index]``.

    Facts that no game can show (no Setup gives them) raise WrongArgument, a ValueError, or make a
    record that ``check`` refuses.
    """
    index = checked_index(states, index)
    if not isinstance(facts, Facts):
        raise wrong("facts", "table", facts)
    if facts.turn > MOST_TURNS:
        given = quoted(facts.turn)
        raise KernelError(
            KernelFault.BAD_COUNT, what="turns", least=0, most=MOST_TURNS, given=given
        )
    row = states.view(np.uint8).reshape(len(states), STATE.itemsize)[index]
    try:
        row[:] = np.frombuffer(_to_bytes(facts), np.uint8)
    except (ValueError, TypeError, AttributeError, LookupError, struct.error) as error:
        raise wrong("facts", "table", facts) from error


def packed(facts: Facts) -> States:
    """A new array of one record."""
    states = np.zeros(1, STATE)
    pack(facts, states)
    return states


def unpack(states: States, index: int = 0) -> Position:
    """The position that ``states[index]`` holds.

    Raises KernelError for an information record: it has cards that no Position can have.
    """
    index = checked_index(states, index)
    return _Fields(states[index : index + 1].tobytes(), index).position()


def _to_bytes(facts: Facts) -> bytes:
    rules, hands = facts.ruleset, facts.hands
    board = _board_bytes(facts)
    open_nobles, claims = _claims(facts)
    clock = (
        open_nobles,
        facts.seat,
        _PHASE_NUMBER[facts.phase],
        facts.passes,
        facts.last_round,
        _pending_byte(facts.pending),
        rules.seats,
        rules.target,
        rules.row_width,
        1 if rules.teams else 3,
        rules.scarce_take,
    )
    return _RECORD.pack(
        0,
        _lanes(facts.bank),
        *[_lanes(hand.tokens) for hand in hands],
        *[0] * (4 - rules.seats),
        *_side_words(facts),
        *_pool_words(facts),
        *_price_words(board),
        facts.turn,
        _reservable_bits(board, facts.decks),
        board,
        _reserved_bytes(hands),
        bytes(facts.decks),
        bytes([noble.id for noble in facts.nobles]).ljust(5, _NO_NOBLE),
        claims,
        bytes(clock),
        _owner_bytes(hands),
    )


def _lanes(counts: tuple[int, ...]) -> int:
    return int.from_bytes(bytes(counts), "little")


def _side_words(facts: Facts) -> list[int]:
    words = [0, 0, 0, 0]
    for seat, hand in enumerate(facts.hands):
        word = sum([_GAINS[card.id] for card in hand.bought])
        word += sum([_NOBLE_GAINS[noble.id] for noble in hand.nobles])
        words[seat & 1 if facts.ruleset.teams else seat] += word
    return words


def _pool_words(facts: Facts) -> tuple[int, int, int]:
    """All ninety cards as one number, without those that are seen, cut into the three levels."""
    pool = (1 << CARD_COUNT) - 1
    for row in facts.rows:
        for card in row:
            if card is not None:
                pool ^= 1 << card.id
    for hand in facts.hands:
        for card in hand.bought:
            pool ^= 1 << card.id
        for held in hand.reserved:
            if isinstance(held, Reserved):
                pool ^= 1 << held.card.id
    one, two, three = LEVEL_FIRST
    return pool & ((1 << two) - 1), pool >> two & ((1 << three - two) - 1), pool >> three - one


def _board_bytes(facts: Facts) -> bytes:
    rows = [bytes([NO_CARD if card is None else card.id for card in row]) for row in facts.rows]
    return b"".join([row.ljust(4, _NO_CARD) for row in rows])


def _price_words(board: bytes) -> list[int]:
    words = [0, 0, 0, 0]
    for place, card in enumerate(board):
        if card != NO_CARD:
            words[place & 3] |= _PRICE_GROUPS[place >> 2][card]
    return words


def _reservable_bits(board: bytes, decks: tuple[int, int, int]) -> int:
    bits = sum([1 << place for place, card in enumerate(board) if card != NO_CARD])
    return bits + sum([1 << BLIND_DRAW + level for level, left in enumerate(decks) if left])


def _reserved_bytes(hands: tuple[Hand, ...]) -> bytes:
    held = [bytes(map(_held_byte, hand.reserved)).ljust(4, _NO_CARD) for hand in hands]
    return b"".join(held).ljust(16, _NO_CARD)


def _held_byte(held: HeldCard) -> int:
    if isinstance(held, Reserved):
        return held.card.id + BLIND * held.blind
    return HIDDEN + held.level - 1


def _claims(facts: Facts) -> tuple[int, bytes]:
    """The unclaimed places as bits, and who claimed each place as how manieth."""
    claims = bytearray([NOBODY] * 5)
    open_nobles = (1 << len(facts.nobles)) - 1
    for seat, hand in enumerate(facts.hands):
        for order, noble in enumerate(hand.nobles):
            place = facts.nobles.index(noble)
            claims[place] = seat + 16 * order
            open_nobles ^= 1 << place
    return open_nobles, bytes(claims)


def _pending_byte(pending: Place | None) -> int:
    if pending is None:
        return NOTHING
    if pending.column is None:
        return BLIND_DRAW + pending.level - 1
    return 4 * (pending.level - 1) + pending.column


def _owner_bytes(hands: tuple[Hand, ...]) -> bytes:
    owner = bytearray([NOBODY] * CARD_COUNT)
    for seat, hand in enumerate(hands):
        for card in hand.bought:
            owner[card.id] = seat
    return bytes(owner)


class _Fields:
    """The numbers of one record, read off in the order of the layout."""

    def __init__(self, record: bytes, index: int) -> None:
        self.index = index
        fields = _RECORD.unpack(record)
        self.bank, self.tokens = fields[1], fields[2:6]
        self.turn, _, self.board, self.reserved, self.decks = fields[17:22]
        self.nobles, self.claims, clock, self.owner = fields[22:]
        _, self.seat, self.phase, self.passes, self.last_round, self.pending = clock[:6]
        self.rules = _ruleset(*clock[6:])

    def position(self) -> Position:
        a, b, c = self.decks
        return Position(
            self.rules,
            _gems(self.bank),
            tuple([self._row(level) for level in range(3)]),
            (a, b, c),
            tuple([NOBLES[noble] for noble in self.nobles[: self.rules.noble_count]]),
            self._hands(),
            self.turn,
            _PHASES[self.phase],
            self._pending(),
            self.passes,
            bool(self.last_round),
        )

    def _row(self, level: int) -> tuple[Card | None, ...]:
        cards = self.board[4 * level : 4 * level + self.rules.row_width]
        return tuple([None if card == NO_CARD else CARDS[card] for card in cards])

    def _hands(self) -> tuple[Hand, ...]:
        bought: list[list[Card]] = [[], [], [], []]
        for card, seat in enumerate(self.owner):
            if seat != NOBODY:
                bought[seat].append(CARDS[card])
        return tuple(
            [
                Hand(_gems(self.tokens[s]), tuple(bought[s]), self._held(s), self._nobles_of(s))
                for s in range(self.rules.seats)
            ]
        )

    def _held(self, seat: int) -> tuple[Reserved, ...]:
        cards = [card for card in self.reserved[4 * seat : 4 * seat + 3] if card != NO_CARD]
        if any(card & CARD_BITS >= CARD_COUNT for card in cards):
            raise KernelError(KernelFault.HIDDEN_CARDS, index=self.index)
        return tuple([Reserved(CARDS[card & CARD_BITS], card >= BLIND) for card in cards])

    def _nobles_of(self, seat: int) -> tuple[Noble, ...]:
        mine = [
            (claim, NOBLES[noble])
            for claim, noble in zip(self.claims, self.nobles, strict=True)
            if claim & 15 == seat and claim != NOBODY
        ]
        return tuple([noble for _, noble in sorted(mine, key=operator.itemgetter(0))])

    def _pending(self) -> Place | None:
        if self.pending == NOTHING:
            return None
        if self.pending >= BLIND_DRAW:
            return Place(1 + self.pending - BLIND_DRAW, None)
        return Place(1 + self.pending // 4, self.pending % 4)


@lru_cache(maxsize=256)
def _ruleset(seats: int, target: int, width: int, side_mask: int, scarce: int) -> Ruleset:
    return Ruleset(seats, target, width, side_mask == 1, bool(scarce))


def _gems(word: int) -> Gems:
    return Gems(*word.to_bytes(8, "little")[:6])
