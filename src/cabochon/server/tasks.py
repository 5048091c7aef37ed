"""What the tasks of a server share: each runs beside the others for as long as the server does."""

from __future__ import annotations

import asyncio
import contextlib

BEATS_TO_DEATH = 4
"""How many signs of life a process gives within the time after which it counts as dead."""
KEEP_ALIVE_S = 7.0
"""A stream with nothing to say sends an empty line this often, so that nobody cuts it off."""


async def ended(task: asyncio.Task[None] | None) -> None:
    """Cancel a task, if there is one, and wait until it is gone. Raises what it failed with."""
    if task is None:
        return
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
