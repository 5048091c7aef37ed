"""Signs of life: since when a table's players are away, as far as one node can tell.

A connection is one, and so is a command, over REST as well: who commands counts as there for the
grace time from the last command on, unless a connection has been closed since.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from cabochon.play.events import (
    BotSeated,
    BotTookOver,
    Claimed,
    Hinted,
    Left,
    Moved,
    Pledged,
    RematchAccepted,
    RematchDeclined,
    RematchOffered,
    Revealed,
    Said,
    TableEvent,
    TakebackAgreed,
    TakebackAsked,
    TakebackDeclined,
    TextingSwitched,
    Wrote,
)
from cabochon.play.table import Table

MOST_KEPT = 20_000

_OWN = (
    Moved,
    Said,
    Wrote,
    TextingSwitched,
    Hinted,
    TakebackAsked,
    TakebackAgreed,
    TakebackDeclined,
    RematchOffered,
    RematchAccepted,
    RematchDeclined,
    Pledged,
    Revealed,
)


def acting_seat(before: Table, event: TableEvent) -> int | None:
    """The seat whose player did that; None when it came about otherwise."""
    if isinstance(event, Claimed | BotSeated):
        return event.by
    if isinstance(event, _OWN) and not before.chairs[event.seat].by_engine:
        return event.seat
    return None


class Absence:
    """The last sign of life of each seat of one table: `left` when a connection ended, `acted`
    when a command came. Before any, the table's coming into memory counts."""

    __slots__ = ("_acted", "_born", "_left")

    def __init__(self, now: int, since: Mapping[int, int] | None = None) -> None:
        self._born = now
        self._left = dict(since or {})
        self._acted: dict[int, int] = {}

    def note(self, before: Table, event: TableEvent) -> None:
        """What the event says about who is there, also when another node has decided it."""
        if isinstance(event, Left | BotTookOver):
            self.left(event.seat, event.at)
        else:
            seat = acting_seat(before, event)
            if seat is not None:
                self.acted(seat, event.at)

    def left(self, seat: int, now: int) -> None:
        self._left[seat] = now

    def acted(self, seat: int, now: int) -> None:
        self._acted[seat] = max(now, self._acted.get(seat, now))

    def there_until(self, seat: int, grace_ms: int) -> int:
        """Until when a seat without a connection counts as there; 0 when it does not."""
        acted = self._acted.get(seat, 0)
        return acted + grace_ms if acted > self._left.get(seat, 0) else 0

    def since(self, seat: int, started_at: int | None) -> int:
        """When a seat without a connection gave its last sign of life: not before the start of
        the game, however long it waited for that."""
        left = self._left.get(seat, self._born)
        return max(left, self._acted.get(seat, 0), started_at or 0)


class EvictedAbsences:
    """The absences of tables that left memory, so that being away goes on counting."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, dict[int, int]] = OrderedDict()

    def keep(self, table: Table, absence: Absence) -> None:
        seats = [seat for seat, chair in enumerate(table.chairs) if chair.has_say]
        self._kept[table.id] = {seat: absence.since(seat, None) for seat in seats}
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    def taken(self, table_id: str) -> dict[int, int]:
        return self._kept.pop(table_id, {})
