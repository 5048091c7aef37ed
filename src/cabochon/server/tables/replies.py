"""Messages made out of the kept events: what a client missed, and what a stale one should know."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from cabochon.play.events import Moved, TableEvent
from cabochon.play.messaging import Audience, messages_for, snapshot, texts_of
from cabochon.play.table import Table
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables.live import Live

MOST_MISSED = 300
"""A client further behind is sent everything anew."""
MOST_SINCE = 40
"""A stale client gets this many events at most: the last ones."""
MESSAGE_SIZE = 10
"""Sending an event takes as long as reading this many."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """What somebody who comes is sent, and the table as they know it then."""

    messages: list[bytes]
    table: Table


def missed_since(table: Table, since: int | None) -> int | None:
    """How many events a client that has seen `since` gets one by one; None when it is better sent
    everything."""
    if since is None or not 0 < since <= table.seq or table.seq - since > MOST_MISSED:
        return None
    return table.seq - since


async def welcome(
    store: SqlStore, live: Live, audience: Audience, since: int | None, now: int
) -> Welcome:
    """The messages of every event after `since`, as they were told then, or everything. May take
    a while, so nobody's lock is held: what happens meanwhile is told by `welcomed_on`."""
    table, here = live.table, live.here
    missed = missed_since(table, since)
    if missed is None:
        size = len(table.log)
        message = await store.longwork.tell(
            size, lambda: orjson.dumps(snapshot(table, audience, here, now))
        )
        return Welcome([message], table)
    if not missed:
        return Welcome([], table)
    events = await store.events(table.id)
    size = len(events) + missed * MESSAGE_SIZE
    return await store.longwork.tell(
        size,
        lambda: _told_on(
            Table.of(table.id, events[: table.seq - missed]),
            events[table.seq - missed : table.seq],
            audience,
            here,
        ),
    )


async def welcomed_on(store: SqlStore, live: Live, audience: Audience, so_far: Welcome) -> Welcome:
    """With what has happened since the welcome was made. Called with the table's lock held."""
    table = so_far.table
    if live.table.seq == table.seq:
        return so_far
    events = await store.events(table.id, table.seq)
    more = _told_on(table, events[: live.table.seq - table.seq], audience, live.here)
    return Welcome(so_far.messages + more.messages, more.table)


def _told_on(
    table: Table, events: Sequence[TableEvent], audience: Audience, here: Collection[int]
) -> Welcome:
    messages: list[bytes] = []
    for event in events:
        before, table = table, table.after(event)
        made = messages_for(before, event, table, audience, here, event.at)
        messages += [orjson.dumps(message) for message in made]
    return Welcome(messages, table)


async def happened_since(
    store: SqlStore, table: Table, version: int, reader: int | None
) -> dict[str, Any]:
    """For a stale client: the moves since the version it saw, as far as it may know them, or only
    the last of them. `after` is the event that they follow."""
    after = max(version, table.seq - MOST_SINCE)
    events = await store.events(table.id, after)
    return {
        "version": table.version,
        "seq": table.seq,
        "after": after,
        "events": [
            {"seat": event.seat, "events": texts_of(event, reader)}
            for event in events
            if isinstance(event, Moved)
        ],
    }
