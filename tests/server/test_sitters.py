"""Who plays where is known at once, also while it is being written down."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from cabochon.server.storage import sitters
from cabochon.server.storage.sitters import Sitters


def test_who_asks_in_the_middle_of_a_write_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    async def check() -> None:
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def slowly(engine: Any, statement: Any, rows: list[dict[str, str]]) -> None:
            begun.set()
            await go_on.wait()
            written.extend(row["who"] for row in rows)

        monkeypatch.setattr(sitters, "change_rows", slowly)
        kept = Sitters(create_async_engine("sqlite+aiosqlite://"))
        kept.note("table", ["ada"])
        first = asyncio.create_task(kept.write())
        await begun.wait()
        second = asyncio.create_task(kept.write())
        await asyncio.sleep(0.01)
        assert not second.done()
        go_on.set()
        await asyncio.gather(first, second)
        assert written == ["ada"]
        await kept.close()

    asyncio.run(check())
