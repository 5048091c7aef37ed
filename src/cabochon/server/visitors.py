"""Who is connected to this node: so that a ban, or a token that is revoked, also ends what is open
already."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from cabochon.rules import CabochonError
from cabochon.server.bans import Bans
from cabochon.server.farewell import farewell
from cabochon.server.identity import Asker
from cabochon.server.live import Subscriber
from cabochon.server.problems import ServerFault, ServerRefused

MOST_REVOKED = 10_000


@dataclass(frozen=True, slots=True)
class Visitor:
    """Where somebody comes from, and what they hold: a token's id, hashes of seat keys."""

    address: str
    token: str | None
    keys: tuple[str, ...]


class Visitors:
    """Every socket and stream of this node."""

    def __init__(self, bans: Bans) -> None:
        self._bans = bans
        self._here: dict[Subscriber, Visitor] = {}
        self._revoked: OrderedDict[str, None] = OrderedDict()

    def enter(self, subscriber: Subscriber, address: str, asker: Asker) -> None:
        """Somebody connects; they are sent off at once if they became unwelcome on the way in."""
        token = None if asker.token is None else asker.token.id
        visitor = Visitor(address, token, asker.keys)
        self._here[subscriber] = visitor
        self._send_off_if_refused(subscriber, visitor)

    def leave(self, subscriber: Subscriber) -> None:
        self._here.pop(subscriber, None)

    def revoked(self, token_id: str) -> None:
        """Everybody with that token is sent off."""
        self._revoked[token_id] = None
        if len(self._revoked) > MOST_REVOKED:
            self._revoked.popitem(last=False)
        self.look_round()

    def look_round(self) -> None:
        """Everybody who is not welcome any more is sent off."""
        for subscriber, visitor in list(self._here.items()):
            self._send_off_if_refused(subscriber, visitor)

    def _send_off_if_refused(self, subscriber: Subscriber, visitor: Visitor) -> None:
        refusal = self._refusal(visitor)
        if refusal is not None:
            subscriber.push(farewell(refusal))
            subscriber.close(refusal.code.value)

    def _refusal(self, visitor: Visitor) -> CabochonError | None:
        if visitor.token in self._revoked:
            return ServerRefused(ServerFault.REVOKED)
        ban = self._bans.of_address(visitor.address)
        ban = ban or self._bans.of_secrets((visitor.token, *visitor.keys))
        return None if ban is None else ban.refusal()
