"""A server under attack for ten minutes beside a hundred honest tables; then fifty times kill -9 at
random moments under load, on SQLite and on PostgreSQL.

Under attack (`benchmarks/attacks.py`): no honest move is refused, 99 of 100 are answered within
three times what it took right before in peace, memory stays flat over the second half, nothing is
lost.

After every kill the database is read directly: each move that was acknowledged is there, every
table replays, no turn is half made. Then the server starts again and players and bots go on. On
PostgreSQL two nodes run, and a random one is killed each time.

    python benchmarks/soak_server.py [--attack-minutes 10] [--tables 100] [--times 50]
                                     [--only attack|sqlite|postgres]

The last line is JSON; the exit code is 1 when a promise was broken.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.attacks import ATTACKS
from benchmarks.siege import Plan, besieged, holds
from tests.server.cluster import Cluster
from tests.server.crowd import Crowd, check_promises
from tests.server.serving import Process

KILL_TABLES = 40


async def soak(db: str, nodes: int, times: int, tables: int) -> Crowd:
    chance = random.Random()
    processes = [Process(db) for _ in range(nodes)]
    try:
        crowd = Crowd([process.port for process in processes])
        await crowd.start(tables, with_bots=tables // 4)
        for number in range(times):
            await crowd.moves_on(20)
            await asyncio.sleep(chance.random())
            victim = chance.choice(processes)
            victim.kill()
            await check_promises(db, crowd)
            victim.start()
            if len(crowd.tables) - len(crowd.finished) < tables // 2:
                await crowd.start(tables, with_bots=tables // 4)
            print(f"  kill {number + 1}: {len(crowd.promises)} moves promised, all kept")
        await crowd.moves_on(100)
        await crowd.stop()
    finally:
        for process in processes:
            process.stop()
    await check_promises(db, crowd)
    return crowd


def attacked(plan: Plan) -> dict[str, Any]:
    print(f"under attack for {plan.attack_s:g} s, beside {plan.tables} honest tables:")
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder) / "tables.db")
        found = asyncio.run(besieged(db, Path(folder), plan))
    for name, value in found.items():
        print(f"  {name}: {value}")
    return found


def killed(name: str, nodes: int, times: int, tables: int) -> dict[str, Any]:
    print(f"{name}, {nodes} node(s):")
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        if name == "sqlite":
            db = str(Path(folder) / "tables.db")
            crowd = asyncio.run(soak(db, nodes, times, tables))
        else:
            cluster = Cluster()
            try:
                crowd = asyncio.run(soak(cluster.database("soak"), nodes, times, tables))
            finally:
                cluster.close()
    seconds = round(time.perf_counter() - began, 1)
    return {f"{name}_promises": len(crowd.promises), f"{name}_seconds": seconds}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--tables", type=int, default=100, help="honest tables under attack")
    parser.add_argument("--attack-minutes", type=float, default=10.0)
    parser.add_argument(
        "--quiet-minutes", type=float, help="before it; a fifth of that if not said"
    )
    parser.add_argument("--pause", type=float, default=2.0, help="seconds a player thinks")
    parser.add_argument("--only", choices=("attack", "sqlite", "postgres"))
    parser.add_argument(
        "--attacks", default="", help=f"some of {','.join(ATTACKS)}; all if not said"
    )
    args = parser.parse_args()
    figures: dict[str, Any] = {}
    broken: list[str] = []
    if args.only in (None, "attack") and args.attack_minutes:
        seconds = args.attack_minutes * 60
        quiet = seconds / 5 if args.quiet_minutes is None else args.quiet_minutes * 60
        only = tuple(filter(None, args.attacks.split(",")))
        found = attacked(Plan(seconds, max(10.0, quiet), args.tables, args.pause, only=only))
        broken = holds(found)
        figures |= found
    for name, nodes in (("sqlite", 1), ("postgres", 2)):
        if args.only in (None, name):
            figures["kills_each"] = args.times
            figures |= killed(name, nodes, args.times, KILL_TABLES)
    figures |= {"lost": 0, "broken": broken}
    print(json.dumps(figures))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
