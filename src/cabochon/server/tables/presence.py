"""Who is at a table, on whichever node they are connected, and since when others are away."""

from __future__ import annotations

from typing import Protocol

from cabochon.play.commands import come_back, stand_in
from cabochon.play.options import WhenGone
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables.commanding import LiveTables
from cabochon.server.tables.live import SEAT_GIVEN_UP, Live, Subscriber
from cabochon.server.tables.lobby import Lobby
from cabochon.server.tables.relay import Relay
from cabochon.server.tables.replies import welcome, welcomed_on


class AbsenceTimers(Protocol):
    """Looks again at a table when somebody may have been away for too long."""

    def watch_gone(self, live: Live, seat: int) -> None: ...

    def look_again(self, live: Live, due: int) -> None: ...


class VisitedTables(LiveTables, Protocol):
    """The tables that people come to, and whom else to tell that they did."""

    @property
    def store(self) -> SqlStore: ...

    @property
    def lobby(self) -> Lobby: ...

    @property
    def relay(self) -> Relay: ...

    @property
    def scheduler(self) -> AbsenceTimers: ...

    async def caught_up(self, live: Live) -> None: ...


class TablePresence:
    """Connects and disconnects, and tells the table who came and went."""

    def __init__(self, tables: VisitedTables) -> None:
        self._tables = tables

    async def connect(self, live: Live, subscriber: Subscriber, since: int | None) -> None:
        """Send what the client does not have, then everything that happens."""
        tables, audience = self._tables, subscriber.audience
        if since is not None and since > live.table.seq:
            await tables.caught_up(live)  # it comes from a node that was told earlier
        chairs = live.table.chairs
        made = await welcome(tables.store, live, audience, since, tables.clock())
        async with live.lock:
            made = await welcomed_on(tables.store, live, audience, made)
            for seat in audience.seats:
                now, then = live.table.chairs[seat], chairs[seat]
                if (now.key, now.holder) != (then.key, then.holder):
                    subscriber.close(SEAT_GIVEN_UP)
            for message in made.messages:
                subscriber.push(message)
            live.add(subscriber)
        new = [seat for seat in subscriber.audience.seats if seat not in live.local]
        for seat in subscriber.audience.seats:
            live.local[seat] = live.local.get(seat, 0) + 1
        if new:
            self._local_changed(live)
        for seat in new:
            self._back(live, seat)
        for seat, chair in enumerate(live.table.chairs):
            if chair.has_say:
                subscriber.push(live.presence(seat, self.claim_in(live, seat)))

    def disconnect(self, live: Live, subscriber: Subscriber) -> None:
        live.remove(subscriber)
        live.used = self._tables.clock()
        for seat in subscriber.audience.seats:
            live.local[seat] -= 1
            if not live.local[seat]:
                del live.local[seat]
                live.absence.left(seat, live.used)
                self._local_changed(live)

    def _local_changed(self, live: Live) -> None:
        self._tables.relay.say_presence(live.table.id, frozenset(live.local))
        self.noted(live)

    def heard(self, live: Live, node: str, seats: frozenset[int]) -> None:
        """What another node says of its connections."""
        for seat in live.elsewhere.pop(node, frozenset()) - seats:
            live.absence.left(seat, self._tables.clock())
        if seats:
            live.elsewhere[node] = seats
        self.noted(live)

    def node_died(self, live: Live, living: frozenset[str]) -> None:
        """Nobody is connected to a node that is gone."""
        for node in live.elsewhere.keys() - living:
            self.heard(live, node, frozenset())

    def commanded(self, live: Live, seat: int, now: int) -> None:
        """Somebody commands, connected or not: the seat is there for the grace time."""
        live.absence.acted(seat, now)
        self.noted(live)

    def started(self, live: Live) -> None:
        """The game begins, and with it the grace time of everybody who isn't there."""
        for seat in self.away(live):
            live.tell_all(live.presence(seat, self.claim_in(live, seat)))

    def noted(self, live: Live) -> None:
        """Somebody gave a sign of life, or ceased to: tell what that changes."""
        if len(live.local) == len(live.table.chairs) and live.here == live.local.keys():
            return  # all are connected here and known to be: so it is at nearly every move
        connected = connected_to(live)
        here = connected | self._commanding(live, connected)
        came, went = here - live.here, live.here - here
        if not came and not went:
            return
        live.here = here
        for seat in came:
            live.tell_all(live.presence(seat, None))
        for seat in went:
            live.tell_all(live.presence(seat, self.claim_in(live, seat)))
            self._tables.scheduler.watch_gone(live, seat)
        if live.table.position is None:
            self._tables.lobby.changed(live.table, here)

    def _commanding(self, live: Live, connected: frozenset[int]) -> frozenset[int]:
        """The seats without a connection whose last command is recent enough. Looked at again
        when the first of them will have been silent for too long."""
        grace_ms = live.table.options.grace_s * 1000
        until = {seat: live.absence.there_until(seat, grace_ms) for seat in silent(live, connected)}
        there = {seat: end for seat, end in until.items() if end > self._tables.clock()}
        if there:
            self._tables.scheduler.look_again(live, min(there.values()))
        return frozenset(there)

    def _back(self, live: Live, seat: int) -> None:
        """Who connects takes the seat up again."""
        if live.table.may_come_back(seat):
            self._tables.job(
                self._tables.decide(live, lambda table, now: come_back(table, seat, now))
            )

    def away(self, live: Live) -> frozenset[int]:
        """The seats of people and outside bots who are not there."""
        return frozenset(silent(live, live.here))

    def gone_s(self, live: Live, now: int) -> dict[int, float]:
        """For how many seconds of the game each seat that isn't there has been silent."""
        return {seat: (now - gone_since(live, seat)) / 1000 for seat in self.away(live)}

    def claim_in(self, live: Live, seat: int) -> int | None:
        """Seconds until the policy for absent players may act on the seat, if it is away."""
        if seat in live.here or live.table.to_act is None or live.table.chairs[seat].by_engine:
            return None
        now = self._tables.clock()
        return max(0, live.table.options.grace_s - (now - gone_since(live, seat)) // 1000)

    async def stand_in_if_gone(self, live: Live, seat: int) -> None:
        """The grace time is over: a bot plays on, if that is the policy and it is still so."""
        if live.table.options.when_gone is WhenGone.BOT and self.claim_in(live, seat) == 0:
            await self._tables.decide(live, lambda table, now: stand_in(table, seat, now))


def connected_to(live: Live) -> frozenset[int]:
    """The seats with a connection to any node."""
    return frozenset(live.local).union(*live.elsewhere.values())


def silent(live: Live, heard: frozenset[int]) -> list[int]:
    """The seats of people and outside bots that aren't among those heard of."""
    return [
        seat for seat, chair in enumerate(live.table.chairs) if chair.has_say and seat not in heard
    ]


def gone_since(live: Live, seat: int) -> int:
    """The last sign of life of a seat without a connection, or the start of the game."""
    return live.absence.since(seat, live.table.started_at)
