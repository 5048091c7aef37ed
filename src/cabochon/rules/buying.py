"""Buying cards, and the nobles whom the bonuses bring."""

from __future__ import annotations

from itertools import product

from cabochon.rules.cards import CARDS, FEWEST_FOR_NOBLE, NOBLES, Card, Noble
from cabochon.rules.errors import IllegalMove, Refusal, quoted
from cabochon.rules.facts import Facts, Hand, Reserved
from cabochon.rules.gems import COLOURS, LETTERS, Gem, Gems
from cabochon.rules.moves import Buy, ChooseNoble
from cabochon.rules.taking import amount_refusal, unknown_card

# Buying: price = cost − bonuses, never below nothing; gold may stand for any colour.


# What each card asks for, without the colours it does not.
_ASKED = tuple(tuple((g, n) for g, n in enumerate(card.cost) if n) for card in CARDS)


def price(card: Card, bonuses: Gems) -> Gems:
    """What the card still costs after the bonuses."""
    return Gems(*(max(0, c - b) for c, b in zip(card.cost, bonuses, strict=True)))


def least_payment(card: Card, bonuses: Gems, tokens: Gems) -> Gems | None:
    """The payment with the least gold, or None when the tokens do not reach."""
    paid = [0, 0, 0, 0, 0, 0]
    gold = 0
    for gem, cost in _ASKED[card.id]:
        due = cost - bonuses[gem]
        if due > 0:
            held = tokens[gem]
            if due > held:
                gold += due - held
                if gold > tokens[5]:
                    return None
                due = held
            paid[gem] = due
    paid[5] = gold
    return Gems(*paid)


def all_payments(card: Card, bonuses: Gems, tokens: Gems) -> tuple[Gems, ...]:
    """Every legal mix of colours and gold, the least gold first."""
    due = price(card, bonuses)
    total = due.total
    spends = product(*(range(min(due[gem], tokens[gem]), -1, -1) for gem in COLOURS))
    mixes = (Gems(*(*spend, total - sum(spend))) for spend in spends)
    payable = [mix for mix in mixes if mix.gold <= tokens[Gem.GOLD]]
    return tuple(sorted(payable, key=lambda mix: mix.gold))


def missing(card: Card, bonuses: Gems, tokens: Gems) -> int:
    """How many tokens are lacking after own gold is counted; 0 means it can be bought."""
    short = -tokens.gold
    for gem, cost in _ASKED[card.id]:
        short += max(0, cost - bonuses[gem] - tokens[gem])
    return max(0, short)


def legal_buys(facts: Facts, hand: Hand, bonuses: Gems) -> list[Buy]:
    """Each purchase once with the least gold: face-up cards by place, then reserved ones."""
    cards = [card for row in facts.rows for card in row if card is not None]
    cards += [r.card for r in hand.reserved if isinstance(r, Reserved)]
    tokens, reach, gold = hand.tokens, reach_of(hand.tokens, bonuses), hand.tokens.gold
    return [
        Buy(card, least_payment(card, bonuses, tokens))
        for card in cards
        if lacking(card.cost, reach) <= gold
    ]


def reach_of(tokens: Gems, bonuses: Gems) -> tuple[int, int, int, int, int]:
    """What they cover together of each colour."""
    a, b, c, d, e, _ = tokens
    v, w, x, y, z, _ = bonuses
    return a + v, b + w, c + x, d + y, e + z


def lacking(cost: Gems, reach: tuple[int, int, int, int, int]) -> int:
    """How many tokens are missing, gold left aside. Spelled out: it is asked of every card in
    sight, for every position."""
    a, b, c, d, e, _ = cost
    v, w, x, y, z = reach
    short = 0
    if a > v:
        short += a - v
    if b > w:
        short += b - w
    if c > x:
        short += c - x
    if d > y:
        short += d - y
    if e > z:
        short += e - z
    return short


def buy_refusal(facts: Facts, hand: Hand, bonuses: Gems, move: Buy) -> IllegalMove | None:
    card = move.card
    refusal = unknown_card(card)
    if refusal:
        return refusal
    if facts.place_of(card) is None and not hand.holds(card):
        return IllegalMove(Refusal.BUY_NOT_THERE, card=card.code)
    least = least_payment(card, bonuses, hand.tokens)
    if least is None:
        short = missing(card, bonuses, hand.tokens)
        return IllegalMove(Refusal.BUY_TOO_DEAR, card=card.code, missing=short)
    if move.payment is None:
        return None
    refusal = amount_refusal(move.payment)
    if refusal or move.payment == least:
        return refusal
    return _payment_refusal(hand.tokens, price(card, bonuses), card, move.payment)


def _payment_refusal(tokens: Gems, due: Gems, card: Card, payment: Gems) -> IllegalMove | None:
    for letter, held, asked in zip(LETTERS, tokens, payment, strict=True):
        if asked > held:
            return IllegalMove(Refusal.PAYMENT_NOT_HELD, colour=letter, held=held, asked=asked)
    total = sum(payment)
    if any(payment[gem] > due[gem] for gem in COLOURS) or total > due.total:
        return IllegalMove(Refusal.PAYMENT_TOO_MUCH, card=card.code)
    if total < due.total:
        return IllegalMove(Refusal.PAYMENT_TOO_LITTLE, card=card.code, missing=due.total - total)
    return None


# Nobles come by themselves, one per turn, to a player who has the bonuses they ask for.


def visiting(facts: Facts, seat: int) -> tuple[Noble, ...]:
    """The nobles still on the table that the seat's bonuses satisfy, in table order."""
    if not facts.ruleset.teams and len(facts.hands[seat].bought) < FEWEST_FOR_NOBLE:
        return ()
    bonuses = facts.bonuses(seat)
    if sum(bonuses) < FEWEST_FOR_NOBLE:
        return ()
    return tuple(noble for noble in facts.open_nobles if bonuses.covers(noble.cost))


def choose_refusal(facts: Facts, seat: int, move: ChooseNoble) -> IllegalMove | None:
    noble = move.noble
    if not isinstance(noble, Noble) or noble not in NOBLES:
        return IllegalMove(Refusal.UNKNOWN_NOBLE, noble=quoted(getattr(noble, "code", noble)))
    if noble not in visiting(facts, seat):
        return IllegalMove(Refusal.NOBLE_NOT_OFFERED, noble=noble.code)
    return None
