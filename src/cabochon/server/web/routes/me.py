"""Who you are: a guest from the first visit on, or somebody who keeps their name."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Body, Path, Request, Response

from cabochon.play.tableinfo import table_info
from cabochon.rules import CabochonError
from cabochon.server.access.cookies import device_label, drop_session, set_session
from cabochon.server.access.playernames import tidy
from cabochon.server.people.guests import make_guest
from cabochon.server.people.naming import check_own, guest_name, rename
from cabochon.server.problems import ServerFault, ServerRefused, problem
from cabochon.server.storage.sessions import revoke_sessions
from cabochon.server.storage.transactions import in_transaction
from cabochon.server.web.memodels import (
    FreeName,
    Me,
    MeChange,
    NewGuest,
    OwnTables,
    SessionInfo,
    SessionList,
    WhoAmI,
)
from cabochon.server.web.models import KeySeats
from cabochon.server.web.routes.common import (
    PROBLEMS,
    AccessHere,
    CallerHere,
    HubHere,
    Language,
)
from cabochon.server.web.routes.personal import UserAgent, about, about_now, person_of
from cabochon.server.web.routes.tables import glance_at

router = APIRouter(prefix="/api", tags=["people"], responses=PROBLEMS)

NOBODY_YET = NewGuest()


@router.get("/me", operation_id="getMe")
async def get_me(
    request: Request, response: Response, hub: HubHere, who: CallerHere, access: AccessHere
) -> WhoAmI:
    """Who you are, by your session cookie; now and then it is replaced by a new one."""
    response.headers["Cache-Control"] = "no-store"
    if who.person is None or who.session is None:
        return WhoAmI(person=None)
    renewed = await hub.store.sessions.rotated(who.session, hub.clock())
    if renewed is not None:
        set_session(response, renewed, access.is_secure(request))
    return WhoAmI(person=await about(hub, who.person))


@router.post("/me", operation_id="makeMe")
async def make_me(
    request: Request,
    response: Response,
    hub: HubHere,
    who: CallerHere,
    access: AccessHere,
    lang: Language,
    asked: Annotated[NewGuest, Body()] = NOBODY_YET,
    user_agent: UserAgent = None,
) -> Me:
    """Become a guest, known by a session cookie; if you are somebody already, you stay that."""
    if who.person is not None:
        return await about(hub, who.person)
    await access.check_quota(request)
    name = asked.name or await guest_name(hub.store.people, lang)
    person, cookie = await make_guest(hub.store, name, device_label(user_agent), hub.clock())
    set_session(response, cookie, access.is_secure(request))
    return await about(hub, person)


@router.patch("/me", operation_id="changeMe")
async def change_me(asked: MeChange, hub: HubHere, who: CallerHere) -> Me:
    """Another name (once a month, if you keep it), or whether others may see your profile."""
    person = person_of(who).person
    if asked.name is not None:
        await rename(hub.store.people, person, asked.name, hub.clock())
    if asked.hidden is not None:
        await hub.store.people.hide(person.id, asked.hidden)
    return await about_now(hub, person.id)


@router.get("/names/{name}", operation_id="getName")
async def get_name(
    name: Annotated[str, Path(min_length=1, max_length=60)],
    hub: HubHere,
    who: CallerHere,
    lang: Language,
) -> FreeName:
    """Whether you could be called that."""
    try:
        await check_own(hub.store.people, (tidy(name),), who.person)
    except CabochonError as error:
        return FreeName(free=False, why=problem(error, lang))
    return FreeName(free=True)


@router.get("/me/tables", operation_id="getMyTables")
async def get_my_tables(hub: HubHere, who: CallerHere) -> OwnTables:
    """Your tables that are open or being played, from whatever device you sat down there."""
    person = person_of(who).person
    found = [await hub.live(each) for each in await hub.store.people.unfinished(person.id)]
    return OwnTables(
        tables=[
            KeySeats(
                seats=list(who.seats(live.table)),
                table=table_info(live.table, live.here),
                game=glance_at(live.table),
            )
            for live in found
            if who.seats(live.table)
        ]
    )


@router.get("/me/sessions", operation_id="getSessions")
async def get_sessions(hub: HubHere, who: CallerHere) -> SessionList:
    """Your browsers, the last used first."""
    known = person_of(who)
    return SessionList(
        sessions=[
            SessionInfo(
                id=each.id,
                label=each.label,
                created_ms=each.created_ms,
                seen_ms=each.seen_ms,
                here=each.id == known.session.id,
            )
            for each in await hub.store.sessions.of_person(known.person.id)
        ]
    )


@router.delete("/me/sessions/{session_id}", status_code=204, operation_id="endSession")
async def end_session(
    session_id: Annotated[str, Path(max_length=16)], hub: HubHere, who: CallerHere
) -> None:
    """Sign that browser out; whatever it has open ends."""
    person = person_of(who).person
    if not await hub.store.sessions.revoke(person.id, session_id, hub.clock()):
        raise ServerRefused(ServerFault.NO_SUCH_SESSION)
    hub.visitors.revoked(session_id)


@router.delete("/me/sessions", status_code=204, operation_id="endSessions")
async def end_sessions(response: Response, hub: HubHere, who: CallerHere) -> None:
    """Sign out everywhere, here as well."""
    person = person_of(who).person
    mine = await hub.store.sessions.of_person(person.id)
    gone = partial(revoke_sessions, person_id=person.id, now=hub.clock())
    await in_transaction(hub.store.engine, gone)
    for each in mine:
        hub.visitors.revoked(each.id)
    drop_session(response)


@router.post("/signout", status_code=204, operation_id="signOut")
async def sign_out(response: Response, hub: HubHere, who: CallerHere) -> None:
    """This browser forgets you. A guest who signs out cannot come back."""
    drop_session(response)
    if who.person is not None and who.session is not None:
        await hub.store.sessions.revoke(who.person.id, who.session.id, hub.clock())
        hub.visitors.revoked(who.session.id)
