"""NDJSON: the socket's messages as lines, for bots and scripts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from cabochon.play.messaging import Audience
from cabochon.server import metrics
from cabochon.server.access import prices
from cabochon.server.access.identity import check_may_look
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.tables.live import Subscriber
from cabochon.server.tables.replies import missed_since
from cabochon.server.tasks import KEEP_ALIVE_S
from cabochon.server.web.routes.common import (
    PROBLEMS,
    AccessHere,
    CallerHere,
    HubHere,
    LiveHere,
    WatchCode,
)

router = APIRouter(prefix="/api", tags=["streams"], responses=PROBLEMS)

UNREAD_S = 60.0
"""A client that doesn't read for this long is cut off."""
NDJSON = "application/x-ndjson"
_LINES: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {"schema": {"type": "string"}}}, "description": "Messages"}
}


@router.get(
    "/tables/{table_id}/stream",
    operation_id="streamTable",
    response_class=StreamingResponse,
    responses=_LINES,
)
async def stream_table(
    request: Request,
    live: LiveHere,
    hub: HubHere,
    who: CallerHere,
    access: AccessHere,
    since: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
    facts: bool = False,
    watch: WatchCode = None,
) -> StreamingResponse:
    """First `gameFull` (or, with `since`, what was missed), then every message; an empty line every
    seven seconds; ends when the game is over and everything has been sent."""
    seats = check_may_look(live.table, who, watch)
    if not who.plays_all(live.table):
        since = None
    missed = missed_since(live.table, since)
    access.check_request(request, prices.of_joining(live.table, missed, facts))
    subscriber = Subscriber(Audience(seats, facts))
    address = access.enter(request)
    hub.visitors.enter(subscriber, access.address(request), who)
    if seats:
        hub.sitters.note(live.table.id, access.sitter(request, who))

    async def begin() -> Callable[[], None]:
        if hub.late.applies(live.table, seats):
            late = await hub.late.connect(live, subscriber)
            return lambda: hub.late.disconnect(late, subscriber)
        await hub.presence.connect(live, subscriber, since)
        return lambda: hub.presence.disconnect(live, subscriber)

    def leave() -> None:
        hub.visitors.leave(subscriber)
        access.leave(address)

    over = live.table.ended is not None
    lines = lines_of(subscriber, _Until(over))
    return LineStream(lines, begin, leave)


@router.get(
    "/stream/event",
    operation_id="streamEvents",
    response_class=StreamingResponse,
    responses=_LINES,
)
async def stream_events(
    request: Request, hub: HubHere, who: CallerHere, access: AccessHere
) -> StreamingResponse:
    """For a bot's token: `gameStart` for each game under way, then every start and finish. The
    newest stream of a token closes the older."""
    token = who.token
    if token is None:
        raise ServerRefused(ServerFault.KEY_NEEDED)
    address = access.enter(request)
    subscriber = hub.lobby.subscribe_token(token.id)
    hub.visitors.enter(subscriber, access.address(request), who)

    async def begin() -> Callable[[], None]:
        for table_id in await hub.store.tables_of_token(token.id):
            live = await hub.live(table_id)
            if live.table.state == "running":
                hub.lobby.tell_token(token.id, live.table)
        return lambda: None

    def leave() -> None:
        hub.visitors.leave(subscriber)
        hub.lobby.unsubscribe_token(token.id, subscriber)
        access.leave(address)

    return LineStream(lines_of(subscriber, lambda _: False), begin, leave)


class LineStream(StreamingResponse):
    """Begins when it is asked for, and always leaves, also when nobody came to read a line."""

    def __init__(
        self,
        lines: AsyncIterator[bytes],
        begin: Callable[[], Coroutine[Any, Any, Callable[[], None]]],
        leave: Callable[[], None],
    ) -> None:
        super().__init__(lines, media_type=NDJSON)
        self._begin = begin
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_soon(message: Message) -> None:
            async with asyncio.timeout(UNREAD_S):
                await send(message)

        end = None
        try:
            end = await self._begin()
            with metrics.CONNECTIONS.labels("stream").track_inprogress():
                await super().__call__(scope, receive, send_soon)
        finally:
            if end is not None:
                end()
            self._leave()


class _Until:
    """A table's stream ends with the game: after `gameFinish`, or at once when it is over."""

    def __init__(self, over: bool) -> None:
        self._over = over

    def __call__(self, messages: list[bytes]) -> bool:
        return self._over or any(b'"type":"gameFinish"' in message for message in messages)


async def lines_of(
    subscriber: Subscriber, is_last: Callable[[list[bytes]], bool]
) -> AsyncIterator[bytes]:
    """What is pushed, a line each, and an empty line when nothing has been for a while."""
    while True:
        try:
            async with asyncio.timeout(KEEP_ALIVE_S):
                messages = await subscriber.take()
        except TimeoutError:
            yield b"\n"
            continue
        if messages:
            yield b"".join(message + b"\n" for message in messages)
        if subscriber.closed or is_last(messages):
            return
