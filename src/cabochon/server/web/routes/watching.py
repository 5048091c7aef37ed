"""Looking on: the games of the moment, and how many people are here."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Depends, Request, Response

from cabochon.server.people.nodenotes import NodeNotes
from cabochon.server.people.watchdesk import WatchDesk
from cabochon.server.web.poolmodels import PeopleHere, WatchPage
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, CallerHere, HubHere

router = APIRouter(prefix="/api", tags=["watching"], responses=PROBLEMS)


async def watch_desk(request: Request) -> WatchDesk:
    return cast(WatchDesk, request.app.state.watching)


async def notes_of(request: Request) -> NodeNotes:
    return cast(NodeNotes, request.app.state.notes)


WatchHere = Annotated[WatchDesk, Depends(watch_desk)]
NotesHere = Annotated[NodeNotes, Depends(notes_of)]


@router.get("/watch", operation_id="watchGames")
async def watch_games(
    request: Request,
    response: Response,
    hub: HubHere,
    who: CallerHere,
    access: AccessHere,
    desk: WatchHere,
) -> WatchPage:
    """Games that anybody may watch, one of them featured: highly rated people first, then whatever
    is watched most, then bots, who play only while somebody looks. Rated games are shown late. The
    players of a game never get its chances, however they are known."""
    response.headers["Cache-Control"] = "no-store"
    plays_at = await hub.sitters.running(access.sitter(request, who))
    return WatchPage.model_validate(await desk.page(who, plays_at))


@router.get("/online", operation_id="countPeople")
async def count_people(notes: NotesHere) -> PeopleHere:
    """How many people are connected."""
    return PeopleHere(here=notes.here())
