"""Who is connected to this node: so that a ban, or a token or session that is revoked, also ends
what is open already."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from cabochon.rules import CabochonError
from cabochon.server.access.identity import Caller
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.bans import Bans
from cabochon.server.tables.live import Subscriber, closing_message

MOST_REVOKED = 10_000


@dataclass(frozen=True, slots=True)
class Visitor:
    """Where somebody comes from, what they are known by, and what may be taken from them: the ids
    of a token and a session."""

    address: str
    names: tuple[str, ...]
    token: str | None
    session: str | None

    @property
    def who(self) -> str:
        return self.names[0] if self.names else self.address


class Visitors:
    """Every socket and stream of this node."""

    def __init__(self, bans: Bans) -> None:
        self._bans = bans
        self._here: dict[Subscriber, Visitor] = {}
        self._revoked: OrderedDict[str, None] = OrderedDict()

    def enter(self, subscriber: Subscriber, address: str, caller: Caller) -> None:
        """Somebody connects; they are sent off at once if they became unwelcome on the way in."""
        token = None if caller.token is None else caller.token.id
        session = None if caller.session is None else caller.session.id
        visitor = Visitor(address, caller.names, token, session)
        self._here[subscriber] = visitor
        self._send_off_if_refused(subscriber, visitor)

    def leave(self, subscriber: Subscriber) -> None:
        self._here.pop(subscriber, None)

    def count(self) -> int:
        """How many are connected to this node: people once each, others by where they come from."""
        return len({visitor.who for visitor in self._here.values()})

    def revoked(self, revoked_id: str) -> None:
        """Everybody with that token, or in that session, is sent off."""
        self._revoked[revoked_id] = None
        if len(self._revoked) > MOST_REVOKED:
            self._revoked.popitem(last=False)
        self.recheck()

    def recheck(self) -> None:
        """Everybody who is not welcome any more is sent off."""
        for subscriber, visitor in list(self._here.items()):
            self._send_off_if_refused(subscriber, visitor)

    def _send_off_if_refused(self, subscriber: Subscriber, visitor: Visitor) -> None:
        refusal = self._refusal(visitor)
        if refusal is not None:
            subscriber.push(closing_message(refusal))
            subscriber.close(refusal.code.value)

    def _refusal(self, visitor: Visitor) -> CabochonError | None:
        if visitor.token in self._revoked:
            return ServerRefused(ServerFault.REVOKED)
        if visitor.session in self._revoked:
            return ServerRefused(ServerFault.SIGNED_OUT)
        ban = self._bans.of_address(visitor.address)
        ban = ban or self._bans.of_secrets(visitor.names)
        return None if ban is None else ban.refusal()
