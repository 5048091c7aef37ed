"""Where events are kept. The table decides, a store remembers; any store that keeps these promises
will do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from cabochon.play.events import TableEvent
from cabochon.play.table import Table


@dataclass(frozen=True, slots=True)
class Append:
    """Events to be kept, the first with number `seq`; `table` is the table after the last."""

    seq: int
    events: tuple[TableEvent, ...]
    table: Table


class Conflict(Exception):
    """Somebody else has kept an event with that number first; nothing was kept."""


class Store(Protocol):
    """Append-only events, numbered without gaps from 1 for each table."""

    async def append(self, appends: Sequence[Append]) -> None:
        """Keep all of it or nothing; durable when this returns. Raises Conflict."""
        ...

    async def events(self, table_id: str, since: int = 0) -> list[TableEvent]:
        """The events numbered above `since`, in order; none for an unknown table."""
        ...
