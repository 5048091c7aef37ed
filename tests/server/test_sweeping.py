"""Garbage is looked for in small pieces, and found."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from cabochon.server.web import sweeping
from cabochon.server.web.sweeping import ALL_EVERY_S, Sweeper


class Knot:
    """Holds on to itself: no counting frees it."""

    def __init__(self) -> None:
        self.self = self


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nobody else looks meanwhile, and few objects are enough."""
    monkeypatch.setattr(sweeping, "FEWEST", 1)
    monkeypatch.setattr(sweeping, "FEWEST_FOR_ALL", 1)
    gc.collect()
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()
    gc.collect()


def grown() -> list[list[int]]:
    return [[] for _ in range(100)]


def test_what_is_new_and_in_nobodys_hands_goes_at_once() -> None:
    gone = weakref.ref(Knot())
    keep = grown()
    Sweeper().sweep(0.0)
    assert gone() is None
    assert keep


def test_what_is_in_use_is_set_aside() -> None:
    keep = grown()
    before = gc.get_freeze_count()
    Sweeper().sweep(0.0)
    assert gc.get_freeze_count() >= before + len(keep)


def test_what_was_set_aside_and_ended_later_goes_when_everything_is_looked_at() -> None:
    knot, sweeper = Knot(), Sweeper()
    gone = weakref.ref(knot)
    keep = [grown()]
    sweeper.sweep(0.0)
    del knot
    keep.append(grown())
    sweeper.sweep(ALL_EVERY_S / 2)
    assert gone() is not None
    keep.append(grown())
    sweeper.sweep(ALL_EVERY_S * 2)
    assert gone() is None


def test_hardly_anything_new_is_not_worth_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "FEWEST", 1_000_000)
    gone = weakref.ref(Knot())
    Sweeper().sweep(0.0)
    assert gone() is not None
