"""What every route needs: the hub, who asks, and in which language."""

from __future__ import annotations

from typing import Annotated, Any, cast

from fastapi import Depends, Header, Path, Query, Request

from cabochon.play.messages import Problem
from cabochon.server.desk import Desk
from cabochon.server.doorkeeper import Doorkeeper
from cabochon.server.hub import Hub
from cabochon.server.identity import Asker, asker_of, bearer
from cabochon.server.live import Live
from cabochon.server.loading import check_load
from cabochon.server.problems import ServerFault, ServerRefused, language_of
from cabochon.server.secrets import TABLE_ID

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
        422: "The rules, or the grammar, do not allow that",
        429: "Too many requests; Retry-After says when",
        503: "Not now",
    }.items()
}


async def hub_of(request: Request) -> Hub:
    return cast(Hub, request.app.state.hub)


async def doorkeeper_of(request: Request) -> Doorkeeper:
    return cast(Doorkeeper, request.app.state.doorkeeper)


async def asker(
    request: Request, authorization: Annotated[str | None, Header(include_in_schema=False)] = None
) -> Asker:
    """Whoever the Authorization header names; nobody in particular without one."""
    hub: Hub = request.app.state.hub
    return await asker_of(hub.store, bearer(authorization))


async def language(
    accept_language: Annotated[str | None, Header()] = None,
    lang: Annotated[str | None, Query(max_length=8)] = None,
) -> str:
    return language_of(accept_language, lang)


HubHere = Annotated[Hub, Depends(hub_of)]
DoorkeeperHere = Annotated[Doorkeeper, Depends(doorkeeper_of)]
AskerHere = Annotated[Asker, Depends(asker)]
Language = Annotated[str, Depends(language)]


async def live_table(
    table_id: TableId, request: Request, hub: HubHere, doorkeeper: DoorkeeperHere
) -> Live:
    """The table, charged for by its length when it must be read back."""
    await check_load(hub, doorkeeper, request, table_id)
    return await hub.live(table_id)


LiveHere = Annotated[Live, Depends(live_table)]


async def desk(hub: HubHere, live: LiveHere, who: AskerHere) -> Desk:
    if not who.keys and who.token is None:
        raise ServerRefused(ServerFault.KEY_NEEDED)
    return Desk(hub, live, who)


DeskHere = Annotated[Desk, Depends(desk)]

__all__ = [
    "PROBLEMS",
    "AskerHere",
    "DeskHere",
    "DoorkeeperHere",
    "HubHere",
    "Language",
    "LiveHere",
    "Problem",
    "TableId",
    "WatchCode",
]
