"""A process that thinks for the servers of a database, on any machine that reaches it: it works the
queue of reviews off, and chooses bots' moves."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
from collections.abc import Callable, Coroutine
from typing import Any

from cabochon.server.logs import set_up_logs
from cabochon.server.reviews.reviewworker import ReviewWorker
from cabochon.server.settings import Settings
from cabochon.server.storage.database import (
    BadDatabase,
    FutureDatabase,
    database_errors,
    database_url,
    is_sqlite,
    open_database,
)
from cabochon.server.storage.reviewqueue import ReviewQueue
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.thinking.remoteworker import RemoteWorker


class CannotWork(Exception):
    """The database is away, or not one for this version. `key` names the sentence for the user
    (`serve.KEY` in the words), `what` goes into it."""

    def __init__(self, key: str, what: str = "") -> None:
        super().__init__(f"{key}: {what}")
        self.key = key
        self.what = what


def work_until_stopped(
    settings: Settings, reviews: int, bots: int, ready: Callable[[], None]
) -> None:
    """Make that many reviews and choose for that many bots at a time, until SIGTERM or SIGINT;
    another worker finishes what is under way then. Raises CannotWork."""
    set_up_logs("warning", False)
    try:
        if bots and is_sqlite(database_url(settings.database)):
            raise CannotWork("bots-need-postgres")
        asyncio.run(_work(settings, reviews, bots, ready))
    except FutureDatabase as error:
        raise CannotWork("future-db", str(error)) from None
    except BadDatabase as error:
        raise CannotWork("bad-db", str(error)) from None
    except ModuleNotFoundError as error:
        raise CannotWork("no-driver", str(error.name)) from None
    except database_errors() as error:
        raise CannotWork("bad-db", str(error).splitlines()[0][:200]) from None


async def _work(settings: Settings, reviews: int, bots: int, ready: Callable[[], None]) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    engine = await open_database(settings.database)
    aside = SideWriter(engine)
    queue, nice, dead_s = ReviewQueue(engine, aside), settings.review_nice, settings.node_dead_s
    reviewing = [ReviewWorker(queue, secrets.token_hex(8), nice, dead_s) for _ in range(reviews)]
    choosing = RemoteWorker(engine, bots, settings.bot_nice, dead_s) if bots else None
    try:
        for worker in reviewing:
            worker.start()
        if choosing is not None:
            await _unless(stopped, choosing.start())
        ready()
        await stopped.wait()
    finally:
        if choosing is not None:
            await choosing.close()
        for worker in reviewing:
            await worker.close()
        await aside.close()
        await engine.dispose()


async def _unless(stopped: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Do the work, but not beyond a wish to stop."""
    doing, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stopped.wait())
    await asyncio.wait((doing, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if doing.done():
        doing.result()
    else:
        doing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await doing
