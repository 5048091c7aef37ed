"""The application: routes, guard, errors, and what runs beside them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from types import FrameType

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from cabochon.puzzles.book import shipped_book
from cabochon.rules import CabochonError
from cabochon.server.access.accesslimits import AccessLimits
from cabochon.server.access.sharedlimits import SharedLimits
from cabochon.server.people.chances import ChanceDesk
from cabochon.server.people.housekeeping import PeopleHousekeeping
from cabochon.server.people.invitedesk import InviteDesk
from cabochon.server.people.nodenotes import NodeNotes
from cabochon.server.people.pooldesk import PoolDesk
from cabochon.server.people.poolratings import rating_in
from cabochon.server.people.puzzledesk import PuzzleDesk
from cabochon.server.people.settling import SettleDesk
from cabochon.server.people.watchdesk import WatchDesk
from cabochon.server.problems import (
    ServerFault,
    ServerRefused,
    language_of,
    refusal_response,
)
from cabochon.server.reviews.lookdesk import LookDesk
from cabochon.server.reviews.reviewdesk import ReviewDesk
from cabochon.server.settings import Settings
from cabochon.server.storage.database import database_errors, is_away, open_database
from cabochon.server.storage.gamereads import GameReads
from cabochon.server.storage.occupancy import occupy
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables.hub import Hub
from cabochon.server.tables.maintenance import Maintenance
from cabochon.server.tables.orders import Orders
from cabochon.server.tables.packer import Packer
from cabochon.server.tables.steadyclock import SteadyClock
from cabochon.server.thinking.remotebots import RemoteBots
from cabochon.server.web import sockets
from cabochon.server.web.adminport import AdminPort
from cabochon.server.web.guard import Guard
from cabochon.server.web.looplag import LoopLag
from cabochon.server.web.pages import add_pages
from cabochon.server.web.painting import Painter
from cabochon.server.web.routes import (
    civility,
    health,
    hints,
    invitations,
    keeping,
    learning,
    leaving,
    lessons,
    me,
    meta,
    mygames,
    mylearning,
    players,
    playing,
    pools,
    positions,
    puzzles,
    records,
    reviews,
    signin,
    streams,
    studies,
    tables,
    tokens,
    watching,
)
from cabochon.server.web.sweeping import Sweeper, prepare_process
from cabochon.version import __version__

log = logging.getLogger("cabochon.server")


ROUTES = (
    meta,
    learning,
    lessons,
    players,
    mygames,
    mylearning,
    me,
    keeping,
    signin,
    leaving,
    pools,
    civility,
    invitations,
    watching,
    tables,
    playing,
    hints,
    streams,
    records,
    studies,
    positions,
    puzzles,
    reviews,
    tokens,
    health,
)


def make_app(settings: Settings, clock: Callable[[], int] | None = None) -> FastAPI:
    """The server as an ASGI application; its database is opened when it starts. Without a `clock`
    its time is steady from then on, and never earlier than what the database has seen."""
    app = FastAPI(
        title="Cabochon",
        version=__version__,
        summary="The table online",
        lifespan=lambda app: _lifetime(app, settings, clock),
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.settings = settings
    app.state.access = AccessLimits(settings)
    app.state.painter = Painter()
    app.state.exposition = health.Exposition()
    app.include_router(sockets.router)  # first: routes are tried in turn, and most come for these
    for module in ROUTES:
        app.include_router(module.router)
    if not settings.admin_port:
        app.include_router(health.numbers)
    add_pages(app)
    _add_error_handlers(app)
    app.add_middleware(sockets.TableDoor)
    app.add_middleware(Guard, access=app.state.access)
    if settings.admin_port:
        app.add_middleware(AdminPort, inside=_admin_side(app), port=settings.admin_port)
    return app


@contextlib.asynccontextmanager
async def _lifetime(
    app: FastAPI, settings: Settings, clock: Callable[[], int] | None
) -> AsyncIterator[None]:
    """From the opening of the database to its closing."""
    with occupy(settings.database):
        engine = await open_database(settings.database)
        store = SqlStore(engine, secrets.token_hex(8))
        store.start()
        hub = Hub(store, settings, clock or SteadyClock(await store.latest_ms()))
        app.state.hub = hub
        app.state.access.bans = store.bans
        async with (
            _upkeep(app, hub) as (maintenance, orders),
            _studio(app, hub),
            _company(app, hub),
            _handing_on(hub, maintenance, orders),
        ):
            with _departing(hub.depart), _swept():
                yield
        await store.close()


@contextlib.contextmanager
def _swept() -> Iterator[None]:
    sweeper = Sweeper()
    sweeper.start()
    try:
        yield
    finally:
        sweeper.close()


@contextlib.asynccontextmanager
async def _upkeep(app: FastAPI, hub: Hub) -> AsyncIterator[tuple[Maintenance, Orders]]:
    """The hub itself, and what looks after it: clocks and leases, administrators' orders, measures,
    limits."""
    maintenance, orders, lag = Maintenance(hub), Orders(hub), LoopLag()
    limits = SharedLimits(hub.store.engine, app.state.access.buckets())
    await hub.relay.start()
    await maintenance.start()
    await orders.start()
    lag.start()
    if hub.store.is_shared:
        app.state.access.share()
        limits.start()
    hub.job(asyncio.to_thread(shipped_book))  # a third of a second: not for the loop
    bots = _bots(hub)
    yield maintenance, orders
    await hub.close()
    await bots.close()
    await lag.close()
    await limits.close()


def _bots(hub: Hub) -> RemoteBots:
    """The processes that they think in are started; the workers elsewhere, listened for."""
    bots, store = hub.scheduler.bots, hub.store
    bots.start()
    remote = RemoteBots(bots, store.engine, store.node, hub.settings.node_dead_s)
    if store.is_shared:
        remote.start()
    return remote


@contextlib.asynccontextmanager
async def _handing_on(hub: Hub, maintenance: Maintenance, orders: Orders) -> AsyncIterator[None]:
    """At the end others take the tables up first, while this server tidies away."""
    yield
    hub.depart()
    await maintenance.close()
    await orders.close()


@contextlib.asynccontextmanager
async def _studio(app: FastAPI, hub: Hub) -> AsyncIterator[None]:
    """Reviews and the live engine, with the processes that work for them; the book of finished
    games, and those who play them."""
    app.state.aside = aside = SideWriter(hub.store.engine)
    care = PeopleHousekeeping(hub, aside)
    care.start()
    reviews_desk, looks_desk = ReviewDesk(hub, aside), LookDesk(hub, aside)
    settle_desk, packer = SettleDesk(hub, aside), Packer(hub, aside)
    app.state.reviews, app.state.looks = reviews_desk, looks_desk
    app.state.reads = GameReads(hub.store.engine)
    app.state.puzzles = PuzzleDesk(hub.store.engine, aside)
    reviews_desk.start()
    looks_desk.start()
    settle_desk.start()
    packer.start()
    try:
        yield
    finally:
        await packer.close()
        await care.close()
        await settle_desk.close()
        await looks_desk.close()
        await reviews_desk.close()
        await aside.close()


@contextlib.asynccontextmanager
async def _company(app: FastAPI, hub: Hub) -> AsyncIterator[None]:
    """What brings people together, and shows others what they play."""
    app.state.notes = notes = NodeNotes(hub)
    chances = ChanceDesk(app.state.looks)
    app.state.watching = watching = WatchDesk(hub, chances, notes)
    app.state.pools = pools_desk = PoolDesk(hub, rating_in(hub.store), notes.here)
    app.state.invitations = invite_desk = InviteDesk(hub)
    desks = (notes, chances, watching, pools_desk, invite_desk)
    for desk in desks:
        desk.start()
    try:
        yield
    finally:
        for desk in reversed(desks):
            await desk.close()


def _admin_side(app: FastAPI) -> FastAPI:
    """What the second port serves, out of the same state."""
    side = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    side.state = app.state
    side.include_router(health.router)
    side.include_router(health.numbers)
    _add_error_handlers(side)
    return side


@contextlib.contextmanager
def _departing(depart: Callable[[], None]) -> Iterator[None]:
    """When the process is told to stop, connections are sent off at once, so that the server does
    not wait for them; whatever else the signal does, it still does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    former = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def on_signal(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(depart)
        handler = former[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in former:
        signal.signal(number, on_signal)
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def from_environment() -> FastAPI:
    """What a worker process serves."""
    prepare_process()
    return make_app(Settings.from_environment())


def _add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(CabochonError)
    async def refused(request: Request, error: CabochonError) -> Response:
        return _answer(request, error)

    @app.exception_handler(playing.ProblemRaised)
    async def problem_raised(_request: Request, error: playing.ProblemRaised) -> Response:
        return error.response()

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        what = str(first["msg"])[:200]
        return _answer(request, ServerRefused(ServerFault.BAD_REQUEST, where=where, what=what))

    for kind in database_errors():
        app.add_exception_handler(kind, _database_failed)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            refusal = ServerRefused(ServerFault.WRONG_METHOD, method=request.method[:10])
        elif error.status_code == 404:
            refusal = ServerRefused(ServerFault.NO_SUCH_PAGE)
        else:
            refusal = ServerRefused(
                ServerFault.BAD_REQUEST, where="request", what=str(error.detail)[:200]
            )
        response = _answer(request, refusal)
        if error.headers:
            response.headers.update(error.headers)
        return response

    @app.exception_handler(Exception)
    async def broken(request: Request, _error: Exception) -> Response:
        return _answer(request, ServerRefused(ServerFault.BROKEN))


async def _database_failed(request: Request, error: Exception) -> Response:
    if is_away(error):
        log.warning("the database is away: %s", type(error).__name__)
        return _answer(request, ServerRefused(ServerFault.DATABASE_AWAY))
    log.error("the database refused", exc_info=error)
    return _answer(request, ServerRefused(ServerFault.BROKEN))


def _answer(request: Request, error: CabochonError) -> Response:
    language = language_of(request.headers.get("accept-language"), request.query_params.get("lang"))
    return refusal_response(error, language)
