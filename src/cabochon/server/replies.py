"""Messages made out of the kept events: what a client missed, and what a stale one should know."""

from __future__ import annotations

from typing import Any

import orjson

from cabochon.play.events import Moved, TableEvent
from cabochon.play.store import Store
from cabochon.play.table import Table
from cabochon.play.telling import Audience, texts_of, told
from cabochon.server.live import Live

MOST_MISSED = 300
"""A client further behind is sent everything anew."""


FAR_BEHIND = 20


def is_far_behind(live: Live, since: int | None) -> bool:
    """Whether a client missed so much that telling it takes a while."""
    return since is not None and 0 < since < live.table.seq - FAR_BEHIND


async def since_messages(
    store: Store, live: Live, audience: Audience, since: int
) -> list[bytes] | None:
    """The messages of every event after `since`, as they were told then; None when it is better
    to send everything. Called with the table's lock held."""
    table = live.table
    if since == table.seq:
        return []
    if table.seq - since > MOST_MISSED:
        return None
    events = await store.events(table.id)
    before = Table.of(table.id, events[:since])
    messages: list[bytes] = []
    for event in events[since : table.seq]:
        after = before.after(event)
        made = told(before, event, after, audience, live.here, event.at)
        messages += [orjson.dumps(message) for message in made]
        before = after
    return messages


def happened_since(events: list[TableEvent], table: Table, reader: int | None) -> dict[str, Any]:
    """For a stale client: the moves since the version it saw, as far as it may know them."""
    return {
        "version": table.version,
        "seq": table.seq,
        "events": [
            {"seat": event.seat, "events": texts_of(event, reader)}
            for event in events
            if isinstance(event, Moved)
        ],
    }
