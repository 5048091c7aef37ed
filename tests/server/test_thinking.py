"""Bots think in processes of their own: who comes first, and what happens when a process dies."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import cabochon
from cabochon.bots import make_bot
from cabochon.notation import format_move, parse_view
from cabochon.notation.positions import format_view
from cabochon.play.driver import Chosen
from cabochon.rules import View
from cabochon.server.problems import ServerRefused
from cabochon.server.settings import Settings
from cabochon.server.thinking import botplaces, engineprocess
from cabochon.server.thinking.botplaces import BotAnswer, BotQuestion, NearPlace
from cabochon.server.thinking.botpool import ATTEMPTS, BotPool, BotTask
from cabochon.server.thinking.engineprocess import EngineDied
from cabochon.workers import available_cores
from tests.server.processes import children_of, is_alive, until, until_gone
from tests.server.reviewing import play_something
from tests.server.serving import Process, serving

VIEW = cabochon.Game(seed="thinking").view(0)
GREEDY = make_bot("greedy").choose(VIEW)
COMPILED = "llvmlite"
"""A library that only a process with compiled bots has loaded."""


def wanted(table: str = "table", *, alone: bool = False, bot: str = "greedy") -> BotTask:
    return BotTask(table, 0, bot, VIEW, alone)


def loaded(pid: int) -> str:
    """The libraries of a process."""
    return Path(f"/proc/{pid}/maps").read_text()


def pid_of(place: NearPlace) -> int:
    assert place.engine.pid is not None
    return place.engine.pid


def with_pool(workers: int, work: Callable[[BotPool], Coroutine[Any, Any, None]]) -> None:
    """Do the work with a pool whose processes have been started; none is left afterwards."""

    async def run() -> None:
        pool = BotPool(workers, nice=0, seconds=1.0)
        for place in pool.near:
            await place.engine.start()
        pids = [pid_of(place) for place in pool.near]
        try:
            await work(pool)
        finally:
            await pool.close()
        assert not any(map(is_alive, pids))

    asyncio.run(run())


async def asked_of(pool: BotPool, place: NearPlace, request: BotTask) -> asyncio.Task[Chosen]:
    """The decision, once it is that place's."""
    task = asyncio.create_task(pool.choose(request))
    while place in pool._free:
        await asyncio.sleep(0)
    return task


# Processes


def test_a_bot_s_move_comes_from_a_small_process() -> None:
    async def work(pool: BotPool) -> None:
        assert await pool.choose(wanted()) == Chosen(GREEDY)
        assert COMPILED not in loaded(pid_of(pool.near[0]))

    with_pool(1, work)


def test_a_process_killed_in_the_middle_of_a_decision_costs_only_a_moment() -> None:
    async def work(pool: BotPool) -> None:
        first, second = pool.near[1], pool.near[0]
        os.kill(pid_of(first), signal.SIGSTOP)  # it will be asked, and can't have answered
        decision = await asked_of(pool, first, wanted())
        os.kill(pid_of(first), signal.SIGKILL)
        assert await decision == Chosen(GREEDY)
        assert pool._homes["table"] is second
        assert sorted(map(id, pool._free)) == sorted(map(id, pool.near))
        assert [(await pool.choose(wanted(t))).fault for t in "ab"] == [None, None]

    with_pool(2, work)


def test_the_only_process_is_replaced_when_it_dies() -> None:
    async def work(pool: BotPool) -> None:
        place = pool.near[0]
        dead = pid_of(place)
        os.kill(dead, signal.SIGSTOP)
        decision = await asked_of(pool, place, wanted())
        os.kill(dead, signal.SIGKILL)
        assert await decision == Chosen(GREEDY)
        assert pid_of(place) != dead

    with_pool(1, work)


def test_a_process_that_never_answers_is_taken_for_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(botplaces, "PATIENCE_S", 0.05)
    monkeypatch.setattr(engineprocess, "STOP_S", 0.05)

    async def work(pool: BotPool) -> None:
        place = pool.near[0]
        silent = pid_of(place)
        os.kill(silent, signal.SIGSTOP)
        decision = await asked_of(pool, place, wanted())
        while place.engine.pid == silent:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(botplaces, "PATIENCE_S", 60.0)
        assert (await decision).move in (GREEDY,)
        assert not is_alive(silent)

    with_pool(1, work)


def test_closing_does_not_wait_for_a_decision() -> None:
    async def work(pool: BotPool) -> None:
        os.kill(pid_of(pool.near[0]), signal.SIGSTOP)
        decision = await asked_of(pool, pool.near[0], wanted())
        await pool.close()
        with pytest.raises(ServerRefused):
            await decision

    with_pool(1, work)


def test_a_process_nobody_has_needed_for_long_makes_way_for_a_small_one() -> None:
    async def work(pool: BotPool) -> None:
        place = pool.near[0]
        await pool.choose(wanted())
        old = pid_of(place)
        assert not place.is_fresh
        await place.renew()
        assert place.is_fresh
        assert pid_of(place) != old
        assert not is_alive(old)

    with_pool(1, work)


# Who comes first


class Told:
    """A place that answers when it is told to."""

    def __init__(self, is_remote: bool = False) -> None:
        self.is_remote = is_remote
        self.asked: list[BotQuestion] = []
        self.dismissed: list[str] = []
        self._answers: list[asyncio.Future[BotAnswer]] = []

    async def choose(self, question: BotQuestion) -> BotAnswer:
        self.asked.append(question)
        self._answers.append(asyncio.get_running_loop().create_future())
        return await self._answers[-1]

    async def answer(self) -> None:
        self._answers[-1].set_result(BotAnswer(format_move(GREEDY), None))
        await settled()

    async def die(self) -> None:
        self._answers[-1].set_exception(EngineDied())
        await settled()

    def dismiss(self, table_id: str) -> None:
        self.dismissed.append(table_id)

    @property
    def tables(self) -> list[str]:
        return [question.table for question in self.asked]


async def settled() -> None:
    """Everybody who could go on has done so."""
    for _ in range(20):
        await asyncio.sleep(0)


def with_told(count: int, work: Callable[[BotPool, list[Told]], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        pool, places = BotPool(0, nice=0, seconds=1.0), [Told() for _ in range(count)]
        for place in places:
            pool.join(place)
        await work(pool, places)

    asyncio.run(run())


def test_people_s_bots_come_before_bots_among_themselves() -> None:
    async def work(pool: BotPool, places: list[Told]) -> None:
        (place,) = places
        for table, alone in (("a", True), ("b", True), ("c", False), ("d", False)):
            asyncio.create_task(pool.choose(wanted(table, alone=alone)))  # noqa: RUF006
            await settled()
        for _ in range(4):
            await place.answer()
        assert place.tables == ["a", "c", "d", "b"]

    with_told(1, work)


def test_where_there_is_one_place_bots_among_themselves_are_brief() -> None:
    async def work(pool: BotPool, places: list[Told]) -> None:
        (place,) = places
        for table, alone in (("a", True), ("b", False)):
            asyncio.create_task(pool.choose(wanted(table, alone=alone)))  # noqa: RUF006
            await settled()
        await place.answer()
        assert [question.seconds for question in place.asked] == [0.5, 1.0]

    with_told(1, work)


def test_the_server_keeps_a_core_to_itself_unless_told_otherwise() -> None:
    cores = available_cores()
    assert Settings().bots_here == max(1, min(4, cores - 1))
    assert Settings(bot_workers=0).bots_here == 0
    assert Settings(bot_workers=9).bots_here == 9


def test_bots_among_themselves_leave_a_place_for_people_s() -> None:
    async def work(pool: BotPool, places: list[Told]) -> None:
        for table, alone in (("a", True), ("b", True), ("c", False)):
            asyncio.create_task(pool.choose(wanted(table, alone=alone)))  # noqa: RUF006
            await settled()
        assert sorted(t for place in places for t in place.tables) == ["a", "c"]

    with_told(2, work)


def test_who_was_asked_of_a_dead_one_does_not_queue_again() -> None:
    async def work(pool: BotPool, places: list[Told]) -> None:
        (place,) = places
        for table in "abc":
            asyncio.create_task(pool.choose(wanted(table)))  # noqa: RUF006
            await settled()
        await place.die()
        for _ in range(3):
            await place.answer()
        assert place.tables == ["a", "a", "b", "c"]

    with_told(1, work)


def test_the_house_bot_decides_what_every_process_dies_of() -> None:
    async def work(pool: BotPool, places: list[Told]) -> None:
        (place,) = places
        decision = asyncio.create_task(pool.choose(wanted(bot="diamond")))
        await settled()
        for _ in range(ATTEMPTS):
            await place.die()
        await place.answer()
        assert (await decision).fault is not None
        assert [question.bot for question in place.asked] == ["diamond"] * ATTEMPTS + ["greedy"]

    with_told(1, work)


def test_a_table_s_bots_stay_where_they_were_unless_somebody_would_wait() -> None:
    async def work(pool: BotPool, places: list[Told]) -> None:
        one, two = places
        decisions = [asyncio.create_task(pool.choose(wanted(table))) for table in "ab"]
        await settled()
        await two.answer()
        await one.answer()
        await asyncio.gather(*decisions)
        again = asyncio.create_task(pool.choose(wanted("a")))
        await settled()
        assert (one.tables, two.tables) == (["b"], ["a", "a"])
        elsewhere = asyncio.create_task(pool.choose(wanted("a")))
        await settled()
        assert one.tables == ["b", "a"]
        for place in places:
            await place.answer()
        await asyncio.gather(again, elsewhere)
        pool.dismiss("a")
        assert (one.dismissed, two.dismissed) == (["a"], [])

    with_told(2, work)


def test_a_place_that_goes_is_asked_no_more_and_its_decision_is_made_elsewhere() -> None:
    async def work(pool: BotPool, places: list[Told]) -> None:
        one, two = places
        decision = asyncio.create_task(pool.choose(wanted("a")))
        await settled()
        assert two.tables == ["a"]
        pool.leave(two)
        await two.die()
        await one.answer()
        assert await decision == Chosen(GREEDY)
        pool.leave(one)
        waits = asyncio.create_task(pool.choose(wanted("b")))
        await settled()
        assert not waits.done()
        new = Told(is_remote=True)
        pool.join(new)
        await settled()
        await new.answer()
        assert await waits == Chosen(GREEDY)

    with_told(2, work)


def test_places_on_other_machines_are_asked_first() -> None:
    async def work(pool: BotPool, places: list[Told]) -> None:
        far = Told(is_remote=True)
        pool.join(far)
        pool.join(Told())
        decision = asyncio.create_task(pool.choose(wanted("a")))
        await settled()
        assert far.tables == ["a"]
        await far.answer()
        await decision

    with_told(1, work)


# At a table

BOT: Any = {"kind": "bot", "bot": "greedy"}
ME: Any = {"kind": "me", "name": "Ada"}


def test_a_bot_whose_process_dies_at_its_turn_moves_all_the_same(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db") as here:
        place = here.app.state.hub.scheduler.bots.near[0]  # type: ignore[attr-defined]
        until(lambda: place.engine.pid is not None)
        made = here.post("/tables", {"chairs": [ME, BOT], "seat_order": "fixed"})
        table, key = made["table"]["id"], made["keys"][0]["key"]
        pid = place.engine.pid
        os.kill(pid, signal.SIGSTOP)
        with here.socket(table, key) as talk:
            legal = talk.hear("gameFull")["legal"]
            move = legal[0] if isinstance(legal[0], str) else legal[0]["move"]
            talk.say(type="move", id="m", version=talk.heard[-1]["version"], moves=[move])
            assert not talk.hear("gameState")["legal"]
            os.kill(pid, signal.SIGKILL)
            assert talk.hear("gameState")["by"] == 1


def test_whoever_thinks_is_handed_the_view_of_the_seat_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions: list[BotQuestion] = []
    choose = NearPlace.choose

    async def heard(self: NearPlace, question: BotQuestion) -> BotAnswer:
        questions.append(question)
        return await choose(self, question)

    monkeypatch.setattr(NearPlace, "choose", heard)
    with serving(tmp_path / "t.db") as here:
        made = here.post("/tables", {"chairs": [ME, BOT], "seat_order": "fixed"})
        table, key = made["table"]["id"], made["keys"][0]["key"]
        play_something(here, table, [key])
        until(lambda: bool(questions))
        live = here.app.state.hub.in_memory(table)  # type: ignore[attr-defined]
        until(lambda: live.table.to_act == 0)
    question = questions[0]
    assert set(question.told()) == {"table", "seat", "bot", "view", "seconds"}
    assert (question.table, question.seat, question.bot) == (table, 1, "greedy")
    view = parse_view(question.view)
    assert type(view) is View
    assert view.seat == 1
    assert question.view == format_view(view)


def test_the_application_can_be_imported_without_a_compiler() -> None:
    code = "import sys, cabochon.server.web.app; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.servers
def test_the_server_s_process_never_loads_a_compiled_bot(tmp_path: Path) -> None:
    environment = {"CABOCHON_BOT_SECONDS": "0.05", "CABOCHON_BOT_WORKERS": "1"}
    with Process(str(tmp_path / "t.db"), environment) as server:
        diamond = {"kind": "bot", "bot": "diamond"}
        chairs = {"chairs": [diamond, ME], "seat_order": "fixed"}
        made = server.here.post("/tables", chairs)
        with server.here.socket(made["table"]["id"], made["keys"][0]["key"]) as talk:
            if not talk.hear("gameFull")["legal"]:
                talk.hear("gameState", timeout=60)
        (child,) = children_of(server.pid)
        assert COMPILED in loaded(child)
        assert COMPILED not in loaded(server.pid)
        server.stop()
        until_gone([child])


@pytest.mark.servers
def test_no_process_outlives_a_killed_server(tmp_path: Path) -> None:
    with Process(str(tmp_path / "t.db"), {"CABOCHON_BOT_WORKERS": "2"}) as server:
        until(lambda: len(children_of(server.pid)) == 2)
        children = children_of(server.pid)
        server.kill()
        until_gone(children)


@pytest.mark.skipif(not hasattr(os, "sched_setscheduler"), reason="the system has no policies")
def test_a_server_keeps_a_real_time_policy_to_itself() -> None:
    asleep = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        os.sched_setscheduler(asleep.pid, os.SCHED_RR, os.sched_param(1))
        engineprocess.leave_real_time(asleep.pid)
        assert os.sched_getscheduler(asleep.pid) == os.SCHED_OTHER
    except PermissionError:
        pytest.skip("only an administrator may give such a policy")
    finally:
        asleep.kill()
        asleep.wait()
