"""Whose request it is: the peer's address, or what trusted proxies say of it, and how far its
network reaches."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TypeAlias

from starlette.requests import HTTPConnection

from cabochon.server.settings import Settings

HOUSEHOLD_BITS = 56
"""What a provider gives to one customer: somebody with one address in it has them all."""
WIDER = ((48, 4), (40, 16), (32, 64))
"""This many customers' networks together are allowed only this many times as much as one."""

_Address: TypeAlias = IPv4Address | IPv6Address


class BadNetwork(ValueError):
    """A trusted proxy's network that cannot be read."""


class Addresses:
    """Reads the address of a request as the settings say."""

    def __init__(self, settings: Settings) -> None:
        self._any_private = settings.trust_proxy
        try:
            self._trusted = tuple(
                ip_network(text.strip(), strict=False)
                for text in settings.trusted_proxies.split(",")
                if text.strip()
            )
        except ValueError as error:
            raise BadNetwork(f"CABOCHON_TRUSTED_PROXIES: {error}") from None

    def of(self, connection: HTTPConnection) -> str:
        """The network of the household that asks."""
        if connection.client is None:
            return "-"
        peer = connection.client.host
        if not self._passes_on(peer):
            return client_network(peer)
        said = ",".join(connection.headers.getlist("x-forwarded-for"))
        return client_network(self._forwarded(said) or peer)

    def is_secure(self, connection: HTTPConnection) -> bool:
        """Whether the client is known to use HTTPS: it came so, or a trusted proxy says so."""
        if connection.url.scheme in ("https", "wss"):
            return True
        if connection.client is None or not self._passes_on(connection.client.host):
            return False
        return connection.headers.get("x-forwarded-proto", "").strip().lower() == "https"

    def _passes_on(self, peer: str) -> bool:
        known = _read(peer)
        if known is None:
            return False
        if self._trusts(known):
            return True
        return self._any_private and not self._trusted and (known.is_private or known.is_loopback)

    def _forwarded(self, said: str) -> str:
        """The right-most address that is not a trusted proxy's: what stands to the left of it,
        anybody may have written. If all are trusted, the first of them is where it began."""
        last = ""
        for part in reversed(said.split(",")[-32:]):
            text = part.strip()[:64]
            if not text:
                continue
            last = text
            known = _read(text)
            if known is None or not self._trusts(known):
                break
        return last

    def _trusts(self, address: _Address) -> bool:
        return any(
            address.version == network.version and address in network for network in self._trusted
        )


@lru_cache(maxsize=4096)
def client_network(address: str) -> str:
    """The address as it is counted: of IPv6, the network of one customer."""
    known = _read(address)
    if known is None:
        return address
    return str(known) if isinstance(known, IPv4Address) else _network(known, HOUSEHOLD_BITS)


@lru_cache(maxsize=4096)
def tiers(counted: str) -> tuple[tuple[int, str], ...]:
    """What a request of that household is counted against, each with how many times as much it is
    allowed: the household itself, and the wider networks around it."""
    known = _read(counted.partition("/")[0])
    if not isinstance(known, IPv6Address):
        return ((1, counted),)
    return (1, counted), *((times, _network(known, bits)) for bits, times in WIDER)


def _network(address: IPv6Address, bits: int) -> str:
    return f"{IPv6Address(int(address) >> (128 - bits) << (128 - bits))}/{bits}"


@lru_cache(maxsize=4096)
def _read(text: str) -> _Address | None:
    """`10.0.0.1`, `10.0.0.1:443`, `2001:db8::1%eth0` or `[2001:db8::1]:443`."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        known = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(known, IPv6Address) and known.ipv4_mapped is not None:
        return known.ipv4_mapped
    return known
