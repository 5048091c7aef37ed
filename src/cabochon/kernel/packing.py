"""The one place where layouts meet: a Position or View of the law, and a kernel record.

    pack(position)   the full record            unpack -> the same Position
    pack(view)       an information record      (``playout.imagine`` makes it playable)

The generator isn't part of a position: ``pack`` leaves 0 there, ``unpack`` never reads it.
"""

from __future__ import annotations

import operator
import struct
from functools import lru_cache
from typing import Any

import numpy as np

from cabochon.kernel.actions import whole
from cabochon.kernel.errors import KernelError, KernelFault
from cabochon.kernel.layout import (
    BLIND,
    BLIND_DRAW,
    CARD_BITS,
    CARD_COUNT,
    GAIN,
    HIDDEN,
    LEVEL_FIRST,
    NO_CARD,
    NO_NOBLE,
    NOBLE_GAIN,
    NOBODY,
    NOTHING,
    PHASE_NAMES,
    STATE,
    States,
)
from cabochon.kernel.legal import PRICE_GROUP
from cabochon.rules.cards import CARDS, NOBLES, Card, Noble
from cabochon.rules.errors import quoted, wrong
from cabochon.rules.facts import Facts, Hand, HeldCard, Phase, Place, Reserved
from cabochon.rules.gems import Gems
from cabochon.rules.position import Position
from cabochon.rules.ruleset import Ruleset

# The layout once more for ``struct``, which fills a record many times faster than numpy does:
# words of an array are a value each, an array of bytes is one byte string.
_LETTERS = {np.dtype(np.uint64): "Q", np.dtype(np.uint32): "I", np.dtype(np.uint16): "H"}
_KINDS = {name: STATE[name] for name in STATE.names or ()}


def _code(kind: np.dtype[Any]) -> str:
    if kind.base == np.uint8:
        return f"{kind.shape[0]}s" if kind.shape else "B"
    return f"{kind.shape[0] if kind.shape else 1}{_LETTERS[kind.base]}"


_RECORD = struct.Struct("<" + " ".join(_code(kind) for kind in _KINDS.values()))
_IS_ARRAY = {name: kind.shape != () and kind.base != np.uint8 for name, kind in _KINDS.items()}


def _places() -> dict[str, int | slice]:
    """Where each field is among the values."""
    places: dict[str, int | slice] = {}
    start = 0
    for name, is_array in _IS_ARRAY.items():
        stop = start + (_KINDS[name].shape[0] if is_array else 1)
        places[name] = slice(start, stop) if is_array else start
        start = stop
    return places


_PLACES = _places()
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
    hands = facts.hands
    board = _board_bytes(facts)
    open_nobles, claims = _claims(facts)
    fields: dict[str, Any] = {
        "rng": 0,
        "bank": _lanes(facts.bank),
        # By the ruleset's number of seats: with another number of hands, ``struct`` refuses.
        "tokens": [*[_lanes(hand.tokens) for hand in hands], *[0] * (4 - facts.ruleset.seats)],
        "sides": _side_words(facts),
        "pool": _pool_words(facts),
        "prices": _price_words(board),
        "turn": facts.turn,
        "reservable": _reservable_bits(board, facts.decks),
        "board": board,
        "reserved": _reserved_bytes(hands),
        "decks": bytes(facts.decks),
        "nobles": bytes([noble.id for noble in facts.nobles]).ljust(5, _NO_NOBLE),
        "claims": claims,
        "open_nobles": open_nobles,
        "owner": _owner_bytes(hands),
        "spare": b"",
        **_clock_fields(facts),
        **_ruleset_fields(facts.ruleset),
    }
    values: list[Any] = []
    for name, is_array in _IS_ARRAY.items():
        if is_array:
            values += fields[name]
        else:
            values.append(fields[name])
    return _RECORD.pack(*values)


def _clock_fields(facts: Facts) -> dict[str, int]:
    return {
        "seat": facts.seat,
        "phase": _PHASE_NUMBER[facts.phase],
        "passes": facts.passes,
        "last_round": facts.last_round,
        "pending": _pending_byte(facts.pending),
    }


def _ruleset_fields(rules: Ruleset) -> dict[str, int]:
    return {
        "seats": rules.seats,
        "target": rules.target,
        "width": rules.row_width,
        "side_mask": 1 if rules.teams else 3,
        "scarce": rules.scarce_take,
    }


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
    """Unclaimed nobles as bits; each noble's owner and its order among that owner's nobles."""
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
    """The values of one record by the names of the layout."""

    def __init__(self, record: bytes, index: int) -> None:
        self.index = index
        values = _RECORD.unpack(record)
        self._named: dict[str, Any] = {name: values[place] for name, place in _PLACES.items()}
        self.rules = _ruleset(
            self["seats"], self["target"], self["width"], self["side_mask"], self["scarce"]
        )

    def __getitem__(self, name: str) -> Any:
        return self._named[name]

    def position(self) -> Position:
        a, b, c = self["decks"]
        return Position(
            ruleset=self.rules,
            bank=_gems(self["bank"]),
            rows=tuple([self._row(level) for level in range(3)]),
            decks=(a, b, c),
            nobles=tuple([NOBLES[noble] for noble in self["nobles"][: self.rules.noble_count]]),
            hands=self._hands(),
            turn=self["turn"],
            phase=_PHASES[self["phase"]],
            pending=self._pending(),
            passes=self["passes"],
            last_round=bool(self["last_round"]),
        )

    def _row(self, level: int) -> tuple[Card | None, ...]:
        cards = self["board"][4 * level : 4 * level + self.rules.row_width]
        return tuple([None if card == NO_CARD else CARDS[card] for card in cards])

    def _hands(self) -> tuple[Hand, ...]:
        tokens = self["tokens"]
        bought: list[list[Card]] = [[], [], [], []]
        for card, seat in enumerate(self["owner"]):
            if seat != NOBODY:
                bought[seat].append(CARDS[card])
        return tuple(
            [
                Hand(_gems(tokens[s]), tuple(bought[s]), self._held(s), self._nobles_of(s))
                for s in range(self.rules.seats)
            ]
        )

    def _held(self, seat: int) -> tuple[Reserved, ...]:
        cards = [card for card in self["reserved"][4 * seat : 4 * seat + 3] if card != NO_CARD]
        if any(card & CARD_BITS >= CARD_COUNT for card in cards):
            raise KernelError(KernelFault.HIDDEN_CARDS, index=self.index)
        return tuple([Reserved(CARDS[card & CARD_BITS], card >= BLIND) for card in cards])

    def _nobles_of(self, seat: int) -> tuple[Noble, ...]:
        mine = [
            (claim, NOBLES[noble])
            for claim, noble in zip(self["claims"], self["nobles"], strict=True)
            if claim & 15 == seat and claim != NOBODY
        ]
        return tuple([noble for _, noble in sorted(mine, key=operator.itemgetter(0))])

    def _pending(self) -> Place | None:
        pending = self["pending"]
        if pending == NOTHING:
            return None
        if pending >= BLIND_DRAW:
            return Place(1 + pending - BLIND_DRAW, None)
        return Place(1 + pending // 4, pending % 4)


@lru_cache(maxsize=256)
def _ruleset(seats: int, target: int, width: int, side_mask: int, scarce: int) -> Ruleset:
    return Ruleset(seats, target, width, side_mask == 1, bool(scarce))


def _gems(word: int) -> Gems:
    return Gems(*word.to_bytes(8, "little")[:6])
