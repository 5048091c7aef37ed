"""What one seat, or a watcher, may know: built up from what is public, never cut down from all."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.rules import legal
from cabochon.rules.cards import CARDS, Card
from cabochon.rules.errors import ArgumentFault, IllegalMove, NotAView, Refusal, no_seat
from cabochon.rules.facts import Facts, Hand, HeldCard, Hidden, Phase, Reserved, fields_of
from cabochon.rules.gems import Gems
from cabochon.rules.moves import Move


@dataclass(frozen=True, slots=True)
class View(Facts):
    """The public facts and, for a seat, its own reserved cards.

    A card that was reserved face up is remembered by everybody (`Reserved`, not blind); one that
    another seat drew from a deck is `Hidden`. It answers the same questions as a Position, for its
    viewer.
    """

    viewer: int | None

    def legal_moves(self) -> list[Move]:
        """The viewer's legal moves in the fixed order; none when it is not its turn."""
        return legal.legal_moves(self) if self._to_decide else []

    def legal_payments(self, card: Card) -> tuple[Gems, ...]:
        """All mixes of colours and gold that buy the card now, the least gold first. Raises
        WrongArgument for anything but a card."""
        payments = legal.payments(self, card)
        return payments if self._to_decide else ()

    def refusal(self, move: Move) -> IllegalMove | None:
        """Why the viewer may not make the move, or None."""
        if self._to_decide or self.phase is Phase.OVER:
            return legal.refusal(self, move)
        seat = "-" if self.viewer is None else self.viewer
        return IllegalMove(Refusal.WRONG_SEAT, seat=seat, expected=self.seat)

    def is_legal(self, move: Move) -> bool:
        return self.refusal(move) is None

    def completed(self, move: Move) -> Move:
        """The same legal move with its payment written out. Raises IllegalMove for anything but a
        move."""
        return legal.completed(self, move)

    def unseen(self) -> tuple[Card, ...]:
        """The cards this viewer cannot place: in a deck, or hidden in somebody's hand."""
        seen = {card for row in self.rows for card in row if card is not None}
        for hand in self.hands:
            seen.update(hand.bought)
            seen.update(r.card for r in hand.reserved if isinstance(r, Reserved))
        return tuple(card for card in CARDS if card not in seen)

    @property
    def _to_decide(self) -> bool:
        return self.viewer == self.seat


def view_of(facts: Facts, viewer: int | None) -> View:
    """The view of a seat, or of a watcher (None). Raises WrongArgument for any other viewer."""
    seats = facts.ruleset.seats
    if viewer is not None and (type(viewer) is not int or not 0 <= viewer < seats):
        raise no_seat(viewer, seats)
    seen = fields_of(facts)
    seen["hands"] = tuple(
        h if seat == viewer else seen_hand(h) for seat, h in enumerate(facts.hands)
    )
    return View(**seen, viewer=viewer)


def only_view(thing: object) -> View:
    """The view that a bot or a search is asked to think about. Raises NotAView for anything else,
    above all for a Position: a thinker must not know more than the viewer."""
    if not isinstance(thing, View):
        raise NotAView(ArgumentFault.VIEW_NEEDED, given=type(thing).__name__)
    return thing


def choices(thing: object) -> list[Move]:
    """The moves to choose from. Raises NotAView for anything but a view, and IllegalMove when its
    viewer has nothing to decide."""
    view = only_view(thing)
    moves = view.legal_moves()
    if not moves:
        refusal = view.refusal(legal.PASS)
        assert refusal is not None, "there is always a legal move for the seat to act"
        raise refusal
    return moves


def seen_hand(hand: Hand) -> Hand:
    """What everybody else may know of a hand."""
    if not hand.reserved:
        return hand
    for reserve in hand.reserved:
        if isinstance(reserve, Reserved) and reserve.blind:
            reserved = tuple([_seen_reserve(reserve) for reserve in hand.reserved])
            return Hand(hand.tokens, hand.bought, reserved, hand.nobles)
    return hand  # nothing in it is to be hidden


def _seen_reserve(reserve: HeldCard) -> HeldCard:
    face_up = isinstance(reserve, Reserved) and not reserve.blind
    return reserve if face_up else Hidden(reserve.level)
