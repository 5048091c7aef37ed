"""Garbage is looked for in small pieces, and found; what is free is given back."""

from __future__ import annotations

import asyncio
import gc
import platform
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from cabochon.server.web import sweeping
from cabochon.server.web.app import from_environment
from cabochon.server.web.sweeping import ALL_EVERY_S, AUTOMATIC, Sweeper, give_back

MIB = 2**20
FEWEST = sweeping.FEWEST


class Knot:
    """Holds on to itself: no counting frees it."""

    def __init__(self) -> None:
        self.self = self


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nobody else looks meanwhile, and few objects are enough. What the run had set aside is set
    aside again: the tests that come later would look through it again and again."""
    monkeypatch.setattr(sweeping, "FEWEST", 1)
    monkeypatch.setattr(sweeping, "FEWEST_FOR_ALL", 1)
    gc.collect()
    gc.disable()
    yield
    gc.collect()
    gc.freeze()
    gc.enable()


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


def test_no_look_is_at_many_new_objects_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes two microseconds each stops everybody for as long: 20,000 took 45 ms, and at two
    thousand moves a second those were the moves that came late."""
    monkeypatch.setattr(sweeping, "FEWEST", FEWEST)
    gc.collect(0)
    gone = weakref.ref(Knot())
    keep = [[] for _ in range(8_000)]  # type: ignore[var-annotated]
    Sweeper().sweep(0.0)
    assert gone() is None
    assert keep


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries keep nothing")
def test_what_is_free_between_what_is_not_is_given_back() -> None:
    rush = [bytearray(3000) for _ in range(20_000)]
    kept = rush[::50]
    rush.clear()
    before = resident()
    give_back()
    assert before - resident() > 30 * MIB
    assert kept


def test_a_server_gives_back_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[None] = []
    monkeypatch.setattr(sweeping, "give_back", lambda: given.append(None))
    monkeypatch.setattr(sweeping, "EVERY_S", 0.001)
    monkeypatch.setattr(sweeping, "GIVEN_BACK_EVERY_S", 0.02)

    async def live() -> None:
        sweeper = Sweeper()
        sweeper.start()
        async with asyncio.timeout(10):
            while len(given) < 3:
                await asyncio.sleep(0.005)
        sweeper.close()

    asyncio.run(live())


def test_each_of_several_processes_is_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --workers, the process that was told to serve serves nobody itself."""
    monkeypatch.setenv("CABOCHON_DB", str(tmp_path / "t.db"))
    threshold, interval = gc.get_threshold(), sys.getswitchinterval()
    try:
        gc.set_threshold(700, 10, 10)
        from_environment()
        assert gc.get_threshold() == AUTOMATIC
    finally:
        gc.set_threshold(*threshold)
        sys.setswitchinterval(interval)
