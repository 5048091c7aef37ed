"""Values of every wrong kind, and what a refusal of them must look like.

A `Door` is one argument of one public function. Whatever comes through it that does not fit must
be refused; whatever fits may be refused as well, but only by one of our own errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from cabochon.record import Reason, Record, Result
from cabochon.rules import (
    CARDS,
    NOBLES,
    Buy,
    CabochonError,
    Card,
    ChooseNoble,
    Deal,
    Deck,
    Gem,
    Gems,
    Hand,
    Hidden,
    Noble,
    Opening,
    Pass,
    Phase,
    Place,
    Position,
    Reserve,
    Reserved,
    Return,
    Ruleset,
    Setup,
    ShuffledDealer,
    Take,
    card,
)
from cabochon.turn import HiddenDeal, Turn

MOST = 300


class Unprintable:
    """Fails whenever somebody wants to know what it is."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


def deep(levels: int = 1500) -> list[Any]:
    """Lists in lists, deeper than Python can print them."""
    found: list[Any] = []
    for _ in range(levels):
        found = [found]
    return found


def looped() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


RULES = Ruleset()
DEALER = ShuffledDealer("wrongs")
OPENING = DEALER.opening(RULES)
POSITION = Position.start(RULES, OPENING)
DRAWING = POSITION.play(Reserve(Deck(2)))
VIEW = POSITION.view(0)
RECORD = Record.start(RULES, OPENING).append(Take(Gems(1, 1, 1)))
FORGED = Card(3, "1w4", 1, Gem.WHITE, 5, Gems())

PLAIN: tuple[Any, ...] = (
    *(None, True, False, ..., int, print, Unprintable(), object()),
    *(-1, 0, 1, 2, 3, 4, 15, 99, 10**5000, -(10**5000)),
    *(0.0, 1.0, 1.5, float("nan"), float("inf"), -float("inf"), 1j, Decimal(2)),
    *("", " ", "x", "2", "no", "act", "standard/2", "take wug", "en", "0", "wug", "1w1", "rk4"),
    *("\ud800", "\udfff take", "\x1b[31mred", "a\u202eb", "\u200b", "\0", "\n\r\t", "x" * 5000),
    *("城市", "{}", "[]", "{x}", "null", "%s{0}", "🂡" * 100),
    *(b"take wug", b"\xff", bytearray(b"x"), memoryview(b"x")),
    *((), (1,), (1, 2), [], [1], {}, {1: 2}, {"a": None}, {"\ud800": 1}, set(), frozenset({1})),
    *(range(3), iter(()), deep(), looped(), {"v": deep()}, {"ruleset": deep(991)}, (deep(),)),
)
OWN: tuple[Any, ...] = (
    *(RULES, OPENING, POSITION, DRAWING, VIEW, POSITION.view(None), Setup.of(POSITION), RECORD),
    *(RECORD.seen_by(0), RECORD.result, DEALER, card("1w1"), NOBLES[0], Gem.GOLD, Gems(), FORGED),
    *(Gems(1, 1, 1), Gems(-1), Gems(True, 1.5, "x"), Gems(10**30), (1, 1, 1, 0, 0, 0)),  # type: ignore[arg-type]
    *(Take(Gems(1, 1, 1)), Take(None), Take(5), Take((1,)), Take(Gems("w"))),  # type: ignore[arg-type]
    *(Reserve(None), Reserve("deck1"), Reserve(Deck(9)), Reserve(Deck("1")), Reserve(Deck([]))),  # type: ignore[arg-type]
    *(Buy(None), Buy(CARDS[0], 5), Buy(FORGED), Buy(CARDS[0], (1, 2)), Buy(CARDS[0], Gems())),  # type: ignore[arg-type]
    *(Return(None), ChooseNoble(None), ChooseNoble(CARDS[0]), Pass(), Pass, HiddenDeal()),  # type: ignore[arg-type]
    *(Deal(None), Deal(CARDS[0]), Deal("1w1"), Deal(FORGED), Deck(1), Place(1, 0)),  # type: ignore[arg-type]
    *(Opening(None, None), Opening((), ()), Opening(5, OPENING.rows), Opening([], [[]])),  # type: ignore[arg-type]
    *(Hand(), Hand(None), (Hand(None), Hand()), (Hand(), Hand(bought=(5,)))),  # type: ignore[arg-type]
    *((Hand(), Hand(reserved=(Hidden("x"),))), (Hand(reserved=(Reserved(None),)), Hand())),  # type: ignore[arg-type]
    *((Hand(reserved=(Reserved(CARDS[0], 1),)), Hand()), (Hand(nobles=(None,)), Hand())),  # type: ignore[arg-type]
    *(Phase.ACT, Phase.DEAL, Place("x", None), Place(1, "x"), Place(True, 0), Reason.RESIGNED),  # type: ignore[arg-type]
    *(Result((1, 2), Reason.RESIGNED), Result(None, "x"), Result((True, 2), Reason.RESIGNED)),  # type: ignore[arg-type]
    *((Take(None),), (Take(Gems(1, 1, 1)),), (Deal(None),), (HiddenDeal(),), ("Ada", "Bo")),  # type: ignore[arg-type]
    *(("Ada", None), ("\ud800", "Bo"), {0: "well"}, {True: "x"}, {9: "late"}, {"Site": 5}),
    *(Turn(1, 0), Turn(None, "x"), Turn(1, 9), Turn(1, 0, returned=None), Turn(1, 0, "take")),  # type: ignore[arg-type]
    *(Setup(None, None, None, None, None), Noble(0, "x", "x", 3, Gems())),  # type: ignore[arg-type]
)
ODD = (*PLAIN, *OWN)

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-9, 60)
    | st.integers()
    | st.floats()
    | st.text(max_size=80)
    | st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zs", "Co"]), max_size=80)
    | st.binary(max_size=20)
)
anything: st.SearchStrategy[Any] = st.sampled_from(ODD) | st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=8) | st.integers(), inner, max_size=4)
    ),
    max_leaves=6,
)


def always(value: object) -> bool:
    """Nothing need be refused here: many kinds of values make sense."""
    return True


@dataclass(frozen=True)
class Door:
    """One argument of one function; `fits` says what need not be refused there."""

    name: str
    enter: Callable[[Any], object]
    fits: Callable[[Any], bool] = always

    def __str__(self) -> str:
        return self.name


def of(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds)


def within(least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= most


def or_none(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or fits(value)


def is_writable(value: object) -> bool:
    """Text that has bytes."""
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


def raised(refusal: CabochonError | None) -> None:
    """For functions that return what they refuse."""
    if refusal is not None:
        raise refusal


def refuses(door: Door, value: object) -> None:
    """Only our own errors come out, what does not fit never passes, and the refusal can be read."""
    try:
        door.enter(value)
    except CabochonError as error:
        speaks(error)
    else:
        assert door.fits(value), f"{door} took {type(value).__name__}"


def speaks(error: CabochonError) -> None:
    """Its sentences are short, in two languages, and everything in them can be seen."""
    for sentence in (error.en, error.zh):
        assert 0 < len(sentence) <= MOST, len(sentence)
        assert sentence.isprintable(), ascii(sentence)
    assert re.search("[\u4e00-\u9fff]", error.zh)
    assert str(error) == error.en
