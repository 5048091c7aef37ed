"""Who may come in, and how often: limits by address and by token, origins, quotas."""

from __future__ import annotations

import asyncio
import math
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from cabochon.play.clock import HOUR_S
from cabochon.server import metrics
from cabochon.server.access.addresses import WIDER, Addresses, tiers
from cabochon.server.access.cookies import is_https, session_cookie
from cabochon.server.access.hosts import Hosts
from cabochon.server.access.identity import Caller
from cabochon.server.limits import Brakes, Buckets
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import hashed
from cabochon.server.settings import Settings
from cabochon.server.storage.bans import Bans
from cabochon.server.storage.holdings import Holder, pseudonym

BURST_S = 10
UNHURRIED = 5
MOST_DELAY_S = 0.25
"""The longest delay for those who ask more often than a fifth of what is allowed."""
TABLES_UNHURRIED = 6
TABLES_APART_S = 0.5
"""The same for tables, guests and tokens after the first six."""
TABLES_AT_ONCE = 30
"""Each new table costs the server some milliseconds, and its bots think: nobody needs a thousand in
one go."""


MOST_VISITS = 100_000
"""Of the live engine, for one question."""
VISITS_BURST_S = 20
OWN_SITE = ("same-origin", "none")


class AccessLimits:
    """One for a server; everything it counts is in memory and forgotten with it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.bans = Bans()
        rate, tables = settings.requests_per_s, settings.most_tables_per_address
        self._addresses = Addresses(settings)
        self._requests = _Tiers(rate, rate * BURST_S)
        self._tables = _Tiers(tables / HOUR_S, min(tables, max(TABLES_AT_ONCE, tables // 50)))
        calm = rate / UNHURRIED
        self._haste = Brakes(calm, calm * BURST_S, MOST_DELAY_S)
        self._making = Brakes(*_unhurried(tables), TABLES_APART_S)
        visits = settings.engine_visits_per_s
        self._visits = _Tiers(visits, max(MOST_VISITS, visits * VISITS_BURST_S))
        self._hosts = Hosts(settings)
        self._connections: dict[str, int] = {}
        self._origins = {o.strip().rstrip("/") for o in settings.origins.split(",") if o.strip()}

    def address(self, connection: HTTPConnection) -> str:
        """Whose request it is: the peer's address, or what a trusted proxy says."""
        return self._addresses.of(connection)

    def holder(self, connection: HTTPConnection, caller: Caller) -> Holder:
        """Who is counted for a table that is made now."""
        (_, own), *wider = tiers(self.address(connection))
        network = pseudonym(wider[0][1]) if wider else None
        return Holder(pseudonym(own), network, next(iter(caller.names), None))

    def buckets(self) -> dict[str, Buckets]:
        """All limits, each by a name of its own, to be shared with other processes."""
        return {
            f"{name}{times}": buckets
            for name, kind in (
                ("requests", self._requests),
                ("tables", self._tables),
                ("visits", self._visits),
            )
            for times, buckets in kind.tiers.items()
        }

    def share(self) -> None:
        """From now on note what is taken, for `SharedLimits` to pass on."""
        for buckets in self.buckets().values():
            buckets.shared = True

    def check_request(self, connection: HTTPConnection, amount: float = 1.0) -> None:
        """Raises ServerRefused when the address, or the key it uses, asks too often; something
        heavy counts as more than one request, but never as more than half of what may come
        at once, so that nothing is out of reach. Also when the address is banned."""
        self.bans.check_address(self.address(connection))
        amount = min(amount, self._settings.requests_per_s * BURST_S / 2)
        wait = self._requests.take(self.address(connection), amount)
        secret = connection.headers.get("authorization")
        if secret and not wait:
            wait = self._requests.take_one(hashed(secret), amount)
        if wait:
            raise _too_fast(wait)

    async def slow_down(self, connection: HTTPConnection) -> None:
        """An address that keeps asking is delayed a little, before it costs anything: one client by
        itself gets slower then, and many behind one address hardly notice."""
        await _put_off(self._haste.delay(self._network(connection)))

    def _network(self, connection: HTTPConnection) -> str:
        (_, own), *_ = tiers(self.address(connection))
        return own

    async def check_quota(self, connection: HTTPConnection) -> None:
        """Raises ServerRefused when the address has made too many tables, guests or tokens. Many
        in a row are put off a little."""
        await _put_off(self._making.delay(self._network(connection)))
        wait = self._tables.take(self.address(connection))
        if wait:
            raise _too_fast(wait)

    def check_visits(self, connection: HTTPConnection, visits: int) -> None:
        """Raises ServerRefused when the address has had more of the live engine than its share."""
        wait = self._visits.take(self.address(connection), visits)
        if wait:
            raise _too_fast(wait)

    def sitter(self, connection: HTTPConnection, caller: Caller) -> tuple[str, ...]:
        """Everything that somebody at a seat may be known by."""
        return (*caller.names, pseudonym(self.address(connection)))

    def enter(self, connection: HTTPConnection) -> str:
        """Count a lasting connection; gives what to hand to `leave`. Raises ServerRefused."""
        address = self.address(connection)
        count = self._connections.get(address, 0)
        if count >= self._settings.most_connections_per_address:
            raise _too_fast(BURST_S)
        self._connections[address] = count + 1
        return address

    def leave(self, address: str) -> None:
        self._connections[address] -= 1
        if not self._connections[address]:
            del self._connections[address]

    def check_host(self, connection: HTTPConnection) -> None:
        """Raises ServerRefused when the server is addressed by a name that is not its own."""
        if not self._hosts.allows(connection.headers.get("host")):
            metrics.TURNED_AWAY.labels("host").inc()
            raise ServerRefused(ServerFault.BAD_HOST)

    def is_secure(self, connection: HTTPConnection) -> bool:
        """Whether the client is known to use HTTPS, by the proxy or by its own page's address."""
        origin = connection.headers.get("origin")
        return self._addresses.is_secure(connection) or (
            is_https(origin) and self.origin_allowed(connection)
        )

    def session_cookie(self, connection: HTTPConnection) -> str | None:
        """What says who somebody is, if their browser sent it."""
        return session_cookie(connection, self.is_secure(connection))

    def check_origin(self, connection: HTTPConnection) -> None:
        """Raises ServerRefused when another site's page tries to change something in a visitor's
        name."""
        site = connection.headers.get("sec-fetch-site", "none")
        own = self.origin_allowed(connection)
        if not own or (site not in OWN_SITE and "origin" not in connection.headers):
            metrics.TURNED_AWAY.labels("origin").inc()
            raise ServerRefused(ServerFault.BAD_ORIGIN)

    def origin_allowed(self, connection: HTTPConnection) -> bool:
        """A browser says where a page comes from; only our own may open a socket, or write in
        somebody's name."""
        origin = connection.headers.get("origin")
        if origin is None or origin.rstrip("/") in self._origins:
            return True
        try:
            return urlsplit(origin).netloc == connection.headers.get("host", "")
        except ValueError:
            return False


class _Tiers:
    """Buckets for households, and larger ones for the wider networks that they are in: with more
    and more neighbours asking, each is left with less."""

    def __init__(self, rate: float, burst: float) -> None:
        times = (1, *(times for _, times in WIDER))
        self.tiers = {n: Buckets(rate * n, burst * n) for n in times}

    def take(self, address: str, amount: float = 1.0) -> float:
        """0 when it is allowed, else after how many seconds it would be."""
        for times, network in tiers(address):
            wait = self.tiers[times].take(network, amount)
            if wait:
                return wait
        return 0.0

    def take_one(self, who: str, amount: float) -> float:
        """The same for somebody who has no address."""
        return self.tiers[1].take(who, amount)


def _unhurried(tables: int) -> tuple[float, float]:
    """How many tables a second, and how many at once, for an address that may make so many in an
    hour: two and six for a thousand."""
    rate = max(1, tables) / 1000 / TABLES_APART_S
    return rate, max(TABLES_UNHURRIED, rate * TABLES_UNHURRIED / 2)


async def _put_off(seconds: float) -> None:
    if seconds:
        await asyncio.sleep(seconds)


def _too_fast(wait: float) -> ServerRefused:
    metrics.LIMITED.inc()
    return ServerRefused(ServerFault.TOO_FAST, seconds=max(1, math.ceil(wait)))
