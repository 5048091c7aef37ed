"""What a server does beside everything else, for as long as it runs."""

from __future__ import annotations

import asyncio
import contextlib


async def ended(task: asyncio.Task[None] | None) -> None:
    """Cancel a task, if there is one, and wait until it is gone. Raises what it failed with."""
    if task is None:
        return
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
