"""A process that does nothing but work the queue of reviews off, on any machine that reaches the
database."""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Callable

from cabochon.server.logs import set_up_logs
from cabochon.server.reviews.reviewworker import ReviewWorker
from cabochon.server.settings import Settings
from cabochon.server.storage.database import (
    BadDatabase,
    FutureDatabase,
    database_errors,
    open_database,
)
from cabochon.server.storage.reviewqueue import ReviewQueue
from cabochon.server.storage.sidewriter import SideWriter


class CannotWork(Exception):
    """The database is away, or not one for this version. `key` names the sentence for the user
    (`serve.KEY` in the words), `what` goes into it."""

    def __init__(self, key: str, what: str = "") -> None:
        super().__init__(f"{key}: {what}")
        self.key = key
        self.what = what


def review_until_stopped(settings: Settings, ready: Callable[[], None]) -> None:
    """Work until SIGTERM or SIGINT; what is under way then, another worker goes on with. Raises
    CannotWork."""
    set_up_logs("warning", False)
    try:
        asyncio.run(_work(settings, ready))
    except FutureDatabase as error:
        raise CannotWork("future-db", str(error)) from None
    except BadDatabase as error:
        raise CannotWork("bad-db", str(error)) from None
    except ModuleNotFoundError as error:
        raise CannotWork("no-driver", str(error.name)) from None
    except database_errors() as error:
        raise CannotWork("bad-db", str(error).splitlines()[0][:200]) from None


async def _work(settings: Settings, ready: Callable[[], None]) -> None:
    engine = await open_database(settings.database)
    aside = SideWriter(engine)
    queue, name = ReviewQueue(engine, aside), secrets.token_hex(8)
    worker = ReviewWorker(queue, name, settings.review_nice, settings.node_dead_s)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    try:
        worker.start()
        ready()
        await stopped.wait()
    finally:
        await worker.close()
        await aside.close()
        await engine.dispose()
