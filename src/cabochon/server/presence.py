"""Who is at a table, on whichever node they are connected, and since when others are away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cabochon.play.commands import come_back, stand_in
from cabochon.play.options import WhenGone
from cabochon.server.live import SEAT_GIVEN_UP, Live, Subscriber
from cabochon.server.replies import welcome, welcomed_on

if TYPE_CHECKING:
    from cabochon.server.hub import Hub


class PresenceDesk:
    """Connects and disconnects, and tells the table who came and went."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def connect(self, live: Live, subscriber: Subscriber, since: int | None) -> None:
        """Send what the client does not have, then everything that happens."""
        hub, audience = self._hub, subscriber.audience
        if since is not None and since > live.table.seq:
            await hub.caught_up(live)  # it comes from a node that was told earlier
        chairs = live.table.chairs
        made = await welcome(hub.store, live, audience, since, hub.clock())
        async with live.lock:
            made = await welcomed_on(hub.store, live, audience, made)
            for seat in audience.seats:
                if live.table.chairs[seat].key != chairs[seat].key:
                    subscriber.close(SEAT_GIVEN_UP)
            for message in made.messages:
                subscriber.push(message)
            live.add(subscriber)
        for seat in subscriber.audience.seats:
            live.local[seat] = live.local.get(seat, 0) + 1
        self.changed(live, say=True)
        for seat, chair in enumerate(live.table.chairs):
            if chair.has_say:
                subscriber.push(live.presence(seat, self.claim_in(live, seat)))

    def disconnect(self, live: Live, subscriber: Subscriber) -> None:
        live.remove(subscriber)
        live.used = self._hub.clock()
        for seat in subscriber.audience.seats:
            live.local[seat] -= 1
            if not live.local[seat]:
                del live.local[seat]
        self.changed(live, say=True)

    def heard(self, live: Live, node: str, seats: frozenset[int]) -> None:
        """What another node says of its connections."""
        if seats:
            live.elsewhere[node] = seats
        else:
            live.elsewhere.pop(node, None)
        self.changed(live, say=False)

    def node_died(self, live: Live, living: frozenset[str]) -> None:
        """Nobody is connected to a node that is gone."""
        if not live.elsewhere.keys() <= living:
            live.elsewhere = {n: s for n, s in live.elsewhere.items() if n in living}
            self.changed(live, say=False)

    def changed(self, live: Live, say: bool) -> None:
        """Compare with what was told last, and tell the difference."""
        here = frozenset(live.local).union(*live.elsewhere.values())
        came, went = here - live.here, live.here - here
        if not came and not went:
            return
        live.here = here
        if say:
            self._hub.relay.say_presence(live.table.id, frozenset(live.local))
        for seat in came:
            self._came(live, seat)
        for seat in went:
            self._went(live, seat)
        if live.table.position is None:
            self._hub.lobby.changed(live.table, here)

    def _came(self, live: Live, seat: int) -> None:
        live.gone_since.pop(seat, None)
        live.tell_all(live.presence(seat, None))
        if live.table.may_come_back(seat) and seat in live.local:
            self._hub.job(self._hub.decide(live, lambda table, now: come_back(table, seat, now)))

    def _went(self, live: Live, seat: int) -> None:
        live.gone_since[seat] = self._hub.clock()
        live.tell_all(live.presence(seat, self.claim_in(live, seat)))
        self._hub.caretaker.watch_gone(live, seat)

    def claim_in(self, live: Live, seat: int) -> int | None:
        """Seconds until the policy for absent players may act on the seat, if it is away."""
        since = live.gone_since.get(seat)
        if since is None or live.table.to_act is None or live.table.chairs[seat].by_engine:
            return None
        return max(0, live.table.options.grace_s - (self._hub.clock() - since) // 1000)

    async def stand_in_if_gone(self, live: Live, seat: int) -> None:
        """The grace time is over: a bot plays on, if that is the policy and it is still so."""
        if live.table.options.when_gone is WhenGone.BOT and self.claim_in(live, seat) == 0:
            await self._hub.decide(live, lambda table, now: stand_in(table, seat, now))
