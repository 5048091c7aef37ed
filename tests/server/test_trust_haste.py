"""Whoever is in a hurry waits a little, and nobody else does: seats that command faster than people
can, and bots that play among themselves."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from cabochon.play.store import Append, Conflict
from cabochon.play.table import Table
from cabochon.server import limits
from cabochon.server.access.accesslimits import MOST_DELAY_S
from cabochon.server.access.identity import Caller
from cabochon.server.limits import Brakes
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.holdings import Holder, Holding
from cabochon.server.tables import seatcommands
from cabochon.server.tables.seatcommands import SeatCommands
from tests.play.sittings import engine, opening, people
from tests.server.serving import Here, serving
from tests.server.test_hub import hub_on, run, until


async def _pings(talk: Any, seat: int, count: int) -> float:
    """How long so many questions about a move took."""
    began = time.monotonic()
    for _ in range(count):
        await talk.check(["take wug"], None, seat)
    return time.monotonic() - began


def test_a_seat_that_commands_without_end_is_put_off_and_its_opponent_is_not(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("k7m2p4x9qa", opening(*people(2)))
            chairs = live.table.chairs
            hasty, calm = (
                SeatCommands(hub, live, Caller((str(chair.key),))) for chair in chairs[:2]
            )
            to_act = live.table.to_act
            assert to_act == 0
            burst = await _pings(hasty, 0, 30)
            slower = await _pings(hasty, 0, 5)
            assert burst < 0.4 < slower
            began = time.monotonic()
            await calm.say("hello", None, 1)
            assert time.monotonic() - began < 0.4

    run(test())


def test_a_seat_whose_commands_pile_up_over_many_connections_is_refused_by_and_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seatcommands, "MOST_PUT_OFF_S", 0.5)

    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("k7m2p4x9qa", opening(*people(2)))
            caller = Caller((str(live.table.chairs[0].key),))
            asked = (SeatCommands(hub, live, caller).check(["take wug"], None) for _ in range(60))
            answers = await asyncio.gather(*asked, return_exceptions=True)
            refused = [answer for answer in answers if isinstance(answer, ServerRefused)]
            assert len(refused) == pytest.approx(60 - 30 - 5, abs=2)
            assert {error.code for error in refused} == {ServerFault.TOO_FAST}

    run(test())


def test_bots_among_themselves_slow_down_once_a_game_s_worth_was_played(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db", most_bot_tables=2) as hub:
            bots = [engine("uniform"), engine("uniform")]
            live = await hub.open("k7m2p4x9qa", opening(*bots))
            await until(lambda: live.table.seq > 10)
            before = live.table.seq
            await asyncio.sleep(1)
            assert live.table.seq - before in range(1, 5)
            with_person = await hub.open("k7m2p4x9qb", opening(people(2)[0], bots[0]))
            seat = SeatCommands(hub, with_person, Caller((str(with_person.table.chairs[0].key),)))
            await seat.move(["take wug"], with_person.table.version, None)
            began = time.monotonic()
            await until(lambda: with_person.table.to_act == 0)
            assert time.monotonic() - began < 0.4

    run(test())


def test_whose_a_table_is_is_kept_by_the_commit_that_makes_it_or_not_at_all(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            holder = Holder("here", None, "ada")
            await hub.open("k7m2p4x9qa", opening(*people(2)), holder)
            held = await hub.holdings.held(holder)
            assert (held.address, held.person, held.bots) == (1, 1, 0)
            opened = opening(*people(2))
            again = Append(1, (opened,), Table.open("k7m2p4x9qa", opened))
            other = Holding("k7m2p4x9qb", Holder("there"), False, 0)
            with pytest.raises(Conflict):
                await hub.store.append([again], [other])
            async with hub.store.engine.connect() as connection:
                rows = await connection.exec_driver_sql("SELECT address FROM holdings")
                assert [row.address for row in rows] == ["here"]

    run(test())


def test_a_program_that_plays_as_fast_as_it_can_loses_no_move(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", requests_per_s=50.0) as here:
        table, keys = here.duel()
        with here.socket(table, *keys) as talk:
            state = talk.hear("gameFull")
            for number in range(80):
                move = {"version": state["version"], "moves": [state["legal"][0]]}
                talk.say(type="move", id=str(number), **move)
                state = talk.hear("gameState", "refused")
                assert state["type"] == "gameState"
            assert state["seq"] > 80


@pytest.mark.timing
def test_one_client_that_asks_and_asks_gets_slower_and_is_not_refused_for_it(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "t.db", requests_per_s=50.0) as here:
        assert _timed(here, 20) < 0.15 * 20
        _timed(here, 85)
        assert _timed(here, 10) > 10 * 0.08


def test_a_hurry_behind_one_address_does_not_slow_another(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", requests_per_s=50.0, trust_proxy=True) as here:
        _timed(here, 110, X_Forwarded_For="10.0.0.1")
        hurried = _timed(here, 5, X_Forwarded_For="10.0.0.1")
        calm = _timed(here, 5, X_Forwarded_For="10.0.0.2")
        assert calm < hurried / 2


def test_many_behind_one_address_wait_together_and_not_for_one_another(tmp_path: Path) -> None:
    """A school: two hundred at once, each put off by a quarter of a second at most."""
    brakes = Brakes(rate=10, burst=100, most_s=MOST_DELAY_S, clock=lambda: 0.0)
    delays = [brakes.delay("school") for _ in range(200)]
    assert delays[:100] == [0] * 100
    assert 0 < delays[100] <= delays[-1] == MOST_DELAY_S
    assert brakes.delay("elsewhere") == 0


@pytest.mark.timing
def test_tables_one_after_the_other_take_their_time_and_the_first_few_do_not(
    tmp_path: Path,
) -> None:
    chairs = {"chairs": [{"kind": "me", "name": "Ada"}, {"kind": "open"}]}
    with serving(tmp_path / "t.db", most_tables_per_address=1000) as here:
        took = []
        for _ in range(9):
            began = time.monotonic()
            here.post("/tables", chairs)
            took.append(time.monotonic() - began)
        assert min(took[-2:]) > 0.3 > sorted(took)[4]


def test_the_brakes_forget_who_was_not_seen_for_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_KEPT", 2)
    brakes = Brakes(rate=1, burst=1, most_s=9, clock=lambda: 0.0)
    assert [brakes.delay(who) for who in "aabc"] == [0, 1, 0, 0]
    assert [brakes.delay(who) for who in "ac"] == [0, 1]


def _timed(here: Here, count: int, **headers: str) -> float:
    """How long it took to ask so often for a page of the API."""
    began = time.monotonic()
    for _ in range(count):
        assert here.try_get("/meta", **headers).is_success
    return time.monotonic() - began
