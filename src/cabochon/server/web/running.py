"""Running the application under uvicorn: one process, or several that share a PostgreSQL."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from cabochon.server.access.addresses import Addresses
from cabochon.server.logs import set_up_logs
from cabochon.server.settings import Settings
from cabochon.server.storage.database import (
    BadDatabase,
    FutureDatabase,
    database_errors,
    database_url,
    file_of,
    is_full,
    is_sqlite,
    open_database,
    try_writing,
)
from cabochon.server.storage.occupancy import Occupied, occupy
from cabochon.server.tables.readiness import has_room
from cabochon.server.web.sockets import MOST_BYTES
from cabochon.server.web.sweeping import prepare_process
from cabochon.server.web.wire import Http, Socket

STOP_SECONDS = 5


class CannotServe(Exception):
    """The settings do not fit together, the port is taken, the database is away. `key` names the
    sentence for the user (`serve.KEY` in the words), `what` goes into it."""

    def __init__(self, key: str, what: str = "") -> None:
        super().__init__(f"{key}: {what}")
        self.key = key
        self.what = what


def serve(settings: Settings, started: Callable[[str], None]) -> None:
    """Serve until told to stop. `started` is called with the address as soon as connections are
    accepted. Raises CannotServe."""
    prepare_process()
    _check(settings)
    _allow_many_connections()
    config = _config(settings)
    listening = _bind(settings.host, settings.port)
    doors = [listening]
    if settings.admin_port:
        doors.append(_bind(settings.admin_host, settings.admin_port))
    if settings.workers > 1:
        started(address_of(settings, listening))
        Multiprocess(config, doors).run()
        return
    server = _Announcing(config, lambda: started(address_of(settings, listening)))
    server.run(sockets=doors)
    if not server.started:
        raise CannotServe("not-started")


def address_of(settings: Settings, listening: socket.socket) -> str:
    host = settings.host
    if host in ("0.0.0.0", "::", ""):
        host = "localhost"
    if ":" in host:
        host = f"[{host}]"
    return f"http://{host}:{listening.getsockname()[1]}/"


class _Announcing(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def _config(settings: Settings) -> uvicorn.Config:
    level = settings.log_level or ("info" if settings.log_json else "warning")
    set_up_logs(level, settings.log_json)
    os.environ.update(settings.to_environment())
    options: dict[str, Any] = {
        "factory": True,
        "workers": settings.workers,
        "loop": "auto",
        "http": Http,
        "ws": Socket,
        "ws_max_size": 4 * MOST_BYTES,
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "ws_per_message_deflate": False,
        "lifespan": "on",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "date_header": False,
        "proxy_headers": False,
        "timeout_graceful_shutdown": STOP_SECONDS,
        "timeout_keep_alive": 75,
    }
    return uvicorn.Config("cabochon.server.web.app:from_environment", **options)


def _allow_many_connections() -> None:
    """Each is an open file, of which a process may often have only a thousand unless it asks."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _check(settings: Settings) -> None:
    """Raises CannotServe, or ValueError for nonsense in a setting."""
    Addresses(settings)
    try:
        if settings.admin_port and settings.admin_port == settings.port:
            raise CannotServe("same-port", str(settings.port))
        url = database_url(settings.database)
    except BadDatabase as error:
        raise CannotServe("bad-db", str(error)) from None
    try:
        if settings.workers > 1 and is_sqlite(url):
            raise CannotServe("workers-need-postgres")
        if not settings.bots_here and is_sqlite(url):
            raise CannotServe("bots-need-postgres")
        asyncio.run(_try_database(settings.database))
    except Occupied as error:
        raise CannotServe("db-in-use", str(error)) from None
    except FutureDatabase as error:
        raise CannotServe("future-db", str(error)) from None
    except BadDatabase as error:
        raise CannotServe("bad-db", str(error)) from None
    except ModuleNotFoundError as error:
        raise CannotServe("no-driver", str(error.name)) from None
    except database_errors() as error:
        path = file_of(url)
        if is_full(error) or (path is not None and path.exists() and not has_room(path)):
            raise CannotServe("db-full", settings.database) from None
        raise CannotServe("bad-db", str(error).splitlines()[0][:200]) from None


async def _try_database(address: str) -> None:
    """Whether it is free, can be opened, brought up to date and written, before anybody is let
    in."""
    with occupy(address):
        engine = await open_database(address)
        try:
            await try_writing(engine)
        finally:
            await engine.dispose()


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise _not_listening(host, port, error) from None
    listening.listen(2048)
    listening.set_inheritable(True)
    return listening


def _not_listening(host: str, port: int, error: Exception) -> CannotServe:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EADDRINUSE:
        return CannotServe("address-used", f"{host}:{port}")
    if number == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return CannotServe("no-such-address", host)
    return CannotServe("bad-address", f"{host}:{port}: {error}")
