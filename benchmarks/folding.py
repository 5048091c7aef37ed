"""How long a table with two thousand events takes to come back from the database.

    python benchmarks/folding.py [--moves 999] [--takebacks 500] [--times 9]

Somebody who holds both seats has played `moves` moves and then taken one back and made another
`takebacks` times. It prints the best and the median time in milliseconds: of the whole load as the
server does it (`load` by the wall clock, `cpu` by processor time), and of the two parts that grow
with the log, reading the rows and folding them (by processor time). `slowness` says how many times
as long as on a quiet machine everything takes just now.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.yardstick import slowness
from tests.play.longlogs import long_log
from tests.server.planted import one_person, plant

from cabochon.play.events import event_from_json, event_to_json
from cabochon.play.table import Table
from cabochon.server.settings import Settings
from cabochon.server.storage.database import open_database
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables.hub import Hub
from cabochon.server.web.sweeping import AUTOMATIC

TABLE = "longlong01"


def timed(times: int, work: Callable[[], object]) -> list[float]:
    took = []
    for _ in range(times):
        began = time.process_time()
        work()
        took.append(1000 * (time.process_time() - began))
    return took


async def loads(db: Path, times: int) -> dict[str, list[float]]:
    """Cold loads: the table is forgotten after each."""
    store = SqlStore(await open_database(str(db)), "bench")
    hub = Hub(store, Settings(db=str(db)))
    took: dict[str, list[float]] = {"load": [], "cpu": []}
    for _ in range(times):
        began, spent = time.perf_counter(), time.process_time()
        await hub.live(TABLE)
        took["load"].append(1000 * (time.perf_counter() - began))
        took["cpu"].append(1000 * (time.process_time() - spent))
        hub.forget(TABLE)
    await store.close()
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("moves", 999), ("takebacks", 500), ("times", 9)):
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    gc.set_threshold(*AUTOMATIC)  # as `cabochon serve` has it
    events = long_log(args.moves, args.takebacks, one_person())
    bodies = [orjson.dumps(event_to_json(event)) for event in events]
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "t.db"
        plant(db, TABLE, events=events)
        gc.freeze()
        figures = {
            **asyncio.run(loads(db, args.times)),
            "rows": timed(args.times, lambda: [event_from_json(orjson.loads(b)) for b in bodies]),
            "fold": timed(args.times, lambda: Table.of(TABLE, events)),
        }
    shown = {name: [round(min(t), 1), round(median(t), 1)] for name, t in figures.items()}
    print(json.dumps({"events": len(events), "slowness": round(slowness(), 2), **shown}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
