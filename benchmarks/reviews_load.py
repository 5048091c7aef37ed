"""Two hundred tables, a move a second at each, without and with ten reviews running.

One server with ten review workers, one run: first nobody asks for a review, then ten deep ones are
under way all the time, then nobody does again. The time is taken from sending a move until every
player at the table has been told. Last comes one line of JSON.

    python benchmarks/reviews_load.py [--seconds 30] [--tables 200] [--rate 200] [--reviews 10]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.server import (
    DISTURBING_S,
    Load,
    Server,
    _loop_factory,
    percentile,
    undisturbed,
)
from benchmarks.witness import Witness

import cabochon
from cabochon.notation import format_record

GAMES = 60
Span = tuple[float, float]


def games() -> list[str]:
    """Records of different games."""
    found = []
    for number in range(GAMES):
        game = cabochon.Game(seed=f"load {number}", bots=["greedy", "uniform"])
        game.play_out()
        found.append(format_record(game.record))
    return found


class Reviewing:
    """Keeps so many reviews under way, until told to stop."""

    def __init__(self, load: Load, records: list[str], count: int) -> None:
        self._load = load
        self._records = iter(records)
        self._count = count
        self.ids: set[str] = set()
        self.done = 0

    async def fill(self) -> None:
        """Ask for as many as are missing."""
        for review_id in list(self.ids):
            state = (await self._load.http.get(f"/api/reviews/{review_id}")).json()["state"]
            if state == "done":
                self.ids.remove(review_id)
                self.done += 1
        while len(self.ids) < self._count and (record := next(self._records, None)) is not None:
            answer = await self._load.http.post(
                "/api/reviews", json={"record": record, "depth": "deep"}
            )
            answer.raise_for_status()
            self.ids.add(answer.json()["id"])

    async def under_way(self) -> bool:
        """Whether all workers have begun."""
        states = [
            (await self._load.http.get(f"/api/reviews/{review_id}")).json()["done"]
            for review_id in self.ids
        ]
        return all(states)

    async def keep_up(self) -> None:
        while True:
            await self.fill()
            await asyncio.sleep(1)

    async def drain(self) -> None:
        self._records = iter(())
        while self.ids:
            await self.fill()
            await asyncio.sleep(0.5)


async def run(server: Server, args: argparse.Namespace) -> tuple[Load, dict[str, list[Span]], int]:
    load = Load(server.base, args.tables, False)
    reviewing = Reviewing(load, games(), args.reviews)
    spans: dict[str, list[Span]] = {"without": [], "with": []}

    async def phase(kind: str, seconds: float) -> None:
        began = time.perf_counter()
        await load.run(seconds, args.rate)
        spans[kind].append((began, time.perf_counter()))

    await load.open_all()
    gc.disable()  # the crowd's own pauses are not the server's
    await load.run(3.0, args.rate)
    await phase("without", args.seconds / 2)
    await reviewing.fill()
    while not await reviewing.under_way():
        await asyncio.sleep(0.5)
    reviewing.done = 0
    keeping = asyncio.create_task(reviewing.keep_up())
    await phase("with", args.seconds)
    keeping.cancel()
    reviewed = reviewing.done
    await reviewing.drain()
    await phase("without", args.seconds / 2)
    await load.close()
    return load, spans, reviewed


def within(moves: list[Span], spans: list[Span]) -> list[Span]:
    return [move for move in moves if any(began <= move[0] <= ended for began, ended in spans)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--reviews", type=int, default=10)
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory() as folder, Witness() as witness:
        server = Server(
            Path(folder) / "tables.db",
            CABOCHON_REVIEW_WORKERS=str(args.reviews),
            CABOCHON_QUICK_REVIEWS="no",
            CABOCHON_MOST_REVIEWS_PER_PERSON="1000",
            CABOCHON_MOST_REVIEWS_PER_ADDRESS="1000",
        )
        try:
            with asyncio.Runner(loop_factory=_loop_factory()) as runner:
                load, spans, reviewed = runner.run(run(server, args))
        finally:
            server.stop()
        stalls = [stall for stall in witness.stalls() if stall[1] - stall[0] > DISTURBING_S]
    figures: dict[str, object] = {"tables": args.tables, "reviews": args.reviews}
    for kind, when in spans.items():
        moves = within(load.moves, when)
        times = [took for _, took in moves]
        calm = undisturbed(moves, stalls)
        figures[f"p50_ms_{kind}"] = round(percentile(times, 0.5), 2)
        figures[f"p99_ms_{kind}"] = round(percentile(times, 0.99), 2)
        figures[f"p99_ms_{kind}_undisturbed"] = round(percentile(calm, 0.99), 2) if calm else None
        p50, p99, worst = (percentile(times, part) for part in (0.5, 0.99, 1.0))
        print(f"{kind} reviews: {len(times)} moves, p50 {p50:.1f} ms, p99 {p99:.1f} ms, "
              f"worst {worst:.1f} ms")  # fmt: skip
    print(f"{reviewed} deep reviews were finished meanwhile; {load.late} moves were late")
    figures |= {"reviewed": reviewed, "errors": sum(load.errors.values())}
    print(json.dumps(figures))
    return int(bool(load.errors))


if __name__ == "__main__":
    sys.exit(main())
