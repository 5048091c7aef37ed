"""Which moves are legal, and why another is not: every kind of move, gathered here."""

from __future__ import annotations

from cabochon.rules.buying import (
    all_payments,
    buy_refusal,
    choose_refusal,
    least_payment,
    legal_buys,
    visiting,
)
from cabochon.rules.cards import Card
from cabochon.rules.errors import IllegalMove, Refusal, quoted
from cabochon.rules.facts import Facts, Phase
from cabochon.rules.gems import Gems
from cabochon.rules.moves import Buy, ChooseNoble, Move, Pass, Reserve, Return, Take
from cabochon.rules.taking import (
    ALL_RESERVES,
    ALL_RETURNS,
    ALL_TAKES,
    legal_reserves,
    legal_returns,
    legal_takes,
    reserve_refusal,
    return_refusal,
    take_refusal,
    unknown_card,
)

PASS = Pass()
STANDING: tuple[Move, ...] = (*ALL_TAKES, *ALL_RESERVES, *ALL_RETURNS, PASS)
"""Moves of which there is one object each, given out again and again: all but purchases and the
choice of a noble."""


def legal_moves(facts: Facts) -> list[Move]:
    """All legal moves in the fixed order; each purchase is listed once, with the least gold."""
    seat = facts.seat
    hand = facts.hands[seat]
    if facts.phase is Phase.ACT:
        return _actions(facts) or [PASS]
    if facts.phase is Phase.RETURN:
        return list(legal_returns(hand.tokens))
    if facts.phase is Phase.NOBLE:
        return [ChooseNoble(noble) for noble in visiting(facts, seat)]
    return []


def _actions(facts: Facts) -> list[Move]:
    hand = facts.hands[facts.seat]
    moves: list[Move] = [*legal_takes(facts)]
    moves += legal_reserves(facts, hand)
    moves += legal_buys(facts, hand, facts.bonuses(facts.seat))
    return moves


def payments(facts: Facts, card: Card) -> tuple[Gems, ...]:
    """All mixes that buy the card now, the least gold first; none when it cannot be bought."""
    hand = facts.hands[facts.seat]
    place = facts.place_of(card)
    if facts.phase is not Phase.ACT or (place is None and not hand.holds(card)):
        return ()
    return all_payments(card, facts.bonuses(facts.seat), hand.tokens)


def completed(facts: Facts, move: Move) -> Move:
    """The same legal move with nothing left open: a purchase names its payment. Raises IllegalMove
    for anything but a move; whether it is legal is not asked."""
    if not isinstance(move, Take | Reserve | Buy | Return | ChooseNoble | Pass):
        raise IllegalMove(Refusal.UNKNOWN_MOVE, what=quoted(move))
    if isinstance(move, Buy) and move.payment is None:
        refusal = unknown_card(move.card)
        if refusal:
            raise refusal
        hand = facts.hands[facts.seat]
        payment = least_payment(move.card, facts.bonuses(facts.seat), hand.tokens)
        return Buy(move.card, payment)
    return move


def refusal(facts: Facts, move: Move) -> IllegalMove | None:
    """Why the seat to act may not make this move, or None when it may."""
    phase = facts.phase
    if phase is Phase.OVER:
        return IllegalMove(Refusal.GAME_OVER)
    hand = facts.hands[facts.seat]
    if isinstance(move, ChooseNoble):
        if phase is not Phase.NOBLE:
            return IllegalMove(Refusal.NOBLE_NOT_PENDING)
        return choose_refusal(facts, facts.seat, move)
    if isinstance(move, Return):
        if phase is not Phase.RETURN:
            return IllegalMove(Refusal.RETURN_NOT_PENDING)
        return return_refusal(hand.tokens, move)
    if not isinstance(move, Take | Reserve | Buy | Pass):
        return IllegalMove(Refusal.UNKNOWN_MOVE, what=quoted(move))
    if phase is not Phase.ACT:
        return IllegalMove(Refusal.WRONG_PHASE, phase=phase.value)
    return _action_refusal(facts, move)


def _action_refusal(facts: Facts, move: Take | Reserve | Buy | Pass) -> IllegalMove | None:
    hand = facts.hands[facts.seat]
    if isinstance(move, Take):
        return take_refusal(facts, move)
    if isinstance(move, Reserve):
        return reserve_refusal(facts, hand, move)
    if isinstance(move, Buy):
        return buy_refusal(facts, hand, facts.bonuses(facts.seat), move)
    return IllegalMove(Refusal.PASS_NOT_FORCED) if _actions(facts) else None
