"""Who may not come in: networks, tokens, people and seat keys. Kept in the database, matched in
memory."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.schema import bans

Network = IPv4Network | IPv6Network

HOUSEHOLD = 56
"""An IPv6 address stands for its household's network: somebody with one address has them all."""
MOST_REMEMBERED = 4096


class BanKind(StrEnum):
    ADDRESS = "address"
    TOKEN = "token"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Ban:
    """`subject` is a network, a token's id, a person's id, or the hash of a seat key."""

    id: str
    kind: BanKind
    subject: str
    reason: str
    created_ms: int
    until_ms: int | None = None

    def holds(self, now_ms: int) -> bool:
        return self.until_ms is None or now_ms < self.until_ms

    def refusal(self) -> ServerRefused:
        """What somebody who is banned is told."""
        said = {"reason": self.reason, "note": f" ({self.reason})" if self.reason else ""}
        if self.until_ms is None:
            return ServerRefused(ServerFault.BANNED, **said)
        until = datetime.fromtimestamp(self.until_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        return ServerRefused(ServerFault.BANNED_UNTIL, until=until, **said)


class Bans:
    """All bans there are; asked for every request, so an address is looked up once."""

    def __init__(self, found: Iterable[Ban] = ()) -> None:
        self.use(found)

    def use(self, found: Iterable[Ban]) -> None:
        """These are the bans from now on."""
        kept = tuple(found)
        self._secrets = {b.subject: b for b in kept if b.kind is not BanKind.ADDRESS}
        self._networks = [(network_of(b.subject), b) for b in kept if b.kind is BanKind.ADDRESS]
        self._known: dict[str, tuple[Ban, ...]] = {}

    def of_address(self, address: str) -> Ban | None:
        if not self._networks:
            return None
        found = self._known.get(address)
        if found is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            found = self._known[address] = tuple(self._matching(address))
        return next((ban for ban in found if ban.holds(_now())), None)

    def of_secrets(self, names: Iterable[str | None]) -> Ban | None:
        """Of any of these ids and hashes of keys."""
        if not self._secrets:
            return None
        for name in names:
            ban = self._secrets.get(name or "")
            if ban is not None and ban.holds(_now()):
                return ban
        return None

    def check_address(self, address: str) -> None:
        """Raises ServerRefused when somebody from there may not come in."""
        _refuse(self.of_address(address))

    def check_secrets(self, names: Iterable[str | None]) -> None:
        """Raises ServerRefused when one of them is banned."""
        _refuse(self.of_secrets(names))

    def _matching(self, address: str) -> Iterable[Ban]:
        try:
            where = network_around(address)
        except ValueError:
            return
        for network, ban in self._networks:
            if network.version == where.version and network.overlaps(where):
                yield ban


def network_around(address: str) -> Network:
    """The network that an address counts as. Raises ValueError for what is none."""
    known = ip_address(address.partition("/")[0].partition("%")[0])
    if known.version == 6 and known.ipv4_mapped is not None:
        known = known.ipv4_mapped
    return ip_network((int(known), 32)) if known.version == 4 else _shortened(known.compressed)


def _shortened(address: str) -> Network:
    return ip_network(f"{address}/{HOUSEHOLD}", strict=False)


def network_of(text: str) -> Network:
    """An address or a network. Raises ValueError."""
    return ip_network(text, strict=False)


async def load_bans(engine: AsyncEngine, kept: Bans) -> None:
    """Take what the database says."""
    async with engine.connect() as connection:
        kept.use(ban_of(row) for row in await connection.execute(select(bans)))


def ban_of(row: Row[tuple[object, ...]]) -> Ban:
    return Ban(row.id, BanKind(row.kind), row.subject, row.reason, row.created_ms, row.until_ms)


def _refuse(ban: Ban | None) -> None:
    if ban is not None:
        raise ban.refusal()


def _now() -> int:
    return time.time_ns() // 1_000_000
