"""Costly things in one go: tables by the dozen, long stories one after the other."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cabochon.server.access.accesslimits import TABLES_AT_ONCE
from cabochon.server.storage.longwork import LONG_S, REST, LongWork
from tests.server.serving import serving

CHAIRS = {"chairs": [{"kind": "me", "name": "Ada"}, {"kind": "open"}]}


def test_nobody_makes_a_thousand_tables_in_one_go(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "t.db", most_tables_per_address=1000) as here,
        ThreadPoolExecutor(5) as several,
    ):
        asked = range(TABLES_AT_ONCE + 5)
        answers = several.map(lambda _: here.try_post("/tables", CHAIRS), asked)
        made = [answer.status_code for answer in answers]
    assert made.count(201) in range(TABLES_AT_ONCE, TABLES_AT_ONCE + 3)
    assert set(made) == {201, 429}


def test_after_a_long_story_the_next_one_waits_and_the_teller_is_not_kept() -> None:
    def busy() -> tuple[float, float]:
        began, end = time.monotonic(), time.thread_time() + 3 * LONG_S
        while time.thread_time() < end:
            pass
        return began, time.monotonic()

    async def told() -> tuple[float, float]:
        room = LongWork()
        try:
            first = asyncio.create_task(room.tell(1e6, busy))
            second = asyncio.create_task(room.tell(1e6, busy))
            _, ended = await first
            kept = time.monotonic() - ended
            began, _ = await second
            return began - ended, kept
        finally:
            room.close()

    rested, kept = asyncio.run(told())
    assert rested >= 0.9 * REST * 3 * LONG_S
    assert kept < rested / 2


def test_short_stories_are_told_at_once() -> None:
    async def told() -> float:
        room = LongWork()
        began = time.monotonic()
        for _ in range(20):
            await room.tell(1e6, lambda: None)
        room.close()
        return time.monotonic() - began

    assert asyncio.run(told()) < 20 * LONG_S
