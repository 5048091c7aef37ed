"""Arrangements put right: each fault with the place where it is, and one change that mends it.

A repair changes as little as it can, always in the same way. It may bring another fault to light (a
game that ends earlier leaves no place to be filled); making one repair after the other leads to a
valid position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from cabochon.rules import (
    CARDS,
    LEVELS,
    NOBLES,
    Card,
    Gems,
    Hand,
    Hidden,
    Noble,
    Phase,
    Place,
    Position,
    Reserved,
    Setup,
)
from cabochon.rules.ending import target_reached
from cabochon.rules.errors import Fault, Param, SetupFault, sentence
from cabochon.rules.facts import EMPTY_HAND, HeldCard
from cabochon.rules.gems import LETTERS
from cabochon.rules.ruleset import RESERVE_LIMIT
from cabochon.words import languages


@dataclass(frozen=True, slots=True)
class Repair:
    """One change, in words, and the arrangement after it."""

    code: str
    setup: Setup
    params: Mapping[str, Param] = field(default_factory=dict)

    def texts(self) -> dict[str, str]:
        """What would be done, by language."""
        return {lang: sentence(f"repairs.{self.code}", lang, self.params) for lang in languages()}


@dataclass(frozen=True, slots=True)
class Flaw:
    """A fault, the field where it shows (`bank.w`, `rows.2.3`, `hands.0.reserved`; levels and
    places from 1, seats from 0), and what mends it."""

    fault: Fault
    where: str
    repair: Repair | None


def flaws_of(setup: Setup) -> tuple[Flaw, ...]:
    """Everything that is wrong, in the order of `Setup.faults`."""
    found: list[Flaw] = []
    seen: Counter[tuple[object, ...]] = Counter()
    for fault in setup.faults():
        same = (fault.code, *sorted(fault.params.items()))
        mender = _MENDERS.get(fault.code)
        if mender is None:
            found.append(Flaw(fault, str(fault.params.get("part", "")), None))
        else:
            where, repair = mender(setup, fault.params, seen[same])
            found.append(Flaw(fault, where, repair))
        seen[same] += 1
    return tuple(found)


def repaired(setup: Setup) -> Setup:
    """The arrangement with one repair after the other made, the first fault first, until nothing
    is wrong; what has no repair is left as it is."""
    while True:
        mended = next((flaw.repair for flaw in flaws_of(setup) if flaw.repair is not None), None)
        if mended is None:
            return setup
        setup = mended.setup


Params: TypeAlias = Mapping[str, Param]
Mended: TypeAlias = tuple[str, Repair]
Mender: TypeAlias = Callable[[Setup, Params, int], Mended]
"""From the arrangement, what the fault says, and how many equal faults came before it."""


# Shape


def _hands_count(setup: Setup, params: Params, _nth: int) -> Mended:
    seats = setup.ruleset.seats
    kept, gone = setup.hands[:seats], setup.hands[seats:]
    bank = setup.bank
    for hand in gone:
        bank = bank.plus(hand.tokens)
    hands = (*kept, *(EMPTY_HAND,) * (seats - len(kept)))
    return "hands", Repair("hands", replace(setup, hands=hands, bank=bank), {"seats": seats})


def _row_shape(setup: Setup, params: Params, _nth: int) -> Mended:
    width = setup.ruleset.row_width
    rows = [*setup.rows[: len(LEVELS)], *[()] * (len(LEVELS) - len(setup.rows))]
    shaped = tuple((*row[:width], *[None] * (width - len(row))) for row in rows)
    level = params["level"]
    where = "rows" if len(setup.rows) != len(LEVELS) else f"rows.{level}"
    return where, Repair("rows", replace(setup, rows=shaped), {"expected": width})


def _turn(setup: Setup, _params: Params, _nth: int) -> Mended:
    return "turn", Repair("turn", replace(setup, turn=0))


def _negative(setup: Setup, params: Params, _nth: int) -> Mended:
    owner, colour = str(params["owner"]), str(params["colour"])
    gem = LETTERS.index(colour)
    if owner == "bank":
        mended = replace(setup, bank=_changed(setup.bank, gem, 0))
        return f"bank.{colour}", Repair("negative", mended)
    seat = int(owner.removeprefix("seat "))
    hand = setup.hands[seat]
    mended = _with_hand(setup, seat, hand.with_tokens(_changed(hand.tokens, gem, 0)))
    return f"hands.{seat}.tokens.{colour}", Repair("negative", mended)


# Tokens


def _lost(setup: Setup, params: Params, _nth: int) -> Mended:
    colour, expected = str(params["colour"]), int(params["expected"])
    gem = LETTERS.index(colour)
    left = expected - sum(hand.tokens[gem] for hand in setup.hands)
    where = f"bank.{colour}"
    mended = replace(setup, bank=_changed(setup.bank, gem, max(0, left)))
    if left >= 0:
        return where, Repair("bank", mended, {"count": left})
    over = -left
    hands = list(mended.hands)
    for seat in sorted(range(len(hands)), key=lambda seat: -hands[seat].tokens[gem]):
        tokens = hands[seat].tokens
        taken = min(over, tokens[gem])
        hands[seat] = hands[seat].with_tokens(_changed(tokens, gem, tokens[gem] - taken))
        over -= taken
    return where, Repair("held", replace(mended, hands=tuple(hands)), {"count": -left})


def _over_limit(setup: Setup, params: Params, _nth: int) -> Mended:
    """The largest piles give back first, as far as the game has tokens at all."""
    seat, most = int(params["seat"]), int(params["most"])
    hand = setup.hands[seat]
    kept = Gems(*map(min, hand.tokens, setup.ruleset.bank))
    while kept.total > most:
        largest = max(range(len(kept)), key=kept.__getitem__)
        kept = _changed(kept, largest, kept[largest] - 1)
    back = hand.tokens.minus(kept)
    mended = _with_hand(setup, seat, hand.with_tokens(kept))
    letters = "".join(letter * min(n, 99) for letter, n in zip(LETTERS, back, strict=True))
    repair = Repair("give-back", replace(mended, bank=setup.bank.plus(back)), {"gems": letters})
    return f"hands.{seat}.tokens", repair


# Cards


def _card_twice(setup: Setup, params: Params, _nth: int) -> Mended:
    """It stays where it was bought, else where it is reserved, else in its row."""
    code = str(params["card"])
    sweep = _Sweep(setup, code)
    mended = replace(setup, hands=sweep.hands(), rows=sweep.rows())
    return sweep.where, Repair("card-twice", mended, {"card": code})


class _Sweep:
    """Takes a card away wherever it lies, except at the first place of all."""

    def __init__(self, setup: Setup, code: str) -> None:
        self._setup = setup
        self._code = code
        self._kept = False
        self._bought = [self._swept(hand.bought) for hand in setup.hands]
        self._reserved = [self._swept_reserved(hand.reserved) for hand in setup.hands]
        self.where = ""
        self._rows = self._swept_rows()
        if not self.where:
            self.where = self._where_in_hands()

    def hands(self) -> tuple[Hand, ...]:
        return tuple(
            replace(hand, bought=bought, reserved=reserved)
            for hand, bought, reserved in zip(
                self._setup.hands, self._bought, self._reserved, strict=True
            )
        )

    def rows(self) -> tuple[tuple[Card | None, ...], ...]:
        return self._rows

    def _goes(self, card: Card | None) -> bool:
        if card is None or card.code != self._code:
            return False
        gone, self._kept = self._kept, True
        return gone

    def _swept(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(card for card in cards if not self._goes(card))

    def _swept_reserved(self, reserved: tuple[HeldCard, ...]) -> tuple[HeldCard, ...]:
        return tuple(r for r in reserved if not (isinstance(r, Reserved) and self._goes(r.card)))

    def _swept_rows(self) -> tuple[tuple[Card | None, ...], ...]:
        rows = [list(row) for row in self._setup.rows]
        fresh = {level: unseen_cards(self._setup, level) for level in LEVELS}
        for level, row in zip(LEVELS, rows, strict=True):
            for column, card in enumerate(row):
                if self._goes(card):
                    row[column] = fresh[level].pop(0) if fresh[level] else None
                    self.where = self.where or f"rows.{level}.{column + 1}"
        return tuple(tuple(row) for row in rows)

    def _where_in_hands(self) -> str:
        for seat, hand in enumerate(self._setup.hands):
            if hand.reserved != self._reserved[seat]:
                return f"hands.{seat}.reserved"
            if hand.bought != self._bought[seat]:
                return f"hands.{seat}.bought"
        return "hands"


def _row_hole(setup: Setup, params: Params, nth: int) -> Mended:
    level = int(params["level"])
    row = setup.rows[level - 1]
    holes = [
        column
        for column, card in enumerate(row)
        if card is None and setup.pending != Place(level, column)
    ]
    return _refilled(setup, level, holes[nth])


def _row_level(setup: Setup, params: Params, nth: int) -> Mended:
    level, code = int(params["level"]), params["card"]
    row = setup.rows[level - 1]
    columns = [column for column, card in enumerate(row) if card is not None and card.code == code]
    return _refilled(setup, level, columns[nth])


def _refilled(setup: Setup, level: int, column: int) -> Mended:
    """The first card that lies nowhere else, or none when the deck is empty."""
    fresh = unseen_cards(setup, level)
    card = fresh[0] if fresh else None
    row = list(setup.rows[level - 1])
    row[column] = card
    rows = list(setup.rows)
    rows[level - 1] = tuple(row)
    mended = replace(setup, rows=tuple(rows))
    where = f"rows.{level}.{column + 1}"
    if card is None:
        return where, Repair("no-card", mended)
    return where, Repair("place", mended, {"card": card.code})


def _reserved_limit(setup: Setup, params: Params, _nth: int) -> Mended:
    seat = int(params["seat"])
    hand = setup.hands[seat]
    mended = _with_hand(setup, seat, replace(hand, reserved=hand.reserved[:RESERVE_LIMIT]))
    return f"hands.{seat}.reserved", Repair("reserved", mended)


def _hidden(setup: Setup, params: Params, _nth: int) -> Mended:
    """Where a level has no card left, the unknown one goes."""
    seat = int(params["seat"])
    fresh = {level: unseen_cards(setup, level) for level in LEVELS}
    known: list[HeldCard] = []
    for reserve in setup.hands[seat].reserved:
        if not isinstance(reserve, Hidden):
            known.append(reserve)
        elif fresh[reserve.level]:
            known.append(Reserved(fresh[reserve.level].pop(0), blind=True))
    mended = _with_hand(setup, seat, replace(setup.hands[seat], reserved=tuple(known)))
    return f"hands.{seat}.reserved", Repair("hidden", mended)


# Nobles


def _nobles_count(setup: Setup, params: Params, _nth: int) -> Mended:
    expected = int(params["expected"])
    missing = expected - len(setup.nobles)
    if missing > 0:
        added = _spare_nobles(setup)[:missing]
        mended = replace(setup, nobles=(*setup.nobles, *added))
        return "nobles", Repair("nobles-add", mended, {"nobles": _codes(added)})
    claimed = {noble for hand in setup.hands for noble in hand.nobles}
    # Those that somebody has come first, so that those that nobody has are taken away.
    order = sorted(setup.nobles, key=lambda noble: noble not in claimed)
    kept, gone = Counter(order[:expected]), tuple(order[expected:])
    left: list[Noble] = []
    for noble in setup.nobles:
        if kept[noble]:
            kept[noble] -= 1
            left.append(noble)
    mended = replace(setup, nobles=tuple(left))
    return "nobles", Repair("nobles-remove", mended, {"nobles": _codes(gone)})


def _noble_twice(setup: Setup, params: Params, _nth: int) -> Mended:
    code = str(params["noble"])
    spare = _spare_nobles(setup)
    nobles: list[Noble] = []
    for noble in setup.nobles:
        again = noble.code == code and noble in nobles
        if not again:
            nobles.append(noble)
        elif spare:
            nobles.append(spare.pop(0))
    mended = replace(setup, nobles=tuple(nobles))
    where, kept = "nobles", False
    for seat, hand in enumerate(setup.hands):
        own: list[Noble] = []
        for noble in hand.nobles:
            if noble.code == code and kept:
                where = f"hands.{seat}.nobles"
                continue
            kept = kept or noble.code == code
            own.append(noble)
        mended = _with_hand(mended, seat, replace(mended.hands[seat], nobles=tuple(own)))
    return where, Repair("noble-twice", mended, {"noble": code})


def _noble_lost(setup: Setup, params: Params, _nth: int) -> Mended:
    seat, code = int(params["seat"]), str(params["noble"])
    hand = setup.hands[seat]
    own = tuple(noble for noble in hand.nobles if noble.code != code)
    mended = _with_hand(setup, seat, replace(hand, nobles=own))
    return f"hands.{seat}.nobles", Repair("noble", mended, {"noble": code})


# The clock and the phase


def _passes(setup: Setup, _params: Params, _nth: int) -> Mended:
    return "passes", Repair("passes", replace(setup, passes=0))


def _last_round(setup: Setup, _params: Params, _nth: int) -> Mended:
    """Whether somebody is there decides; where the round is done too, the game is over."""
    if not target_reached(Position(**setup.facts())):
        return "last_round", Repair("no-last-round", replace(setup, last_round=False))
    mended = replace(setup, last_round=True)
    if setup.turn % setup.ruleset.seats or setup.phase is Phase.OVER:
        return "last_round", Repair("last-round", mended)
    return "phase", Repair("over", replace(mended, phase=Phase.OVER, pending=None))


def _pending(setup: Setup, params: Params, nth: int) -> Mended:
    if setup.phase is Phase.DEAL:
        return _to_act(setup, params, nth)
    return "pending", Repair("pending", replace(setup, pending=None))


def _to_act(setup: Setup, _params: Params, _nth: int) -> Mended:
    return "phase", Repair("act", replace(setup, phase=Phase.ACT, pending=None))


_MENDERS: Mapping[SetupFault, Mender] = {
    SetupFault.HANDS_COUNT: _hands_count,
    SetupFault.ROW_SHAPE: _row_shape,
    SetupFault.TURN_RANGE: _turn,
    SetupFault.TOKENS_NEGATIVE: _negative,
    SetupFault.TOKENS_LOST: _lost,
    SetupFault.TOKENS_OVER_LIMIT: _over_limit,
    SetupFault.CARD_TWICE: _card_twice,
    SetupFault.ROW_HOLE: _row_hole,
    SetupFault.ROW_LEVEL: _row_level,
    SetupFault.RESERVED_LIMIT: _reserved_limit,
    SetupFault.CARD_HIDDEN: _hidden,
    SetupFault.NOBLES_COUNT: _nobles_count,
    SetupFault.NOBLE_TWICE: _noble_twice,
    SetupFault.NOBLE_NOT_IN_PLAY: _noble_lost,
    SetupFault.NOBLE_UNEARNED: _noble_lost,
    SetupFault.PASSES_RANGE: _passes,
    SetupFault.LAST_ROUND: _last_round,
    SetupFault.PENDING_MISMATCH: _pending,
    SetupFault.PHASE_NOBLE: _to_act,
    SetupFault.PHASE_RETURN: _to_act,
    SetupFault.PHASE_OVER: _to_act,
}


# What they share


def unseen_cards(setup: Setup, level: int) -> list[Card]:
    """The cards of a level that lie in no row and no hand, in the order of their numbers."""
    placed = {card for row in setup.rows for card in row}
    for hand in setup.hands:
        placed.update(hand.bought)
        placed.update(r.card for r in hand.reserved if isinstance(r, Reserved))
    return [card for card in CARDS if card.level == level and card not in placed]


def _spare_nobles(setup: Setup) -> list[Noble]:
    """Nobles that are not in play; those that somebody has already come first."""
    claimed = [noble for hand in setup.hands for noble in hand.nobles]
    spare = [noble for noble in NOBLES if noble not in setup.nobles]
    return sorted(spare, key=lambda noble: noble not in claimed)


def _codes(nobles: tuple[Noble, ...] | list[Noble]) -> str:
    return ", ".join(noble.code for noble in nobles)


def _with_hand(setup: Setup, seat: int, hand: Hand) -> Setup:
    return replace(setup, hands=(*setup.hands[:seat], hand, *setup.hands[seat + 1 :]))


def _changed(tokens: Gems, gem: int, count: int) -> Gems:
    counts = list(tokens)
    counts[gem] = count
    return Gems(*counts)
