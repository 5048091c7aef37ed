"""What people do at a table beside moving. Each returns a `Decision` or raises TableRefused."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from cabochon.play.chairs import Kind, holder_by
from cabochon.play.clock import DAY_MS, Days
from cabochon.play.dealshares import MOST_ROUNDS
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import (
    BotTookOver,
    CameBack,
    Claimed,
    Closed,
    Flagged,
    Joined,
    Left,
    Opened,
    Pledged,
    RematchAccepted,
    RematchDeclined,
    RematchMade,
    RematchOffered,
    Resigned,
    Revealed,
    Series,
    TableEvent,
    TakebackAgreed,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
)
from cabochon.play.options import Options, WhenGone
from cabochon.play.table import Decision, Table
from cabochon.rules import share_hash


def decided(table: Table, *events: TableEvent) -> Decision:
    """The events, and the table after all of them."""
    for event in events:
        table = table.after(event)
    return Decision(events, table)


# Sitting down and getting up


def join(
    table: Table,
    seat: int | None,
    name: str,
    key: str | None,
    now: int,
    holder: str | None = None,
    share_hash: str | None = None,
) -> Decision:
    """Take that chair, or the first open one. Who has only a key is known by that."""
    if table.ended is not None:
        raise TableRefused(TableFault.FINISHED)
    if seat is None:
        seat = first_open(table)
    check_seat(table, seat)
    if table.chairs[seat].kind is not Kind.OPEN:
        raise TableRefused(TableFault.SEAT_TAKEN, seat=seat)
    return decided(table, Joined(now, seat, name, key, holder or holder_by(None, key), share_hash))


def first_open(table: Table) -> int:
    for seat, chair in enumerate(table.chairs):
        if chair.kind is Kind.OPEN:
            return seat
    raise TableRefused(TableFault.TABLE_FULL)


def leave(table: Table, seat: int, now: int) -> Decision:
    """Before the start the chair is free again; later a bot plays on until the player is back. Only
    a few times, and not again right after coming back. In a rated game, leaving gives the game
    up."""
    if table.position is None:
        table.spent[seat].check_given_up()
        return given_up(table, Left(now, seat))
    if table.options.rated:
        return resign(table, seat, now)
    away = stand_in(table, seat, now)
    if away.events:
        table.spent[seat].check_leaves(now)
    return away


def given_up(table: Table, *left: Left) -> Decision:
    """Chairs are free again. A table whose shares were void too often is closed with it: somebody
    there keeps looking for a better deal, and those who wait should know."""
    decision = decided(table, *left)
    if decision.table.shares.round <= MOST_ROUNDS:
        return decision
    return decided(table, *left, Closed(left[-1].at))


def stand_in(table: Table, seat: int, now: int) -> Decision:
    """Let a bot play for a seat that is away; this is never refused for being away too often."""
    check_in_game(table, seat)
    if table.chairs[seat].by_engine:
        return Decision((), table)
    return decided(table, BotTookOver(now, seat))


def come_back(table: Table, seat: int, now: int) -> Decision:
    """The player takes the seat up again; nothing happens when that is not possible."""
    if not table.may_come_back(seat):
        return Decision((), table)
    return decided(table, CameBack(now, seat))


def resign(table: Table, seat: int, now: int) -> Decision:
    check_in_game(table, seat)
    return decided(table, Resigned(now, seat))


def claim(table: Table, by: int, seat: int | None, gone_s: dict[int, float], now: int) -> Decision:
    """Against a seat that is away for longer than the grace time; `gone_s` says who is."""
    check_in_game(table, by)
    if table.options.when_gone is not WhenGone.CLAIM:
        raise TableRefused(TableFault.CLAIM_OFF)
    if seat is None:
        seat = max((s for s in gone_s if s != by), key=gone_s.__getitem__, default=1 - by % 2)
    check_seat(table, seat)
    check_in_game(table, seat)
    if gone_s.get(seat, 0.0) < table.options.grace_s or seat == by:
        raise TableRefused(TableFault.NOT_GONE, seat=seat)
    return decided(table, Claimed(now, seat, by))


def flag(table: Table, now: int) -> Decision:
    """What the clock says: nothing, or that the running seat's time is over."""
    times = table.times
    if table.ended is not None or times is None or not times.is_over(now):
        return Decision((), table)
    assert times.running is not None
    return decided(table, Flagged(now, times.running))


# Taking back; `away` are the seats whose player is not at the table


def ask_takeback(table: Table, seat: int, now: int, away: Collection[int] = ()) -> Decision:
    """The asker's last turn. At once while nothing was revealed and nobody else acted (unless the
    table always asks), or when there is nobody to ask; else the others are asked. What was
    revealed is only taken back while everybody is there."""
    check_in_game(table, seat)
    if table.takeback is not None:
        raise TableRefused(TableFault.TAKEBACK_PENDING)
    if not table.options.allows_help:
        raise TableRefused(TableFault.RATED_TAKEBACK)
    undoing = undoing_of(table, seat)
    table.spent[seat].check_takebacks(alone=not rematch_voters(table, seat))
    if undoing.free and not table.options.takeback_asks:
        return decided(table, undoing.event(now))
    if not table.options.takeback:
        raise TableRefused(TableFault.TAKEBACK_OFF)
    undoing.check_all_there(table, away)
    if not table.others_with_say(seat):
        return decided(table, undoing.event(now))
    return decided(table, TakebackAsked(now, seat))


def agree_takeback(table: Table, seat: int, now: int, away: Collection[int] = ()) -> Decision:
    asked = table.takeback
    if asked is None or seat == asked.by:
        raise TableRefused(TableFault.NO_TAKEBACK_ASKED)
    check_in_game(table, seat)
    if seat in asked.agreed:
        return Decision((), table)
    agreed = decided(table, TakebackAgreed(now, seat))
    if not set(table.others_with_say(asked.by)) <= {*asked.agreed, seat}:
        return agreed
    undoing = undoing_of(table, asked.by)
    undoing.check_all_there(table, away)
    done = decided(agreed.table, undoing.event(now))
    return Decision(agreed.events + done.events, done.table)


def decline_takeback(table: Table, seat: int, now: int, away: Collection[int] = ()) -> Decision:
    """Also by the asker, on second thoughts, and by somebody who is away."""
    if table.takeback is None:
        raise TableRefused(TableFault.NO_TAKEBACK_ASKED)
    check_in_game(table, seat)
    return decided(table, TakebackDeclined(now, seat))


@dataclass(frozen=True, slots=True)
class Undoing:
    """The last turn of `seat`, and whatever came after it: only the first `kept` submissions
    would stay. `free` means that nobody need be asked; `reveals`, that a card was turned up or
    drawn which somebody has now seen."""

    seat: int
    kept: int
    free: bool
    reveals: bool

    def event(self, now: int) -> TakenBack:
        return TakenBack(now, self.seat, self.kept, self.reveals)

    def check_all_there(self, table: Table, away: Collection[int]) -> None:
        """Raises TableRefused when a card was revealed and somebody who should agree is away:
        a bot that stands in can't agree for them."""
        if not self.reveals:
            return
        for seat in _people(table, self.seat):
            if table.chairs[seat].stands_in or (seat in away and seat != self.seat):
                raise TableRefused(TableFault.TAKEBACK_AWAY, seat=seat)


def undoing_of(table: Table, seat: int) -> Undoing:
    """Raises TableRefused when the seat has no turn to take back."""
    kept = _first_of_last_turn(table, seat)
    undone = table.history.moved.since(kept)
    reveals = any(moved.deals for moved in undone)
    free = not reveals and all(moved.seat == seat for moved in undone)
    return Undoing(seat, kept, free, reveals)


def _first_of_last_turn(table: Table, seat: int) -> int:
    """Where the seat's last turn began, among the submissions that stand."""
    kept, turn = None, None
    for index in range(len(table.history) - 1, -1, -1):
        event = table.history.moved[index]
        if turn is not None and event.turn < turn:
            break
        if event.seat == seat:
            kept, turn = index, event.turn
    if kept is None:
        raise TableRefused(TableFault.NOTHING_TO_TAKE_BACK)
    return kept


def _people(table: Table, asker: int) -> list[int]:
    """The asker, and everybody still in the game who is somebody else."""
    holder = table.chairs[asker].holder
    return [
        seat
        for seat, chair in enumerate(table.chairs)
        if seat == asker or (chair.has_say and chair.out is None and not chair.is_held_by(holder))
    ]


# Playing again


def offer_rematch(
    table: Table, seat: int, new_table: str, seed: str, now: int, share_hash: str | None = None
) -> RematchDecision:
    """Everybody with a say must accept; when nobody else has one the table is made at once."""
    _check_finished(table)
    if table.rematch is not None:
        return accept_rematch(table, seat, new_table, seed, now, share_hash)
    table.spent[seat].check_rematches()
    offered = decided(table, RematchOffered(now, seat, share_hash))
    return _made_if_all_agree(offered, new_table, seed, now)


def accept_rematch(
    table: Table, seat: int, new_table: str, seed: str, now: int, share_hash: str | None = None
) -> RematchDecision:
    _check_finished(table)
    asked = table.rematch
    if asked is None:
        raise TableRefused(TableFault.NO_REMATCH_OFFERED)
    if seat == asked.by or seat in asked.agreed:
        return RematchDecision(Decision((), table), None)
    accepted = decided(table, RematchAccepted(now, seat, share_hash))
    return _made_if_all_agree(accepted, new_table, seed, now)


def decline_rematch(table: Table, seat: int, now: int) -> Decision:
    _check_finished(table)
    if table.rematch is None:
        raise TableRefused(TableFault.NO_REMATCH_OFFERED)
    return decided(table, RematchDeclined(now, seat))


class RematchDecision:
    """The decision at the old table and, once all have agreed, how the new one opens."""

    def __init__(self, decision: Decision, opened: Opened | None) -> None:
        self.decision = decision
        self.opened = opened


def _made_if_all_agree(decision: Decision, new_table: str, seed: str, now: int) -> RematchDecision:
    table = decision.table
    assert table.rematch is not None
    asker = table.rematch.by
    waiting = set(rematch_voters(table, asker)) - set(table.rematch.agreed)
    if waiting:
        return RematchDecision(decision, None)
    made = decided(table, RematchMade(now, new_table))
    events = decision.events + made.events
    return RematchDecision(Decision(events, made.table), _next_game(table, seed, now))


def rematch_voters(table: Table, asker: int) -> tuple[int, ...]:
    """Whose acceptance a rematch needs: every other person, also one whom a bot had replaced."""
    holder = table.chairs[asker].holder
    return tuple(
        seat
        for seat, chair in enumerate(table.chairs)
        if seat != asker and chair.has_say and not chair.is_held_by(holder)
    )


def _next_game(table: Table, seed: str, now: int) -> Opened:
    """The same people, each one seat further on, so that the second begins; from a position that
    was given, each with what another had."""
    assert table.ended is not None
    seats = len(table.chairs)
    former = [(seat + 1) % seats for seat in range(seats)]
    series, winners = table.opened.series, table.ended.winners
    score = tuple(series.score[seat] + (seat in winners) for seat in former)
    chairs = tuple(table.chairs[seat].for_rematch() for seat in former)
    given = () if table.rematch is None else table.rematch.share_hashes
    return Opened(
        at=now,
        options=table.options,
        chairs=chairs,
        seed=seed,
        series=Series(series.id, series.game + 1, score),
        watch_code=table.opened.watch_code,
        share_hashes=tuple((former.index(seat), share_hash) for seat, share_hash in given),
        position=table.opened.position,
        texting=tuple(sorted(former.index(seat) for seat in table.texting)),
    )


# Adding to the deal


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
    """Reveal the share, once everybody's hash is there. Revealing it twice does no harm, even when
    the game has started with it."""
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


# What all of them check


def check_seat(table: Table, seat: int) -> None:
    if seat not in range(len(table.chairs)):
        raise TableRefused(TableFault.NO_SUCH_SEAT, seat=seat)


def check_in_game(table: Table, seat: int) -> None:
    assert table.running
    if table.chairs[seat].out is not None:
        raise TableRefused(TableFault.SEAT_OUT, seat=seat)


def _check_finished(table: Table) -> None:
    if table.ended is None:
        raise TableRefused(TableFault.NOT_FINISHED)
    if table.rematch is not None and table.rematch.table is not None:
        raise TableRefused(TableFault.REMATCH_MADE)
