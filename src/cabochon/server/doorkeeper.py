"""Who may come in, and how often: limits by address and by token, origins, quotas."""

from __future__ import annotations

import math
from functools import lru_cache
from ipaddress import IPv6Address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from cabochon.server import metrics
from cabochon.server.bans import Bans
from cabochon.server.hosts import Hosts
from cabochon.server.limits import Buckets
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import hashed
from cabochon.server.settings import Settings

BURST_S = 10
HOUR_S = 3600


class Doorkeeper:
    """One for a server; everything it counts is in memory and forgotten with it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.bans = Bans()
        rate, tables = settings.requests_per_s, settings.most_tables_per_address
        self._requests = Buckets(rate, rate * BURST_S)
        self._tables = Buckets(tables / HOUR_S, tables)
        self._hosts = Hosts(settings)
        self._connections: dict[str, int] = {}
        self._origins = {o.strip().rstrip("/") for o in settings.origins.split(",") if o.strip()}

    def address(self, connection: HTTPConnection) -> str:
        """Whose request it is: the peer's address, or what a trusted proxy says."""
        if self._settings.trust_proxy:
            forwarded = connection.headers.get("x-forwarded-for", "")
            if forwarded:
                return _household(forwarded.rpartition(",")[2].strip()[:64])
        return _household(connection.client.host) if connection.client else "-"

    def check_request(self, connection: HTTPConnection, amount: float = 1.0) -> None:
        """Raises ServerRefused when the address, or the key it uses, asks too often; something
        heavy counts as more than one request, but never as more than half of what may come
        at once, so that nothing is out of reach. Also when the address is banned."""
        self.bans.check_address(self.address(connection))
        amount = min(amount, self._settings.requests_per_s * BURST_S / 2)
        wait = self._requests.take(self.address(connection), amount)
        secret = connection.headers.get("authorization")
        if secret and not wait:
            wait = self._requests.take(hashed(secret), amount)
        if wait:
            raise _too_fast(wait)

    def check_quota(self, connection: HTTPConnection) -> None:
        """Raises ServerRefused when the address has made too many tables, guests or tokens."""
        wait = self._tables.take(self.address(connection))
        if wait:
            raise _too_fast(wait)

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

    def origin_allowed(self, connection: HTTPConnection) -> bool:
        """A browser says where a page comes from; only our own may open a socket."""
        origin = connection.headers.get("origin")
        if origin is None or origin.rstrip("/") in self._origins:
            return True
        try:
            return urlsplit(origin).netloc == connection.headers.get("host", "")
        except ValueError:
            return False


@lru_cache(maxsize=4096)
def _household(address: str) -> str:
    """Whoever has one IPv6 address has a whole network of them: they count as one."""
    if ":" not in address:
        return address
    try:
        known = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(known.ipv4_mapped or IPv6Address(int(known) >> 64 << 64))


def _too_fast(wait: float) -> ServerRefused:
    metrics.LIMITED.inc()
    return ServerRefused(ServerFault.TOO_FAST, seconds=max(1, math.ceil(wait)))
