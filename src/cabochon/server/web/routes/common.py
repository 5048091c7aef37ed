"""What every route needs: the hub, who asks, and in which language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, cast

import orjson
from fastapi import Depends, Header, Path, Query, Request, Response
from starlette.requests import HTTPConnection

from cabochon.play.messages import Problem
from cabochon.server.access.accesslimits import AccessLimits
from cabochon.server.access.identity import Caller, authenticate, bearer
from cabochon.server.problems import ServerFault, ServerRefused, language_of
from cabochon.server.secrets import TABLE_ID
from cabochon.server.tables.hub import Hub
from cabochon.server.tables.live import Live
from cabochon.server.tables.loading import check_load
from cabochon.server.tables.seatcommands import SeatCommands

TableId = Annotated[str, Path(pattern=TABLE_ID, examples=["k7m2p4x9qa"])]
WatchCode = Annotated[str | None, Query(max_length=64)]

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": description,
        "content": {
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
        },
    }
    for status, description in {
        401: "No key or token",
        403: "The key, token or code does not allow that",
        404: "No such thing",
        409: "The table's state does not allow that",
        413: "The body is too large",
        422: "The rules, or the grammar, do not allow that",
        429: "Too many requests; Retry-After says when",
        503: "Not now",
    }.items()
}


async def hub_of(request: Request) -> Hub:
    return cast(Hub, request.app.state.hub)


async def access_limits(request: Request) -> AccessLimits:
    return cast(AccessLimits, request.app.state.access)


async def caller(
    request: Request, authorization: Annotated[str | None, Header(include_in_schema=False)] = None
) -> Caller:
    """The caller named by the Authorization header and the session cookie; nobody in particular
    without them."""
    return await caller_of(request, bearer(authorization))


async def caller_of(connection: HTTPConnection, secrets: Iterable[str]) -> Caller:
    """The caller with these secrets and the session cookie. Raises ServerRefused."""
    hub: Hub = connection.app.state.hub
    access: AccessLimits = connection.app.state.access
    cookie = access.session_cookie(connection)
    found = None if cookie is None else await hub.store.sessions.recognised(cookie, hub.clock())
    return await authenticate(hub.store, secrets, found)


async def language(
    accept_language: Annotated[str | None, Header()] = None,
    lang: Annotated[str | None, Query(max_length=8)] = None,
) -> str:
    return language_of(accept_language, lang)


async def address(request: Request, access: Annotated[AccessLimits, Depends(access_limits)]) -> str:
    """Where the request comes from."""
    return access.address(request)


HubHere = Annotated[Hub, Depends(hub_of)]
AccessHere = Annotated[AccessLimits, Depends(access_limits)]
CallerHere = Annotated[Caller, Depends(caller)]
AddressHere = Annotated[str, Depends(address)]
Language = Annotated[str, Depends(language)]


async def live_table(table_id: TableId, request: Request, hub: HubHere, access: AccessHere) -> Live:
    """The table, charged for by its length when it must be read back."""
    await check_load(hub, access, request, table_id)
    return await hub.live(table_id)


LiveHere = Annotated[Live, Depends(live_table)]


async def seat_commands(
    request: Request, hub: HubHere, live: LiveHere, who: CallerHere, access: AccessHere
) -> SeatCommands:
    if not who.is_known:
        raise ServerRefused(ServerFault.KEY_NEEDED)
    if who.seats(live.table):
        hub.sitters.note(live.table.id, access.sitter(request, who))
    return SeatCommands(hub, live, who)


SeatCommandsHere = Annotated[SeatCommands, Depends(seat_commands)]


def as_json(answer: dict[str, Any]) -> Response:
    """The answer as it is, past the models: they only describe it."""
    return Response(orjson.dumps(answer), media_type="application/json")


__all__ = [
    "PROBLEMS",
    "AccessHere",
    "AddressHere",
    "CallerHere",
    "HubHere",
    "Language",
    "LiveHere",
    "Problem",
    "SeatCommandsHere",
    "TableId",
    "WatchCode",
    "as_json",
]
