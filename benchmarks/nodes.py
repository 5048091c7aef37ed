"""One, two and four server processes on one PostgreSQL: processor time per move of the servers and
of the database, bytes on the wire, and how many notifications a second the database can pass on.

    python benchmarks/nodes.py [--seconds 20] [--tables 100] [--rate 100] [--processes 1,2,4]
                               [--workers]
    python benchmarks/nodes.py --notify [--seconds 5]

Each table has two players. `together`: both are at the same process, as with a proxy that chooses
by table; `apart`: each is at any. `--workers` starts one server with so many processes at one port,
where the system says who is where. Servers, database and load share this machine, so the figures
that count are processor times and bytes, not latencies. Last comes one line of JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.server import Load, LoadedTable, Server, percentile, spent_s
from tests.server.cluster import Cluster

NO_THINKING = {"CABOCHON_REVIEW_WORKERS": "0", "CABOCHON_QUICK_REVIEWS": "no"}
WRITERS = 8
PAYLOAD = "E 0123456789abcdef abcdefghij "
NOTICES = "SELECT count(pg_notify('cabochon', $1 || n)) FROM generate_series(1, $2::int) AS n"


class SpreadTable(LoadedTable):
    """Its players choose a process each, or one together."""

    def __init__(self, load: SpreadLoad) -> None:
        super().__init__(load)
        self._bases = load.bases
        self._own = random.choice(load.bases) if load.together else None

    def base(self) -> str:
        return (self._own or random.choice(self._bases)).rstrip("/")


class SpreadLoad(Load):
    """The load of `benchmarks/server.py`, at several processes."""

    def __init__(self, bases: list[str], tables: int, together: bool) -> None:
        super().__init__(bases[0], tables, facts=False)
        self.bases = bases
        self.together = together

    async def _new_table(self) -> LoadedTable:
        table = SpreadTable(self)
        await table.open()
        return table


def wire(ports: list[int]) -> int:
    """Bytes that listening sockets of these ports have sent and received, over those open now."""
    where = " or ".join(f"sport = :{port}" for port in ports)
    said = subprocess.run(["ss", "-tinH", where], capture_output=True, text=True, check=True).stdout
    return sum(map(int, re.findall(r"bytes_(?:acked|received):(\d+)", said)))


def family(pid: int) -> list[int]:
    """A process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, children)]


def cpu_of(pids: list[int]) -> float:
    total = 0.0
    for pid in pids:
        with contextlib.suppress(OSError):
            total += spent_s(pid)
    return total


@contextlib.contextmanager
def running(db: str, count: int, workers: bool) -> Iterator[list[Server]]:
    servers: list[Server] = []
    try:
        if workers:
            servers.append(Server(db, **NO_THINKING, CABOCHON_WORKERS=str(count)))
            until_ready(servers[0], count)
        for _ in range(0 if workers else count):
            servers.append(Server(db, **NO_THINKING))  # noqa: PERF401 (stopped whatever happens)
        yield servers
    finally:
        for server in servers:
            server.stop()


def until_ready(server: Server, count: int) -> None:
    """Wait until all its processes answer. Asked a hundred times, each has been."""
    answered = 0
    while answered < 25 * count:
        try:
            httpx.get(f"{server.base.rstrip('/')}/readyz").raise_for_status()
            answered += 1
        except httpx.HTTPError:
            answered = 0
            time.sleep(0.2)


async def measure(
    cluster: Cluster,
    servers: list[Server],
    args: argparse.Namespace,
    count: int,
    together: bool,
) -> dict[str, Any]:
    load = SpreadLoad([server.base for server in servers], args.tables, together)
    await load.open_all()
    await load.run(2.0, args.rate)
    load.moves.clear()
    pids = [server.process.pid for server in servers]
    if args.workers:
        pids = family(pids[0])
    ports = [int(server.base.rstrip("/").rpartition(":")[2]) for server in servers]

    def now() -> list[float]:
        return [
            cpu_of(pids),
            cpu_of(family(cluster.pid)),
            wire(ports),
            wire([cluster.port]),
        ]

    before = now()
    took = await load.run(args.seconds, args.rate)
    after = now()
    told = max(1, len(load.moves))
    server_s, base_s, client_bytes, base_bytes = (b - a for a, b in zip(before, after, strict=True))
    await load.close()
    times = [took for _, took in load.moves] or [0.0]
    return {
        "processes": count,
        "players": "together" if together else "apart",
        "moves_per_s": round(told / took, 1),
        "server_ms_per_move": round(1000 * server_s / told, 3),
        "database_ms_per_move": round(1000 * base_s / told, 3),
        "client_bytes_per_move": round(client_bytes / told),
        "database_bytes_per_move": round(base_bytes / told),
        "p99_ms": round(percentile(times, 0.99), 1),
        "errors": sum(load.errors.values()),
    }


def nodes(args: argparse.Namespace) -> list[dict[str, Any]]:
    found = []
    cluster = Cluster()
    try:
        for count in map(int, args.processes.split(",")):
            kinds = (False,) if args.workers else (True, False) if count > 1 else (True,)
            for together in kinds:
                with running(cluster.database(f"nodes{count}"), count, args.workers) as servers:
                    measured = measure(cluster, servers, args, count, together)
                    found.append(asyncio.run(measured))
                print(json.dumps(found[-1]), flush=True)
    finally:
        cluster.close()
    return found


# The ceiling of LISTEN and NOTIFY


async def notified(
    db: str, listeners: int, notices: int, seconds: float, afterwards: bool = False
) -> dict[str, Any]:
    """Small transactions as fast as they go, each with so many notifications: within it, or
    `afterwards` in one of their own that waits for no disk, as a relay would pass them on."""
    heard = 0

    def on_heard(*_: object) -> None:
        nonlocal heard
        heard += 1

    ears = [await asyncpg.connect(db) for _ in range(listeners)]
    for ear in ears:
        await ear.add_listener("cabochon", on_heard)
    writers = [await asyncpg.connect(db) for _ in range(WRITERS)]
    tellers = [await asyncpg.connect(db) for _ in range(WRITERS if afterwards else 0)]
    for teller in tellers:
        await teller.execute("SET synchronous_commit = off")
    until = time.perf_counter() + seconds
    done = 0

    async def write(writer: Any, number: int) -> None:
        nonlocal done
        while time.perf_counter() < until:
            async with writer.transaction():
                await writer.execute("UPDATE notes SET n = n + 1 WHERE id = $1", number)
                if notices and not afterwards:
                    await writer.fetch(NOTICES, PAYLOAD, notices)
            if afterwards:
                await tellers[number].fetch(NOTICES, PAYLOAD, notices)
            done += 1

    own = time.process_time()
    await asyncio.gather(*(write(writer, number) for number, writer in enumerate(writers)))
    own = time.process_time() - own
    await asyncio.sleep(0.5)
    for connection in (*ears, *writers, *tellers):
        await connection.close()
    return {
        "listeners": listeners,
        "notices_per_commit": notices,
        "afterwards": afterwards,
        "commits_per_s": round(done / seconds),
        "heard_per_s": round(heard / seconds),
        "client_cpu_ms_per_commit": round(1000 * own / max(1, done), 3),
    }


async def ceiling(db: str, seconds: float) -> list[dict[str, Any]]:
    setup = await asyncpg.connect(db)
    await setup.execute("CREATE TABLE notes (id int PRIMARY KEY, n int)")
    await setup.execute("INSERT INTO notes SELECT n, 0 FROM generate_series(0, 63) AS n")
    found = []
    within = [(0, 0), (1, 1), (4, 1), (16, 1), (4, 50), (16, 50)]
    apart = [(4, 1), (16, 1), (16, 50)]
    tried = [(*each, False) for each in within] + [(*each, True) for each in apart]
    for listeners, notices, afterwards in tried:
        found.append(await notified(db, listeners, notices, seconds, afterwards))
        print(json.dumps(found[-1]), flush=True)
    await setup.close()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--processes", default="1,2,4")
    parser.add_argument("--workers", action="store_true", help="one server, so many processes")
    parser.add_argument("--notify", action="store_true", help="only the ceiling of NOTIFY")
    args = parser.parse_args()
    os.environ.setdefault("CABOCHON_MOST_TABLES", "100000")
    if not args.notify:
        print(json.dumps({"nodes": nodes(args)}))
        return 0
    cluster = Cluster()
    try:
        found = asyncio.run(ceiling(cluster.database("notify"), args.seconds))
    finally:
        cluster.close()
    print(json.dumps({"notify": found}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
