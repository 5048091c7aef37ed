"""Where layouts meet: Positions and Views in, Positions out, nothing lost."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from cabochon.kernel import (
    STATE,
    KernelError,
    KernelFault,
    check,
    new_states,
    pack,
    packed,
    unpack,
)
from cabochon.kernel.layout import LEVEL_FIRST, NO_CARD
from cabochon.kernel.packing import _RECORD
from cabochon.rules import CARDS, LEVELS, Hidden
from tests.arrange import arrange, hand
from tests.games import RandomGame, random_games


def test_the_layout_has_no_gaps() -> None:
    assert STATE.itemsize == 288 == _RECORD.size
    assert sum(STATE[name].itemsize for name in STATE.names or ()) == 288
    assert struct.calcsize("=" + _RECORD.format.lstrip("<")) == 288


@given(random_games(120))
def test_numpy_and_struct_read_the_same_fields(game: RandomGame) -> None:
    """The layout has one home; what is written through ``struct`` is read there by its names."""
    position = list(game.positions())[-1]
    record, rules = packed(position)[0], position.ruleset
    assert (record["turn"], record["seat"]) == (position.turn, position.seat)
    assert record["decks"].tolist() == list(position.decks)
    assert (record["seats"], record["target"], record["width"]) == (
        rules.seats,
        rules.target,
        rules.row_width,
    )
    for seat, hand_ in enumerate(position.hands):
        assert record["tokens"][seat].tobytes()[:6] == bytes(hand_.tokens)
        assert np.count_nonzero(record["owner"] == seat) == len(hand_.bought)
    assert record["spare"].tolist() == [0] * 4


def test_levels_begin_where_the_data_says() -> None:
    firsts = tuple(next(card.id for card in CARDS if card.level == level) for level in LEVELS)
    assert firsts == LEVEL_FIRST


@given(random_games(200))
def test_positions_come_back(game: RandomGame) -> None:
    for position in list(game.positions())[::7]:
        states = packed(position)
        check(states)
        assert unpack(states) == position


@given(random_games(150))
def test_a_view_packs_to_what_it_knows(game: RandomGame) -> None:
    """The record of a view is sound, and has nothing that another seat's blind card could tell."""
    position = list(game.positions())[-1]
    for viewer in range(position.ruleset.seats):
        view = position.view(viewer)
        states = packed(view)
        check(states)
        hidden = [r for h in view.hands for r in h.reserved if isinstance(r, Hidden)]
        assert np.count_nonzero((states["reserved"][0] & 127) > NO_CARD) == len(hidden)
        assert states.tobytes() == packed(position.view(viewer)).tobytes()


def test_two_positions_that_a_viewer_cannot_tell_apart_pack_alike() -> None:
    one = arrange(hands=[hand(), hand("o", reserved="?2u5 1w1")])
    other = arrange(hands=[hand(), hand("o", reserved="?2k5 1w1")])
    assert packed(one.view(0)).tobytes() == packed(other.view(0)).tobytes()
    assert packed(one).tobytes() != packed(other).tobytes()
    assert packed(one.view(1)).tobytes() != packed(other.view(1)).tobytes()


def test_an_information_record_is_no_position() -> None:
    position = arrange(hands=[hand(), hand("o", reserved="?2u5")])
    with pytest.raises(KernelError) as caught:
        unpack(packed(position.view(0)))
    assert caught.value.code is KernelFault.HIDDEN_CARDS
    assert "imagine" in caught.value.en
    assert caught.value.zh


def test_only_the_asked_record_is_written() -> None:
    states = new_states(3)
    pack(arrange(), states, 1)
    assert not states[[0, 2]].tobytes().strip(b"\0")
    assert unpack(states, 1) == arrange()


def test_more_turns_than_a_record_counts() -> None:
    with pytest.raises(KernelError) as caught:
        packed(replace(arrange(), turn=10**400))
    assert caught.value.code is KernelFault.BAD_COUNT


@pytest.mark.parametrize(
    "states",
    [
        np.zeros(4, np.uint8),
        np.zeros((2, 2), STATE),
        np.zeros(8, STATE)[::2],
        np.zeros(288, np.uint8),
        [0] * 288,
        None,
    ],
    ids=["bytes", "two axes", "every other", "right size", "a list", "nothing"],
)
def test_what_is_no_array_of_records(states: object) -> None:
    with pytest.raises(KernelError) as caught:
        pack(arrange(), states)  # type: ignore[arg-type]
    assert caught.value.code is KernelFault.NOT_STATES


def test_records_that_may_not_be_written() -> None:
    states = new_states(1)
    states.flags.writeable = False
    with pytest.raises(KernelError):
        pack(arrange(), states)


@pytest.mark.parametrize("index", [-1, 1, 10**30, 0.0, None, "0"])
def test_an_index_outside(index: object) -> None:
    states = packed(arrange())
    with pytest.raises((KernelError, TypeError)):
        unpack(states, index)  # type: ignore[arg-type]
    with pytest.raises((KernelError, TypeError)):
        check(states, index)  # type: ignore[arg-type]
