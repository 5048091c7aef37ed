"""Taking tokens: one each of different colours, or two of one colour. Never gold."""

from __future__ import annotations

from itertools import combinations

from cabochon.rules.errors import IllegalMove, Refusal, quoted
from cabochon.rules.facts import Facts
from cabochon.rules.gems import COLOURS, LETTERS, Gem, Gems
from cabochon.rules.moves import Take
from cabochon.rules.ruleset import MOST_TOKENS, NEEDED_FOR_TWO, TAKE_COLOURS


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
