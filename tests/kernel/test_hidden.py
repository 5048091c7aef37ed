"""Imagining: from a View alone, every consistent world, each as likely as another."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from cabochon.kernel import States, check, imagined, new_states, packed
from cabochon.kernel.bits import stream_seed
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import Number
from cabochon.kernel.playout import WATCHER, forget, imagine
from cabochon.rules import Position, Reserved
from tests.arrange import arrange, hand
from tests.games import RandomGame, random_games

u64 = np.uint64


@compiled
def _forget_at(states: States, viewer: Number) -> None:
    forget(states[0], viewer)


@compiled
def _imagine_many(
    states: States, work: States, seed: np.uint64, slots: np.ndarray, out: np.ndarray
) -> None:
    """The cards that come into the slots, over as many worlds as ``out`` has rows."""
    for world in range(len(out)):
        work[0] = states[0]
        imagine(work[0], stream_seed(seed, u64(world)))
        for column in range(len(slots)):
            out[world, column] = work[0].reserved[slots[column]] & 127


def _two_hidden() -> Position:
    """Level 3 has all but a few cards out; seats 1 and 2 hold one blind card each of it."""
    return arrange(
        "standard/3:target=50",
        hands=[
            hand(
                "o",
                bought="3w1 3w2 3w3 3w4 3u1 3u2 3u3 3u4 3g1 3g2",
                reserved="?1w1",
            ),
            hand("o", reserved="?3g3 1u1"),
            hand("o", reserved="2u5 ?3g4"),
        ],
        rows={3: "3r1 3r2 3r3 3r4"},
    )


def _worlds(position: Position, viewer: int, count: int) -> np.ndarray:
    out = np.zeros((count, 2), np.uint8)
    slots = np.array([4, 9])
    _imagine_many(packed(position.view(viewer)), new_states(1), u64(5), slots, out)
    return out


def chi_square(counts: Counter[Any], cells: int, total: int) -> float:
    expected = total / cells
    return sum((counts[key] - expected) ** 2 for key in counts) / expected + expected * (
        cells - len(counts)
    )


def test_every_consistent_world_comes_out_and_all_alike() -> None:
    """Six unseen cards of level 3, two of them hidden in hands: thirty ordered pairs."""
    position = _two_hidden()
    unseen = [card.id for card in position.view(0).unseen() if card.level == 3]
    assert len(unseen) == 6
    total = 60_000
    counts = Counter((a, b) for a, b in _worlds(position, 0, total).tolist())
    assert set(counts) == {(a, b) for a in unseen for b in unseen if a != b}
    # 29 degrees of freedom: above 58.3 in one of a thousand fair samples
    assert chi_square(counts, 30, total) < 58.3


def test_what_the_owner_knows_is_not_imagined_for_it() -> None:
    """Seat 1 knows its own card, so only seat 2's can be one of five."""
    position = _two_hidden()
    own = position.hands[1].reserved[0]
    assert isinstance(own, Reserved)
    total = 30_000
    worlds = _worlds(position, 1, total)
    assert set(worlds[:, 0].tolist()) == {own.card.id}
    counts = Counter((card,) for card in worlds[:, 1].tolist())
    assert len(counts) == 5
    # 4 degrees of freedom, one in a thousand
    assert chi_square(counts, 5, total) < 18.5


def test_the_truth_is_as_likely_as_any_other_world() -> None:
    """Where nothing is known the true card must not come out more often, nor less."""
    position = _two_hidden()
    truth = tuple(
        reserve.card.id
        for seat, slot in ((1, 0), (2, 1))
        for reserve in [position.hands[seat].reserved[slot]]
        if isinstance(reserve, Reserved)
    )
    total = 60_000
    hits = sum(tuple(world) == truth for world in _worlds(position, 0, total).tolist())
    assert abs(hits - total / 30) < 4 * (total / 30) ** 0.5


@given(random_games(160))
def test_an_imagined_position_is_what_the_viewer_sees(game: RandomGame) -> None:
    position = list(game.positions())[-1]
    for viewer in (0, position.ruleset.seats - 1, None):
        view = position.view(viewer)
        for seed in range(3):
            world = imagined(view, seed)
            assert world.view(viewer) == view
            check(packed(world))


def test_same_seed_same_world_other_seed_other_world() -> None:
    view = _two_hidden().view(0)
    assert imagined(view, 1) == imagined(view, 1)
    assert len({repr(imagined(view, seed)) for seed in range(40)}) > 15


def test_the_imagined_world_does_not_depend_on_the_truth() -> None:
    """Two positions that look alike to the viewer give the same worlds from the same seeds."""
    one = arrange(hands=[hand(), hand("o", reserved="?2u5 1w1")])
    other = arrange(hands=[hand(), hand("o", reserved="?2k5 1w1")])
    for seed in range(20):
        assert imagined(one.view(0), seed) == imagined(other.view(0), seed)


@given(random_games(160))
def test_forgetting_a_record_is_packing_the_view(game: RandomGame) -> None:
    position = list(game.positions())[-1]
    for viewer in range(position.ruleset.seats):
        states = packed(position)
        states["rng"] = 77
        _forget_at(states, viewer)
        assert states.tobytes() == packed(position.view(viewer)).tobytes()
    states = packed(position)
    _forget_at(states, WATCHER)
    assert states.tobytes() == packed(position.view(None)).tobytes()


def test_an_information_record_carries_no_generator() -> None:
    states = packed(_two_hidden())
    states["rng"] = 12345
    _forget_at(states, 0)
    assert states["rng"][0] == 0


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_deck_sizes_stay_true(viewer: int) -> None:
    view = _two_hidden().view(viewer)
    assert tuple(packed(view)["decks"][0].tolist()) == view.decks
    assert imagined(view, 3).decks == view.decks
