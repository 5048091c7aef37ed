"""The token limit: what is above ten goes back, any mix, gold and just-taken ones included."""

from __future__ import annotations

from itertools import combinations_with_replacement

from cabochon.rules.errors import IllegalMove, Refusal
from cabochon.rules.gems import LETTERS, Gem, Gems
from cabochon.rules.moves import Return
from cabochon.rules.ruleset import TAKE_COLOURS, TOKEN_LIMIT
from cabochon.rules.taking import amount_refusal

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
