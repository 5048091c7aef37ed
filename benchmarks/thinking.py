"""Four hundred tables with Diamonds: what people notice of them.

One server with its default settings, one run. First it is quiet: people play one another,
and one person plays a Diamond. Then half of the four hundred tables have a person, who takes some
seconds for each turn, and at the others Diamonds play among themselves; the same people as before
go on playing one another at the same pace. Three bars: the event loop comes at most 20 ms late, a
person's move takes at most 1.5 times as long as in the quiet, and a Diamond answers a person within
twice the time that it takes alone, each for 99 of 100. Last comes one line of JSON.

    python benchmarks/thinking.py [--seconds 40] [--tables 400] [--duels 40] [--rate 40] [--pace 10]
                                  [--bot diamond]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import orjson
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.server import (
    DISTURBING_S,
    Load,
    Server,
    _loop_factory,
    percentile,
    spent_s,
    undisturbed,
)
from benchmarks.witness import Witness

MOST_LAG_MS = 20.0
MOST_MOVE = 1.5
MOST_ANSWER = 2.0
ALONE_ANSWERS = 12
ALONE_S = 90.0
STARTERS = 10
Sample = tuple[float, float]
"""When it began, and how many seconds it took."""


class Opponent:
    """A person against a Diamond."""

    def __init__(self, load: Load, bot: str, pace: float) -> None:
        self._load = load
        self._bot = bot
        self._pace = pace
        self._socket: ClientConnection | None = None
        self._asked: float | None = None
        self._task: asyncio.Task[None] | None = None
        self._number = 0
        self.answers: list[Sample] = []
        self.over = False

    async def open(self) -> None:
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": self._bot}]
        answer = await self._load.http.post("/api/tables", json={"chairs": chairs})
        answer.raise_for_status()
        made = answer.json()
        address = f"{self._load.ws}/api/tables/{made['table']['id']}/socket"
        self._seat = made["keys"][0]["seat"]
        self._socket = await connect(
            address, compression=None, ping_interval=None, max_queue=None, proxy=None
        )
        hello = {"type": "hello", "keys": [made["keys"][0]["key"]]}
        await self._socket.send(orjson.dumps(hello).decode())
        self._task = asyncio.create_task(self._play())

    async def _play(self) -> None:
        assert self._socket is not None
        try:
            async for text in self._socket:
                await self._hear(orjson.loads(text))
        except Exception as error:
            self._load.fail(f"a connection broke: {error!r}")

    async def _hear(self, message: Any) -> None:
        kind = message["type"]
        if kind == "gameFinish":
            self.over = True
        elif kind == "refused":
            self._load.fail(f"refused: {message['problem']['code']}")
        elif kind in ("gameFull", "gameState"):
            self._note(message, time.perf_counter())
            if message["legal"]:
                await asyncio.sleep(self._pace * random.uniform(0.5, 1.5))
                await self._move(message)

    def _note(self, message: Any, now: float) -> None:
        """The clock of an answer runs from the end of the person's turn."""
        if message["type"] != "gameState":
            return
        if message["by"] == self._seat and not message["legal"]:
            self._asked = now
        elif message["by"] != self._seat and self._asked is not None:
            self.answers.append((self._asked, now - self._asked))
            self._asked = None

    async def _move(self, message: Any) -> None:
        assert self._socket is not None
        moves = [m if isinstance(m, str) else m["move"] for m in message["legal"]]
        self._number += 1
        move = {
            "type": "move",
            "id": str(self._number),
            "version": message["version"],
            "moves": [random.choice(moves)],
        }
        await self._socket.send(orjson.dumps(move).decode())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
        if self._socket is not None:
            await self._socket.close()


class Company:
    """Everybody who plays with Diamonds; a finished game makes room for a new one."""

    def __init__(self, load: Load, bot: str, pace: float) -> None:
        self._load = load
        self._bot = bot
        self._pace = pace
        self._there: list[Opponent] = []
        self._gone: list[Opponent] = []

    async def fill(self, count: int) -> None:
        for opponent in [each for each in self._there if each.over]:
            self._there.remove(opponent)
            self._gone.append(opponent)
            await opponent.close()
        gate = asyncio.Semaphore(STARTERS)

        async def one() -> None:
            async with gate:
                opponent = Opponent(self._load, self._bot, self._pace)
                await opponent.open()
                self._there.append(opponent)

        await asyncio.gather(*(one() for _ in range(count - len(self._there))))

    async def stay(self, count: int) -> None:
        while True:
            await self.fill(count)
            await asyncio.sleep(1.0)

    @property
    def answers(self) -> list[Sample]:
        return [answer for each in (*self._there, *self._gone) for answer in each.answers]

    async def close(self) -> None:
        for opponent in self._there:
            await opponent.close()


async def bots_only(load: Load, bot: str, count: int) -> None:
    """Tables at which two bots play."""
    gate = asyncio.Semaphore(STARTERS)

    async def one() -> None:
        async with gate:
            body = {"chairs": [{"kind": "bot", "bot": bot}] * 2}
            (await load.http.post("/api/tables", json=body)).raise_for_status()

    await asyncio.gather(*(one() for _ in range(count)))


class Lag:
    """How late the event loop was, from the server's own figures."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._before: list[tuple[float, float]] = []

    async def read(self) -> list[tuple[float, float]]:
        """How often it came at most so late, in seconds."""
        await asyncio.sleep(1.2)  # they are written down once a second
        async with httpx.AsyncClient(base_url=self._base) as http:
            text = (await http.get("/metrics")).text
        found = re.findall(r'cabochon_loop_lag_seconds_bucket{le="([^"]+)"} (\S+)', text)
        return [(float(bound), float(count)) for bound, count in found]

    async def begin(self) -> None:
        self._before = await self.read()

    async def end(self) -> float:
        """The bound in milliseconds below which 99 of 100 were."""
        after = await self.read()
        counts = [(b, now - then) for (b, now), (_, then) in zip(after, self._before, strict=True)]
        total = counts[-1][1]
        return next(1000 * bound for bound, count in counts if count >= 0.99 * total)


async def alone(load: Load, bot: str) -> list[Sample]:
    """The answers of a Diamond that has nothing else to do, after its first."""
    company = Company(load, bot, pace=0.02)
    async with asyncio.timeout(ALONE_S):
        while len(company.answers) < ALONE_ANSWERS + 1:
            await company.fill(1)
            await asyncio.sleep(0.1)
    await company.close()
    return sorted(company.answers)[1:]


async def run(server: Server, args: argparse.Namespace) -> dict[str, Any]:
    load, lag = Load(server.base, args.duels, False), Lag(server.base)
    await load.open_all()
    await load.spread()
    await load.run(3.0, args.rate)
    gc.disable()  # the crowd's own pauses are not the server's
    found: dict[str, Any] = {"alone": await alone(load, args.bot)}
    load.moves.clear()
    await lag.begin()
    await load.run(args.seconds, args.rate)
    found["lag_quiet"], found["quiet"] = await lag.end(), list(load.moves)
    people = args.tables // 2
    company = Company(load, args.bot, args.pace)
    await company.fill(people)
    await bots_only(load, args.bot, args.tables - people)
    staying = asyncio.create_task(company.stay(people))
    await load.run(args.pace, args.rate)  # until the bots have been waited for once
    load.moves.clear()
    began = time.perf_counter()
    await lag.begin()
    spent = spent_s(server.process.pid)
    await load.run(args.seconds, args.rate)
    found["cpu"] = (spent_s(server.process.pid) - spent) / args.seconds
    found["lag_loaded"], found["loaded"] = await lag.end(), list(load.moves)
    staying.cancel()
    found["answers"] = [answer for answer in company.answers if answer[0] > began]
    await company.close()
    await load.close()
    found["errors"] = load.errors
    return found


def told(name: str, samples: list[Sample], unit: str = "ms") -> tuple[float, float]:
    times = [took for _, took in samples]
    p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
    print(f"{name:<34} {len(times):>6} {p50:>9.1f} {p99:>9.1f}  {unit}")
    return p50, p99


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--duels", type=int, default=40, help="tables of people")
    parser.add_argument("--rate", type=float, default=40, help="their moves per second")
    parser.add_argument("--bot", default="diamond", help="greedy: as many moves without thinking")
    parser.add_argument("--pace", type=float, default=10, help="a person's seconds for a turn")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory() as folder, Witness() as witness:
        server = Server(
            Path(folder) / "tables.db",
            CABOCHON_QUICK_REVIEWS="no",
            CABOCHON_MOST_BOT_TABLES=str(4 * args.tables),
        )
        try:
            with asyncio.Runner(loop_factory=_loop_factory()) as runner:
                found = runner.run(run(server, args))
        finally:
            server.stop()
        stalls = [stall for stall in witness.stalls() if stall[1] - stall[0] > DISTURBING_S]
    return report(found, stalls, args)


def report(found: dict[str, Any], stalls: list[Sample], args: argparse.Namespace) -> int:
    print(f"{'':<34} {'count':>6} {'p50':>9} {'p99':>9}")
    p50_alone, _ = told("a Diamond's answer, alone", found["alone"])
    quiet = told("a person's move, quiet", found["quiet"])
    loaded = told(f"a person's move, {args.tables} Diamond tables", found["loaded"])
    p50_answer, p99_answer = told("a Diamond's answer to a person", found["answers"])
    calm = [undisturbed(found[kind], stalls) for kind in ("quiet", "loaded")]
    ratio_calm = None
    if all(len(times) >= 100 for times in calm):
        ratio_calm = round(percentile(calm[1], 0.99) / percentile(calm[0], 0.99), 2)
    print(
        f"event loop late by at most {found['lag_quiet']:g} ms quiet, {found['lag_loaded']:g} ms "
        f"loaded (99 of 100); the server used {100 * found['cpu']:.0f} % of a core; the machine "
        f"stood still {len(stalls)} times"
    )
    figures = {
        "tables": args.tables,
        "bot": args.bot,
        "cores": os.cpu_count(),
        "lag_p99_ms": found["lag_loaded"],
        "lag_p99_ms_quiet": found["lag_quiet"],
        "move_p99_ms_quiet": round(quiet[1], 1),
        "move_p99_ms": round(loaded[1], 1),
        "move_ratio": round(loaded[1] / quiet[1], 2),
        "move_ratio_undisturbed": ratio_calm,
        "answer_ms_alone": round(p50_alone, 1),
        "answer_p50_ratio": round(p50_answer / p50_alone, 2),
        "answer_p99_ratio": round(p99_answer / p50_alone, 2),
        "answers_per_s": round(len(found["answers"]) / args.seconds, 1),
        "server_cores": round(found["cpu"], 3),
        "errors": sum(found["errors"].values()),
    }
    for what, count in found["errors"].items():
        print(f"  {count} times {what}")
    is_met = (
        found["lag_loaded"] <= MOST_LAG_MS
        and loaded[1] <= MOST_MOVE * quiet[1]
        and p99_answer <= MOST_ANSWER * p50_alone
    )
    print(json.dumps(figures))
    return int(not is_met or bool(found["errors"]))


if __name__ == "__main__":
    sys.exit(main())
