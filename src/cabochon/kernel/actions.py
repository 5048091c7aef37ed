"""The action table, version 1: 72 integers for networks and environments, frozen.

An action names a place (`buy 2.3`: level 2, third place) where a move names a card, so
translating one into the other takes a position.  A change of meaning is a new version, never an
edit.

Two differences from the law's moves: a purchase pays the least gold, and tokens above ten are
given back one by one (a Return of three is three actions).
"""

from __future__ import annotations

import hashlib
import operator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Any

import numpy as np

from cabochon.rules.cards import LEVELS, Card
from cabochon.rules.errors import IllegalMove, Refusal, UnknownCode, quoted, wrong
from cabochon.rules.facts import Facts, Reserved
from cabochon.rules.gems import COLOURS, NO_GEMS, Gem, Gems
from cabochon.rules.moves import (
    DECKS,
    Buy,
    ChooseNoble,
    Deck,
    Move,
    Pass,
    Reserve,
    Return,
    Take,
)
from cabochon.rules.ruleset import RESERVE_LIMIT, TAKE_COLOURS, WIDEST_ROW, Ruleset

ACTION_TABLE_VERSION = 1
MOST_NOBLES = Ruleset(seats=4).noble_count


def whole(given: Any) -> int | None:
    """A Python or numpy integer as a Python one; None for anything else, bools among them."""
    if isinstance(given, (bool, np.bool_)):
        return None
    try:
        return operator.index(given)
    except TypeError:
        return None


class ActionKind(StrEnum):
    """What an action does; `detail` of the entry says to what."""

    TAKE = "take"
    RESERVE = "reserve"
    RESERVE_DECK = "reserve deck"
    BUY = "buy"
    BUY_RESERVED = "buy reserved"
    PASS = "pass"
    RETURN = "return"
    NOBLE = "noble"


@dataclass(frozen=True, slots=True)
class Action:
    """One row of the table.

    `gems` for takes and returns; `level` and `place`, both from 1, for cards (a deck has no
    place); `place` alone for reserved cards and nobles.  What does not apply is empty or 0.
    """

    index: int
    kind: ActionKind
    gems: Gems = NO_GEMS
    level: int = 0
    place: int = 0

    @property
    def text(self) -> str:
        """`take wug`, `reserve 2.3`, `reserve deck2`, `buy reserved 1`, `return o`, `noble 4`."""
        if self.kind in (ActionKind.TAKE, ActionKind.RETURN):
            return f"{self.kind} {self.gems.letters}"
        if self.kind in (ActionKind.RESERVE, ActionKind.BUY):
            return f"{self.kind} {self.level}.{self.place}"
        if self.kind is ActionKind.RESERVE_DECK:
            return f"{self.kind}{self.level}"
        return str(self.kind) if self.kind is ActionKind.PASS else f"{self.kind} {self.place}"


def _rows() -> list[tuple[ActionKind, Gems, int, int]]:
    none = NO_GEMS
    takes = [
        Gems.of(some) for size in range(TAKE_COLOURS, 0, -1) for some in combinations(COLOURS, size)
    ]
    takes += [Gems.of((gem, gem)) for gem in COLOURS]
    places = [(level, place) for level in LEVELS for place in range(1, WIDEST_ROW + 1)]
    rows = [(ActionKind.TAKE, gems, 0, 0) for gems in takes]
    rows += [(ActionKind.RESERVE, none, level, place) for level, place in places]
    rows += [(ActionKind.RESERVE_DECK, none, level, 0) for level in LEVELS]
    rows += [(ActionKind.BUY, none, level, place) for level, place in places]
    rows += [(ActionKind.BUY_RESERVED, none, 0, slot) for slot in range(1, RESERVE_LIMIT + 1)]
    rows += [(ActionKind.PASS, none, 0, 0)]
    rows += [(ActionKind.RETURN, Gems.of([gem]), 0, 0) for gem in Gem]
    rows += [(ActionKind.NOBLE, none, 0, place) for place in range(1, MOST_NOBLES + 1)]
    return rows


ACTIONS = tuple(Action(index, *row) for index, row in enumerate(_rows()))
ACTION_COUNT = len(ACTIONS)


def _first(kind: ActionKind) -> int:
    return next(action.index for action in ACTIONS if action.kind is kind)


# The first action of each kind; kinds lie side by side in the table.  Numba freezes these numbers
# into the machine code, so no other place may spell them out.
TAKE_TWO = next(a.index for a in ACTIONS if a.kind is ActionKind.TAKE and max(a.gems) == 2)
RESERVE, RESERVE_DECK = _first(ActionKind.RESERVE), _first(ActionKind.RESERVE_DECK)
BUY, BUY_RESERVED = _first(ActionKind.BUY), _first(ActionKind.BUY_RESERVED)
PASS, GIVE_BACK, CHOOSE_NOBLE = (
    _first(ActionKind.PASS),
    _first(ActionKind.RETURN),
    _first(ActionKind.NOBLE),
)

_TAKE_INDEX = {a.gems: a.index for a in ACTIONS if a.kind is ActionKind.TAKE}
_PLACE_INDEX = {(a.kind, a.level, a.place): a.index for a in ACTIONS}
_RETURN_INDEX = tuple(a.index for a in ACTIONS if a.kind is ActionKind.RETURN)


def table_hash() -> str:
    """A fingerprint of the whole table: what a saved network should remember."""
    lines = "\n".join(f"{action.index} {action.text}" for action in ACTIONS)
    return hashlib.sha256(f"actions {ACTION_TABLE_VERSION}\n{lines}".encode()).hexdigest()[:16]


def parse_action(text: str) -> Action:
    """The action of that text. Raises UnknownCode, a KeyError, when there is none."""
    try:
        return _BY_TEXT[text.strip().lower()]
    except (KeyError, AttributeError, TypeError):
        raise UnknownCode(Refusal.UNKNOWN_MOVE, what=quoted(text)) from None


_BY_TEXT = {action.text: action for action in ACTIONS}


def actions_of(facts: Facts, move: Move) -> tuple[int, ...]:
    """The actions that make this legal move here: one, or one per token for a Return.

    A purchase must pay the least gold.  Raises IllegalMove for a move the table cannot express.
    """
    try:
        return _indices(facts, move)
    except (TypeError, AttributeError, LookupError):
        raise IllegalMove(Refusal.UNKNOWN_MOVE, what=quoted(move)) from None


def _indices(facts: Facts, move: Move) -> tuple[int, ...]:
    if isinstance(move, Take) and move.gems in _TAKE_INDEX:
        return (_TAKE_INDEX[move.gems],)
    if isinstance(move, Reserve):
        return (_reserve_index(facts, move),)
    if isinstance(move, Buy):
        return (_buy_index(facts, move),)
    if isinstance(move, Return):
        return tuple(_RETURN_INDEX[gem] for gem in Gem for _ in range(move.gems[gem]))
    if isinstance(move, ChooseNoble) and move.noble in facts.nobles:
        return (_PLACE_INDEX[ActionKind.NOBLE, 0, 1 + facts.nobles.index(move.noble)],)
    if isinstance(move, Pass):
        return (_PLACE_INDEX[ActionKind.PASS, 0, 0],)
    raise IllegalMove(Refusal.UNKNOWN_MOVE, what=quoted(move))


def _reserve_index(facts: Facts, move: Reserve) -> int:
    if isinstance(move.target, Deck):
        return _PLACE_INDEX[ActionKind.RESERVE_DECK, move.target.level, 0]
    place = facts.place_of(move.target)
    if place is None or place.column is None:
        raise IllegalMove(Refusal.RESERVE_NOT_FACE_UP, card=move.target.code)
    return _PLACE_INDEX[ActionKind.RESERVE, place.level, 1 + place.column]


def _buy_index(facts: Facts, move: Buy) -> int:
    place = facts.place_of(move.card)
    if place is not None and place.column is not None:
        return _PLACE_INDEX[ActionKind.BUY, place.level, 1 + place.column]
    for slot, reserve in enumerate(facts.hands[facts.seat].reserved, start=1):
        if isinstance(reserve, Reserved) and reserve.card is move.card:
            return _PLACE_INDEX[ActionKind.BUY_RESERVED, 0, slot]
    raise IllegalMove(Refusal.BUY_NOT_THERE, card=move.card.code)


def placeless_move(action: Action) -> Move | None:
    """The move of an action that names neither a card nor a noble; None for the others."""
    if action.kind is ActionKind.TAKE:
        return Take(action.gems)
    if action.kind is ActionKind.RETURN:
        return Return(action.gems)
    if action.kind is ActionKind.PASS:
        return Pass()
    if action.kind is ActionKind.RESERVE_DECK:
        return Reserve(DECKS[action.level - 1])
    return None


def move_of(facts: Facts, index: int) -> Move:
    """The move that the action means here, legal or not; a return is of its one token.

    Raises IllegalMove for a number outside the table and for a place with nothing in it, and
    WrongArgument for what is neither a position nor a view.
    """
    if not isinstance(facts, Facts):
        raise wrong("facts", "table", facts)
    number = whole(index)
    if number is None or not 0 <= number < len(ACTIONS):
        raise IllegalMove(Refusal.UNKNOWN_MOVE, what=f"action {quoted(index)}")
    action = ACTIONS[number]
    if (move := placeless_move(action)) is not None:
        return move
    if action.kind is ActionKind.NOBLE:
        return _noble_move(facts, action)
    card = _card_at(facts, action)
    if card is None:
        code = (
            Refusal.RESERVE_NOT_FACE_UP
            if action.kind is ActionKind.RESERVE
            else Refusal.BUY_NOT_THERE
        )
        raise IllegalMove(code, card=f"({action.text})")
    return Reserve(card) if action.kind is ActionKind.RESERVE else Buy(card)


def _noble_move(facts: Facts, action: Action) -> Move:
    if action.place > len(facts.nobles):
        raise IllegalMove(Refusal.UNKNOWN_NOBLE, noble=f"({action.text})")
    return ChooseNoble(facts.nobles[action.place - 1])


def _card_at(facts: Facts, action: Action) -> Card | None:
    """The card in the place, if there is one that can be seen."""
    if action.kind is ActionKind.BUY_RESERVED:
        reserved = facts.hands[facts.seat].reserved
        reserve = reserved[action.place - 1] if action.place <= len(reserved) else None
        return reserve.card if isinstance(reserve, Reserved) else None
    row = facts.rows[action.level - 1]
    return row[action.place - 1] if action.place <= len(row) else None
