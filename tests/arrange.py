"""Positions and moves by hand, in a few letters.

    arrange("quick/3", hands=[hand("wwu", bought="1w1", reserved="2u5 ?3k1")], rows={1: "1g1"})

Whatever is not said is filled in: tokens not in a hand are in the bank, places not named show the
lowest cards left, nobles not named are the lowest left. The result has passed `Setup.faults()`.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import pytest

from cabochon.rules import (
    CARDS,
    LEVELS,
    NOBLES,
    Buy,
    Card,
    ChooseNoble,
    Deal,
    Deck,
    Facts,
    Gems,
    Hand,
    IllegalMove,
    Move,
    Noble,
    Phase,
    Place,
    Position,
    Refusal,
    Reserve,
    Reserved,
    Return,
    Ruleset,
    Setup,
    Take,
    card,
    noble,
)
from cabochon.rules.ruleset import TOKEN_LIMIT

# A number that Python does not print, as a parameter of a test.
HUGE = pytest.param(10**5000, id="huge")
HOLE = "."
COLOUR_LETTERS = "wugrk"


@dataclass(frozen=True)
class Arranged:
    """A hand as a test says it; tokens None: whatever the bank must get rid of."""

    tokens: Gems | None
    bought: tuple[Card, ...]
    reserved: tuple[Reserved, ...]
    nobles: tuple[Noble, ...]


def hand(
    tokens: str | None = None, bought: str = "", reserved: str = "", nobles: str = ""
) -> Arranged:
    """`reserved="2u5 ?3k1"` holds a card that lay face up and one drawn from a deck."""
    return Arranged(
        None if tokens is None else Gems.parse(tokens),
        cards(bought),
        tuple(Reserved(card(code.lstrip("?")), code.startswith("?")) for code in reserved.split()),
        tuple(noble(code) for code in nobles.split()),
    )


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(card(code) for code in codes.split())


def bonus_cards(letters: str) -> str:
    """Level 1 cards without points (up to seven a colour) that give these bonuses."""
    return " ".join(f"1{c}{n}" for c in COLOUR_LETTERS for n in range(1, letters.count(c) + 1))


class Told(TypedDict, total=False):
    """What a test may say about a position.

    `used_up={1: 0}`: the deck of level 1 is empty, seat 0 has bought all its other cards.
    `bank="r"`: the coloured tokens left there; the others go to hands without stated tokens.
    """

    hands: Sequence[Arranged]
    bank: str
    rows: Mapping[int, str]
    nobles: str
    used_up: Mapping[int, int]
    turn: int
    phase: Phase
    pending: Place | None
    passes: int
    last_round: bool


def arrange(ruleset: str | Ruleset = "standard/2", **told: Unpack[Told]) -> Position:
    """Raises BadSetup when no game can show it."""
    return arrange_setup(ruleset, **told).position()


def arrange_setup(ruleset: str | Ruleset = "standard/2", **told: Unpack[Told]) -> Setup:
    rules = Ruleset.parse(ruleset) if isinstance(ruleset, str) else ruleset
    hands = [*told.get("hands", ())]
    hands += [hand()] * (rules.seats - len(hands))
    rows = told.get("rows", {})
    tokens = _shared_out(rules, [each.tokens for each in hands], told.get("bank"))
    spare = _spare_cards(hands, rows)
    shown = tuple(_row(rules.row_width, rows.get(level, ""), spare[level]) for level in LEVELS)
    bought = [list(each.bought) for each in hands]
    for level, seat in told.get("used_up", {}).items():
        bought[seat] += spare[level]
    return Setup(
        ruleset=rules,
        bank=_left(rules.bank, tokens),
        rows=shown,
        nobles=_nobles(rules, hands, told.get("nobles", "")),
        hands=tuple(
            Hand(mine, tuple(own), each.reserved, each.nobles)
            for mine, own, each in zip(tokens, bought, hands, strict=True)
        ),
        turn=told.get("turn", 0),
        phase=told.get("phase", Phase.ACT),
        pending=told.get("pending"),
        passes=told.get("passes", 0),
        last_round=told.get("last_round", False),
    )


def _left(all_tokens: Gems, held: Sequence[Gems]) -> Gems:
    for tokens in held:
        all_tokens = all_tokens.minus(tokens)
    return all_tokens


def _shared_out(rules: Ruleset, told: Sequence[Gems | None], bank: str | None) -> list[Gems]:
    """Everyone's tokens; with `bank` said, silent hands take what must not be there."""
    tokens = [mine or Gems() for mine in told]
    if bank is None:
        return tokens
    surplus = _left(rules.bank, [*tokens, Gems.parse(bank)])
    loose = list(surplus._replace(gold=0).letters)
    for seat in reversed(range(rules.seats)):
        while told[seat] is None and loose and tokens[seat].total < TOKEN_LIMIT:
            tokens[seat] = tokens[seat].plus(Gems.parse(loose.pop(0)))
    if loose:
        raise ValueError(f"nobody has room for {''.join(loose)}")
    return tokens


def _spare_cards(told: Sequence[Arranged], rows: Mapping[int, str]) -> dict[int, list[Card]]:
    """By level, the cards that the test puts nowhere."""
    used = {code for row in rows.values() for code in row.split()}
    for each in told:
        used |= {bought.code for bought in each.bought}
        used |= {reserved.card.code for reserved in each.reserved}
    return {
        level: [some for some in CARDS if some.level == level and some.code not in used]
        for level in LEVELS
    }


def _row(width: int, told: str, spare: list[Card]) -> tuple[Card | None, ...]:
    named = [None if code == HOLE else card(code) for code in told.split()]
    return (*named, *(spare.pop(0) for _ in range(width - len(named))))


def _nobles(rules: Ruleset, told: Sequence[Arranged], named: str) -> tuple[Noble, ...]:
    nobles = [noble(code) for code in named.split()]
    nobles += [mine for each in told for mine in each.nobles if mine not in nobles]
    nobles += [some for some in NOBLES if some not in nobles]
    return tuple(nobles[: rules.noble_count])


# Moves in the letters of the notation


def take(letters: str) -> Take:
    return Take(Gems.parse(letters))


def reserve(what: str) -> Reserve:
    """`reserve("2u5")` or `reserve("deck2")`."""
    return Reserve(Deck(int(what[4:])) if what.startswith("deck") else card(what))


def buy(code: str, payment: str | None = None) -> Buy:
    return Buy(card(code), None if payment is None else Gems.parse(payment))


def give_back(letters: str) -> Return:
    return Return(Gems.parse(letters))


def choose(code: str) -> ChooseNoble:
    return ChooseNoble(noble(code))


# Going on


def dealt_any(position: Position) -> Position:
    """With the lowest card of the deck in the pending place, if one is due."""
    if position.phase is not Phase.DEAL:
        return position
    assert position.pending is not None
    level = position.pending.level
    return position.deal(Deal(next(c for c in CARDS if c.level == level and position.in_deck(c))))


def play(position: Position, *moves: Move) -> Position:
    """The checked moves one after the other, each hole refilled with the lowest card."""
    for move in moves:
        position = dealt_any(position.play(move))
    return position


def refused(position: Position, move: Move, seat: int | None = None) -> Refusal:
    """The code of the refusal, after proving that it says why and that nothing has changed."""
    before = pickle.dumps(position), repr(position)
    with pytest.raises(IllegalMove) as caught:
        position.play(move, seat)
    assert (pickle.dumps(position), repr(position)) == before
    refusal = caught.value
    assert refusal == position.refusal(move, seat)
    assert refusal.en
    assert refusal.zh
    assert isinstance(refusal.code, Refusal)
    return refusal.code


def letters(position: Position, seat: int) -> str:
    """The seat's tokens."""
    return position.hands[seat].tokens.letters


def codes(some: Sequence[Card | None]) -> str:
    return " ".join(HOLE if each is None else each.code for each in some)


def reserved_codes(facts: Facts, seat: int) -> str:
    """`2u5 ?3k1`, and `?3` for a card that does not show its face."""
    return " ".join(_reserved_code(r) for r in facts.hands[seat].reserved)


def _reserved_code(reserve: object) -> str:
    if isinstance(reserve, Reserved):
        return ("?" if reserve.blind else "") + reserve.card.code
    return f"?{getattr(reserve, 'level')}"  # noqa: B009


def of_kind(moves: Sequence[Move], kind: type[Any]) -> list[Any]:
    return [move for move in moves if isinstance(move, kind)]


def everything(position: Position) -> Iterator[Card]:
    """Every card that is not in a deck."""
    for row in position.rows:
        yield from (shown for shown in row if shown is not None)
    for mine in position.hands:
        yield from mine.bought
        yield from (r.card for r in mine.reserved if isinstance(r, Reserved))


# A table where nobody can do anything: the bank has no colours, everyone holds three reserved
# cards, and every card asks for colours that different hands hold.
STUCK_ROWS = {1: "1u7 1g5 1r6 1w2", 2: "2g1 2g2 2r1 2w1", 3: "3w1 3u1 3k1 3g1"}
STUCK_TOKENS = {
    2: ("wwwwuuuugg", "ggrrrrkkkk"),
    3: ("wwwwwuuuuu", "gggggrrrrr", "kkkkk"),
    4: ("wwwwwwwuuu", "uuuugggggg", "grrrrrrrkk", "kkkkk"),
}
STUCK_RESERVED = ("3r1 3r3 3g3", "3w3 3k3 2k4", "2w6 2u6 2g6", "3w4 3u4 3k4")


def stuck(
    ruleset: str = "standard/2",
    bought: Mapping[int, str] | None = None,
    reserved: Mapping[int, str] | None = None,
    **told: Unpack[Told],
) -> Position:
    """Everybody is forced to pass; `bought` and `reserved` must change nothing about that."""
    seats = Ruleset.parse(ruleset).seats
    told["rows"] = STUCK_ROWS
    told["hands"] = [
        hand(
            tokens,
            (bought or {}).get(seat, ""),
            (reserved or {}).get(seat, STUCK_RESERVED[seat]),
        )
        for seat, tokens in enumerate(STUCK_TOKENS[seats])
    ]
    return arrange(ruleset, **told)
