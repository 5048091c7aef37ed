"""One situation a code: every refusal of a move and every fault of a set-up, by name.

The tests hold the reference to them, and `tests/conformance/generate.py` writes those that text
can say into the vector files.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from cabochon.rules import (
    Buy,
    Card,
    ChooseNoble,
    Deck,
    Gem,
    Gems,
    Hand,
    Hidden,
    Move,
    Noble,
    Pass,
    Phase,
    Place,
    Position,
    Refusal,
    Reserve,
    Return,
    Setup,
    Take,
    card,
    noble,
)
from cabochon.rules.errors import SetupFault
from tests.arrange import (
    arrange,
    arrange_setup,
    bonus_cards,
    buy,
    choose,
    give_back,
    hand,
    play,
    reserve,
    stuck,
    take,
)


@dataclass(frozen=True)
class Illegal:
    """A move that must be refused with that code; `sayable` when a move text can say it."""

    name: str
    position: Position
    move: Move
    code: Refusal
    seat: int | None = None
    sayable: bool = True


@dataclass(frozen=True)
class Broken:
    """An arrangement and everything that is wrong with it, in order."""

    name: str
    setup: Setup
    codes: tuple[SetupFault, ...]
    sayable: bool = True


def _choosing() -> Position:
    """Seat 0 may choose between rk4 and wk4."""
    position = arrange(hands=[hand(bought=bonus_cards("wwwwrrrrkkkk"))], nobles="rk4 wk4 ug4")
    return play(position, take("wug"))


def _returning() -> Position:
    """Seat 0 holds twelve tokens."""
    return play(arrange("standard/3", hands=[hand("wwwuuggrro")]), take("kk"))


def _over() -> Position:
    return play(stuck(passes=1, turn=1), Pass())


def illegal_moves() -> tuple[Illegal, ...]:
    """At least one of every code."""
    start = arrange()
    rich = arrange(hands=[hand("rrkoow"), hand(bought="1u1", reserved="1u2 ?1u3")])
    full = arrange(hands=[hand(reserved="2u5 2u6 ?3k1")])
    scarce = arrange("standard/3", bank="wwk")
    forbidden = arrange("standard/3:scarce=no", bank="wwk")
    no_red = arrange(hands=[hand(), hand("rrrr")])
    used_up = arrange("standard/2:target=50", used_up={1: 1})
    forged_card = Card(0, "1w1", 1, Gem.WHITE, 5, Gems())
    forged_noble = Noble(0, "rk4", "Nobody", 9, Gems())
    R = Refusal  # noqa: N806
    return (
        Illegal("no kind of move", start, cast(Move, "take wug"), R.UNKNOWN_MOVE, sayable=False),
        Illegal("no counts", start, Take(cast(Gems, "wug")), R.UNKNOWN_MOVE, sayable=False),
        Illegal("a take after the end", _over(), take("wug"), R.GAME_OVER),
        Illegal("a pass after the end", _over(), Pass(), R.GAME_OVER),
        Illegal("the other seat's turn", start, take("wug"), R.WRONG_SEAT, seat=1),
        Illegal("a take while choosing a noble", _choosing(), take("wug"), R.WRONG_PHASE),
        Illegal("a pass while choosing a noble", _choosing(), Pass(), R.WRONG_PHASE),
        Illegal("a purchase while returning", _returning(), buy("1w1"), R.WRONG_PHASE),
        Illegal(
            "a take while a card is due", start.play(reserve("1w1")), take("wug"), R.WRONG_PHASE
        ),
        Illegal("nine of a colour", start, take("wwwwwwwww"), R.BAD_AMOUNT),
        Illegal("a negative amount", start, Take(Gems(-1)), R.BAD_AMOUNT, sayable=False),
        Illegal("half a token", start, Take(Gems(cast(Any, 0.5))), R.BAD_AMOUNT, sayable=False),
        Illegal(
            "a number too long to print", start, Take(Gems(10**5000)), R.BAD_AMOUNT, sayable=False
        ),
        Illegal("a payment of eight", rich, buy("1w1", "rrrrrrrr"), R.BAD_AMOUNT),
        Illegal("a return of eight", _returning(), give_back("wwwwwwww"), R.BAD_AMOUNT),
        Illegal("a forged card", start, Buy(forged_card), R.UNKNOWN_CARD, sayable=False),
        Illegal("no card", start, Reserve(cast(Card, None)), R.UNKNOWN_CARD, sayable=False),
        Illegal("a fourth deck", start, Reserve(Deck(4)), R.UNKNOWN_DECK, sayable=False),
        Illegal(
            "a forged noble", _choosing(), ChooseNoble(forged_noble), R.UNKNOWN_NOBLE, sayable=False
        ),
        Illegal("gold from the bank", start, take("o"), R.TAKE_GOLD),
        Illegal("gold among colours", start, take("wuo"), R.TAKE_GOLD),
        Illegal("a take of nothing", start, Take(Gems()), R.TAKE_NOTHING),
        Illegal("two of one and another", start, take("wwu"), R.TAKE_MIXED),
        Illegal("four different", start, take("wugr"), R.TAKE_TOO_MANY),
        Illegal("three of one colour", start, take("www"), R.TAKE_TOO_MANY),
        Illegal("two different of five there", start, take("wu"), R.TAKE_TOO_FEW),
        Illegal("one of five there", start, take("k"), R.TAKE_TOO_FEW),
        Illegal("one of two there", scarce, take("w"), R.TAKE_TOO_FEW),
        Illegal("a scarce take where forbidden", forbidden, take("wk"), R.TAKE_SCARCE),
        Illegal("a colour that is gone", no_red, take("wur"), R.TAKE_EMPTY),
        Illegal(
            "two of three left",
            arrange(hands=[hand(), hand("r")]),
            take("rr"),
            R.TAKE_TWO_NEEDS_FOUR,
        ),
        Illegal("two of none left", no_red, take("rr"), R.TAKE_TWO_NEEDS_FOUR),
        Illegal("a fourth reserved card", full, reserve("1w1"), R.RESERVE_LIMIT),
        Illegal("a fourth card drawn unseen", full, reserve("deck1"), R.RESERVE_LIMIT),
        Illegal("reserving a card in its deck", start, reserve("1k8"), R.RESERVE_NOT_FACE_UP),
        Illegal("reserving a card already reserved", rich, reserve("1u2"), R.RESERVE_NOT_FACE_UP),
        Illegal("reserving a bought card", rich, reserve("1u1"), R.RESERVE_NOT_FACE_UP),
        Illegal("drawing from an empty deck", used_up, reserve("deck1"), R.DECK_EMPTY),
        Illegal("buying a card in its deck", rich, buy("1k8"), R.BUY_NOT_THERE),
        Illegal("buying another's reserved card", rich, buy("1u2"), R.BUY_NOT_THERE),
        Illegal("buying another's hidden card", rich, buy("1u3"), R.BUY_NOT_THERE),
        Illegal("buying without tokens", start, buy("1w1"), R.BUY_TOO_DEAR),
        Illegal("buying with too few, gold counted", rich, buy("3w4"), R.BUY_TOO_DEAR),
        Illegal("paying what is not held", rich, buy("1w1", "rooo"), R.PAYMENT_NOT_HELD),
        Illegal("paying a colour too much", rich, buy("1w1", "rrw"), R.PAYMENT_TOO_MUCH),
        Illegal("paying gold on top", rich, buy("1w1", "rrko"), R.PAYMENT_TOO_MUCH),
        Illegal("paying too little", rich, buy("1w1", "rr"), R.PAYMENT_TOO_LITTLE),
        Illegal("paying nothing", rich, buy("1w1", ""), R.PAYMENT_TOO_LITTLE),
        Illegal("a noble when none is pending", start, choose("rk4"), R.NOBLE_NOT_PENDING),
        Illegal("a noble without its bonuses", _choosing(), choose("ug4"), R.NOBLE_NOT_OFFERED),
        Illegal("a noble of another game", _choosing(), choose("wu4"), R.NOBLE_NOT_OFFERED),
        Illegal("a return when none is due", start, give_back("w"), R.RETURN_NOT_PENDING),
        Illegal("a return before the noble", _choosing(), give_back("w"), R.RETURN_NOT_PENDING),
        Illegal("returning one of two", _returning(), give_back("w"), R.RETURN_TOO_FEW),
        Illegal("returning nothing", _returning(), Return(Gems()), R.RETURN_TOO_FEW),
        Illegal("returning three of two", _returning(), give_back("wwu"), R.RETURN_TOO_MANY),
        Illegal("returning what is not held", _returning(), give_back("oo"), R.RETURN_NOT_HELD),
        Illegal("a pass with moves left", start, Pass(), R.PASS_NOT_FORCED),
        Illegal(
            "a pass with only a purchase left", stuck(bought={0: "1k1"}), Pass(), R.PASS_NOT_FORCED
        ),
    )


def _with_hand(setup: Setup, seat: int, changed: Hand) -> Setup:
    hands = (*setup.hands[:seat], changed, *setup.hands[seat + 1 :])
    return replace(setup, hands=hands)


def broken_setups() -> tuple[Broken, ...]:
    """At least one of every code, and some with several faults."""
    good = arrange_setup()
    rows = good.rows
    F = SetupFault  # noqa: N806
    eleven = hand("wwwuuuggrrk")
    pleased = bonus_cards("rrrrkkkk")
    two = bonus_cards("wwwwrrrrkkkk")
    return (
        Broken("one hand too few", replace(good, hands=good.hands[:1]), (F.HANDS_COUNT,)),
        Broken("one hand too many", replace(good, hands=good.hands * 2), (F.HANDS_COUNT,)),
        Broken(
            "a negative pile", replace(good, bank=good.bank._replace(red=-1)), (F.TOKENS_NEGATIVE,)
        ),
        Broken(
            "a negative hand",
            _with_hand(good, 1, Hand(Gems(black=-1))),
            (F.TOKENS_NEGATIVE,),
        ),
        Broken(
            "half a token",
            replace(good, bank=good.bank._replace(red=cast(Any, 3.5))),
            (F.TOKENS_NEGATIVE,),
            sayable=False,
        ),
        Broken("a red token lost", replace(good, bank=good.bank._replace(red=3)), (F.TOKENS_LOST,)),
        Broken(
            "a gold token too many",
            replace(good, bank=good.bank._replace(gold=6)),
            (F.TOKENS_LOST,),
        ),
        Broken("eleven tokens at rest", arrange_setup(hands=[eleven]), (F.TOKENS_OVER_LIMIT,)),
        Broken(
            "eleven tokens of a seat that waits",
            arrange_setup("standard/4", hands=[hand("wwwuuuggrro"), eleven], phase=Phase.RETURN),
            (F.TOKENS_OVER_LIMIT,),
        ),
        Broken(
            "fourteen tokens mid-turn",
            arrange_setup("standard/4", hands=[hand("wwwuuuggrrkooo")], phase=Phase.RETURN),
            (F.TOKENS_OVER_LIMIT,),
        ),
        Broken("two rows", replace(good, rows=rows[:2]), (F.ROW_SHAPE,)),
        Broken("a short row", replace(good, rows=(rows[0][:3], *rows[1:])), (F.ROW_SHAPE,)),
        Broken("a long row", arrange_setup("quick/2", rows={2: "2w1 2w2 2w3 2w4"}), (F.ROW_SHAPE,)),
        Broken("a card of level 2 in row 1", arrange_setup(rows={1: "2k1"}), (F.ROW_LEVEL,)),
        Broken("a hole over a full deck", arrange_setup(rows={3: "."}), (F.ROW_HOLE,)),
        Broken(
            "a card bought and face up",
            arrange_setup(hands=[hand(bought="1w1")], rows={1: "1w1"}),
            (F.CARD_TWICE,),
        ),
        Broken(
            "a card reserved by two",
            arrange_setup(hands=[hand(reserved="1k1"), hand(reserved="?1k1")]),
            (F.CARD_TWICE,),
        ),
        Broken(
            "a reserved card that nobody knows",
            _with_hand(good, 0, Hand(reserved=(Hidden(2),))),
            (F.CARD_HIDDEN,),
        ),
        Broken(
            "four reserved cards",
            arrange_setup(hands=[hand(reserved="1k1 1k2 2k1 ?3k1")]),
            (F.RESERVED_LIMIT,),
        ),
        Broken("two nobles for two", replace(good, nobles=good.nobles[:2]), (F.NOBLES_COUNT,)),
        Broken(
            "a noble on two places",
            replace(good, nobles=(*good.nobles[:2], good.nobles[0])),
            (F.NOBLE_TWICE,),
        ),
        Broken(
            "a noble that visits two",
            arrange_setup(
                hands=[
                    hand(bought=pleased, nobles="rk4"),
                    hand(bought="1r5 1r6 1r7 1r8 1k5 1k6 1k7 1k8", nobles="rk4"),
                ]
            ),
            (F.NOBLE_TWICE,),
        ),
        Broken(
            "a noble of another game",
            replace(
                arrange_setup(hands=[hand(bought=pleased, nobles="rk4")]),
                nobles=tuple(noble(code) for code in ("wu4", "ug4", "gr4")),
            ),
            (F.NOBLE_NOT_IN_PLAY,),
        ),
        Broken(
            "a noble without the bonuses",
            arrange_setup(hands=[hand(bought=bonus_cards("rrrrkkk"), nobles="rk4")]),
            (F.NOBLE_UNEARNED,),
        ),
        Broken("a negative turn", replace(good, turn=-1), (F.TURN_RANGE,)),
        Broken("passes before any turn", replace(good, passes=1), (F.PASSES_RANGE,)),
        Broken("a round of passes played on", replace(good, turn=4, passes=2), (F.PASSES_RANGE,)),
        Broken(
            "parts of other types",
            replace(good, phase="act", turn=True, last_round=0),  # type: ignore[arg-type]
            (F.PART_TYPE, F.PART_TYPE, F.PART_TYPE),
            sayable=False,
        ),
        Broken("negative passes", replace(good, turn=4, passes=-1), (F.PASSES_RANGE,)),
        Broken(
            "more passes than seats at the end",
            replace(good, turn=4, passes=3, phase=Phase.OVER),
            (F.PASSES_RANGE,),
        ),
        Broken(
            "a place to fill while acting",
            replace(good, pending=Place(1, 0)),
            (F.PENDING_MISMATCH,),
        ),
        Broken(
            "nothing to fill while dealing", replace(good, phase=Phase.DEAL), (F.PENDING_MISMATCH,)
        ),
        Broken(
            "dealing to a place that is taken",
            replace(good, phase=Phase.DEAL, pending=Place(1, 0)),
            (F.PENDING_MISMATCH,),
        ),
        Broken(
            "dealing to a fifth place",
            replace(good, phase=Phase.DEAL, pending=Place(1, 4)),
            (F.PENDING_MISMATCH,),
        ),
        Broken(
            "dealing from a fourth deck",
            replace(good, phase=Phase.DEAL, pending=Place(4, None)),
            (F.PENDING_MISMATCH,),
        ),
        Broken(
            "dealing from an empty deck",
            arrange_setup(
                "standard/2:target=50", used_up={1: 1}, phase=Phase.DEAL, pending=Place(1, None)
            ),
            (F.PENDING_MISMATCH,),
        ),
        Broken(
            "drawing a fourth card",
            arrange_setup(
                hands=[hand(reserved="1k1 1k2 2k1")], phase=Phase.DEAL, pending=Place(1, None)
            ),
            (F.PENDING_MISMATCH,),
        ),
        Broken("no noble to choose", replace(good, phase=Phase.NOBLE), (F.PHASE_NOBLE,)),
        Broken(
            "one noble to choose from",
            arrange_setup(hands=[hand(bought=pleased)], nobles="rk4 wu4 ug4", phase=Phase.NOBLE),
            (F.PHASE_NOBLE,),
        ),
        Broken(
            "two nobles, of which one has come",
            arrange_setup(
                hands=[hand(bought=two, nobles="rk4")], nobles="rk4 wk4 ug4", phase=Phase.NOBLE
            ),
            (F.PHASE_NOBLE,),
        ),
        Broken("nothing to return", replace(good, phase=Phase.RETURN), (F.PHASE_RETURN,)),
        Broken("an end without a reason", replace(good, phase=Phase.OVER, turn=4), (F.PHASE_OVER,)),
        Broken(
            "an end in the middle of the last round",
            arrange_setup(
                hands=[hand(bought="3w4 3u4 3g4")], phase=Phase.OVER, turn=1, last_round=True
            ),
            (F.PHASE_OVER,),
        ),
        Broken(
            "a last round without the points",
            replace(good, turn=1, last_round=True),
            (F.LAST_ROUND,),
        ),
        Broken(
            "fifteen points without a last round",
            arrange_setup(hands=[hand(bought="3w4 3u4 3g4")], turn=1),
            (F.LAST_ROUND,),
        ),
        Broken(
            "a last round that should have ended",
            arrange_setup(hands=[hand(bought="3w4 3u4 3g4")], turn=2, last_round=True),
            (F.LAST_ROUND,),
        ),
        Broken(
            "fifteen points of a seat that waits",
            arrange_setup(
                hands=[hand("wwuuggrrkko"), hand(bought="3w4 3u4 3g4")], phase=Phase.RETURN, turn=2
            ),
            (F.LAST_ROUND,),
        ),
        Broken(
            "everything that has no shape at once",
            replace(
                good, hands=(Hand(Gems(white=-1)),), rows=(rows[0], rows[1][:2], rows[2]), turn=-3
            ),
            (F.HANDS_COUNT, F.ROW_SHAPE, F.TURN_RANGE, F.TOKENS_NEGATIVE),
        ),
        Broken(
            "everything else at once",
            replace(
                arrange_setup(hands=[hand("wwwuuuggrrk", reserved="1k1 1k2 2k1 ?3k1")]),
                bank=Gems(),
                rows=((card("2w1"), card("1w1"), card("1w1"), None), *rows[1:]),
                nobles=(noble("rk4"), noble("rk4")),
                passes=3,
                phase=Phase.NOBLE,
                pending=Place(1, 0),
                last_round=True,
            ),
            (
                *[F.TOKENS_LOST] * 6,
                F.CARD_TWICE,
                F.CARD_TWICE,
                F.ROW_LEVEL,
                F.ROW_HOLE,
                F.RESERVED_LIMIT,
                F.NOBLES_COUNT,
                F.NOBLE_TWICE,
                F.PASSES_RANGE,
                F.LAST_ROUND,
                F.PENDING_MISMATCH,
                F.PHASE_NOBLE,
            ),
        ),
    )
