"""A day in the life of a server, in an hour: people who play one another and bots, people who only
watch, pages of the lobby, replays, reviews, newcomers, and now and then a cut after which everybody
comes back at once.

    python benchmarks/mix.py [--minutes 60] [--tables 40] [--postgres]

The server is `cabochon serve` in a separate process, with its reviews; this process is everybody
else. For each kind of thing that people do it prints how often they did it, how long it took (half
of the times below, and 99 of 100) and what went wrong, and how much memory the server has over
time. It fails when something went wrong or when memory isn't flat: more than five per cent higher
in the last quarter than in the second. The last line is JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import orjson
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.server import Server, percentile, spent_s
from tests.server.cluster import Cluster
from tests.server.crowd import Crowd, Wrong

PAUSE_S = 2.5
"""How long people think, give or take half of it."""
SAMPLE_S = 2.0
FLAT = 1.05
EVERY_S = {"watch": 1.5, "lobby": 0.7, "page": 2.0, "replay": 3.0, "review": 20.0, "newcomer": 6.0}
"""How often somebody does what. People who play are there all the time."""
STORMS = 6
"""Cuts in the whole time."""


@dataclass
class Seen:
    """What was measured: seconds by kind, what went wrong, and memory by time."""

    times: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    memory: list[tuple[float, float]] = field(default_factory=list)

    def took(self, kind: str, seconds: float) -> None:
        self.times.setdefault(kind, []).append(seconds)


class Mix:
    """Everybody but those who play, who are a crowd."""

    def __init__(self, base: str, crowd: Crowd, seen: Seen) -> None:
        self._base = base.rstrip("/")
        self._crowd = crowd
        self._seen = seen
        self._random = random.Random(17)
        self._jobs: set[asyncio.Task[None]] = set()
        self._http = httpx.AsyncClient(base_url=self._base, timeout=60)
        self._kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "watch": self._watch,
            "lobby": self._lobby,
            "page": self._page,
            "replay": self._replay,
            "review": self._review,
            "newcomer": self._newcomer,
        }

    async def live(self, kind: str) -> None:
        """Somebody comes again and again, and doesn't wait for whoever came before."""
        while not self._crowd.stopping:
            await asyncio.sleep(self._random.expovariate(1 / EVERY_S[kind]))
            task = asyncio.create_task(self._timed(kind))
            self._jobs.add(task)
            task.add_done_callback(self._jobs.discard)

    async def _timed(self, kind: str) -> None:
        try:
            await self._kinds[kind]()
        except (httpx.HTTPError, OSError, WebSocketException, TimeoutError) as error:
            self._seen.errors[f"{kind}: {type(error).__name__}"] += 1

    async def _get(self, kind: str, path: str) -> Any:
        began = time.perf_counter()
        answer = await self._http.get(path)
        answer.raise_for_status()
        self._seen.took(kind, time.perf_counter() - began)
        return answer

    async def _lobby(self) -> None:
        await self._get("lobby", "/api/tables?state=running&limit=50")

    async def _page(self) -> None:
        await self._get("page", "/")

    async def _replay(self) -> None:
        over = sorted(self._crowd.finished)
        if over:
            await self._get("replay", f"/api/tables/{self._random.choice(over)}/replay")

    async def _review(self) -> None:
        """Asked for, and looked at until it is there."""
        over = sorted(self._crowd.finished)
        if not over:
            return
        asked = {"table": self._random.choice(over), "depth": "quick"}
        began = time.perf_counter()
        answer = await self._http.post("/api/reviews", json=asked)
        if answer.status_code == 429:
            self._seen.took("review refused by a limit", 0.0)
            return
        answer.raise_for_status()
        self._seen.took("review asked", time.perf_counter() - began)
        state = answer.json()
        while state["state"] not in ("done", "failed") and not self._crowd.stopping:
            await asyncio.sleep(2)
            state = (await self._get("review state", f"/api/reviews/{state['id']}")).json()
        if state["state"] == "done":
            self._seen.took("review done", time.perf_counter() - began)

    async def _newcomer(self) -> None:
        """The first lesson: a table of one's own, and the first sight of it."""
        began = time.perf_counter()
        answer = await self._http.post("/api/tutorial", json={})
        answer.raise_for_status()
        made = answer.json()
        key = made["keys"][0]["key"]
        await self._look(made["table"]["id"], [key], 5.0)
        self._seen.took("newcomer", time.perf_counter() - began - 5.0)

    async def _watch(self) -> None:
        running = [t for t in self._crowd.tables[-60:] if t not in self._crowd.finished]
        if running:
            began = time.perf_counter()
            stay = self._random.uniform(5, 30)
            await self._look(self._random.choice(running), [], stay)
            self._seen.took("watch", time.perf_counter() - began - stay)

    async def _look(self, table: str, keys: list[str], stay_s: float) -> None:
        """Open a socket, hear everything, and go on listening for so long."""
        address = f"{self._base.replace('http', 'ws')}/api/tables/{table}/socket"
        async with connect(address, ping_interval=None, proxy=None, close_timeout=0.5) as socket:
            await socket.send(orjson.dumps({"type": "hello", "keys": keys}).decode())
            async with asyncio.timeout(30):
                while orjson.loads(await socket.recv())["type"] != "gameFull":
                    pass
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(stay_s):
                    while True:
                        await socket.recv()

    async def close(self) -> None:
        for task in list(self._jobs):
            task.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        await self._http.aclose()


def resident_mib(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4 / 1024


async def lived(server: Server, args: argparse.Namespace) -> tuple[Seen, Crowd]:
    seen = Seen()
    port = int(server.base.rstrip("/").rpartition(":")[2])
    crowd = Crowd([port], pause_s=PAUSE_S, patient=True)
    await crowd.start(args.tables, with_bots=args.tables // 3)
    mix = Mix(server.base, crowd, seen)
    coming = [asyncio.create_task(mix.live(kind)) for kind in EVERY_S]
    seconds, began = args.minutes * 60, time.monotonic()
    storms = [seconds * (n + 1) / (STORMS + 1) for n in range(STORMS)]
    while (passed := time.monotonic() - began) < seconds:
        await asyncio.sleep(SAMPLE_S)
        seen.memory.append((passed, resident_mib(server.process.pid)))
        if storms and passed > storms[0]:
            storms.pop(0)
            cut = crowd.cut()
            print(f"{passed:.0f} s: {cut} connections are cut", flush=True)
        crowd.check_alive()
    for task in coming:
        task.cancel()
    with contextlib.suppress(Wrong):
        await crowd.stop()
    await mix.close()
    return seen, crowd


def flatness(memory: list[tuple[float, float]]) -> float:
    """The last quarter of the time over the second one."""
    quarter = max(1, len(memory) // 4)
    last, second = memory[-quarter:], memory[quarter : 2 * quarter] or memory[-quarter:]
    return median(m for _, m in last) / median(m for _, m in second)


def told(seen: Seen, crowd: Crowd, args: argparse.Namespace, used_s: float) -> dict[str, Any]:
    times = {
        "move": [took for _, took in crowd.waits],
        "back after a cut": crowd.returns,
        **seen.times,
    }
    kinds = {}
    print(f"{'kind':28}{'number':>8}{'a minute':>10}{'p50 ms':>9}{'p99 ms':>9}")
    for kind, all_times in times.items():
        if all_times:
            p50, p99 = percentile(all_times, 0.5), percentile(all_times, 0.99)
            rate = len(all_times) / args.minutes
            print(f"{kind:28}{len(all_times):8}{rate:10.1f}{p50:9.1f}{p99:9.1f}")
            kinds[kind] = {
                "number": len(all_times),
                "p50_ms": round(p50, 1),
                "p99_ms": round(p99, 1),
            }
    errors = dict(seen.errors + Counter(f"refused {code}" for code in crowd.refused))
    errors |= dict(Counter(f"no table: {why}" for why in crowd.no_table))
    print(f"errors: {errors or 'none'}")
    shown = seen.memory[:: max(1, len(seen.memory) // 12)]
    print("memory MiB:", " ".join(f"{passed / 60:.1f}min {mib:.0f}" for passed, mib in shown))
    return {
        "minutes": args.minutes,
        "tables": args.tables,
        "games_finished": len(crowd.finished),
        "kinds": kinds,
        "errors": sum(errors.values()),
        "memory_mib": [round(seen.memory[0][1]), round(max(m for _, m in seen.memory))],
        "memory_last_over_second_quarter": round(flatness(seen.memory), 3),
        "server_cpu_s": round(used_s, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--postgres", action="store_true", help="instead of SQLite")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # takes the server along
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        db = str(Path(folder) / "tables.db")
        if args.postgres:
            cluster = Cluster()
            stack.callback(cluster.close)
            db = cluster.database("mix")
        server = Server(db)
        try:
            seen, crowd = asyncio.run(lived(server, args))
            used = spent_s(server.process.pid)
        finally:
            server.stop()
    figures = told(seen, crowd, args, used)
    print(json.dumps(figures))
    return int(bool(figures["errors"]) or figures["memory_last_over_second_quarter"] > FLAT)


if __name__ == "__main__":
    sys.exit(main())
