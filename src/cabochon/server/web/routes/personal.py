"""What the routes about people share: who asks, what they get, and the cookie."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Request, Response
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.server.access.accesslimits import AccessLimits
from cabochon.server.access.cookies import device_label, set_session
from cabochon.server.access.identity import Caller
from cabochon.server.people.bringing import become, bring_book, bring_tables, handed_over
from cabochon.server.people.naming import rename_after_ms
from cabochon.server.people.passkeys import Site
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.gamereads import standing
from cabochon.server.storage.people import Person
from cabochon.server.storage.sessions import Recognised, begin_session, revoke_sessions
from cabochon.server.storage.transactions import in_transaction
from cabochon.server.tables.hub import Hub
from cabochon.server.web.memodels import Me, WaysIn
from cabochon.server.web.playerwords import rating_info
from cabochon.server.web.routes.common import CallerHere, HubHere

UserAgent = Annotated[str | None, Header(include_in_schema=False)]


def person_of(who: Caller) -> Recognised:
    """The person who asks. Raises ServerRefused."""
    if who.person is None or who.session is None:
        raise ServerRefused(ServerFault.NO_PERSON)
    return Recognised(who.person, who.session)


async def about(hub: Hub, person: Person) -> Me:
    """What people see of themselves."""
    ways = await hub.store.ways.ways(person.id)
    strengths, games = await standing(hub.store.engine, person.id)
    return Me(
        id=person.id,
        name=person.name,
        kept=person.kept,
        since_ms=person.created_ms,
        ratings={kind: rating_info(strength) for kind, strength in strengths.items()},
        games=games,
        ways=WaysIn(passkeys=ways.passkeys, password=ways.has_password, codes_left=ways.codes_left),
        rename_after_ms=rename_after_ms(person),
        hidden=person.hidden,
    )


async def about_now(hub: Hub, person_id: str) -> Me:
    """The same, as it is now. Raises ServerRefused."""
    person = await hub.store.people.person(person_id)
    if person is None:
        raise ServerRefused(ServerFault.NO_PERSON)
    return await about(hub, person)


def site_of(request: Request) -> Site:
    """Where the page is that asks; its origin was checked before."""
    origin = request.headers.get("origin")
    return Site(origin or f"{request.url.scheme}://{request.headers.get('host', '')}")


class Door:
    """Where somebody comes in: with a new cookie, since it has just been shown who they are."""

    def __init__(self, request: Request, response: Response, hub: Hub, who: Caller) -> None:
        self._request = request
        self._response = response
        self._hub = hub
        self._who = who
        self._access: AccessLimits = request.app.state.access

    async def let_in(self, person: Person, bring: bool = False) -> Me:
        """With `bring`, a guest's games come along. Raises ServerRefused for somebody who is
        banned."""
        self._hub.store.bans.check_secrets((person.id,))
        guest = self._guest(person) if bring else None
        cookie = await self._renewed(person) or await self._begun(person, guest)
        if guest is not None:
            await self._bring(guest, person)
        set_session(self._response, cookie, self._access.is_secure(self._request))
        return await about_now(self._hub, person.id)

    async def _renewed(self, person: Person) -> str | None:
        """The same person in the same browser goes on in the same session."""
        who = self._who
        if who.session is None or who.person is None or who.person.id != person.id:
            return None
        return await self._hub.store.sessions.renew(who.session, self._hub.clock())

    def _guest(self, person: Person) -> Person | None:
        """The person this browser was before, if it was a guest."""
        former = self._who.person
        if former is None or former.kept or former.id == person.id or not person.kept:
            return None
        return former

    async def _bring(self, guest: Person, heir: Person) -> None:
        """The book, and the games that are still played, before anything is answered."""
        hub, now = self._hub, self._hub.clock()
        await bring_book(self._request.app.state.aside, guest.id, heir.id)
        for table_id in await hub.store.people.unfinished(guest.id):
            live = await hub.live(table_id)
            await hub.decide(live, lambda table, at: handed_over(table, guest.id, heir.id, at))
        hub.job(bring_tables(hub.store, guest.id, heir.id, now))

    async def _begun(self, person: Person, guest: Person | None) -> str:
        """This browser is no longer the person it was before."""
        label = device_label(self._request.headers.get("user-agent"))
        store, former, now = self._hub.store, self._who.session, self._hub.clock()

        async def written(connection: AsyncConnection) -> str:
            if guest is not None:
                await become(connection, guest.id, person.id, now)
            if former is not None:
                await revoke_sessions(connection, former.person_id, now, former.id)
            return await begin_session(connection, person.id, label, now, proved=True)

        cookie = await in_transaction(store.engine, written)
        if former is not None:
            self._hub.visitors.revoked(former.id)
        return cookie


async def door(request: Request, response: Response, hub: HubHere, who: CallerHere) -> Door:
    return Door(request, response, hub, who)


DoorHere = Annotated[Door, Depends(door)]
