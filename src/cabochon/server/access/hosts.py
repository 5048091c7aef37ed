"""Under which names the server answers, so that no other site's name can be pointed at it.

A page of `evil.example` may have its name resolve to 127.0.0.1 and then talk to whatever listens
there as to its own server (DNS rebinding). Only the `Host` header tells.
"""

from __future__ import annotations

from ipaddress import ip_address

from cabochon.server.settings import Settings

ANY = "*"
_OWN_MACHINE = frozenset(("localhost", "127.0.0.1", "::1"))


class Hosts:
    """What `CABOCHON_HOSTS` says. If it says nothing: this machine's own names while only this
    machine can reach the server, and any name otherwise."""

    def __init__(self, settings: Settings) -> None:
        self._names = frozenset(
            _bare(name) for name in settings.hosts.split(",") if name.strip()
        ) or _usual(settings)

    def allows(self, host: str | None) -> bool:
        return ANY in self._names or (host is not None and _bare(host) in self._names)


def _usual(settings: Settings) -> frozenset[str]:
    proxied = settings.trust_proxy or settings.trusted_proxies
    if proxied or not _is_loopback(settings.host):
        return frozenset((ANY,))
    return _OWN_MACHINE | {_bare(settings.host)}


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bare(host: str) -> str:
    """Without port and brackets, in small letters."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    if host.count(":") == 1:
        host = host.partition(":")[0]
    return host.rstrip(".")
