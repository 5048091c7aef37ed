"""Broken arrangements are mended: each fault says where it is and what would put it right."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.notation import parse_position, position_to_json
from cabochon.notation.positionjson import setup_from_json
from cabochon.rules import (
    CARDS,
    NOBLES,
    Card,
    Gems,
    Hand,
    Hidden,
    Phase,
    Place,
    Position,
    Reserved,
    Setup,
    card,
    noble,
)
from cabochon.rules.errors import SetupFault
from cabochon.rules.facts import HeldCard
from cabochon.study.repairs import Flaw, flaws_of, repaired
from tests.games import RandomGame, random_games

MOST_REPAIRS = 200

Break = Callable[[Setup, random.Random], Setup]


def _tokens(setup: Setup, rng: random.Random) -> Setup:
    return replace(setup, bank=Gems(*(max(-2, n + rng.randint(-3, 3)) for n in setup.bank)))


def _riches(setup: Setup, rng: random.Random) -> Setup:
    tokens = Gems(*(rng.randint(-1, 9) for _ in range(6)))
    return _hand(setup, rng, lambda hand: hand.with_tokens(tokens))


def _card(setup: Setup, rng: random.Random) -> Setup:
    rows = [list(row) for row in setup.rows]
    rng.choice(rows)[rng.randrange(setup.ruleset.row_width)] = rng.choice([*CARDS, None])
    return replace(setup, rows=tuple(tuple(row) for row in rows))


def _bought(setup: Setup, rng: random.Random) -> Setup:
    some = tuple(rng.choices(CARDS, k=rng.randint(0, 12)))
    return _hand(setup, rng, lambda hand: replace(hand, bought=(*hand.bought, *some)))


def _reserved(setup: Setup, rng: random.Random) -> Setup:
    kinds: list[HeldCard] = [
        Reserved(rng.choice(CARDS), rng.random() < 0.5),
        Hidden(rng.randint(1, 3)),
    ]
    some = tuple(rng.choices(kinds, k=rng.randint(1, 4)))
    return _hand(setup, rng, lambda hand: replace(hand, reserved=(*hand.reserved, *some)))


def _nobles(setup: Setup, rng: random.Random) -> Setup:
    return replace(setup, nobles=tuple(rng.choices(NOBLES, k=rng.randint(0, 8))))


def _guests(setup: Setup, rng: random.Random) -> Setup:
    some = tuple(rng.choices(NOBLES, k=rng.randint(1, 3)))
    return _hand(setup, rng, lambda hand: replace(hand, nobles=(*hand.nobles, *some)))


def _clock(setup: Setup, rng: random.Random) -> Setup:
    return replace(
        setup,
        turn=rng.randint(-1, 30),
        passes=rng.randint(-1, 5),
        last_round=rng.random() < 0.5,
    )


def _phase(setup: Setup, rng: random.Random) -> Setup:
    place = Place(rng.randint(0, 4), rng.choice([None, -1, 0, 1, 3, 9]))
    return replace(
        setup, phase=rng.choice(list(Phase)), pending=rng.choice([None, place, setup.pending])
    )


def _shape(setup: Setup, rng: random.Random) -> Setup:
    hands = rng.choice([setup.hands[:-1], (*setup.hands, Hand(Gems(1, 1)))])
    rows = rng.choice([setup.rows[:-1], (*setup.rows, ()), (setup.rows[0][:2], *setup.rows[1:])])
    return replace(setup, hands=hands, rows=rows)


BREAKS: tuple[Break, ...] = (
    _tokens, _riches, _card, _bought, _reserved, _nobles, _guests, _clock, _phase, _shape,
)  # fmt: skip


def _hand(setup: Setup, rng: random.Random, change: Callable[[Hand], Hand]) -> Setup:
    hands = list(setup.hands)
    if hands:
        seat = rng.randrange(len(hands))
        hands[seat] = change(hands[seat])
    return replace(setup, hands=tuple(hands))


def broken(game: RandomGame, seed: int) -> Setup:
    """Some position of the game, with a few things changed in it."""
    rng = random.Random(seed)
    setup = Setup.of(rng.choice(list(game.positions())))
    for spoil in rng.choices(BREAKS, k=rng.randint(1, 6)):
        if len(setup.rows) == 3 and all(len(r) == setup.ruleset.row_width for r in setup.rows):
            setup = spoil(setup, rng)
    return setup


@given(random_games(80), st.integers(0, 2**32))
def test_all_repairs_one_after_the_other_make_a_valid_position(game: RandomGame, seed: int) -> None:
    setup, rng = broken(game, seed), random.Random(seed)
    for _ in range(MOST_REPAIRS):
        flaws = flaws_of(setup)
        if not flaws:
            break
        assert [flaw.fault for flaw in flaws] == list(setup.faults())
        chosen = rng.choice(flaws).repair
        assert chosen is not None
        setup = chosen.setup
    assert setup.faults() == ()
    assert setup_from_json(position_to_json(setup.position())).position() == setup.position()


@given(random_games(80), st.integers(0, 2**32))
def test_the_first_repair_first_ends_too_and_a_valid_position_stays_as_it_is(
    game: RandomGame, seed: int
) -> None:
    mended = repaired(broken(game, seed))
    assert mended.faults() == ()
    assert repaired(mended) is mended


@given(random_games(80), st.integers(0, 2**32))
def test_a_repair_mends_its_own_fault(game: RandomGame, seed: int) -> None:
    setup = broken(game, seed)
    for flaw in flaws_of(setup):
        assert flaw.repair is not None
        assert _times(flaw.repair.setup, flaw) < _times(setup, flaw)
        assert flaw.repair.texts()["en"]
        assert flaw.repair.texts()["zh"]
        assert flaw.where.split(".")[0] in position_to_json(Setup.of(_any(setup)))


def _times(setup: Setup, flaw: Flaw) -> int:
    return sum(fault == flaw.fault for fault in setup.faults())


def _any(setup: Setup) -> Position:
    return repaired(setup).position()


RICH = parse_position(
    "standard/2 6 act 0 - w1u1g1r1k1o2 1w1,1u2,1g3,1k4/2w1,2u2,2g3,2k4/3w1,3u2,3g3,3k4 "
    "rk4,gr4,ug4 w2u2g2r2k2|1r1,1r2|(2r1)|- w1u1g1r1k1o3|1k1|-|-"
)


def _set(**parts: object) -> Setup:
    return replace(Setup.of(RICH), **parts)  # type: ignore[arg-type]


def _rows(*first: str | None) -> tuple[tuple[Card | None, ...], ...]:
    return (tuple(None if code is None else card(code) for code in first), *RICH.rows[1:])


def _first(**parts: object) -> tuple[Hand, ...]:
    return (replace(RICH.hands[0], **parts), RICH.hands[1])  # type: ignore[arg-type]


FAULTY: dict[SetupFault, tuple[Setup, str, str]] = {
    SetupFault.HANDS_COUNT: (_set(hands=RICH.hands[:1]), "hands", "Make it 2 players."),
    SetupFault.ROW_SHAPE: (
        _set(rows=_rows("1w1", "1u2", "1g3")), "rows.1", "Make every row 4 cards wide."
    ),
    SetupFault.TURN_RANGE: (_set(turn=-1), "turn", "Start from the first turn."),
    SetupFault.TOKENS_NEGATIVE: (_set(bank=Gems(-1, 1, 1, 1, 1, 2)), "bank.w", "Set it to 0."),
    SetupFault.TOKENS_LOST: (
        _set(bank=Gems(1, 1, 4, 1, 1, 2)), "bank.g", "Make it 1 in the bank."
    ),
    SetupFault.TOKENS_OVER_LIMIT: (
        _set(hands=_first(tokens=Gems(2, 2, 2, 2, 3)), bank=Gems(1, 1, 1, 1, 0, 2)),
        "hands.0.tokens",
        "Give 1 black back to the bank.",
    ),
    SetupFault.CARD_TWICE: (
        _set(rows=_rows("1r1", "1u2", "1g3", "1k4")),
        "rows.1.1",
        "Keep 1r1 in one place only.",
    ),
    SetupFault.ROW_HOLE: (
        _set(rows=_rows("1w1", "1u2", None, "1k4")), "rows.1.3", "Put 1w2 there."
    ),
    SetupFault.ROW_LEVEL: (
        _set(rows=_rows("1w1", "2r2", "1g3", "1k4")), "rows.1.2", "Put 1w2 there."
    ),
    SetupFault.RESERVED_LIMIT: (
        _set(hands=_first(reserved=tuple(Reserved(card(f"2r{n}")) for n in (1, 2, 3, 4)))),
        "hands.0.reserved",
        "Keep the first three reserved cards.",
    ),
    SetupFault.CARD_HIDDEN: (
        _set(hands=_first(reserved=(Hidden(2),))),
        "hands.0.reserved",
        "Draw a card of the same level for each.",
    ),
    SetupFault.NOBLES_COUNT: (_set(nobles=RICH.nobles[:2]), "nobles", "Add grk3."),
    SetupFault.NOBLE_TWICE: (
        _set(nobles=(*RICH.nobles[:2], RICH.nobles[0])), "nobles", "Keep noble rk4 only once."
    ),
    SetupFault.NOBLE_NOT_IN_PLAY: (
        _set(hands=_first(nobles=(noble("wu4"),))), "hands.0.nobles", "Take noble wu4 away."
    ),
    SetupFault.NOBLE_UNEARNED: (
        _set(hands=_first(nobles=(noble("rk4"),))), "hands.0.nobles", "Take noble rk4 away."
    ),
    SetupFault.PASSES_RANGE: (_set(passes=2), "passes", "Say that nobody has passed."),
    SetupFault.LAST_ROUND: (
        _set(last_round=True), "last_round", "Say that it isn't the last round."
    ),
    SetupFault.PENDING_MISMATCH: (_set(pending=Place(1, 0)), "pending", "Wait for no card."),
    SetupFault.PHASE_NOBLE: (_set(phase=Phase.NOBLE), "phase", "Let the player to move act."),
    SetupFault.PHASE_RETURN: (_set(phase=Phase.RETURN), "phase", "Let the player to move act."),
    SetupFault.PHASE_OVER: (_set(phase=Phase.OVER), "phase", "Let the player to move act."),
}  # fmt: skip


@pytest.mark.parametrize("code", [code for code in SetupFault if code is not SetupFault.PART_TYPE])
def test_each_fault_says_where_it_is_and_what_mends_it(code: SetupFault) -> None:
    setup, where, words = FAULTY[code]
    (flaw,) = [flaw for flaw in flaws_of(setup) if flaw.fault.code is code]
    assert flaw.repair is not None
    assert (flaw.where, flaw.repair.texts()["en"]) == (where, words)
    assert flaw.repair.texts()["zh"].endswith("。")
    assert repaired(setup).faults() == ()


def test_a_game_whose_last_round_is_done_is_over() -> None:
    winner = _first(bought=tuple(card(f"3{gem}4") for gem in "wug"), reserved=())
    setup = _set(hands=winner)
    (flaw,) = flaws_of(setup)
    assert flaw.repair is not None
    assert flaw.repair.texts()["en"] == "End the game here: the last round is done."
    assert flaw.repair.setup.position().phase is Phase.OVER
    (later,) = flaws_of(replace(setup, turn=7))
    assert later.repair is not None
    assert later.repair.texts()["en"] == "Say that it's the last round."


def test_tokens_that_the_game_does_not_have_are_taken_from_the_richest() -> None:
    hands = (
        RICH.hands[0].with_tokens(Gems(4, 0, 0, 0, 0)),
        RICH.hands[1].with_tokens(Gems(2, 0, 0, 0, 0)),
    )
    (flaw,) = [flaw for flaw in flaws_of(_set(hands=hands)) if flaw.where == "bank.w"]
    assert flaw.repair is not None
    assert flaw.repair.texts()["en"] == "Take 2 from the players and leave none in the bank."
    assert [hand.tokens.white for hand in flaw.repair.setup.hands] == [2, 2]


def test_parts_of_other_types_have_no_repair() -> None:
    setup = _set(bank="many")
    (flaw,) = flaws_of(setup)
    assert (flaw.where, flaw.repair) == ("bank", None)
    assert repaired(setup) is setup
