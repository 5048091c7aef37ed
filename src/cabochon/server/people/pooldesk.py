"""Brings people together: who waits is in the database, and one node at a time makes groups of
them and opens their tables."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, cast

import orjson

from cabochon.bots.roster import LEVEL_NAMES, ratings
from cabochon.pairing import Group, Waiting, paired
from cabochon.play import hosting
from cabochon.play.chairs import PERSON, Chair, Kind
from cabochon.play.clock import HOUR_S
from cabochon.play.events import Opened, Series
from cabochon.play.messages import ClockInfo
from cabochon.play.messaging import Audience
from cabochon.play.options import clock_to_json
from cabochon.ratings import kind_of
from cabochon.rules import Ruleset, new_seed, seating
from cabochon.server import metrics
from cabochon.server.access.playernames import free_name
from cabochon.server.access.quotas import Quotas
from cabochon.server.limits import Buckets
from cabochon.server.people.fairness import met_enough, same_household
from cabochon.server.people.newcomers import FOR_NEW, FOR_OTHERS, limits_of
from cabochon.server.people.noshows import NoShows
from cabochon.server.people.poolmessages import PoolMessage, PoolOffer, PoolsNews, PoolState
from cabochon.server.people.pools import LIVE_POOLS, POOLS, TAKEN_MS, Pool
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import new_table_id
from cabochon.server.settings import Settings
from cabochon.server.storage.civility import blocked_by
from cabochon.server.storage.database import log_failure
from cabochon.server.storage.holdings import Holder
from cabochon.server.storage.people import Person
from cabochon.server.storage.poolplaces import PAIRED, PoolPauses, PoolPlace, PoolPlaces
from cabochon.server.tables.commanding import EveryTable, OpenedTables
from cabochon.server.tables.live import Subscriber
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.pools")

TICK_S = 1.0
BEAT_MS = 2_000
GONE_MS = 8_000
"""Somebody not seen for this long has left a live pool."""
TOLD_MS = 60_000
LEASE_MS = 5_000
IDLE_TICKS = 30
"""With nobody connected, the pools are looked at that seldom."""
APART_MS = 10 * 60_000
"""How long it isn't asked again whether two people have met often enough."""
MOST_AT_ONCE = 2000
"""People looked at in one go; the next second is for the others."""

RatingOf = Callable[[str, Ruleset], Awaitable[float]]


@dataclass(frozen=True, slots=True)
class PoolWish:
    """What somebody wants to wait for, and where they ask from (a hash)."""

    pool: Pool
    rated: bool
    address: str
    share_hash: str | None = None


class PoolListener:
    """One stream of somebody who may be waiting: nothing is sent twice."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.subscriber = Subscriber(Audience())
        self._said: set[str] = set()
        self._pools: PoolsNews | None = None

    def tell_pools(self, message: PoolsNews) -> None:
        if message != self._pools:
            self._pools = message
            self.subscriber.push(orjson.dumps(message))

    def tell_once(self, about: str, message: PoolMessage) -> None:
        if about not in self._said:
            self._said.add(about)
            self.subscriber.push(orjson.dumps(message))


class Onlooker:
    """Somebody who follows the pools, and what they were sent."""

    def __init__(self, person: Person | None) -> None:
        self.person = person
        self._heard: PoolsNews | None = None

    def tell(self, subscriber: Subscriber, news: PoolsNews) -> None:
        if news != self._heard:
            self._heard = news
            subscriber.push(orjson.dumps(news))


class PooledTables(OpenedTables, EveryTable, Protocol):
    """The tables that pools make."""

    @property
    def settings(self) -> Settings: ...

    @property
    def quotas(self) -> Quotas: ...


class PoolDesk:
    """Of one node. `here` says how many people are connected."""

    def __init__(self, hub: PooledTables, rating_of: RatingOf, here: Callable[[], int]) -> None:
        self._hub = hub
        self._here = here
        self._rating_of = rating_of
        self._wake = asyncio.Event()
        self.places = PoolPlaces(hub.store.engine, hub.store.node)
        self._pauses = PoolPauses(hub.store.engine)
        self._no_shows = NoShows(hub, self.places, self._pauses, self._wake.set)
        self._met: dict[frozenset[str], int] = {}
        self._listeners: dict[str, set[PoolListener]] = {}
        self._onlookers: dict[Subscriber, Onlooker] = {}
        self._task: asyncio.Task[None] | None = None
        self._beat_at = 0
        self._quiet = 0
        self._new = Buckets(FOR_NEW.joins_an_hour / HOUR_S, FOR_NEW.joins_an_hour)
        self._known = Buckets(FOR_OTHERS.joins_an_hour / HOUR_S, FOR_OTHERS.joins_an_hour)

    def start(self) -> None:
        self._no_shows.start()
        self._task = asyncio.create_task(self._run(), name="pools")

    async def close(self) -> None:
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.subscriber.close("the server is stopping")
        await ended(self._task)

    # Coming and going

    async def join(self, person: Person, wish: PoolWish) -> PoolPlace:
        """Wait there. Raises ServerRefused."""
        if wish.rated and not person.kept:
            raise ServerRefused(ServerFault.POOL_NAME)
        now = self._hub.clock()
        self._check_pace(person, now)
        await self._check_pause(person, wish, now)
        await self._check_room(person, wish)
        await self._hub.quotas.check(Holder(wish.address.lstrip("~"), None, person.id))
        rating = await self._rating_of(person.id, wish.pool.ruleset)
        place = PoolPlace(
            person.id,
            wish.pool.id,
            wish.rated,
            rating,
            wish.address,
            wish.share_hash,
            since_ms=now,
            seen_ms=now,
            changed_ms=now,
        )
        others = LIVE_POOLS - {wish.pool.id} if wish.pool.is_live else ()
        kept = await self.places.enter(place, others)
        self._wake.set()
        return kept

    def _check_pace(self, person: Person, now: int) -> None:
        buckets = self._new if limits_of(person, now) is FOR_NEW else self._known
        wait = buckets.take(person.id, 1.0)
        if wait:
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.TOO_FAST, seconds=int(wait) + 1)

    async def _check_pause(self, person: Person, wish: PoolWish, now: int) -> None:
        for who in (person.id,) if person.kept else (person.id, wish.address):
            if seconds := await self._pauses.seconds_left(who, now):
                raise ServerRefused(ServerFault.POOL_PAUSED, seconds=seconds)

    async def _check_room(self, person: Person, wish: PoolWish) -> None:
        most = self._hub.settings.most_waiting_per_address
        if await self.places.count_from(wish.address, person.id) >= most:
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.POOL_CROWDED)
        if wish.pool.is_live:
            table = await self.places.live_game_of(person.id)
            if table is not None:
                raise ServerRefused(ServerFault.POOL_PLAYING, table=table)

    async def leave(self, person_id: str, pool: Pool) -> None:
        await self.places.leave(person_id, pool.id)
        self._wake.set()

    def subscribe(self, person: Person) -> PoolListener:
        """Somebody is there, and is told what happens."""
        listener = PoolListener(person)
        self._listeners.setdefault(person.id, set()).add(listener)
        self._beat_at = 0
        self._wake.set()
        return listener

    def unsubscribe(self, listener: PoolListener) -> None:
        others = self._listeners.get(listener.person.id, set())
        others.discard(listener)
        if not others:
            self._listeners.pop(listener.person.id, None)

    def look_on(self, subscriber: Subscriber, person: Person | None) -> None:
        """Somebody wants to hear of the pools without being there."""
        self._onlookers[subscriber] = Onlooker(person)
        self._wake.set()

    def look_away(self, subscriber: Subscriber) -> None:
        self._onlookers.pop(subscriber, None)

    # What people are told

    async def overview(self) -> Counter[tuple[str, bool]]:
        """How many wait in which pool, for which side."""
        return Counter((place.pool, place.rated) for place in await self.places.waiting())

    async def _tell(self, counts: Counter[tuple[str, bool]], now: int) -> None:
        here = self._here()
        mine: dict[str, list[PoolPlace]] = {person: [] for person in self._listeners}
        for place in await self.places.of(self._listeners):
            mine[place.person].append(place)
        for subscriber, onlooker in self._onlookers.items():
            told = pools_told(counts, onlooker.person)
            news: PoolsNews = {"type": "pools", "pools": told, "here": here, "waiting": []}
            onlooker.tell(subscriber, news)
        for person, places in mine.items():
            waits = sorted(place.pool for place in places if place.state != PAIRED)
            for listener in self._listeners.get(person, ()):
                pools = pools_told(counts, listener.person)
                listener.tell_pools(
                    {"type": "pools", "pools": pools, "here": here, "waiting": waits}
                )
                for place in places:
                    _tell_place(listener, place, now)

    # Bringing them together

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK_S):
                    await self._wake.wait()
            woken = self._wake.is_set()
            self._wake.clear()
            self._quiet = 0 if woken or self._listeners else self._quiet + 1
            if self._quiet % IDLE_TICKS and not self._onlookers:
                continue
            try:
                if self._quiet % IDLE_TICKS:
                    await self._tell(await self.overview(), self._hub.clock())
                else:
                    await self._tick()
            except Exception as error:
                log_failure(log, "pairing failed; it goes on", error)
            await asyncio.sleep(TICK_S / 10)

    async def _tick(self) -> None:
        now = self._hub.clock()
        if now - self._beat_at >= BEAT_MS:
            self._beat_at = now
            await self.places.seen(self._listeners, now)
        if await self.places.is_matchmaker(now, now + LEASE_MS):
            await self.places.settle(now - TAKEN_MS, now)
            await self.places.drop_unseen(LIVE_POOLS, now - GONE_MS)
            await self.places.drop_paired(now - TOLD_MS)
            await self._no_shows.sweep(now)
            await self._match(now)
        if self._listeners or self._onlookers:
            await self._tell(await self.overview(), now)

    async def _match(self, now: int) -> None:
        waiting = sorted(await self.places.waiting(), key=lambda place: place.since_ms)
        waiting = waiting[:MOST_AT_ONCE]
        if len(waiting) < 2:
            return
        async with self._hub.store.engine.connect() as connection:
            avoided = await blocked_by(connection, {place.person for place in waiting})
        for pool in POOLS.values():
            for rated in (True, False):
                side = [p for p in waiting if p.pool == pool.id and p.rated is rated]
                apart = self._with_fairness(side, avoided, now) if rated else avoided
                people = [as_waiting(place, apart) for place in side]
                for group in paired(people, pool.seats, now, pool.patience):
                    if not rated or await self._is_fair(group, now):
                        await self._seat(pool, rated, group, side)

    def _with_fairness(
        self, side: Iterable[PoolPlace], avoided: dict[str, frozenset[str]], now: int
    ) -> dict[str, frozenset[str]]:
        """Nor is anybody paired for a rated game with their own household, or with whom they have
        met often enough today."""
        self._met = {pair: until for pair, until in self._met.items() if until > now}
        places = list(side)
        homes: dict[str, set[str]] = {}
        for place in places:
            homes.setdefault(place.address, set()).add(place.person)
        nobody: frozenset[str] = frozenset()
        found = dict(avoided)
        for place in places:
            own = same_household(place.address, place.address)
            home = homes[place.address] if own else nobody
            met = (pair - {place.person} for pair in self._met if place.person in pair)
            more = nobody.union(home, *met) - {place.person}
            found[place.person] = avoided.get(place.person, nobody) | more
        return found

    async def _is_fair(self, group: Group, now: int) -> bool:
        """People who have met often enough are kept apart for a while."""
        ids = [waiting.who for waiting in group]
        pair = await met_enough(self._hub.store.engine, ids, now)
        if pair is not None:
            self._met[frozenset(pair)] = now + APART_MS
        return pair is None

    async def _seat(self, pool: Pool, rated: bool, group: Group, side: Iterable[PoolPlace]) -> None:
        """A table for them. Whatever happens on the way, they either sit at it or wait on."""
        table_id, now = new_table_id(), self._hub.clock()
        ids = [waiting.who for waiting in group]
        people = [await self._hub.store.people.person(person) for person in ids]
        for person_id, person in zip(ids, people, strict=True):
            if person is None:
                await self.places.leave(person_id, pool.id)
        found = [person for person in people if person is not None]
        if len(found) < len(ids) or not await self.places.take(pool.id, ids, table_id, now):
            return
        places = [place for place in side if place.person in ids]
        hashes = {place.person: place.share_hash for place in places}
        self._hub.sitters.note(table_id, (*ids, *(place.address for place in places)))
        try:
            opened = opening(table_id, pool, rated, found, hashes, now)
            live = await self._hub.open(table_id, opened, _holder(places[0]))
        except ServerRefused as refusal:
            await self.places.give_back(table_id, now)
            if refusal.code is not ServerFault.TOO_MANY_UNFINISHED:
                raise
            await self.places.leave(places[0].person, pool.id)  # the others go on waiting
            return
        if not await self.places.pair(table_id, len(ids), self._hub.clock()):
            await self._hub.decide(live, hosting.close)


def _holder(place: PoolPlace) -> Holder:
    """A pool's table counts among those that the person who waited longest may have."""
    return Holder(place.address.lstrip("~"), None, place.person)


def _tell_place(listener: PoolListener, place: PoolPlace, now: int) -> None:
    """Where they sit; or, after a while, which bot would be there at once."""
    pool = POOLS[place.pool]
    if place.state == PAIRED:
        assert place.table is not None
        message: PoolMessage = {"type": "paired", "pool": pool.id, "table": place.table}
        listener.tell_once(f"paired {place.table}", message)
    elif now - place.since_ms > pool.patience.bot_after_s * 1000:
        offer: PoolOffer = {
            "type": "offer",
            "pool": pool.id,
            "bot": bot_near(place.rating, pool.seats),
        }
        listener.tell_once(f"offer {pool.id} {place.since_ms}", offer)


def as_waiting(place: PoolPlace, avoided: dict[str, frozenset[str]]) -> Waiting:
    nobody: frozenset[str] = frozenset()
    return Waiting(place.person, place.rating, place.since_ms, avoided.get(place.person, nobody))


def opening(
    table_id: str,
    pool: Pool,
    rated: bool,
    people: list[Person],
    hashes: dict[str, str | None],
    now: int,
) -> Opened:
    """The table of a group: who sits where is drawn, and nobody needs a key."""
    seed, names = new_seed(), list[str]()
    order = [people[index] for index in seating(seed, len(people))]
    chairs = []
    for person in order:
        name = person.name if person.kept else free_name(person.name, names)
        names.append(name)
        chairs.append(Chair(Kind.HUMAN, name=name, holder=PERSON + person.id))
    shares = ((seat, hashes.get(person.id)) for seat, person in enumerate(order))
    return Opened(
        now,
        pool.options(rated),
        tuple(chairs),
        seed,
        Series(table_id, 1, (0,) * len(chairs)),
        share_hashes=tuple((seat, share) for seat, share in shares if share is not None),
    )


def pools_told(counts: Counter[tuple[str, bool]], person: Person | None) -> list[PoolState]:
    """The pools as that person is told of them: `rated` is what they would wait for, and `waiting`
    and `needs` are about those who wait for the same."""
    kept = person is not None and person.kept
    return [_pool_told(pool, counts, kept) for pool in POOLS.values()]


def _pool_told(pool: Pool, counts: Counter[tuple[str, bool]], kept: bool) -> PoolState:
    rated, friendly = counts[pool.id, True], counts[pool.id, False]
    waiting = rated if kept else friendly
    return {
        "id": pool.id,
        "kind": kind_of(pool.ruleset).value,
        "seats": pool.seats,
        "target": pool.ruleset.target,
        "clock": cast(ClockInfo, clock_to_json(pool.clock)),
        "rated": kept,
        "waiting": waiting,
        "needs": needs(waiting, pool.seats),
        "waiting_rated": rated,
        "waiting_friendly": friendly,
    }


def needs(waiting: int, seats: int) -> int | None:
    """How many more make a table; None when nobody waits."""
    return seats - waiting % seats if waiting else None


def bot_near(rating: float, seats: int) -> str:
    """The level whose measured rating is nearest."""
    known = ratings(seats)
    return min(LEVEL_NAMES, key=lambda name: abs(known[name].elo - rating))
