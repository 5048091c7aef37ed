"""What people do to add to the deal. Each returns a `Decision` or raises TableRefused."""

from __future__ import annotations

from collections.abc import Iterable

from cabochon.play.clock import Days
from cabochon.play.commands import decided, given_up
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Left, Pledged, Revealed
from cabochon.play.options import Options
from cabochon.play.table import Decision, Table
from cabochon.rules import share_hash

DAY_MS = 86_400_000


def pledge(table: Table, seat: int, pledged: str, now: int) -> Decision:
    """Give the hash of a share, before the shares are revealed; once said it stays."""
    _check_waiting(table)
    part = table.shares.part(seat)
    if part is not None and part.hash == pledged:
        return Decision((), table)
    if table.shares.is_revealing or (part is not None and part.hash is not None):
        raise TableRefused(TableFault.SHARE_PLEDGED, seat=seat)
    return decided(table, Pledged(now, seat, pledged))


def reveal(table: Table, seat: int, share: str, now: int) -> Decision:
    """Tell the share, once everybody's hash is there. To say it twice is no fault, also when the
    game has started with it."""
    part = table.shares.part(seat)
    if part is not None and part.share == share:
        return Decision((), table)
    _check_waiting(table)
    if part is None or part.share is not None or not table.shares.is_revealing:
        raise TableRefused(TableFault.NO_SHARE_ASKED, seat=seat)
    if share_hash(share) != part.hash:
        raise TableRefused(TableFault.SHARE_WRONG, seat=seat)
    return decided(table, Revealed(now, seat, share))


def free_seats(table: Table, seats: Iterable[int], now: int) -> Decision:
    """Free the chairs of those among these seats whom the table still waits for."""
    late = [seat for seat in table.shares.awaited if seat in set(seats)]
    if not table.is_starting or not late:
        return Decision((), table)
    return given_up(table, *(Left(now, seat, withheld=True) for seat in late))


def patience_ms(options: Options) -> int:
    """How long the table waits for somebody who is away: as long as a player may be away, or, in
    a game by correspondence, as long as a move may take."""
    clock = options.clock
    days = clock.days if isinstance(clock, Days) else 0
    return max(options.grace_s * 1000, days * DAY_MS)


def _check_waiting(table: Table) -> None:
    if table.position is not None:
        raise TableRefused(TableFault.STARTED)
