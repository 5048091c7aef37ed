"""Somebody sets the machine's clock: no player notices."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cabochon.notation import parse_move
from cabochon.play.clock import Increment
from cabochon.play.commands import claim
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.options import AtZero
from cabochon.server.settings import Settings
from cabochon.server.tables.hub import Hub
from cabochon.server.tables.steadyclock import SteadyClock
from tests.play.longlogs import long_log
from tests.play.sittings import opening, people
from tests.server.planted import one_person, plant
from tests.server.serving import serving
from tests.server.test_hub import hub_on, run

TAKE = (parse_move("take wug"),)
HOUR_MS = 3_600_000
YEAR_MS = 365 * 24 * HOUR_MS


class Machine:
    """A machine whose two clocks are set by the test."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.wall_ms = 1_800_000_000_000
        self.up_ms = 5_000_000
        patch.setattr(time, "time_ns", lambda: self.wall_ms * 1_000_000)
        patch.setattr(time, "monotonic_ns", lambda: self.up_ms * 1_000_000)

    def passes(self, ms: int) -> None:
        self.wall_ms += ms
        self.up_ms += ms


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_the_time_told_is_the_wall_clock_s_until_somebody_sets_it(machine: Machine) -> None:
    clock = SteadyClock()
    assert clock() == 1_800_000_000_000
    machine.passes(1500)
    assert clock() == 1_800_000_001_500
    for jump in (HOUR_MS, -YEAR_MS):
        machine.wall_ms += jump
        assert clock() == 1_800_000_001_500


def test_a_machine_that_comes_back_in_the_past_goes_on_from_the_last_event(
    machine: Machine,
) -> None:
    last = machine.wall_ms
    machine.wall_ms -= YEAR_MS
    clock = SteadyClock(last)
    machine.passes(10)
    assert clock() == last + 10


@pytest.mark.parametrize("jump", [HOUR_MS, -HOUR_MS])
def test_when_the_machine_s_clock_jumps_nobody_is_flagged(
    tmp_path: Path, machine: Machine, jump: int
) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db", None) as hub:
            clock = Increment(60_000, 5000)
            opened = opening(*people(2), clock=clock, at_zero=AtZero.LOSE, at=hub.clock())
            live = await hub.open("table1", opened)
            machine.passes(10_000)
            machine.wall_ms += jump
            await hub.decide(live, lambda t, now: t.submit(0, 1, TAKE, now))
            assert live.table.times is not None
            assert live.table.times.remaining == (55_000, 60_000)

    run(test())


def test_when_the_machine_s_clock_jumps_nobody_is_away_for_longer(
    tmp_path: Path, machine: Machine
) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db", None) as hub:
            live = await hub.open("table1", opening(*people(2), at=hub.clock()))
            machine.passes(20_000)
            machine.wall_ms += HOUR_MS
            assert hub.presence.claim_in(live, 1) == 40
            away = hub.presence.gone_s(live, hub.clock())
            with pytest.raises(TableRefused) as refused:
                await hub.decide(live, lambda t, now: claim(t, 0, 1, away, now))
            assert refused.value.code is TableFault.NOT_GONE
            machine.passes(40_000)
            assert hub.presence.claim_in(live, 1) == 0

    run(test())


def test_a_server_does_not_start_before_its_last_event(tmp_path: Path) -> None:
    last = time.time_ns() // 1_000_000 + 10 * 60_000
    events = long_log(4, 0, one_person(at=last))
    plant(tmp_path / "t.db", "longlong03", events=[*events[:1]])
    with serving(tmp_path / "t.db", clock=None) as here:
        table, keys = here.duel()
        assert here.full(table, keys[0])["now_ms"] >= last


def test_a_hub_s_own_time_is_steady(tmp_path: Path) -> None:
    clocks: list[Callable[[], int]] = []

    async def test() -> None:
        async with hub_on(tmp_path / "t.db", None) as hub:
            clocks.append(hub.clock)
            assert Hub(hub.store, Settings()).clock is not hub.clock

    run(test())
    assert isinstance(clocks[0], SteadyClock)
