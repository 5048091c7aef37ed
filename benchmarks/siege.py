"""Honest players beside attackers: what the attackers cost them.

The same server and the same honest players, first in peace and then under every attack of
`benchmarks.attacks` at once. Honest tables come from addresses of their own, a move of each player
every few seconds; a few honest people sit at one table with an attacker.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

from tests.server.crowd import Crowd, check_promises
from tests.server.serving import Process

ROOT = Path(__file__).resolve().parent.parent
SHARED = 3
PAGE = os.sysconf("SC_PAGE_SIZE")
MOST_RATIO = 3.0
MOST_DEVIATION = 5.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, how many, and how fast each player moves."""

    attack_s: float = 600.0
    quiet_s: float = 120.0
    tables: int = 100
    pause_s: float = 2.0
    warm_up_s: float = 5.0
    only: tuple[str, ...] = ()


async def besieged(db: str, folder: Path, plan: Plan) -> dict[str, Any]:
    """The figures. Raises Wrong when something that was promised is lost."""
    usual = {
        "CABOCHON_REQUESTS_PER_S": "50",
        "CABOCHON_MOST_TABLES_PER_ADDRESS": "1000",
        "CABOCHON_MOST_UNFINISHED_PER_ADDRESS": "200",
        "CABOCHON_MOST_BOT_TABLES": "20",
    }  # what a server has that nobody has told otherwise
    with Process(db, usual) as process:
        sources = [f"127.1.{n // 200}.{n % 200 + 2}" for n in range(plan.tables)]
        crowd = Crowd([process.port], plan.pause_s, sources, patient=True)
        await crowd.start(plan.tables, with_bots=plan.tables // 10)
        shared = _share(crowd, folder)
        await asyncio.sleep(plan.warm_up_s)
        began = time.perf_counter()
        await asyncio.sleep(plan.quiet_s)
        attack = time.perf_counter()
        refused_before = len(crowd.refused) + len(crowd.refused_beside)
        done, memory = await _attacked(process, shared, plan)
        ended = time.perf_counter()
        await crowd.stop()
        process.stop()
    await check_promises(db, crowd)
    quiet = [wait for at, wait in crowd.waits if began <= at < attack]
    attacked = [wait for at, wait in crowd.waits if attack <= at < ended]
    return {
        "tables": plan.tables,
        "attack_s": plan.attack_s,
        "honest_moves_quiet": len(quiet),
        "honest_moves_attacked": len(attacked),
        "honest_refused": len(crowd.refused) + len(crowd.refused_beside),
        "refused_in_peace": refused_before,
        "refused_at_own_tables": sorted(crowd.refused),
        "refused_beside_attackers": _counted(crowd.refused_beside),
        "honest_tables_refused": len(crowd.no_table),
        **_latencies(quiet, attacked),
        **_memory(memory),
        "lost": 0,
        "attacks": done,
    }


def holds(found: dict[str, Any]) -> list[str]:
    """Which of the promises are broken."""
    broken = []
    if found["honest_refused"] or found["honest_tables_refused"]:
        broken.append("an honest move or table was refused")
    if found["p99_ratio"] > MOST_RATIO:
        broken.append(f"the p99 rose more than {MOST_RATIO:g} times")
    if found["memory_deviation_percent"] > MOST_DEVIATION:
        broken.append("memory is not flat")
    return broken


def _share(crowd: Crowd, folder: Path) -> Path:
    """Tables that honest people share with attackers, as the attackers read of them."""
    path, known = folder / "shared.json", {}

    def told(number: int, table: str, key: str) -> None:
        known[str(number)] = [table, key]
        unfinished = path.with_suffix(".part")
        unfinished.write_text(json.dumps(known), "utf-8")
        unfinished.replace(path)

    for number in range(SHARED):

        def tell(table: str, key: str, number: int = number) -> None:
            told(number, table, key)

        crowd.also(crowd.share(f"127.3.0.{number + 2}", tell))
    return path


async def _attacked(process: Process, shared: Path, plan: Plan) -> tuple[Any, list[int]]:
    """What the attackers got done, and the server's memory every second meanwhile."""
    only = [part for name in plan.only for part in ("--only", name)]
    where = ["--port", str(process.port), "--shared", str(shared)]
    attackers = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.attacks", *where, *only),
        *("--seconds", str(plan.attack_s)),
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    assert attackers.stdout is not None
    said = asyncio.create_task(attackers.stdout.read())
    memory: list[int] = []
    while attackers.returncode is None:
        memory.append(_resident(process.pid))
        await asyncio.wait([said], timeout=1)
        if said.done():
            await attackers.wait()
    return json.loads(said.result() or b"{}"), memory


def _resident(pid: int) -> int:
    """Bytes of memory that the process really has."""
    return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * PAGE


def _latencies(quiet: list[float], attacked: list[float]) -> dict[str, float]:
    before, during = _p99(quiet), _p99(attacked)
    return {
        "p99_quiet_ms": round(before * 1000, 1),
        "p99_attacked_ms": round(during * 1000, 1),
        "p99_ratio": round(during / before, 2),
    }


def _p99(waits: list[float]) -> float:
    return quantiles(waits, n=100)[98]


def _memory(samples: list[int]) -> dict[str, float]:
    half = samples[len(samples) // 2 :]
    middle = fmean(half)
    most = max(abs(sample - middle) for sample in half)
    return {
        "memory_mb": round(middle / 2**20, 1),
        "memory_deviation_percent": round(100 * most / middle, 2),
    }


def _counted(codes: list[str]) -> dict[str, int]:
    return {code: codes.count(code) for code in sorted(set(codes))}
