"""The one authority behind every client: a table is what its events make of it.

Pure: time is handed in, nothing is read or written here. A command returns a `Decision`, the
events that are to be kept and the table after them, or raises and nothing has happened.

    table.submit(seat, version, moves, now)  ->  Decision(events, table)
    table.after(event)                       ->  the next table, also when a log is read back
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import Any

from cabochon.play.budgets import MOST_LEAVES, Spent, charged
from cabochon.play.chairs import Chair, Kind, Out
from cabochon.play.clock import Times, moved_on, started, taken_back
from cabochon.play.dealshares import NO_SHARES, Shares
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import (
    BotSeated,
    BotTookOver,
    CameBack,
    Claimed,
    Closed,
    Flagged,
    HandedOver,
    Hinted,
    Joined,
    Left,
    Moved,
    Opened,
    Pledged,
    RematchAccepted,
    RematchDeclined,
    RematchMade,
    RematchOffered,
    Removed,
    Renamed,
    Resigned,
    Revealed,
    Said,
    TableEvent,
    TakebackAgreed,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    TextingSwitched,
    Wrote,
    sent_with,
)
from cabochon.play.history import Ended, ended_by_closing, ended_by_leaving, ended_by_rules
from cabochon.play.options import AtZero
from cabochon.play.staging import Line, LineKind, Notice, Staged, restaged, stage
from cabochon.play.tablestate import Asked, TableState, check_start, dealer_of
from cabochon.rules import Move, Phase, Position

CHAT_KEPT = 50
_PLACE = {field.name: place for place, field in enumerate(fields(TableState))}
_ALL_OF = attrgetter(*_PLACE)


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be kept, in order, and the table after it."""

    events: tuple[TableEvent, ...]
    table: Table


@dataclass(frozen=True, slots=True)
class Table(TableState):
    """One sitting, live: the commands that make moves, and what each event makes of it."""

    @classmethod
    def of(cls, table_id: str, events: Iterable[TableEvent]) -> Table:
        """The table that these events, from the first on, have made."""
        coming = iter(events)
        opened = next(coming)
        if not isinstance(opened, Opened):
            raise ValueError(f"the log of {table_id} does not begin with its opening")
        table = cls.open(table_id, opened)
        for event in coming:
            table = table.after(event)
        return table

    @classmethod
    def open(cls, table_id: str, opened: Opened) -> Table:
        """The table before anything else has happened. Raises TableRefused for a wrong number of
        chairs, or a position where no game can begin."""
        if len(opened.chairs) != opened.options.ruleset.seats:
            raise TableRefused(
                TableFault.CHAIRS_COUNT,
                count=len(opened.chairs),
                seats=opened.options.ruleset.seats,
            )
        if opened.position is not None:
            check_start(opened.options, opened.position)
        table = cls(
            table_id,
            opened,
            dealer_of(opened, opened.seed),
            opened.chairs,
            shares=Shares.of(opened.share_hashes),
            texting=opened.texting,
        )
        seats = len(opened.chairs)
        table = replace(table, fresh=(table.seq,) * seats, spent=(Spent(),) * seats)
        return table._started_if_full(opened.at)

    # Commands that make moves; the others are in `commands`

    def submit(
        self,
        seat: int,
        version: int,
        moves: tuple[Move, ...],
        now: int,
        key: str | None = None,
        ask: str | None = None,
        *,
        engine: bool = False,
    ) -> Decision:
        """All the moves or none. `engine` says that a bot of the house submits, which also plays
        for seats that are out. With the last moves of a seat's budget a bot takes the seat over.
        Raises TableRefused (stale, not started, ...) or IllegalMove."""
        staged = self.staged(seat, version, moves, now, engine=engine)
        if not engine:
            self._check_may_move(seat)
        turn = self.running.turn
        event = Moved(now, seat, turn, staged.moves, staged.deals, sent_with(key, ask))
        table = self._moved(event, staged)
        if engine or table.ended is not None or table.has_moves(seat):
            return Decision((event,), table)
        stood_in = BotTookOver(now, seat)
        return Decision((event, stood_in), table.after(stood_in))

    def _check_may_move(self, seat: int) -> None:
        spent = self.spent[seat]
        spent.check_moves(len(self.chairs))
        if not self.chairs[seat].stands_in:
            return
        if not spent.may_return:
            raise TableRefused(TableFault.LEAVES_SPENT, most=MOST_LEAVES)
        if self.times is not None and self.times.remaining[seat] <= 0:
            raise TableRefused(TableFault.TIME_OVER, seat=seat)

    def staged(
        self,
        seat: int,
        version: int,
        moves: tuple[Move, ...],
        now: int,
        *,
        engine: bool = False,
    ) -> Staged:
        """What the moves would do; raises as `submit` does."""
        position = self.running
        if not self.is_fresh(seat, version):
            raise TableRefused(TableFault.STALE, seen=version, version=self.version)
        if self.chairs[seat].out is not None and not engine:
            raise TableRefused(TableFault.SEAT_OUT, seat=seat)
        return stage(position, self.dealer, seat, moves, self.ply, now)

    # The fold: what each event makes of the table

    def after(self, event: TableEvent) -> Table:
        """The table after one more event, which must be one that it decided itself."""
        if isinstance(event, Moved):
            return self._moved(event, restaged(self.running, event, self.ply))
        return self._folded(event)._noted(self, event)

    def _changed(self, **changes: object) -> Table:
        """As `replace`, in a third of the time: a long log is read back through here."""
        values: list[Any] = list(_ALL_OF(self))
        for name, value in changes.items():
            values[_PLACE[name]] = value
        return Table(*values)

    def _noted(self, before: Table, event: TableEvent) -> Table:
        """With what the event has cost its seat, and whose moves it has made stale."""
        paid = isinstance(event, TakenBack) and before.takeback is not None
        spent = before.spent if paid else charged(before.spent, event)
        fresh = before.fresh
        if self.position is not before.position:
            fresh = (self.seq,) * len(self.chairs)
        elif self.chairs is not before.chairs:
            fresh = tuple(
                seen if new.bot == old.bot else self.seq
                for seen, new, old in zip(fresh, self.chairs, before.chairs, strict=True)
            )
        return self._changed(fresh=fresh, spent=spent)

    def _folded(self, event: TableEvent) -> Table:
        match event:
            case Joined():
                chair = self.chairs[event.seat]
                sat = chair.seated(event.name, event.key, event.holder)
                table = self._next()._with_chair(event.seat, sat)
                if event.share_hash is not None:
                    table = table._with_shares(self.shares.pledged(event.seat, event.share_hash))
                return table._started_if_full(event.at)
            case Left() | Pledged() | Revealed():
                return self._after_sharing(event)
            case BotSeated():
                chair = Chair(Kind.BOT, bot=event.bot)
                return self._next()._with_chair(event.seat, chair)._started_if_full(event.at)
            case Said() | Wrote() | TextingSwitched():
                return self._after_talking(event)
            case Hinted():
                return replace(self._next(), hints=(*self.hints, event.turn))
            case TakebackAsked() | TakebackAgreed() | TakebackDeclined() | TakenBack():
                return self._after_takeback(event)
            case RematchOffered() | RematchAccepted() | RematchDeclined() | RematchMade():
                return self._after_rematch(event)
            case Closed():
                return self._stopped(ended_by_closing(self.position, self.chairs))
            case Renamed():
                named = replace(self.chairs[event.seat], name=event.name)
                return self._next()._with_chair(event.seat, named)
            case HandedOver():
                handed = replace(self.chairs[event.seat], holder=event.holder)
                return self._next()._with_chair(event.seat, handed)
            case Opened() | Moved():
                raise ValueError("a table is opened once, and moves have a way of their own")
            case _:
                return self._after_leaving(event)

    def _next(self) -> Table:
        return self._changed(seq=self.seq + 1)

    def _next_version(self) -> Table:
        return self._changed(seq=self.seq + 1, version=self.seq + 1)

    def _with_chair(self, seat: int, chair: Chair) -> Table:
        return replace(self, chairs=(*self.chairs[:seat], chair, *self.chairs[seat + 1 :]))

    def _with_shares(self, shares: Shares) -> Table:
        return replace(self, shares=shares)

    def _after_talking(self, event: Said | Wrote | TextingSwitched) -> Table:
        if isinstance(event, TextingSwitched):
            others = [seat for seat in self.texting if seat != event.seat]
            wanted = [event.seat] if event.on else []
            return replace(self._next(), texting=tuple(sorted(others + wanted)))
        chat = (*self.chat[1 - CHAT_KEPT :], (self.seq + 1, event))
        return replace(self._next(), chat=chat)

    def _after_sharing(self, event: Left | Pledged | Revealed) -> Table:
        shares, seat = self.shares, event.seat
        match event:
            case Pledged():
                table = self._next()._with_shares(shares.pledged(seat, event.share_hash))
                return table._started_if_full(event.at)
            case Revealed():
                table = self._next()._with_shares(shares.opened(seat, event.share))
                return table._started_if_full(event.at)
            case Left():
                chair = self.chairs[seat]
                texting = tuple(other for other in self.texting if other != seat)
                table = replace(self._next(), texting=texting, shares=shares.without(seat))
                if not event.withheld:
                    # A bot that was seated leaves the chair, and its invitation, as they were.
                    empty = self.opened.chairs[seat] if chair.bot else chair.emptied()
                    return table._with_chair(seat, empty)
                line = Notice(0, 0, seat, LineKind.NO_SHARE, event.at, name=chair.name)
                return replace(table, log=self.log.plus(line))._with_chair(seat, chair.freed())

    def _started_if_full(self, now: int) -> Table:
        """The game starts with the last chair taken, or, where at least two people play and any
        of them adds to the deal, with the last share revealed."""
        if any(chair.kind is Kind.OPEN for chair in self.chairs):
            return self
        if not self.shares.parts or self.parties() < 2:
            return self._with_shares(NO_SHARES)._started(now)
        shares = self.shares.asked_at(now)
        if shares.awaited:
            return self._with_shares(shares)
        dealer = dealer_of(self.opened, shares.seed(self.opened.seed, self.id))
        return replace(self, shares=shares, dealer=dealer)._started(now)

    def _started(self, now: int) -> Table:
        ruleset, position = self.options.ruleset, self.first
        table = replace(self, position=position, version=self.seq, started_at=now)
        if self.options.clock is None:
            return table
        times = started(self.options.clock, ruleset.seats, table.clock_seat(position), now)
        return replace(table, times=times)

    def _moved(self, event: Moved, staged: Staged) -> Table:
        before, position, seq = self.running, staged.position, self.seq + 1
        over = position.phase is Phase.OVER
        history = self.history.plus(event, seq, before, self.times)
        # As `replace` would, in a third of the time: a long log is read back through here.
        return Table(
            id=self.id,
            opened=self.opened,
            dealer=self.dealer,
            chairs=self.chairs,
            seq=seq,
            version=seq,
            position=position,
            history=history.over() if over else history,
            log=self.log.plus(*staged.lines),
            times=self._times_after(position, event.turn, event.at),
            chat=self.chat,
            takeback=None,
            rematch=self.rematch,
            ended=ended_by_rules(position, self.chairs) if over else None,
            started_at=self.started_at,
            fresh=(seq,) * len(self.chairs),
            spent=self._spent_moving(event),
            shares=self.shares,
            hints=self.hints,
            texting=self.texting,
        )

    def _spent_moving(self, event: Moved) -> tuple[Spent, ...]:
        """An engine's moves cost the player nothing."""
        return self.spent if self.chairs[event.seat].by_engine else charged(self.spent, event)

    def _times_after(self, position: Position, turn: int, now: int) -> Times | None:
        clock, times = self.options.clock, self.times
        if clock is None or times is None:
            return None
        seat = turn % position.ruleset.seats
        done = seat if position.turn != turn else None
        earned = not self.chairs[seat].stands_in
        return moved_on(clock, times, done, self.clock_seat(position), now, earned)

    def _after_takeback(
        self, event: TakebackAsked | TakebackAgreed | TakebackDeclined | TakenBack
    ) -> Table:
        match event:
            case TakebackAsked():
                return replace(self._next(), takeback=Asked(event.seat))
            case TakebackAgreed():
                assert self.takeback is not None
                return replace(self._next(), takeback=self.takeback.with_agreed(event.seat))
            case TakebackDeclined():
                return replace(self._next(), takeback=None)
            case TakenBack():
                return self._taken_back(event)

    def _taken_back(self, event: TakenBack) -> Table:
        dropped = self.history.dropped(event.kept)
        position = dropped.position
        ply = self.ply - sum(len(m.moves) for m in self.history.moved.since(event.kept))
        kept = self.log_until(ply)
        # That a reveal was undone stays in the log, whatever else is taken back.
        undone = self.log.since(len(kept))
        told = [replace(line, ply=ply) for line in undone if line.revealed]
        line = Notice(
            ply,
            position.turn,
            event.seat,
            LineKind.TAKEBACK,
            event.at,
            revealed=event.revealed,
            rule=self.takeback_rule(event),
        )
        seq = self.seq + 1
        return self._changed(
            seq=seq,
            version=seq,
            position=position,
            history=dropped.history,
            log=kept.plus(*told, line),
            times=self._times_taken_back(dropped.times, position, event),
            takeback=None,
        )

    def _times_taken_back(
        self, before: Times | None, position: Position, event: TakenBack
    ) -> Times | None:
        if self.times is None or before is None:
            return None
        return taken_back(before, self.times, event.seat, self.clock_seat(position), event.at)

    def _after_rematch(
        self, event: RematchOffered | RematchAccepted | RematchDeclined | RematchMade
    ) -> Table:
        asked = self.rematch
        match event:
            case RematchOffered():
                asked = Asked(event.seat).with_hash(event.seat, event.share_hash)
            case RematchAccepted():
                assert asked is not None
                asked = asked.with_agreed(event.seat).with_hash(event.seat, event.share_hash)
            case RematchDeclined():
                asked = None
            case RematchMade():
                asked = replace(asked or Asked(0), table=event.table)
        return replace(self._next(), rematch=asked)

    def _after_leaving(
        self, event: Resigned | Flagged | Claimed | BotTookOver | CameBack | Removed
    ) -> Table:
        match event:
            case Removed():
                table = self._with_chair(event.seat, self.chairs[event.seat].without_secrets())
                return table._gone_out(event.seat, Out.ABANDON, LineKind.REMOVED, event.at)
            case Resigned():
                return self._gone_out(event.seat, Out.RESIGN, LineKind.RESIGN, event.at)
            case Claimed():
                return self._gone_out(event.seat, Out.ABANDON, LineKind.ABANDON, event.at)
            case Flagged() if self.options.at_zero is AtZero.LOSE:
                return self._gone_out(event.seat, Out.TIME, LineKind.TIME, event.at)
            case Flagged() | BotTookOver():
                chair = self.chairs[event.seat].with_stand_in()
                kind = LineKind.TIME if isinstance(event, Flagged) else LineKind.STAND_IN
                return self._reseated(event.seat, chair, kind, event.at)
            case CameBack():
                chair = self.chairs[event.seat].back()
                return self._reseated(event.seat, chair, LineKind.BACK, event.at)

    def _gone_out(self, seat: int, why: Out, kind: LineKind, now: int) -> Table:
        chair = self.chairs[seat].eliminated(why)
        table = self._reseated(seat, chair, kind, now)
        ended = ended_by_leaving(self.running, table.chairs, why)
        if ended is None:
            return table
        times = None if table.times is None else replace(table.times, running=None)
        return replace(table, ended=ended, times=times, takeback=None, history=table.history.over())

    def _stopped(self, ended: Ended) -> Table:
        """The game ends as it stands."""
        times = None if self.times is None else replace(self.times, running=None)
        return replace(
            self._next_version(),
            ended=ended,
            times=times,
            takeback=None,
            history=self.history.over(),
        )

    def _reseated(self, seat: int, chair: Chair, kind: LineKind, now: int) -> Table:
        """Another hand plays the seat from here on: the version changes, and a move sent by the
        former one is stale. The moves of other seats are not."""
        table = self._next_version()._with_chair(seat, chair)
        position = self.running
        line = Line(self.ply, position.turn, seat, kind, now)
        times = self.times and self.times.handed(table.clock_seat(position), now)
        return replace(table, times=times, log=self.log.plus(line), takeback=None)
