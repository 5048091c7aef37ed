"""Bots that think on another machine: who asks which, and what happens when a worker goes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import make_url

import cabochon
from cabochon.bots import make_bot
from cabochon.bots.roster import engine_name
from cabochon.notation import format_move
from cabochon.play.driver import Chosen
from cabochon.server.thinking import remotebots
from cabochon.server.thinking.botpool import BotPool, BotTask
from cabochon.server.thinking.remotebots import RemoteBots
from tests.server.cluster import Cluster
from tests.server.processes import children_of, until_gone
from tests.server.serving import Here, Process, Talk

VIEW = cabochon.Game(seed="far").view(0)
GREEDY = make_bot("greedy").choose(VIEW)
ENGINE = cast(Any, SimpleNamespace(url=make_url("postgresql+asyncpg://nobody@nowhere/none")))


class Node:
    """A server without a database: what it says is kept."""

    def __init__(self, name: str = "node") -> None:
        self.pool = BotPool(0, nice=0, seconds=1.0)
        self.bots = RemoteBots(self.pool, ENGINE, name, dead_s=8.0)
        self.said: list[tuple[str, dict[str, Any]]] = []
        self.bots._line.say = lambda channel, message: self.said.append((channel, message))  # type: ignore[method-assign]

    def worker(self, name: str, places: int, engine: str | None = None) -> None:
        said = {"worker": name, "places": places, "engine": engine or engine_name()}
        self.bots.hear(said)

    @property
    def slots(self) -> set[tuple[str, int]]:
        return {(cast(Any, place)._worker, cast(Any, place)._slot) for place in self.pool._places}

    async def asked(self, table: str = "table") -> tuple[asyncio.Task[Chosen], dict[str, Any]]:
        """A decision, and the message with its question."""
        before = len(self.said)
        task = asyncio.create_task(self.pool.choose(BotTask(table, 0, "greedy", VIEW, False)))
        while len(self.said) == before:
            await asyncio.sleep(0)
        return task, self.said[-1][1]

    def answer(self, message: dict[str, Any]) -> None:
        self.bots.hear({"id": message["id"], "move": format_move(GREEDY), "wrong": None})


def at_a_node(work: Callable[[Node], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        await work(Node())

    asyncio.run(run())


def test_a_worker_s_places_are_shared_out_among_the_living_nodes() -> None:
    async def work(one: Node) -> None:
        other = Node("other")
        for node in (one, other):
            node.worker("w", 3)
            assert len(node.slots) == 3
        one.bots.hear({"node": "other"})
        other.bots.hear({"node": "node"})
        assert one.slots | other.slots == {("w", 0), ("w", 1), ("w", 2)}
        assert not one.slots & other.slots
        heard = one.bots._nodes["other"]
        one.worker("w", 3)
        one.bots._workers["w"].heard = heard + 9
        one.bots.look_round(heard + 9)
        assert len(one.slots) == 3

    at_a_node(work)


def test_a_question_names_a_slot_and_its_answer_is_the_move() -> None:
    async def work(node: Node) -> None:
        node.worker("w", 1)
        decision, message = await node.asked()
        assert node.said[-1][0] == "cabochon_bots_w"
        assert (message["node"], message["slot"]) == ("node", 0)
        assert message["question"]["view"].startswith("seat0 ")
        node.answer(message)
        assert await decision == Chosen(GREEDY)
        node.answer(message)  # again, and too late: nobody minds
        node.pool.dismiss("table")
        assert node.said[-1][1] == {"slot": 0, "dismiss": "table"}

    at_a_node(work)


def test_what_a_worker_that_says_goodbye_was_asked_is_asked_of_another() -> None:
    async def work(node: Node) -> None:
        node.worker("w", 1)
        decision, _ = await node.asked()
        node.worker("x", 1)
        node.worker("w", 0)
        while node.said[-1][0] != "cabochon_bots_x":
            await asyncio.sleep(0)
        node.answer(node.said[-1][1])
        assert await decision == Chosen(GREEDY)
        assert node.slots == {("x", 0)}

    at_a_node(work)


def test_a_worker_that_does_not_answer_in_time_is_not_asked_until_it_is_heard_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(remotebots, "GRACE_S", -1.0)

    async def work(node: Node) -> None:
        node.worker("w", 2)
        decision, _ = await node.asked()
        while node.slots:
            await asyncio.sleep(0)
        monkeypatch.setattr(remotebots, "GRACE_S", 60.0)
        before = len(node.said)
        node.worker("w", 2)
        while len(node.said) == before:
            await asyncio.sleep(0)
        node.answer(node.said[-1][1])
        assert await decision == Chosen(GREEDY)

    at_a_node(work)


def test_a_dead_worker_and_one_of_another_version_have_no_places() -> None:
    async def work(node: Node) -> None:
        node.worker("old", 4, "cabochon 0.0.1 search 1")
        assert not node.slots
        node.worker("w", 1)
        node.bots.look_round(node.bots._workers["w"].heard + 8.1)
        assert not node.slots

    at_a_node(work)


# Processes on PostgreSQL


class Worker:
    """`cabochon worker` as a process of its own."""

    def __init__(self, db: str) -> None:
        command = [sys.executable, "-m", "cabochon", "worker", "--lang", "en", "--db", db]
        self._process = subprocess.Popen(
            [*command, "--bots", "1", "--reviews", "0"], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert "Waiting for bots' turns" in self._process.stdout.readline()
        self.pid = self._process.pid
        (self.thinking,) = children_of(self.pid)

    def end(self, number: signal.Signals) -> int:
        """The exit code, once the process that thinks is gone as well."""
        self._process.send_signal(number)
        code = self._process.wait(20)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.thinking, signal.SIGCONT)  # who stands still can't see that it is alone
        until_gone([self.thinking])
        return code

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.end(signal.SIGKILL)
        assert self._process.stdout is not None
        self._process.stdout.close()


def sit_down(here: Here) -> tuple[Talk, Any]:
    """Somebody who plays a greedy bot and is to move, and what they were told."""
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "greedy"}]
    made = here.post("/tables", {"chairs": chairs, "seat_order": "fixed"})
    talk = here.socket(made["table"]["id"], made["keys"][0]["key"])
    return talk, talk.hear("gameFull")


def move(talk: Talk, told: Any) -> None:
    """A token, or whatever else ends the turn at once."""
    first = told["legal"][0]
    text = first if isinstance(first, str) else first["move"]
    talk.say(type="move", id=str(told["version"]), version=told["version"], moves=[text])
    assert talk.hear("gameState")["by"] == 0


@pytest.mark.servers
def test_seats_of_a_killed_worker_are_taken_up_by_another(cluster: Cluster) -> None:
    db = cluster.database("far")
    with Process(db, {"CABOCHON_BOT_WORKERS": "0"}) as server:
        talk, told = sit_down(server.here)
        with talk:
            with Worker(db) as first:
                move(talk, told)
                told = talk.hear("gameState", timeout=30)
                assert told["by"] == 1
                os.kill(first.thinking, signal.SIGSTOP)  # asked next, it can't have answered
                move(talk, told)
                first.end(signal.SIGKILL)
            with Worker(db) as second:
                told = talk.hear("gameState", timeout=30)
                assert told["by"] == 1
                assert second.end(signal.SIGTERM) == 0
        assert not children_of(server.pid)


def test_a_worker_for_bots_needs_postgres(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cabochon", "worker", "--lang", "en"]
    db = str(tmp_path / "tables.db")
    done = subprocess.run([*command, "--db", db], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "PostgreSQL" in done.stderr
