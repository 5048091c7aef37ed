"""One point in play, and what every decision makes of it.

    ACT ──▶ DEAL ──▶ NOBLE ──▶ RETURN ──▶ next seat's ACT, or OVER
            a place   two or    more than
            to fill   more fit  ten tokens

Each step that does not apply is passed over. Nothing here is random: a card comes by `deal`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from cabochon.rules import legal
from cabochon.rules.buying import visiting
from cabochon.rules.cards import DECK_SIZES, LEVELS, Card, Noble, is_card, is_noble
from cabochon.rules.ending import Outcome, outcome_of
from cabochon.rules.errors import DealFault, IllegalDeal, IllegalMove, Refusal, quoted, wrong
from cabochon.rules.facts import EMPTY_HAND, FIELDS, Facts, Hand, Phase, Place, Reserved
from cabochon.rules.gems import GOLD, Gem, Gems
from cabochon.rules.moves import (
    Buy,
    ChooseNoble,
    Deal,
    Deck,
    Event,
    Move,
    Opening,
    Reserve,
    Return,
    Take,
)
from cabochon.rules.ruleset import Ruleset
from cabochon.rules.taking import excess
from cabochon.rules.view import View, view_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Position(Facts):
    """All facts of one point in play, hidden cards included: for the table's authority and for
    records. Players and bots are handed a `View`.

    Positions come from `start`, from what is played and dealt on them, and from a `Setup`; the
    constructor itself checks nothing, for the sake of speed.
    """

    @classmethod
    def start(cls, ruleset: Ruleset, opening: Opening) -> Position:
        """The first position. Raises WrongArgument for anything but a ruleset, and IllegalDeal for
        an opening that does not fit the rules."""
        _check_opening(ruleset, opening)
        width = ruleset.row_width
        a, b, c = (size - width for size in DECK_SIZES)
        return _position(
            ruleset=ruleset,
            bank=ruleset.bank,
            rows=opening.rows,
            decks=(a, b, c),
            nobles=opening.nobles,
            hands=(EMPTY_HAND,) * ruleset.seats,
            turn=0,
            phase=Phase.ACT,
            pending=None,
            passes=0,
            last_round=False,
        )

    # What may be done

    def legal_moves(self) -> list[Move]:
        """All legal moves in the fixed order; each purchase is listed once, with the least gold."""
        return legal.legal_moves(self)

    def legal_payments(self, card: Card) -> tuple[Gems, ...]:
        """All mixes of colours and gold that buy the card now, the least gold first. Raises
        WrongArgument for anything but a card."""
        return legal.payments(self, card)

    def refusal(self, move: Move, seat: int | None = None) -> IllegalMove | None:
        """Why the move is illegal, or None. With `seat`, also whether it is that seat's turn."""
        if seat is not None and self.phase is not Phase.OVER:
            if type(seat) is not int:
                return IllegalMove(Refusal.WRONG_SEAT, seat=quoted(seat), expected=self.seat)
            if seat != self.seat:
                return IllegalMove(Refusal.WRONG_SEAT, seat=seat, expected=self.seat)
        return legal.refusal(self, move)

    def is_legal(self, move: Move) -> bool:
        return legal.refusal(self, move) is None

    def completed(self, move: Move) -> Move:
        """The same legal move with its payment written out: what a record keeps. Raises
        IllegalMove for anything but a move."""
        return legal.completed(self, move)

    # What it leads to

    def play(self, move: Move, seat: int | None = None) -> Position:
        """The position after a decision. Raises IllegalMove, and then nothing has changed."""
        refusal = self.refusal(move, seat)
        if refusal is not None:
            raise refusal
        return self.play_unchecked(move)

    def play_unchecked(self, move: Move) -> Position:
        """As `play`, for a move known to be legal; with any other the result is meaningless."""
        hand = self.hands[self.seat]
        if isinstance(move, Take):
            bank, tokens = self.bank.minus(move.gems), hand.tokens.plus(move.gems)
            return self._acted(hand.with_tokens(tokens), bank)
        if isinstance(move, Reserve):
            return self._reserved(hand, move.target)
        if isinstance(move, Buy):
            return self._bought(hand, move)
        if isinstance(move, Return):
            bank, tokens = self.bank.plus(move.gems), hand.tokens.minus(move.gems)
            return self._with(hand.with_tokens(tokens), bank)._turn_ended()
        if isinstance(move, ChooseNoble):
            return self._visited(move.noble)._limited()
        return self._step(passes=self.passes + 1)._settled()

    def deal(self, deal: Deal) -> Position:
        """The position after chance has filled the pending place. Raises IllegalDeal."""
        fault = self._deal_fault(deal)
        if fault is not None:
            raise fault
        return self.deal_unchecked(deal.card)

    def deal_unchecked(self, card: Card) -> Position:
        """As `deal`, for a card known to come next; with any other the result is meaningless."""
        place = self.pending
        assert place is not None
        level = place.level - 1
        one, two, three = self.decks
        rows, hands = self.rows, self.hands
        if place.column is None:
            hand = hands[self.seat].with_reserved(Reserved(card, blind=True))
            hands = _replaced(hands, self.seat, hand)
        else:
            row = _replaced(rows[level], place.column, card)
            rows = _replaced(rows, level, row)
        return _position(
            ruleset=self.ruleset,
            bank=self.bank,
            rows=rows,
            decks=(one - (level == 0), two - (level == 1), three - (level == 2)),
            nobles=self.nobles,
            hands=hands,
            turn=self.turn,
            phase=Phase.ACT,
            pending=None,
            passes=self.passes,
            last_round=self.last_round,
        )._settled()

    def apply(self, event: Event) -> Position:
        """A move or a deal, whichever it is."""
        return self.deal(event) if isinstance(event, Deal) else self.play(event)

    def in_deck(self, card: Card) -> bool:
        """Whether the card is still face down: not in a row and in nobody's hand. Raises
        WrongArgument for anything but a card."""
        if not is_card(card):
            raise wrong("card", "card", card)
        if card in self.rows[card.level - 1]:
            return False
        return not any(card in hand.bought or hand.holds(card) for hand in self.hands)

    # What is known of it

    def view(self, viewer: int | None) -> View:
        """What that seat may know; None is a watcher, who holds no cards. Raises WrongArgument
        for a seat that is not there."""
        return view_of(self, viewer)

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return outcome_of(self) if self.phase is Phase.OVER else None

    # The steps of a turn

    def _step(
        self,
        *,
        phase: Phase = Phase.ACT,
        pending: Place | None = None,
        turn: int | None = None,
        passes: int | None = None,
        last_round: bool | None = None,
    ) -> Position:
        """The same table, further on in the turn."""
        return _position(
            ruleset=self.ruleset,
            bank=self.bank,
            rows=self.rows,
            decks=self.decks,
            nobles=self.nobles,
            hands=self.hands,
            turn=self.turn if turn is None else turn,
            phase=phase,
            pending=pending,
            passes=self.passes if passes is None else passes,
            last_round=self.last_round if last_round is None else last_round,
        )

    def _with(
        self,
        hand: Hand,
        bank: Gems | None = None,
        rows: tuple[tuple[Card | None, ...], ...] | None = None,
        passes: int = 0,
        pending: Place | None = None,
    ) -> Position:
        """The same turn with other things on the table; whatever changes them is no pass."""
        return _position(
            ruleset=self.ruleset,
            bank=self.bank if bank is None else bank,
            rows=self.rows if rows is None else rows,
            decks=self.decks,
            nobles=self.nobles,
            hands=_replaced(self.hands, self.seat, hand),
            turn=self.turn,
            phase=Phase.ACT if pending is None else Phase.DEAL,
            pending=pending,
            passes=passes,
            last_round=self.last_round,
        )

    def _acted(
        self,
        hand: Hand,
        bank: Gems,
        rows: tuple[tuple[Card | None, ...], ...] | None = None,
        refill: Place | None = None,
    ) -> Position:
        """After the action: wait for a card if a deck can give one, else go on."""
        due = refill if refill is not None and self.decks[refill.level - 1] else None
        after = self._with(hand, bank, rows, pending=due)
        return after if due else after._settled()

    def _reserved(self, hand: Hand, target: Card | Deck) -> Position:
        bank = self.bank
        if bank[Gem.GOLD]:
            bank = bank.minus(GOLD)
            hand = hand.with_tokens(hand.tokens.plus(GOLD))
        if isinstance(target, Deck):
            return self._acted(hand, bank, refill=Place(target.level, None))
        rows, place = self._lifted(target)
        return self._acted(hand.with_reserved(Reserved(target)), bank, rows, place)

    def _bought(self, hand: Hand, move: Buy) -> Position:
        payment = move.payment
        if payment is None:
            completed = legal.completed(self, move)
            assert isinstance(completed, Buy)
            payment = completed.payment
            assert payment is not None
        bank, tokens = self.bank.plus(payment), hand.tokens.minus(payment)
        rows, place = self._lifted(move.card)
        return self._acted(hand.with_bought(move.card, tokens), bank, rows, place)

    def _lifted(self, card: Card) -> tuple[tuple[tuple[Card | None, ...], ...], Place | None]:
        """The rows without the card, and the place it leaves; a reserved card leaves none."""
        place = self.place_of(card)
        if place is None:
            return self.rows, None
        assert place.column is not None
        row = _replaced(self.rows[card.level - 1], place.column, None)
        return _replaced(self.rows, card.level - 1, row), place

    def _settled(self) -> Position:
        """After the refill: a single noble comes by itself, several are waited for."""
        nobles = visiting(self, self.seat)
        if not nobles:
            return self._limited()
        if len(nobles) == 1:
            return self._visited(nobles[0])._limited()
        return self._step(phase=Phase.NOBLE)

    def _visited(self, noble: Noble) -> Position:
        return self._with(self.hands[self.seat].with_noble(noble))

    def _limited(self) -> Position:
        """After the noble: give back what is above ten, else the turn is done."""
        if excess(self.hands[self.seat].tokens):
            return self._step(phase=Phase.RETURN)
        return self._turn_ended()

    def _turn_ended(self) -> Position:
        seats = self.ruleset.seats
        turn = self.turn + 1
        # Only the seat that has moved can have got there: the others' points stand still.
        last_round = self.last_round or self.points(self.seat) >= self.ruleset.target
        over = self.passes >= seats or (last_round and turn % seats == 0)
        return self._step(phase=Phase.OVER if over else Phase.ACT, turn=turn, last_round=last_round)

    def _deal_fault(self, deal: Deal) -> IllegalDeal | None:
        if not isinstance(deal, Deal):
            return IllegalDeal(DealFault.NOT_A_DEAL, what=quoted(deal))
        place, card = self.pending, deal.card
        if place is None:
            return IllegalDeal(DealFault.DEAL_NOT_PENDING)
        if not is_card(card):
            return IllegalDeal(DealFault.DEAL_NOT_IN_DECK, card=quoted(card))
        if card.level != place.level:
            return IllegalDeal(
                DealFault.DEAL_WRONG_LEVEL,
                card=card.code,
                level=card.level,
                expected=place.level,
            )
        if not self.in_deck(card):
            return IllegalDeal(DealFault.DEAL_NOT_IN_DECK, card=card.code)
        return None


_new = object.__new__
(
    _set_ruleset,
    _set_bank,
    _set_rows,
    _set_decks,
    _set_nobles,
    _set_hands,
    _set_turn,
    _set_phase,
    _set_pending,
    _set_passes,
    _set_last_round,
) = (getattr(Facts, name).__set__ for name in FIELDS)


def _position(
    *,
    ruleset: Ruleset,
    bank: Gems,
    rows: tuple[tuple[Card | None, ...], ...],
    decks: tuple[int, int, int],
    nobles: tuple[Noble, ...],
    hands: tuple[Hand, ...],
    turn: int,
    phase: Phase,
    pending: Place | None,
    passes: int,
    last_round: bool,
) -> Position:
    """`Position(...)` by name, filled slot by slot: half the time of a frozen dataclass's own
    `__init__`, and every step of every turn makes one."""
    position: Position = _new(Position)
    _set_ruleset(position, ruleset)
    _set_bank(position, bank)
    _set_rows(position, rows)
    _set_decks(position, decks)
    _set_nobles(position, nobles)
    _set_hands(position, hands)
    _set_turn(position, turn)
    _set_phase(position, phase)
    _set_pending(position, pending)
    _set_passes(position, passes)
    _set_last_round(position, last_round)
    return position


def _replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _check_opening(ruleset: Ruleset, opening: Opening) -> None:
    if not isinstance(ruleset, Ruleset):
        raise wrong("ruleset", "ruleset", ruleset)
    if not isinstance(opening, Opening):
        raise wrong("opening", "opening", opening)
    nobles, count = opening.nobles, ruleset.noble_count
    if not _are_different(nobles, count) or not all(is_noble(noble) for noble in nobles):
        raise IllegalDeal(DealFault.BAD_OPENING, expected=count, kind="nobles")
    rows, width = opening.rows, ruleset.row_width
    fits = _are_different(rows, len(LEVELS)) and all(
        _are_different(row, width) and all(is_card(card) and card.level == level for card in row)
        for level, row in zip(LEVELS, rows, strict=True)
    )
    if not fits:
        raise IllegalDeal(DealFault.BAD_OPENING, expected=width * len(LEVELS), kind="cards")


def _are_different(things: tuple[object, ...], count: int) -> bool:
    """A tuple of that many things, no two of them the same."""
    return isinstance(things, tuple) and len(things) == count == len({id(each) for each in things})
