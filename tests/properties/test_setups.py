"""Arrangements that are nearly right: their faults are found, and what has none can be played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from cabochon.rules import CARDS, LEVELS, NOBLES, Gem, Gems, Phase, Place, Setup
from cabochon.rules.facts import Hand, Reserved
from tests.games import RandomGame, over_games
from tests.properties.test_conservation import check_cards, check_nobles, check_tokens

# Properties prove the rules, not the coverage: that comes from the named situations, and tracing
# would treble the time.
pytestmark = pytest.mark.no_cover

Change = Callable[[Setup, Random], Setup]


def _token(setup: Setup, rng: Random) -> Setup:
    gem = rng.choice(list(Gem))
    return replace(setup, bank=setup.bank._replace(**{gem.name.lower(): rng.randint(-1, 8)}))


def _moved_token(setup: Setup, rng: Random) -> Setup:
    """Conserves tokens, so that only limits and phases can complain."""
    name = rng.choice(list(Gem)).name.lower()
    seat = rng.randrange(len(setup.hands))
    tokens = setup.hands[seat].tokens
    moved = rng.randint(-2, 4)
    return replace(
        _with_hand(setup, seat, replace(setup.hands[seat], tokens=_added(tokens, name, moved))),
        bank=_added(setup.bank, name, -moved),
    )


def _added(gems: Gems, name: str, count: int) -> Gems:
    return gems._replace(**{name: getattr(gems, name) + count})


def _with_hand(setup: Setup, seat: int, hand: Hand) -> Setup:
    return replace(setup, hands=(*setup.hands[:seat], hand, *setup.hands[seat + 1 :]))


def _bought(setup: Setup, rng: Random) -> Setup:
    seat = rng.randrange(len(setup.hands))
    hand = setup.hands[seat]
    return _with_hand(setup, seat, replace(hand, bought=(*hand.bought, rng.choice(CARDS))))


def _reserved(setup: Setup, rng: Random) -> Setup:
    seat = rng.randrange(len(setup.hands))
    hand = setup.hands[seat]
    held = Reserved(rng.choice(CARDS), rng.random() < 0.5)
    return _with_hand(setup, seat, replace(hand, reserved=(*hand.reserved, held)))


def _noble(setup: Setup, rng: Random) -> Setup:
    seat = rng.randrange(len(setup.hands))
    hand = setup.hands[seat]
    return _with_hand(setup, seat, replace(hand, nobles=(*hand.nobles, rng.choice(NOBLES))))


def _row(setup: Setup, rng: Random) -> Setup:
    level = rng.randrange(3)
    row = list(setup.rows[level])
    row[rng.randrange(len(row))] = rng.choice([None, rng.choice(CARDS)])
    return replace(setup, rows=(*setup.rows[:level], tuple(row), *setup.rows[level + 1 :]))


def _clock(setup: Setup, rng: Random) -> Setup:
    return replace(setup, turn=rng.randint(-1, 60), passes=rng.randint(-1, 5))


def _phase(setup: Setup, rng: Random) -> Setup:
    place = Place(rng.choice([0, *LEVELS, 4]), rng.choice([None, -1, 0, 1, 4]))
    return replace(
        setup,
        phase=rng.choice(list(Phase)),
        pending=rng.choice([None, place]),
        last_round=rng.random() < 0.3,
    )


CHANGES: tuple[Change, ...] = (
    _token,
    _moved_token,
    _bought,
    _reserved,
    _noble,
    _row,
    _clock,
    _phase,
)


@over_games(200)
def test_a_changed_set_up_has_faults_or_can_be_played(game: RandomGame) -> None:
    rng = Random(game.seed)
    for position in list(game.positions())[::4]:
        setup = Setup.of(position)
        for change in rng.sample(CHANGES, rng.randint(1, 2)):
            setup = change(setup, rng)
        for fault in setup.faults():
            assert fault.en
            assert fault.zh
        if not setup.faults():
            start = setup.position()
            check_tokens(start)
            check_cards(start)
            check_nobles(start)
            moves = start.legal_moves()
            assert bool(moves) == (start.phase not in (Phase.DEAL, Phase.OVER))
            for move in rng.sample(moves, min(4, len(moves))):
                after = start.play(move)
                check_tokens(after)
                check_cards(after)
                check_nobles(after)
                assert Setup.of(after).faults() == ()
