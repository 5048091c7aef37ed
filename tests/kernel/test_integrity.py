"""A corrupted record is found out: by name, and by flipping bits at random."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from cabochon.kernel import (
    STATE,
    KernelError,
    KernelFault,
    States,
    act,
    check,
    entrypoints,
    legal_actions,
    observation,
    outcome,
    packed,
    playouts,
    step,
    unpack,
)
from cabochon.kernel.integrity import FAULTS, fault_at
from cabochon.rules import Position, Setup
from cabochon.rules.errors import CabochonError
from tests.arrange import arrange, bonus_cards, hand, play, reserve, stuck, take
from tests.games import RULESETS, RandomGame


def _rich() -> Position:
    """Something of everything."""
    return arrange(
        "standard/3",
        hands=[
            hand("wwo", bought="1w1 2u1", reserved="2u5 ?3k1"),
            hand("k", bought=bonus_cards("rrrrkkkk"), nobles="rk4"),
        ],
        nobles="rk4 wk4 ug4 wu4",
        turn=3,
    )


def _set(field: str, value: int, at: int | None = None) -> Callable[[States], None]:
    def change(states: States) -> None:
        if at is None:
            states[field][0] = value
        else:
            states[field][0, at] = value

    return change


def _add(field: str, value: int, at: int | None = None) -> Callable[[States], None]:
    def change(states: States) -> None:
        old = states[field][0] if at is None else states[field][0, at]
        _set(field, int(old) + value, at)(states)

    return change


CORRUPTIONS: dict[str, tuple[Callable[[States], None], str]] = {
    "no seats": (_set("seats", 0), "ruleset"),
    "five seats": (_set("seats", 5), "ruleset"),
    "target 0": (_set("target", 0), "ruleset"),
    "target 51": (_set("target", 51), "ruleset"),
    "width 5": (_set("width", 5), "ruleset"),
    "teams of three": (_set("side_mask", 1), "ruleset"),
    "sides by 7": (_set("side_mask", 7), "ruleset"),
    "scarce 2": (_set("scarce", 2), "ruleset"),
    "phase 5": (_set("phase", 5), "seat or phase"),
    "phase 255": (_set("phase", 255), "seat or phase"),
    "another seat": (_set("seat", 1), "seat or phase"),
    "seat 200": (_set("seat", 200), "seat or phase"),
    "last round 2": (_set("last_round", 2), "seat or phase"),
    "a token more": (_add("bank", 1), "tokens"),
    "a token in the seventh lane": (_add("bank", 1 << 48), "tokens"),
    "a token of nobody": (_set("tokens", 1, 3), "tokens"),
    "returning with few": (_set("phase", 3), "tokens"),
    "card 91 face up": (_set("board", 91, 0), "rows"),
    "card 255 face up": (_set("board", 255, 5), "rows"),
    "a card of another level": (_set("board", 50, 0), "rows"),
    "a hole without reason": (_set("board", 90, 0), "rows"),
    "a wrong list of places": (_add("reservable", 1 << 15), "rows"),
    "a price out of date": (_add("prices", 1, 2), "rows"),
    "an empty deck": (_set("decks", 0, 1), "rows"),
    "a reserved gap": (_set("reserved", 90, 0), "reserved cards"),
    "a fourth reserved": (_set("reserved", 3, 3), "reserved cards"),
    "reserved 100": (_set("reserved", 100, 0), "reserved cards"),
    "a blind nothing": (_set("reserved", 90 + 128, 2), "reserved cards"),
    "a reserve of nobody": (_set("reserved", 3, 12), "reserved cards"),
    "an owner 3": (_set("owner", 3, 60), "owners of cards"),
    "a card bought again": (_set("owner", 1, 0), "points and bonuses"),
    "a card bought and unseen": (_set("owner", 0, 60), "a card twice or nowhere"),
    "an empty pool": (_set("pool", 0, 0), "a card twice or nowhere"),
    "a pool with bits above": (_add("pool", 1 << 50, 0), "a card twice or nowhere"),
    "a longer deck": (_add("decks", 1, 0), "a card twice or nowhere"),
    "noble 11": (_set("nobles", 11, 0), "nobles"),
    "the same noble twice": (_set("nobles", 8, 0), "nobles"),
    "a noble of seat 3": (_set("claims", 3, 0), "nobles"),
    "a claim out of order": (_set("claims", 1 + 16, 0), "nobles"),
    "claimed and open": (_add("open_nobles", 1), "nobles"),
    "points from nowhere": (_add("sides", 1 << 40, 0), "points and bonuses"),
    "a bonus from nowhere": (_add("sides", 1, 2), "points and bonuses"),
    "a card due": (_set("pending", 0), "pending card"),
    "waiting for nothing": (_set("phase", 1), "pending card"),
    "a last round too early": (_set("last_round", 1), "end of the game"),
    "over for no reason": (_set("phase", 4), "end of the game"),
    "choosing among none": (_set("phase", 2), "end of the game"),
    "three passes and going on": (_set("passes", 3), "end of the game"),
}

DOORS: dict[str, Callable[[States], object]] = {
    "check": check,
    "legal_actions": legal_actions,
    "step": lambda states: step(states, 0, 0),
    "act": lambda states: act(states, 0, 0),
    "outcome": outcome,
    "observation": lambda states: observation(states, 0, 0),
    "playouts": lambda states: playouts(states, 0, 1, 1),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_named_corruption_is_refused_at_every_door(name: str) -> None:
    change, fault = CORRUPTIONS[name]
    states = packed(_rich())
    check(states)
    change(states)
    before = states.tobytes()
    for door in DOORS.values():
        with pytest.raises(KernelError) as caught:
            door(states)
        assert caught.value.code is KernelFault.CORRUPT_RECORD
        assert caught.value.params["what"] == fault
        assert caught.value.zh
        assert states.tobytes() == before


def test_every_fault_has_a_named_corruption() -> None:
    assert {fault for _, fault in CORRUPTIONS.values()} == set(FAULTS) - {""}


def _grounds() -> list[Position]:
    """Positions of all phases to corrupt."""
    found = [_rich(), stuck(), play(arrange("standard/3", hands=[hand("wwwuuggrro")]), take("kk"))]
    found += [arrange().play(reserve("1w1")), arrange().play(reserve("deck2"))]
    for seed, ruleset in enumerate(RULESETS):
        found += list(RandomGame(ruleset, seed, "builder", 250).positions())[5::40]
    return found


def test_random_corruption_is_never_taken_for_a_game() -> None:
    """Whatever passes the check is a position of the law, packed as the law packs it."""
    rng = random.Random(6)
    caught = passed = 0
    for position in _grounds():
        sound = packed(position).tobytes()
        for _ in range(60):
            record = bytearray(sound)
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                record[rng.randrange(8, 288)] ^= 1 << rng.randrange(8)
            states = np.frombuffer(record, STATE)
            if fault_at(states, 0) or entrypoints.has_hidden_at(states, 0):
                caught += 1
                continue
            passed += 1
            _assert_lawful(states)
    assert caught > 2000
    assert passed > 20


def _assert_lawful(states: States) -> None:
    position = unpack(states)
    assert Setup.of(position).faults() == ()
    again = packed(position)
    again["spare"] = states["spare"]
    assert again.tobytes() == states.tobytes()


def test_garbage_never_crashes() -> None:
    rng = np.random.default_rng(7)
    for _ in range(300):
        states = np.frombuffer(bytearray(rng.bytes(288)), STATE)
        for door in DOORS.values():
            with pytest.raises(CabochonError):
                door(states)
