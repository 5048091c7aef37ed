"""Any arrangement, not yet proved valid. `faults()` says everything that is wrong with it at once;
`position()` gives the Position when nothing is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from cabochon.rules.buying import visiting
from cabochon.rules.cards import DECK_SIZES, LEVELS, Card, Noble, is_card, is_noble
from cabochon.rules.ending import target_reached
from cabochon.rules.errors import BadSetup, Fault, Param, SetupFault, shown, wrong
from cabochon.rules.facts import Facts, Hand, Hidden, Phase, Place, Reserved, fields_of
from cabochon.rules.gems import LETTERS, Gems
from cabochon.rules.position import Position
from cabochon.rules.ruleset import RESERVE_LIMIT, TOKEN_LIMIT, Ruleset
from cabochon.rules.taking import MOST_EXCESS, excess


@dataclass(frozen=True, slots=True)
class Setup:
    """The fields of a Position except the deck sizes, which follow from the other cards."""

    ruleset: Ruleset
    bank: Gems
    rows: tuple[tuple[Card | None, ...], ...]
    nobles: tuple[Noble, ...]
    hands: tuple[Hand, ...]
    turn: int = 0
    phase: Phase = Phase.ACT
    pending: Place | None = None
    passes: int = 0
    last_round: bool = False

    @classmethod
    def of(cls, facts: Facts) -> Setup:
        """The arrangement that a position shows: a start for changing something. Raises
        WrongArgument for what is neither a position nor a view."""
        if not isinstance(facts, Facts):
            raise wrong("facts", "table", facts)
        arranged = fields_of(facts)
        del arranged["decks"]
        return cls(**arranged)

    def position(self) -> Position:
        """Raises BadSetup with all the faults."""
        faults = self.faults()
        if faults:
            raise BadSetup(faults)
        return self._unchecked()

    def faults(self) -> tuple[Fault, ...]:
        """Everything that is wrong. When the parts do not even have the right types or the right
        shape, only that is reported, since the rest can't be checked."""
        broken = tuple(self._type_faults()) or tuple(self._shape_faults())
        if broken:
            return broken
        return (
            *self._token_faults(),
            *self._card_faults(),
            *self._noble_faults(),
            *self._clock_faults(),
            *self._phase_faults(),
        )

    def decks(self) -> tuple[int, int, int]:
        """How many cards each deck has left. Raises BadSetup for parts of other types."""
        broken = tuple(self._type_faults())
        if broken:
            raise BadSetup(broken)
        return self._decks()

    def _decks(self) -> tuple[int, int, int]:
        out = Counter(card.level for card in self._placed())
        for hand in self.hands:
            out.update(r.level for r in hand.reserved if not isinstance(r, Reserved))
        a, b, c = (size - out[level] for level, size in zip(LEVELS, DECK_SIZES, strict=True))
        return a, b, c

    def _placed(self) -> list[Card]:
        cards = [card for row in self.rows for card in row if card is not None]
        for hand in self.hands:
            cards += hand.bought
            cards += [r.card for r in hand.reserved if isinstance(r, Reserved)]
        return cards

    def _unchecked(self) -> Position:
        return Position(**self.facts())

    def facts(self) -> dict[str, Any]:
        """The fields of a Position by name, in its canonical form, right or wrong."""
        hands = tuple(
            Hand(h.tokens, tuple(sorted(h.bought, key=lambda c: c.id)), h.reserved, h.nobles)
            for h in self.hands
        )
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return given | {"decks": self._decks(), "hands": hands}

    def _type_faults(self) -> Iterator[Fault]:
        parts = (
            ("ruleset", "ruleset", isinstance(self.ruleset, Ruleset)),
            ("bank", "gems", isinstance(self.bank, Gems)),
            ("rows", "rows", _are_rows(self.rows)),
            ("nobles", "nobles", _are_all(self.nobles, is_noble)),
            ("hands", "hands", _are_all(self.hands, _is_hand)),
            ("turn", "whole", type(self.turn) is int),
            ("phase", "phase", isinstance(self.phase, Phase)),
            ("pending", "place", self.pending is None or _is_place(self.pending)),
            ("passes", "whole", type(self.passes) is int),
            ("last_round", "flag", type(self.last_round) is bool),
        )
        for part, wanted, fits in parts:
            if not fits:
                given = shown(getattr(self, part))
                yield _fault(SetupFault.PART_TYPE, part=part, wanted=wanted, given=given)

    def _shape_faults(self) -> Iterator[Fault]:
        seats, width = self.ruleset.seats, self.ruleset.row_width
        if len(self.hands) != seats:
            yield _fault(SetupFault.HANDS_COUNT, count=len(self.hands), seats=seats)
        if len(self.rows) != len(LEVELS):
            yield _fault(SetupFault.ROW_SHAPE, level=len(self.rows), count=0, expected=width)
        for level, row in zip(LEVELS, self.rows, strict=False):
            if len(row) != width:
                yield _fault(SetupFault.ROW_SHAPE, level=level, count=len(row), expected=width)
        if self.turn < 0:
            yield _fault(SetupFault.TURN_RANGE, turn=self.turn)
        owners = [("bank", self.bank), *((f"seat {s}", h.tokens) for s, h in enumerate(self.hands))]
        for owner, tokens in owners:
            for letter, count in zip(LETTERS, tokens, strict=True):
                if type(count) is not int or count < 0:
                    yield _fault(SetupFault.TOKENS_NEGATIVE, owner=owner, colour=letter)

    def _token_faults(self) -> Iterator[Fault]:
        held = [hand.tokens for hand in self.hands]
        piles = zip(LETTERS, self.bank, self.ruleset.bank, *held, strict=True)
        for letter, in_bank, expected, *in_hands in piles:
            count = in_bank + sum(in_hands)
            if count != expected:
                yield _fault(SetupFault.TOKENS_LOST, colour=letter, count=count, expected=expected)
        for seat, tokens in enumerate(held):
            mid_turn = seat == self._seat and self.phase not in (Phase.ACT, Phase.OVER)
            most = TOKEN_LIMIT + (MOST_EXCESS if mid_turn else 0)
            if tokens.total > most:
                yield _fault(SetupFault.TOKENS_OVER_LIMIT, seat=seat, count=tokens.total, most=most)

    def _card_faults(self) -> Iterator[Fault]:
        for placed, times in Counter(self._placed()).items():
            if times > 1:
                yield _fault(SetupFault.CARD_TWICE, card=placed.code)
        for level, row, left in zip(LEVELS, self.rows, self._decks(), strict=True):
            for column, card in enumerate(row):
                if card is None:
                    if left > 0 and self.pending != Place(level, column):
                        yield _fault(SetupFault.ROW_HOLE, level=level)
                elif card.level != level:
                    yield _fault(SetupFault.ROW_LEVEL, card=card.code, level=level)
        for seat, hand in enumerate(self.hands):
            if len(hand.reserved) > RESERVE_LIMIT:
                yield _fault(SetupFault.RESERVED_LIMIT, seat=seat, count=len(hand.reserved))
            if not all(isinstance(reserve, Reserved) for reserve in hand.reserved):
                yield _fault(SetupFault.CARD_HIDDEN, seat=seat)

    def _noble_faults(self) -> Iterator[Fault]:
        expected = self.ruleset.noble_count
        if len(self.nobles) != expected:
            yield _fault(SetupFault.NOBLES_COUNT, count=len(self.nobles), expected=expected)
        claimed = Counter(noble for hand in self.hands for noble in hand.nobles)
        for noble, times in (Counter(self.nobles) | claimed).items():
            if times > 1:
                yield _fault(SetupFault.NOBLE_TWICE, noble=noble.code)
        facts = self._unchecked()
        for seat, hand in enumerate(self.hands):
            for noble in hand.nobles:
                if noble not in self.nobles:
                    yield _fault(SetupFault.NOBLE_NOT_IN_PLAY, seat=seat, noble=noble.code)
                if not facts.bonuses(seat).covers(noble.cost):
                    yield _fault(SetupFault.NOBLE_UNEARNED, seat=seat, noble=noble.code)

    def _clock_faults(self) -> Iterator[Fault]:
        # The last pass of a round may bring nobles to choose from, and then ends nothing.
        choosing = self.phase is Phase.NOBLE
        most = self.ruleset.seats - (not choosing and self.phase is not Phase.OVER)
        if not 0 <= self.passes <= min(most, self.turn + choosing):
            yield _fault(SetupFault.PASSES_RANGE, passes=self.passes)
        facts = self._unchecked()
        reached = target_reached(facts)
        mid_turn = self.phase not in (Phase.ACT, Phase.OVER)
        just_now = mid_turn and facts.points(self._seat) >= self.ruleset.target
        round_done = self.last_round and self.turn % self.ruleset.seats == 0
        claimed_early = self.last_round and not reached
        missed = reached and not self.last_round and not just_now
        outlived = round_done and self.phase is not Phase.OVER
        if claimed_early or missed or outlived:
            yield _fault(SetupFault.LAST_ROUND)

    def _phase_faults(self) -> Iterator[Fault]:
        facts = self._unchecked()
        hand = self.hands[self._seat]
        if not self._pending_fits(hand):
            yield _fault(SetupFault.PENDING_MISMATCH)
        if self.phase is Phase.NOBLE and len(visiting(facts, self._seat)) < 2:
            yield _fault(SetupFault.PHASE_NOBLE)
        if self.phase is Phase.RETURN and not excess(hand.tokens):
            yield _fault(SetupFault.PHASE_RETURN)
        round_done = self.last_round and self.turn % self.ruleset.seats == 0
        if self.phase is Phase.OVER and not round_done and self.passes < self.ruleset.seats:
            yield _fault(SetupFault.PHASE_OVER)

    def _pending_fits(self, hand: Hand) -> bool:
        place = self.pending
        if place is None or self.phase is not Phase.DEAL:
            return place is None and self.phase is not Phase.DEAL
        if place.level not in LEVELS or self._decks()[place.level - 1] < 1:
            return False
        if place.column is None:
            return len(hand.reserved) < RESERVE_LIMIT
        return (
            0 <= place.column < self.ruleset.row_width
            and self.rows[place.level - 1][place.column] is None
        )

    @property
    def _seat(self) -> int:
        return self.turn % self.ruleset.seats


def _are_all(things: object, is_one: Callable[[object], bool]) -> bool:
    return isinstance(things, tuple) and all(is_one(thing) for thing in things)


def _are_rows(rows: object) -> bool:
    return _are_all(rows, lambda row: _are_all(row, lambda card: card is None or is_card(card)))


def _is_hand(hand: object) -> bool:
    return (
        isinstance(hand, Hand)
        and isinstance(hand.tokens, Gems)
        and _are_all(hand.bought, is_card)
        and _are_all(hand.reserved, _is_reserve)
        and _are_all(hand.nobles, is_noble)
    )


def _is_reserve(reserve: object) -> bool:
    if isinstance(reserve, Hidden):
        return type(reserve.level) is int and reserve.level in LEVELS
    return isinstance(reserve, Reserved) and is_card(reserve.card) and type(reserve.blind) is bool


def _is_place(place: object) -> bool:
    return (
        isinstance(place, Place)
        and type(place.level) is int
        and (place.column is None or type(place.column) is int)
    )


def _fault(code: SetupFault, **params: Param) -> Fault:
    return Fault(code, params)
