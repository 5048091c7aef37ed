"""A thousand players on five hundred tables, five hundred moves a second, for a minute.

The server is `cabochon serve` with a durable SQLite, as a process of its own; this process is
the load. Each table moves once a second; the time is taken from sending a move until every player
at the table has been told. Then the rate climbs until 99 of 100 are no longer told within 100 ms.
Last comes one line of JSON.

The games are at every stage when the measuring begins, as they are on a real server: a finished one
makes room for a new one, so at 1,000 moves a second some fourteen end and begin each second. With
`--together` all begin in the same moment, and so end within a few seconds of one another.

    python benchmarks/server.py [--seconds 60] [--tables 500] [--rate 500] [--climb 4000] [--facts]
                                [--together]
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import gc
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import httpx
import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.witness import Stall, Witness

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
STATE, FULL, FINISH, REFUSED = (
    f'{{"v":1,"type":"{kind}"'.encode()
    for kind in ("gameState", "gameFull", "gameFinish", "refused")
)
STARTERS = 20
"""Tables that are set up at the same time."""
AT_ONCE = 4
"""Moves that are sent without a look at what came, when some are due already."""
GAME_MOVES = 72
"""How many a game of this load has: 57 to 86."""
BETWEEN_S = 0.1
"""In which everybody hears of the last move."""
SPREAD_RATE = 2000
"""Moves a second with which games are brought to their stages."""
GOAL_MS = 100.0
RATE_STEP = 250
STEP_S = 5.0
"""The search for the highest rate tries so many moves a second more each time, for so long."""
DISTURBING_S = 0.010
AFTERMATH_S = 1.0
"""How long before and after the machine stood still so long a move may have waited for it."""


class Player(asyncio.Protocol):
    """One connection, which knows what its seat may do. It reads and writes frames by hand: a
    client library would use as much of the machine as the server."""

    def __init__(self, table: LoadedTable, seat: int, key: str) -> None:
        self.table = table
        self.seat = seat
        self.key = key
        self.legal: list[Any] = []
        self.version = 0
        self.server = httpx.URL(table.load.base)
        self.transport: asyncio.Transport | None = None
        self.greeted = asyncio.get_running_loop().create_future()
        self._closing = False
        self._buffer = b""
        self._in_head = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is none by its class
        host = self.server.netloc.decode()
        self.transport.write(
            f"GET /api/tables/{self.table.id}/socket HTTP/1.1\r\nHost: {host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._closing:
            self.table.load.fail(f"a connection broke: {exc!r}")

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data if self._buffer else data
        at = 0
        if self._in_head:
            at = data.find(b"\r\n\r\n") + 4
            if at == 3:
                self._buffer = data
                return
            assert b" 101 " in data[:20], data[:200]
            self._in_head = False
            self.say({"type": "hello", "keys": [self.key], "facts": self.table.load.facts})
        while (end := _frame_end(data, at)) is not None:
            start, stop = end
            self._heard(data[at] & 0x0F, data[start:stop])
            at = stop
        self._buffer = data[at:]

    def _heard(self, opcode: int, payload: bytes) -> None:
        if opcode == TEXT:
            self.table.hear(self, payload)
        elif opcode == PING:
            self._write(PONG, payload)

    def say(self, message: dict[str, Any]) -> None:
        self._write(TEXT, orjson.dumps(message))

    def _write(self, opcode: int, payload: bytes) -> None:
        """Masked with zeros, which leaves it as it is; to the server that is a mask as any."""
        assert self.transport is not None
        size = len(payload)
        head = bytes((0x80 | opcode, 0x80 | size)) if size < 126 else (
            bytes((0x80 | opcode, 0xFE)) + size.to_bytes(2, "big"))  # fmt: skip
        self.transport.write(head + bytes(4) + payload)

    def close(self) -> None:
        self._closing = True
        if self.transport is not None:
            self._write(CLOSE, b"")
            self.transport.close()


def _same(player: Player) -> Player:
    return player


def _frame_end(data: bytes, at: int) -> tuple[int, int] | None:
    """Where the payload of the server's frame at that place begins and ends, once it is whole."""
    if len(data) < at + 2:
        return None
    size, start = data[at + 1], at + 2
    if size >= 126:
        start += 2 if size == 126 else 8
        if len(data) < start:
            return None
        size = int.from_bytes(data[at + 2 : start], "big")
    return None if len(data) < start + size else (start, start + size)


class LoadedTable:
    """Two players; at most one move is under way, and it is timed until both were told."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.players: list[Player] = []
        self.over = False
        self.sent_at: float | None = None
        self.to_tell = 0
        self.number = 0

    async def open(self) -> None:
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "local", "name": "Bo"}]
        answer = await self.load.http.post(f"{self.base()}/api/tables", json={"chairs": chairs})
        answer.raise_for_status()
        made = answer.json()
        self.id = made["table"]["id"]
        self.players = [Player(self, entry["seat"], entry["key"]) for entry in made["keys"]]
        loop = asyncio.get_running_loop()
        for player in self.players:
            player.server = httpx.URL(self.base())
            await loop.create_connection(
                partial(_same, player), player.server.host, player.server.port or 80
            )
            await player.greeted

    def base(self) -> str:
        """The server that whoever comes next is at."""
        return self.load.base

    def hear(self, player: Player, payload: bytes) -> None:
        """Only what the players need is read: answers and presence are counted by nobody."""
        if payload.startswith((STATE, FULL)):
            message = orjson.loads(payload)
            player.legal, player.version = message["legal"], message["version"]
            if message["type"] == "gameState":
                self._told()
            elif not player.greeted.done():
                player.greeted.set_result(None)
        elif payload.startswith(FINISH):
            self.over = True
        elif payload.startswith(REFUSED):
            self.load.fail(f"refused: {orjson.loads(payload)['problem']['code']}")

    def _told(self) -> None:
        self.to_tell -= 1
        if self.to_tell == 0 and self.sent_at is not None:
            self.load.moves.append((self.sent_at, time.perf_counter() - self.sent_at))
            self.sent_at = None

    def move(self) -> None:
        """The seat that must decide does."""
        if self.sent_at is not None:
            self.load.late += 1
            return
        player = next((p for p in self.players if p.legal), None)
        if player is None:
            self.load.late += 1
            return
        moves = [m if isinstance(m, str) else m["move"] for m in player.legal]
        buys = [text for text in moves if text.startswith("buy")]
        self.number += 1
        move = {
            "type": "move",
            "id": str(self.number),
            "version": player.version,
            "moves": [random.choice(buys if buys and random.random() < 0.5 else moves)],
        }
        player.legal = []
        self.to_tell, self.sent_at = len(self.players), time.perf_counter()
        self.load.sent += 1
        player.say(move)

    def close(self) -> None:
        for player in self.players:
            player.close()


class Load:
    """All tables, the pace, and what was measured."""

    def __init__(self, base: str, tables: int, facts: bool) -> None:
        self.base = base.rstrip("/")
        self.ws = self.base.replace("http", "ws")
        self.facts = facts
        self.http = httpx.AsyncClient(base_url=base, timeout=30)
        self.count = tables
        self.tables: list[LoadedTable] = []
        self.moves: list[tuple[float, float]] = []
        """When a move was sent, and the seconds until everybody was told."""
        self.sent = 0
        self.late = 0
        self.opened = 0
        """Tables so far."""
        self.errors: dict[str, int] = {}
        self._jobs: set[asyncio.Task[None]] = set()

    def fail(self, what: str) -> None:
        self.errors[what] = self.errors.get(what, 0) + 1

    async def open_all(self) -> None:
        gate = asyncio.Semaphore(STARTERS)

        async def one() -> None:
            async with gate:
                self.tables.append(await self._new_table())

        await asyncio.gather(*(one() for _ in range(self.count)))

    async def _new_table(self) -> LoadedTable:
        table = LoadedTable(self)
        await table.open()
        self.opened += 1
        return table

    async def spread(self) -> None:
        """Let games be at every stage, so that they end one by one. Those that began together
        would end together."""
        ahead = [GAME_MOVES * number // self.count for number in range(self.count)]
        for played in range(GAME_MOVES):
            for table, moves in zip(self.tables, ahead, strict=True):
                if played < moves and not table.over:
                    table.move()
                    await asyncio.sleep(1 / SPREAD_RATE)
            await asyncio.sleep(BETWEEN_S)

    async def run(self, seconds: float, rate: float) -> float:
        """Move at that pace; gives the time it took."""
        began = due = time.perf_counter()
        total = int(seconds * rate)
        for number in range(total):
            # Catching up, at most twice as fast: players do not act in one moment because the
            # process that plays them was held up.
            due = max(began + number / rate, due + 0.5 / rate)
            wait = due - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            elif number % AT_ONCE == 0:
                await asyncio.sleep(0)
            index = number % self.count
            if self.tables[index].over:
                self._job(self._replace(index))
            else:
                self.tables[index].move()
        took = time.perf_counter() - began
        await asyncio.sleep(1.0)
        return took

    async def _replace(self, index: int) -> None:
        """A finished game makes room for a new one."""
        old = self.tables[index]
        old.over = False
        old.close()
        self.tables[index] = await self._new_table()

    def _job(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)

    async def close(self) -> None:
        for table in self.tables:
            table.close()
        await self.http.aclose()


class Server:
    """`cabochon serve` on a new SQLite."""

    def __init__(self, db: Path | str, **settings: str) -> None:
        environment = os.environ | {
            "CABOCHON_REQUESTS_PER_S": "100000",
            "CABOCHON_LOG_LEVEL": "warning",
            "CABOCHON_MOST_TABLES_PER_ADDRESS": "1000000",
            "CABOCHON_MOST_UNFINISHED_PER_ADDRESS": "1000000",
            **settings,
        }
        began = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cabochon", "serve", "--port", "0", "--db", str(db)],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.started_s = time.perf_counter() - began
        found = re.search(r"http://\S+", line)
        assert found, f"no address in {line!r}"
        self.base = found[0]

    def stop(self) -> float:
        """Stop it; gives the processor time that it used."""
        self.process.terminate()
        self.process.wait(30)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


IDLE = """
import asyncio, sys
from cabochon.server.storage.database import open_database
from cabochon.server.tables.hub import Hub
from cabochon.server.settings import Settings
from cabochon.server.storage.sqlstore import SqlStore

def rss():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4

async def main(db, ids):
    store = SqlStore(await open_database(db), "bench")
    hub = Hub(store, Settings(db=db))
    for table in ids[:20]:
        await hub.live(table)
    before = rss()
    for table in ids[20:]:
        await hub.live(table)
    print((rss() - before) / len(ids[20:]))
    await store.engine.dispose()

asyncio.run(main(sys.argv[1], sys.argv[2:]))
"""


def undisturbed(moves: list[tuple[float, float]], stalls: list[Stall]) -> list[float]:
    """The times of moves that were sent neither within a stall nor while its backlog was served."""
    disturbed = [(began - AFTERMATH_S, ended + AFTERMATH_S) for began, ended in stalls]
    return [
        took for sent, took in moves if not any(began < sent < ended for began, ended in disturbed)
    ]


def idle_kib(db: Path, ids: list[str]) -> float:
    """Memory of a table in the middle of a game that lies in a server's memory, in KiB."""
    done = subprocess.run(
        [sys.executable, "-c", IDLE, str(db), *ids], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def percentile(times: list[float], part: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] * 1000


def stolen_s() -> float:
    """Time for which a virtual machine's host kept its processors from it."""
    fields = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    return int(fields[7]) / os.sysconf("SC_CLK_TCK")


def spent_s(*pids: int) -> float:
    """Processor time of these processes, or without any of the whole machine."""
    tick = os.sysconf("SC_CLK_TCK")
    if not pids:
        fields = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
        return sum(int(fields[i]) for i in (0, 1, 2, 5, 6, 7)) / tick
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / tick


async def highest_rate(bench: Load, most: int) -> int:
    """The highest rate, climbing by steps from the lowest, at which 99 of 100 moves are told to
    everybody within the goal; 0 if there is none. One in a hundred may come late: so does a move
    at a table that is just being replaced by a new one."""
    found = 0
    for rate in range(RATE_STEP, most + 1, RATE_STEP):
        bench.moves.clear()
        bench.late = 0
        await bench.run(STEP_S, rate)
        times = [took for _, took in bench.moves]
        p99 = percentile(times, 0.99) if times else 0.0
        print(f"  {rate} moves/s: p99 {p99:.1f} ms, {bench.late} late")
        if not times or p99 > GOAL_MS or bench.late > len(times) / 100:
            break
        found = rate
    return found


class Measured(NamedTuple):
    """What the load has shown: the seconds it took, the server's processor time for it and for each
    table that was opened before, and how many were opened meanwhile."""

    bench: Load
    took: float
    server_s: float
    table_s: float
    opened: int


async def load(server: Server, args: argparse.Namespace) -> Measured:
    base, ours = server.base, (server.process.pid, os.getpid())
    bench = Load(base, args.tables, args.facts)
    began, fresh = time.perf_counter(), spent_s(server.process.pid)
    await bench.open_all()
    table_s = (spent_s(server.process.pid) - fresh) / args.tables
    print(f"{args.tables} tables open, {2 * args.tables} players connected "
          f"in {time.perf_counter() - began:.1f} s")  # fmt: skip
    gc.disable()  # the crowd's own pauses are not the server's
    if not args.together:
        await bench.spread()
    await bench.run(3.0, args.rate)
    bench.moves.clear()
    bench.sent = bench.late = 0
    opened = bench.opened
    all_before, own_before, stolen_before = spent_s(), spent_s(*ours), stolen_s()
    server_before = spent_s(server.process.pid)
    took = await bench.run(args.seconds, args.rate)
    server_s = spent_s(server.process.pid) - server_before
    own = spent_s(*ours) - own_before
    print(f"meanwhile server and load used {own:.1f} s of processor time, "
          f"everybody else on the machine {spent_s() - all_before - own:.1f} s; "
          f"its host stole {stolen_s() - stolen_before:.2f} s")  # fmt: skip
    return Measured(bench, took, server_s, table_s, bench.opened - opened)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--climb", type=int, default=4000, help="the highest rate to try; 0: none")
    parser.add_argument("--facts", action="store_true", help="every client asks for facts")
    parser.add_argument("--together", action="store_true", help="all games begin in one moment")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory() as folder, Witness() as witness:
        db = Path(folder) / "tables.db"
        server = Server(db)
        try:
            print(f"server started in {server.started_s:.2f} s")
            with asyncio.Runner(loop_factory=_loop_factory()) as runner:
                bench, took, server_s, table_s, opened = runner.run(load(server, args))
                ids = [table.id for table in bench.tables]
                times, late, sent = [t for _, t in bench.moves], bench.late, bench.sent
                moves, bench.moves = bench.moves, []
                highest = runner.run(highest_rate(bench, args.climb)) if args.climb else None
                runner.run(bench.close())
        finally:
            used = server.stop()
        kib = idle_kib(db, ids)
        stalls = [stall for stall in witness.stalls() if stall[1] - stall[0] > DISTURBING_S]
    errors = sum(bench.errors.values()) + late
    told = len(times)
    print(f"sent {sent} moves in {took:.1f} s, {told} told to everybody, {late} late")
    for what, count in bench.errors.items():
        print(f"  {count} times {what}")
    p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
    print(f"from send until everybody was told: p50 {p50:.1f} ms, p99 {p99:.1f} ms, "
          f"worst {max(times) * 1000:.1f} ms (goal: p99 under 100 ms)")  # fmt: skip
    calm = undisturbed(moves, stalls)
    calm_p99 = percentile(calm, 0.99) if calm else None
    print(f"the machine stood still {len(stalls)} times, {sum(b - a for a, b in stalls):.2f} s in "
          f"all; the {len(calm)} moves not near such a time: p99 "
          f"{'-' if calm_p99 is None else f'{calm_p99:.1f}'} ms")  # fmt: skip
    cpu_ms = 1000 * server_s / max(1, told)
    alone_ms = 1000 * max(0.0, server_s - opened * table_s) / max(1, told)
    print(f"server used {cpu_ms:.3f} ms of processor time per move, {used:.1f} s in all; "
          f"{kib:.1f} KiB an idle table")  # fmt: skip
    print(f"{opened} games ended and began anew meanwhile; opening a table, with its two players, "
          f"takes {1000 * table_s:.1f} ms, which leaves {alone_ms:.3f} ms per move")  # fmt: skip
    figures = {
        "players": 2 * args.tables,
        "tables": args.tables,
        "moves_per_s": round(told / took, 1),
        "p50_ms": round(p50, 2),
        "p99_ms": round(p99, 2),
        "p99_ms_undisturbed": None if calm_p99 is None else round(calm_p99, 2),
        "errors": errors,
        "cpu_ms_per_move": round(cpu_ms, 3),
        "cpu_ms_per_move_alone": round(alone_ms, 3),
        "cpu_ms_per_table": round(1000 * table_s, 2),
        "tables_opened": opened,
        "max_rate_p99_100": highest,
        "kib_per_idle_table": round(kib, 1),
    }
    print(json.dumps(figures))
    return int(bool(errors) or p99 > GOAL_MS or kib > 64)


def _loop_factory() -> Any:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


if __name__ == "__main__":
    sys.exit(main())
