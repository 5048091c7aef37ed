"""The table's socket: one task reads commands, one writes messages."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from cabochon.play.messages import VERSION, TableInfo
from cabochon.play.messaging import Audience
from cabochon.rules import CabochonError
from cabochon.server import metrics
from cabochon.server.access import prices
from cabochon.server.access.accesslimits import AccessLimits
from cabochon.server.access.identity import Caller, bearer, check_may_look
from cabochon.server.limits import Bucket
from cabochon.server.people.fairness import check_rematch
from cabochon.server.people.invitedesk import InviteDesk
from cabochon.server.people.pooldesk import PoolDesk
from cabochon.server.people.watchdesk import WatchDesk
from cabochon.server.problems import ServerFault, ServerRefused, problem, refusal_response
from cabochon.server.storage.database import database_errors, is_away
from cabochon.server.tables.hub import Hub
from cabochon.server.tables.live import TOO_SLOW, Live, Subscriber
from cabochon.server.tables.loading import check_load
from cabochon.server.tables.lobbymessages import LobbyFull
from cabochon.server.tables.replies import missed_since
from cabochon.server.tables.seatcommands import SeatCommands
from cabochon.server.web.clientmessages import (
    MOVE_SIGN,
    ChatCommand,
    CheckCommand,
    ClaimCommand,
    FillCommand,
    Hello,
    LeaveCommand,
    MoveCommand,
    Ping,
    RematchCommand,
    ResignCommand,
    ShareCommand,
    SocketCommand,
    TakebackCommand,
    TextingCommand,
    read_command,
    read_hello,
    read_move,
)
from cabochon.server.web.routes.common import caller_of
from cabochon.server.web.socketframes import POLICY

router = APIRouter()

MOST_BYTES = 4096
HELLO_SECONDS = 10.0
SHOWN_S = 2.0
PLAYS_S = 5.0
"""How often the games to watch are sent again, and where the watchers play themselves."""
CLOSE_SECONDS = 2.0
TRY_AGAIN = 1013
GOING_AWAY = 1001
TOO_MANY = "too many messages"
_CODES = {TOO_SLOW: TRY_AGAIN, TOO_MANY: POLICY}


@router.websocket("/api/tables/{table_id}/socket")
async def table_socket(socket: WebSocket, table_id: str) -> None:
    """Say hello, then receive everything; commands are answered by their id."""
    hub: Hub = socket.app.state.hub
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError, TimeoutError):
        async with _accepted(socket):
            with metrics.CONNECTIONS.labels("socket").track_inprogress():
                # A task of its own, or every message would wake all layers of the application.
                await asyncio.create_task(_Talk(hub, socket).run(table_id))


class TableDoor:
    """Middleware that leads straight to the table's socket. Two come for every game, and the layers
    of the application, with all its routes, would take as long as all that is done for them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _TABLE_SOCKET.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        scope["route"] = _TABLE_ROUTE
        await table_socket(WebSocket(scope, receive, send), found[1])


_TABLE_ROUTE = next(route for route in router.routes if isinstance(route, WebSocketRoute))
_TABLE_SOCKET = re.compile(r"/api/tables/([^/]+)/socket")


@router.websocket("/api/lobby")
async def lobby_socket(socket: WebSocket) -> None:
    """All listed tables that are open or running, then every change; the pools, and invitations to
    you; with `?watch=1` also the games to watch."""
    hub: Hub = socket.app.state.hub
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError, TimeoutError):
        async with _accepted(socket):
            caller = await _lobby_caller(socket)
            with metrics.CONNECTIONS.labels("lobby").track_inprogress():
                async with _in_lobby(socket, caller) as subscriber:
                    listed = await hub.listing("open") + await hub.listing("running")
                    await _watch_lobby(socket, subscriber, listed)


async def _lobby_caller(socket: WebSocket) -> Caller:
    """Nobody in particular, where it cannot be found out."""
    with contextlib.suppress(CabochonError, *database_errors()):
        return await caller_of(socket, ())
    return Caller()


@contextlib.asynccontextmanager
async def _in_lobby(socket: WebSocket, caller: Caller) -> AsyncIterator[Subscriber]:
    """Somebody hears everything that the lobby has to say to them."""
    state = socket.app.state
    hub: Hub = state.hub
    pools: PoolDesk = state.pools
    invitations: InviteDesk = state.invitations
    subscriber, person = hub.lobby.subscribe(), caller.person
    hub.visitors.enter(subscriber, state.access.address(socket), caller)
    pools.look_on(subscriber, person)
    if person is not None:
        invitations.subscribe(person.id, subscriber)
    shown: asyncio.Task[None] | None = None
    if socket.query_params.get("watch") == "1":
        shown = asyncio.create_task(_show_games(socket, caller, subscriber), name="show")
    try:
        yield subscriber
    finally:
        if shown is not None:
            shown.cancel()
        if person is not None:
            invitations.unsubscribe(person.id, subscriber)
        pools.look_away(subscriber)
        hub.visitors.leave(subscriber)
        hub.lobby.unsubscribe(subscriber)


async def _show_games(socket: WebSocket, caller: Caller, subscriber: Subscriber) -> None:
    """What `GET /api/watch` answers, whenever it has changed."""
    state = socket.app.state
    hub: Hub = state.hub
    desk: WatchDesk = state.watching
    heard, who, looked = b"", state.access.sitter(socket, caller), -PLAYS_S
    plays_at: list[str] = []
    while not subscriber.closed:
        with contextlib.suppress(*database_errors()):
            if time.monotonic() - looked >= PLAYS_S:
                looked, plays_at = time.monotonic(), await hub.sitters.running(who)
            page = await desk.page(caller, plays_at)
            said = orjson.dumps({"type": "watch", **page})
            if said != heard:
                heard = said
                subscriber.push(said)
        await asyncio.sleep(SHOWN_S)


async def _watch_lobby(
    socket: WebSocket, subscriber: Subscriber, tables: Sequence[TableInfo]
) -> None:
    """Nothing that the client says is read, except that it goes."""
    whole: LobbyFull = {"v": VERSION, "type": "lobbyFull", "seq": 0, "tables": [*tables]}
    await socket.send_text(orjson.dumps(whole).decode())
    writer = asyncio.create_task(_write(socket, subscriber))
    bucket = Bucket(rate=1, burst=20)
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            if bucket.take():
                subscriber.close(TOO_MANY)
    finally:
        writer.cancel()


@contextlib.asynccontextmanager
async def _accepted(socket: WebSocket) -> AsyncIterator[None]:
    """Only from our own pages, the origins that are allowed, or a program (no origin), and not
    too many. Raises WebSocketDisconnect when the door stays shut."""
    access: AccessLimits = socket.app.state.access
    try:
        access.check_host(socket)
        if not access.origin_allowed(socket):
            metrics.TURNED_AWAY.labels("origin").inc()
            raise ServerRefused(ServerFault.BAD_ORIGIN)
        access.check_request(socket)
        address = access.enter(socket)
    except ServerRefused as refusal:
        await socket.send_denial_response(refusal_response(refusal, "en"))
        raise WebSocketDisconnect(POLICY) from None
    try:
        await socket.accept()
        yield
    finally:
        access.leave(address)


async def _write(socket: WebSocket, subscriber: Subscriber) -> None:
    """Send what there is until the subscriber is closed, then close the socket."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        await subscriber.pour_into(socket.state.line)
        await socket.close(_CODES.get(subscriber.why, GOING_AWAY), subscriber.why)


class ProtocolViolation(Exception):
    """The client breaks the grammar of the socket; the talk ends here."""


class _Guest(NamedTuple):
    """Who comes to a table by a socket, and what they have seen of it."""

    live: Live
    caller: Caller
    seats: tuple[int, ...]
    since: int | None
    facts: bool


class _Talk:
    """One connection to one table."""

    def __init__(self, hub: Hub, socket: WebSocket) -> None:
        self._hub = hub
        self._socket = socket
        self._access: AccessLimits = socket.app.state.access
        self._bucket = Bucket(rate=hub.settings.requests_per_s, burst=60)
        self._lang = "en"
        self._begun = False
        self._done = asyncio.Event()
        """A move that was taken without a task is under way; set once it is answered."""

    async def run(self, table_id: str) -> None:
        try:
            live, caller, seats, since, facts = await self._let_in(table_id)
        except CabochonError as error:
            await self._refuse_and_close(error)
            return
        except database_errors() as error:
            await self._refuse_and_close(_away(error), TRY_AGAIN)
            return
        subscriber = Subscriber(Audience(seats, facts))
        address = self._access.address(self._socket)
        self._hub.visitors.enter(subscriber, address, caller)
        if subscriber.audience.seats:
            who = self._access.sitter(self._socket, caller)
            self._hub.sitters.note(live.table.id, who)
        seat = SeatCommands(self._hub, live, caller)
        late = self._hub.late.applies(live.table, seats)
        if late:
            live = await self._hub.late.connect(live, subscriber)
        else:
            await self._hub.presence.connect(live, subscriber, since)
        writer = asyncio.create_task(_write(self._socket, subscriber))
        line = self._socket.state.line
        line.on_text = partial(self._move_soon, live, seat, subscriber)
        try:
            await self._listen(live, seat, subscriber)
        except ProtocolViolation as rude:
            metrics.LIMITED.inc()
            writer.cancel()
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._socket.close(POLICY, str(rude))
        finally:
            line.on_text = None
            writer.cancel()
            self._hub.visitors.leave(subscriber)
            if late:
                self._hub.late.disconnect(live, subscriber)
            else:
                self._hub.presence.disconnect(live, subscriber)

    async def _let_in(self, table_id: str) -> _Guest:
        """After their hello. Raises CabochonError, or what a database raises."""
        hello = await self._hello()
        self._lang = hello.lang
        secrets = [*hello.keys, *bearer(self._socket.headers.get("authorization"))]
        caller = await caller_of(self._socket, secrets)
        await check_load(self._hub, self._access, self._socket, table_id)
        live = await self._hub.live(table_id)
        seats = check_may_look(live.table, caller, hello.watch)
        # Whoever holds less than it thinks is told everything, and so what it does hold.
        since = hello.since if caller.plays_all(live.table) else None
        missed = missed_since(live.table, since)
        price = prices.of_joining(live.table, missed, hello.facts)
        self._access.check_request(self._socket, price)
        return _Guest(live, caller, seats, since, hello.facts)

    async def _hello(self) -> Hello:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                text = await self._socket.receive_text()
            return read_hello(text)
        except (TimeoutError, KeyError):
            raise ServerRefused(ServerFault.BAD_MESSAGE, what="hello") from None
        except ValidationError as error:
            raise _unreadable(error) from None

    async def _listen(self, live: Live, seat: SeatCommands, subscriber: Subscriber) -> None:
        """`live` is what is told here; commands go to the table as it is now."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if text is None or len(text) > MOST_BYTES:
                raise ProtocolViolation("only short text messages are read here")
            if self._bucket.take():
                raise ProtocolViolation(TOO_MANY)
            if subscriber.closed:
                continue
            if self._begun:
                await self._done.wait()
            subscriber.push(await self._heard(live, seat, text))

    async def _heard(self, live: Live, seat: SeatCommands, text: str) -> bytes:
        """What is answered."""
        try:
            command = read_command(text)
        except ValidationError as error:
            refusal = problem(_unreadable(error), self._lang)
            return _answer("refused", live, id=_id_in(text), problem=refusal)
        return await self._answered(seat, live, command)

    def _move_soon(self, live: Live, seat: SeatCommands, subscriber: Subscriber, text: str) -> bool:
        """Begin the move, if it is one and nothing is in its way; it is answered when everybody has
        been told. Whatever else there is to say is said by `_listen`."""
        if self._begun or subscriber.closed or MOVE_SIGN not in text or self._bucket.take():
            return False
        command: MoveCommand | None = None

        def read() -> MoveCommand | None:
            nonlocal command
            command = None if subscriber.closed else _move_in(text)
            return command

        def told(seq: int | None) -> None:
            if seq is None or command is None:  # the other way is taken, which says what is wrong
                self._hub.job(self._heard_after_all(live, seat, subscriber, text))
            else:
                subscriber.push(_answer("accepted", live, id=command.id, version=seq, event=seq))
                self._end_move()

        if not seat.move_soon(read, told):
            self._bucket.left += 1
            return False
        self._begun = True
        self._done.clear()
        return True

    async def _heard_after_all(
        self, live: Live, seat: SeatCommands, subscriber: Subscriber, text: str
    ) -> None:
        try:
            if not subscriber.closed:
                subscriber.push(await self._heard(live, seat, text))
        finally:
            self._end_move()

    def _end_move(self) -> None:
        self._begun = False
        self._done.set()

    async def _answered(self, seat: SeatCommands, live: Live, command: SocketCommand) -> bytes:
        version = getattr(command, "version", None)
        try:
            try:
                return await self._carried_out(seat, live, command)
            except database_errors() as error:
                raise _away(error) from error
        except CabochonError as error:
            refusal = await seat.problem(error, self._lang, version)
            if isinstance(command, CheckCommand):
                return _answer(
                    "checked", live, id=command.id, ok=False, after=None, problem=refusal
                )
            return _answer("refused", live, id=command.id, problem=refusal)

    async def _carried_out(self, seat: SeatCommands, live: Live, command: SocketCommand) -> bytes:
        match command:
            case MoveCommand():
                seq = await seat.move(command.moves, command.version, command.id, command.seat)
                return _answer("accepted", live, id=command.id, version=seq, event=seq)
            case CheckCommand():
                after = await seat.check(command.moves, command.version, command.seat)
                return _answer("checked", live, id=command.id, ok=True, after=after, problem=None)
            case ChatCommand():
                table = await seat.say(command.phrase, command.text, command.seat)
            case TextingCommand():
                table = await seat.switch_texting(command.on, command.seat)
            case FillCommand():
                table = await seat.fill(command.bot, command.chair, command.seat)
            case ResignCommand():
                table = await seat.resign(command.seat)
            case LeaveCommand():
                table = await seat.leave(command.seat)
            case TakebackCommand():
                table = await seat.takeback(command.action, command.seat)
            case RematchCommand():
                await self._access.check_quota(self._socket)
                holder = self._access.holder(self._socket, seat.caller)
                await self._hub.quotas.check(holder)
                if command.action != "decline":
                    engine, now = self._hub.store.engine, self._hub.clock()
                    await check_rematch(engine, live.table, now)
                table = await seat.rematch(command.action, command.seat, command.share_hash)
            case ShareCommand():
                table = await seat.share(command.action, command.value, command.seat)
            case ClaimCommand():
                table = await seat.claim(command.gone, command.seat)
            case Ping():
                return _answer("pong", live, id=command.id)
        return _answer("accepted", live, id=command.id, version=table.version, event=table.seq)

    async def _refuse_and_close(self, error: CabochonError, code: int = POLICY) -> None:
        refusal = {
            "v": VERSION,
            "type": "refused",
            "seq": 0,
            "id": "hello",
            "problem": problem(error, self._lang),
        }
        await self._socket.send_text(orjson.dumps(refusal).decode())
        await self._socket.close(code, error.code.value)


def _away(error: Exception) -> ServerRefused:
    """What a client gets for a database's error. Raises the error if it is a bug."""
    if not is_away(error):
        raise error
    return ServerRefused(ServerFault.DATABASE_AWAY)


def _answer(kind: str, live: Live, **fields: Any) -> bytes:
    return orjson.dumps({"v": VERSION, "type": kind, "seq": live.table.seq, **fields})


def _move_in(text: str) -> MoveCommand | None:
    try:
        return read_move(text)
    except ValidationError:
        return None


def _unreadable(error: ValidationError) -> ServerRefused:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return ServerRefused(ServerFault.BAD_MESSAGE, what=f"{where}: {first['msg']}"[:200])


def _id_in(text: str) -> str:
    """The id of a message that cannot be read otherwise, so that its sender knows."""
    try:
        said = orjson.loads(text)
    except orjson.JSONDecodeError:
        return "-"
    found = said.get("id") if isinstance(said, dict) else None
    return found[:64] if isinstance(found, str) else "-"
