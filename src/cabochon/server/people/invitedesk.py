"""Asking somebody for a game: they hear of it on any page, and accept or decline."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace

import orjson

from cabochon.play.clock import DAY_MS, HOUR_S
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Opened
from cabochon.play.messages import VERSION
from cabochon.server import metrics
from cabochon.server.limits import Buckets
from cabochon.server.people.fairness import check_met, met_enough, same_household
from cabochon.server.people.invitemessages import InvitationInfo, InvitationsNews
from cabochon.server.people.newcomers import FOR_NEW, FOR_OTHERS, limits_of
from cabochon.server.people.pooldesk import opening
from cabochon.server.people.pools import LIVE_POOLS, POOLS, TAKEN_MS, Pool
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import new_table_id
from cabochon.server.storage.civility import blocked_by
from cabochon.server.storage.database import log_failure
from cabochon.server.storage.holdings import Holder
from cabochon.server.storage.invitations import (
    ACCEPTED,
    DECLINED,
    OPEN,
    TAKEN,
    Invitation,
    Invitations,
)
from cabochon.server.storage.people import Person
from cabochon.server.storage.poolplaces import PoolPlaces
from cabochon.server.tables.commanding import OpenedTables
from cabochon.server.tables.live import Subscriber
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.invitations")

TICK_S = 1.0
WAITS_MS = 2 * 60_000
DAYS_MS = 3 * DAY_MS
"""How long an invitation is open: for a game with a clock, and for one by the day."""
MOST_OPEN = 5
MOST_FROM_ADDRESS = 3
"""Open invitations of other people from one address to the same person."""
SAME_AN_HOUR = 6
"""How often one person may ask the same other one."""


@dataclass(frozen=True, slots=True)
class InviteWish:
    """What somebody would like to play, and where they ask from (a household's hash). `rated` is
    None for whatever can be."""

    pool: Pool
    rated: bool | None
    address: str
    share_hash: str | None = None


class InviteDesk:
    """Of one node."""

    def __init__(self, hub: OpenedTables) -> None:
        self._hub = hub
        self._invitations = Invitations(hub.store.engine)
        self._places = PoolPlaces(hub.store.engine, hub.store.node)
        self._listeners: dict[str, dict[Subscriber, bytes]] = {}
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._new = Buckets(FOR_NEW.invitations_an_hour / HOUR_S, FOR_NEW.invitations_an_hour)
        self._known = Buckets(
            FOR_OTHERS.invitations_an_hour / HOUR_S, FOR_OTHERS.invitations_an_hour
        )
        self._pairs = Buckets(SAME_AN_HOUR / HOUR_S, SAME_AN_HOUR)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="invitations")

    async def close(self) -> None:
        await ended(self._task)

    # Asking and answering

    async def invite(self, maker: Person, guest: Person, wish: InviteWish) -> Invitation:
        """Raises ServerRefused or TableRefused."""
        now = self._hub.clock()
        await self._check(maker, guest, now)
        await self._check_free(maker, wish.pool)
        await self._check_not_too_often(maker, guest, wish, now)
        rated = await self._rated(maker, guest, wish, now)
        made = Invitation(
            id=new_table_id(),
            maker=maker.id,
            guest=guest.id,
            pool=wish.pool.id,
            rated=rated,
            address=wish.address,
            share_hash=wish.share_hash,
            at_ms=now,
            until_ms=now + (WAITS_MS if wish.pool.is_live else DAYS_MS),
            maker_name=maker.name,
            guest_name=guest.name,
        )
        await self._invitations.add(made)
        self._wake.set()
        return made

    async def accept(
        self,
        guest: Person,
        invitation_id: str,
        address: str,
        holder: Holder,
        share_hash: str | None,
    ) -> Invitation:
        """With the table, where both sit. Raises ServerRefused or TableRefused."""
        asked = await self._open_one(guest.id, invitation_id)
        maker = await self._hub.store.people.person(asked.maker)
        if asked.guest != guest.id or maker is None:
            raise ServerRefused(ServerFault.NO_SUCH_INVITATION)
        pool, now = POOLS[asked.pool], self._hub.clock()
        if asked.rated and same_household(asked.address, address):
            raise TableRefused(TableFault.RATED_HOUSEHOLD)
        table_id = new_table_id()
        if not await self._invitations.take(asked, table_id, now):
            raise ServerRefused(ServerFault.NO_SUCH_INVITATION)
        try:
            await self._check_both(maker, guest, pool)
        except ServerRefused:
            await self._invitations.change(asked.id, TAKEN, OPEN, table_id=None)
            raise
        hashes = {maker.id: asked.share_hash, guest.id: share_hash}
        made = replace(asked, table=table_id)
        opened = opening(table_id, pool, asked.rated, [maker, guest], hashes, self._hub.clock())
        await self._seat(made, opened, address, holder)
        self._pairs.take(f"{maker.id} {guest.id}", -1.0)  # who is answered may ask again
        return replace(asked, state=ACCEPTED, table=table_id)

    async def _seat(self, asked: Invitation, opened: Opened, address: str, holder: Holder) -> None:
        """Whatever happens on the way, both sit there or the invitation is open again."""
        assert asked.table is not None
        homes = (home.lstrip("~") for home in (asked.address, address))
        self._hub.sitters.note(asked.table, (asked.maker, asked.guest, *homes))
        try:
            await self._hub.open(asked.table, opened, holder)
        except ServerRefused:
            await self._invitations.change(asked.id, TAKEN, OPEN, table_id=None)
            raise
        await self._invitations.change(asked.id, TAKEN, ACCEPTED)
        self._wake.set()

    async def end(self, person: Person, invitation_id: str) -> None:
        """The person asked declines; the one who asked takes it back, or has read the answer.
        Raises ServerRefused."""
        found = await self._one(person.id, invitation_id)
        if found.maker == person.id:
            await self._invitations.remove(found.id)
        else:
            await self._invitations.change(found.id, OPEN, DECLINED)
        self._wake.set()

    async def of(self, person_id: str) -> list[InvitationInfo]:
        """What somebody has made, and has been sent."""
        found = await self._invitations.of((person_id,), self._hub.clock())
        return _told_to(person_id, found)

    async def _one(self, person_id: str, invitation_id: str) -> Invitation:
        for found in await self._invitations.of((person_id,), self._hub.clock()):
            if found.id == invitation_id:
                return found
        raise ServerRefused(ServerFault.NO_SUCH_INVITATION)

    async def _open_one(self, person_id: str, invitation_id: str) -> Invitation:
        found = await self._one(person_id, invitation_id)
        if found.state != OPEN:
            raise ServerRefused(ServerFault.NO_SUCH_INVITATION)
        return found

    # What is allowed

    async def _check(self, maker: Person, guest: Person, now: int) -> None:
        if maker.id == guest.id:
            raise ServerRefused(ServerFault.NOT_YOURSELF)
        async with self._hub.store.engine.connect() as connection:
            blocked = await blocked_by(connection, {maker.id})
        if guest.id in blocked.get(maker.id, ()):
            raise ServerRefused(ServerFault.YOU_BLOCKED, name=guest.name)
        buckets = self._new if limits_of(maker, now) is FOR_NEW else self._known
        if wait := buckets.take(maker.id, 1.0):
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.TOO_FAST, seconds=int(wait) + 1)
        if await self._invitations.count_open(maker.id, now) >= MOST_OPEN:
            raise ServerRefused(ServerFault.TOO_MANY_INVITATIONS, count=MOST_OPEN)

    async def _check_not_too_often(
        self, maker: Person, guest: Person, wish: InviteWish, now: int
    ) -> None:
        """Nobody is asked over and over, by one person or by many from one address."""
        if wait := self._pairs.take(f"{maker.id} {guest.id}", 1.0):
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.TOO_FAST, seconds=int(wait) + 1)
        others = await self._invitations.count_from(wish.address, maker.id, guest.id, now)
        if others >= MOST_FROM_ADDRESS:
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.TOO_MANY_INVITATIONS, count=others)

    async def _check_free(self, person: Person, pool: Pool) -> None:
        if pool.is_live:
            table = await self._places.live_game_of(person.id)
            if table is not None:
                raise ServerRefused(ServerFault.POOL_PLAYING, table=table)

    async def _check_both(self, maker: Person, guest: Person, pool: Pool) -> None:
        """Neither plays, or is about to: nobody is paired any more, for they have left the pools.
        Raises ServerRefused."""
        if not pool.is_live:
            return
        await self._check_free(guest, pool)
        for person in (maker, guest):
            for other in LIVE_POOLS:
                await self._places.leave_waiting(person.id, other)
        places = await self._places.of((maker.id, guest.id))
        paired = any(place.pool in LIVE_POOLS for place in places)
        if paired or await self._places.live_game_of(maker.id) is not None:
            raise ServerRefused(ServerFault.NO_SUCH_INVITATION)

    async def _rated(self, maker: Person, guest: Person, wish: InviteWish, now: int) -> bool:
        """Whether the game can be rated. Raises TableRefused when it was asked for and can't."""
        engine, ids = self._hub.store.engine, (maker.id, guest.id)
        kept = maker.kept and guest.kept
        if wish.rated is None:
            return kept and await met_enough(engine, ids, now) is None
        if wish.rated and not kept:
            raise TableRefused(TableFault.RATED_NAME)
        if wish.rated:
            await check_met(engine, ids, now)
        return wish.rated

    # What people are told

    def subscribe(self, person_id: str, subscriber: Subscriber) -> None:
        """Somebody is there, and is told what happens to their invitations."""
        self._listeners.setdefault(person_id, {})[subscriber] = b""
        self._wake.set()

    def unsubscribe(self, person_id: str, subscriber: Subscriber) -> None:
        others = self._listeners.get(person_id, {})
        others.pop(subscriber, None)
        if not others:
            self._listeners.pop(person_id, None)

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK_S if self._listeners else None):
                    await self._wake.wait()
            self._wake.clear()
            try:
                await self.tick()
            except Exception as error:
                log_failure(log, "invitations are not told just now", error)
            await asyncio.sleep(TICK_S / 10)

    async def tick(self) -> None:
        """Tell every listener what is new to them."""
        now = self._hub.clock()
        await self._invitations.settle(now - TAKEN_MS, now)
        if not self._listeners:
            return
        found = await self._invitations.of(sorted(self._listeners), now)
        for person_id, listeners in list(self._listeners.items()):
            news: InvitationsNews = {
                "v": VERSION,
                "type": "invitations",
                "invitations": _told_to(person_id, found),
            }
            said = orjson.dumps(news)
            for listener, heard in list(listeners.items()):
                if said != heard and (heard or news["invitations"]):
                    listeners[listener] = said
                    listener.push(said)


def _told_to(person_id: str, found: Iterable[Invitation]) -> list[InvitationInfo]:
    return [
        invitation_info(one, person_id) for one in found if person_id in (one.maker, one.guest)
        if one.maker == person_id or one.state in (OPEN, ACCEPTED)
    ]  # fmt: skip


def invitation_info(one: Invitation, person_id: str) -> InvitationInfo:
    """As one of the two sees it."""
    mine = one.maker == person_id
    return {
        "id": one.id,
        "mine": mine,
        "person": one.guest if mine else one.maker,
        "name": (one.guest_name if mine else one.maker_name) or "",
        "pool": one.pool,
        "rated": one.rated,
        "state": "open" if one.state == TAKEN else one.state,  # type: ignore[typeddict-item]
        "table": one.table if one.state == ACCEPTED else None,
        "until_ms": one.until_ms,
    }
