"""Fifty times kill -9 at random moments under load, on SQLite and on PostgreSQL.

After every kill the database is read directly: each move that was acknowledged is there, every
table replays, no turn is half made. Then the server starts again and players and bots go on. On
PostgreSQL two nodes run, and a random one is killed each time.

    python benchmarks/soak_server.py [--times 50] [--tables 40] [--only sqlite]
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

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.server.cluster import Cluster
from tests.server.crowd import Crowd, check_promises
from tests.server.serving import Process


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--only", choices=("sqlite", "postgres"))
    args = parser.parse_args()
    figures: dict[str, object] = {"kills_each": args.times}
    for name, nodes in (("sqlite", 1), ("postgres", 2)):
        if args.only not in (None, name):
            continue
        print(f"{name}, {nodes} node(s):")
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            if name == "sqlite":
                db = str(Path(folder) / "tables.db")
                crowd = asyncio.run(soak(db, nodes, args.times, args.tables))
            else:
                cluster = Cluster()
                try:
                    db = cluster.database("soak")
                    crowd = asyncio.run(soak(db, nodes, args.times, args.tables))
                finally:
                    cluster.close()
        figures[f"{name}_promises"] = len(crowd.promises)
        figures[f"{name}_seconds"] = round(time.perf_counter() - began, 1)
    figures["lost"] = 0
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
