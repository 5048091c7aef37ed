"""What a seat takes and gives back: tokens, those above ten, and a reserved card."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

from cabochon.rules.cards import CARDS, LEVELS, Card, is_card
from cabochon.rules.errors import IllegalMove, Refusal, quoted
from cabochon.rules.facts import Facts, Hand
from cabochon.rules.gems import COLOURS, LETTERS, Gem, Gems
from cabochon.rules.moves import DECKS, Deck, Reserve, Return, Take
from cabochon.rules.ruleset import (
    MOST_TOKENS,
    NEEDED_FOR_TWO,
    RESERVE_LIMIT,
    TAKE_COLOURS,
    TOKEN_LIMIT,
)

# Taking tokens: one each of different colours, or two of one colour. Never gold.


def _different(available: int, scarce: bool) -> tuple[Take, ...]:
    """Every take of different colours when the bits of `available` say which the bank has."""
    colours = [gem for gem in COLOURS if available >> gem & 1]
    if len(colours) < TAKE_COLOURS and (not scarce or not colours):
        return ()
    size = min(TAKE_COLOURS, len(colours))
    return tuple(Take(Gems.of(some)) for some in combinations(colours, size))


_BITS = tuple(1 << gem for gem in COLOURS)
_WHOLE = (int,) * len(LETTERS)
_DIFFERENT = {
    scarce: tuple(_different(available, scarce) for available in range(32))
    for scarce in (False, True)
}
_TWO = tuple(
    tuple(Take(Gems.of((gem, gem))) for gem in COLOURS if plenty >> gem & 1) for plenty in range(32)
)


ALL_TAKES = tuple(
    take for lists in (*_DIFFERENT.values(), _TWO) for takes in lists for take in takes
)


def legal_takes(facts: Facts) -> tuple[Take, ...]:
    """Different colours first, then two of one, each in colour order."""
    available = plenty = 0
    for bit, count in zip(_BITS, facts.bank, strict=False):  # gold is left over
        if count:
            available |= bit
            if count >= NEEDED_FOR_TWO:
                plenty |= bit
    return _DIFFERENT[facts.ruleset.scarce_take][available] + _TWO[plenty]


def amount_refusal(gems: Gems) -> IllegalMove | None:
    """Counts that are no counts: negative, not whole, or more than any game has."""
    if not isinstance(gems, tuple) or len(gems) != len(LETTERS):
        return IllegalMove(Refusal.UNKNOWN_MOVE, what=quoted(gems))
    if tuple(map(type, gems)) == _WHOLE and min(gems) >= 0 and max(gems) <= MOST_TOKENS:
        return None  # nearly always; else it is said which of them is wrong
    letter, count = next(
        (letter, count)
        for letter, count in zip(LETTERS, gems, strict=True)
        if type(count) is not int or not 0 <= count <= MOST_TOKENS
    )
    return IllegalMove(Refusal.BAD_AMOUNT, colour=letter, amount=quoted(count), most=MOST_TOKENS)


def take_refusal(facts: Facts, move: Take) -> IllegalMove | None:
    gems = move.gems
    refusal = amount_refusal(gems)
    if refusal:
        return refusal
    if gems[Gem.GOLD]:
        return IllegalMove(Refusal.TAKE_GOLD)
    colours = [gem for gem in COLOURS if gems[gem]]
    if not colours:
        return IllegalMove(Refusal.TAKE_NOTHING)
    if len(colours) == sum(gems):
        return _different_refusal(facts, colours, move)
    return _two_refusal(facts, colours, move)


def _different_refusal(facts: Facts, colours: list[Gem], move: Take) -> IllegalMove | None:
    if len(colours) > TAKE_COLOURS:
        return IllegalMove(Refusal.TAKE_TOO_MANY, gems=Gems(*move.gems).letters)
    for gem in colours:
        if not facts.bank[gem]:
            return IllegalMove(Refusal.TAKE_EMPTY, colour=gem.letter)
    available = sum(facts.bank[gem] > 0 for gem in COLOURS)
    if available < TAKE_COLOURS and not facts.ruleset.scarce_take:
        return IllegalMove(Refusal.TAKE_SCARCE, colours=available)
    expected = min(TAKE_COLOURS, available)
    if len(colours) < expected:
        return IllegalMove(Refusal.TAKE_TOO_FEW, expected=expected)
    return None


def _two_refusal(facts: Facts, colours: list[Gem], move: Take) -> IllegalMove | None:
    if len(colours) > 1:
        return IllegalMove(Refusal.TAKE_MIXED, gems=Gems(*move.gems).letters)
    gem = colours[0]
    if move.gems[gem] > 2:
        return IllegalMove(Refusal.TAKE_TOO_MANY, gems=Gems(*move.gems).letters)
    count = facts.bank[gem]
    if count < NEEDED_FOR_TWO:
        return IllegalMove(Refusal.TAKE_TWO_NEEDS_FOUR, colour=gem.letter, count=count)
    return None


# The token limit: what is above ten goes back, any mix, gold and just-taken ones included.


MOST_EXCESS = TAKE_COLOURS
"""Of a full hand and one more action."""

_MIXES = tuple(
    tuple(Return(Gems.of(some)) for some in combinations_with_replacement(Gem, count))
    for count in range(MOST_EXCESS + 1)
)
ALL_RETURNS = tuple(move for mixes in _MIXES for move in mixes)


def excess(tokens: Gems) -> int:
    return max(0, sum(tokens) - TOKEN_LIMIT)


def legal_returns(tokens: Gems) -> list[Return]:
    """Every mix of exactly the excess, spelled in alphabet order w u g r k o."""
    return [move for move in _MIXES[excess(tokens)] if tokens.covers(move.gems)]


def return_refusal(tokens: Gems, move: Return) -> IllegalMove | None:
    refusal = amount_refusal(move.gems)
    if refusal:
        return refusal
    expected, given = excess(tokens), sum(move.gems)
    if given < expected:
        return IllegalMove(Refusal.RETURN_TOO_FEW, expected=expected, given=given)
    if given > expected:
        return IllegalMove(Refusal.RETURN_TOO_MANY, expected=expected, given=given)
    for letter, held, asked in zip(LETTERS, tokens, move.gems, strict=True):
        if asked > held:
            return IllegalMove(Refusal.RETURN_NOT_HELD, colour=letter, held=held, asked=asked)
    return None


# Reserving: a face-up card or the unseen top of a deck, at most three, with a gold if any.


_FACE_UP = tuple(Reserve(card) for card in CARDS)
_BLIND = tuple(Reserve(deck) for deck in DECKS)
ALL_RESERVES = _FACE_UP + _BLIND


def legal_reserves(facts: Facts, hand: Hand) -> list[Reserve]:
    """Face-up cards by level and place, then decks."""
    if len(hand.reserved) >= RESERVE_LIMIT:
        return []
    moves = [_FACE_UP[card.id] for row in facts.rows for card in row if card is not None]
    moves += [move for move, left in zip(_BLIND, facts.decks, strict=True) if left]
    return moves


def reserve_refusal(facts: Facts, hand: Hand, move: Reserve) -> IllegalMove | None:
    target = move.target
    if not isinstance(target, Deck):
        refusal = unknown_card(target)
    elif type(target.level) is not int or target.level not in LEVELS:
        refusal = IllegalMove(Refusal.UNKNOWN_DECK, level=quoted(target.level))
    else:
        refusal = None
    if refusal:
        return refusal
    if len(hand.reserved) >= RESERVE_LIMIT:
        return IllegalMove(Refusal.RESERVE_LIMIT)
    if isinstance(target, Deck):
        if not facts.decks[target.level - 1]:
            return IllegalMove(Refusal.DECK_EMPTY, level=target.level)
    elif facts.place_of(target) is None:
        return IllegalMove(Refusal.RESERVE_NOT_FACE_UP, card=target.code)
    return None


def unknown_card(card: Card) -> IllegalMove | None:
    if is_card(card):
        return None
    return IllegalMove(Refusal.UNKNOWN_CARD, card=quoted(getattr(card, "code", card)))
