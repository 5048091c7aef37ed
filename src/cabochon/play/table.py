"""The one authority behind every client: a table is what its events make of it.

Pure: time is handed in, nothing is read or written here. A command returns a `Decision`, the
events that are to be kept and the table after them, or raises and nothing has happened.

    table.submit(seat, version, moves, now)  ->  Decision(events, table)
    table.after(event)                       ->  the next table, also when a log is read back
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cabochon.play.chairs import Chair, Kind, Out
from cabochon.play.clock import Times, moved_on, started
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import (
    CameBack,
    Claimed,
    Flagged,
    Joined,
    Left,
    Moved,
    Opened,
    Pledged,
    RematchAccepted,
    RematchDeclined,
    RematchMade,
    RematchOffered,
    Resigned,
    Revealed,
    Said,
    StoodIn,
    TableEvent,
    TakebackAgreed,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
)
from cabochon.play.lines import Line, LineKind
from cabochon.play.messages import State
from cabochon.play.options import AtZero, Options
from cabochon.play.results import Ended, ended_by_leaving, ended_by_rules
from cabochon.play.shares import NO_SHARES, Shares
from cabochon.play.staging import KnownCards, Staged, stage
from cabochon.rules import Dealer, Move, Phase, Position, ShuffledDealer

CHAT_KEPT = 50
MOST_EVENTS = 2000
"""Ten times what the longest games have: the tokens could go round for ever."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Something that all others must agree to: who asks, who has agreed, what came of it, and
    which seats gave the hash of a share with their word."""

    by: int
    agreed: tuple[int, ...] = ()
    table: str | None = None
    share_hashes: tuple[tuple[int, str], ...] = ()

    def with_agreed(self, seat: int) -> Asked:
        return replace(self, agreed=(*self.agreed, seat))

    def with_hash(self, seat: int, share_hash: str | None) -> Asked:
        if share_hash is None:
            return self
        return replace(self, share_hashes=(*self.share_hashes, (seat, share_hash)))


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be kept, in order, and the table after it."""

    events: tuple[TableEvent, ...]
    table: Table


@dataclass(frozen=True, slots=True)
class Table:
    """One sitting, live. `seq` counts its events; `version` is the seq of the last one that
    touched the game. `position` is None until every chair is taken."""

    id: str
    opened: Opened
    dealer: Dealer
    chairs: tuple[Chair, ...]
    seq: int = 1
    version: int = 0
    position: Position | None = None
    moved: tuple[Moved, ...] = ()
    moved_seqs: tuple[int, ...] = ()
    lines: tuple[Line, ...] = ()
    times: Times | None = None
    said: int = 0
    chat: tuple[tuple[int, Said], ...] = ()
    takeback: Asked | None = None
    rematch: Asked | None = None
    ended: Ended | None = None
    shares: Shares = NO_SHARES

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
        if len(opened.chairs) != opened.options.ruleset.seats:
            raise TableRefused(
                TableFault.CHAIRS_COUNT,
                count=len(opened.chairs),
                seats=opened.options.ruleset.seats,
            )
        shares = Shares.of(opened.share_hashes)
        dealer = ShuffledDealer(opened.seed)
        table = cls(table_id, opened, dealer, opened.chairs, shares=shares)
        return table._started_if_full(opened.at)

    # What can be read off

    @property
    def options(self) -> Options:
        return self.opened.options

    @property
    def state(self) -> State:
        if self.position is None:
            return "open"
        return "running" if self.ended is None else "finished"

    @property
    def is_starting(self) -> bool:
        """Whether every chair is taken and the game waits for what people add to the deal."""
        return self.position is None and self.shares.asked is not None

    @property
    def ply(self) -> int:
        """How many decisions the game has seen."""
        return self.lines[-1].ply if self.lines else 0

    @property
    def to_act(self) -> int | None:
        """The seat whose decision is awaited, while the game runs."""
        if self.position is None or self.ended is not None:
            return None
        return self.position.seat

    @property
    def bot_to_act(self) -> str | None:
        """The engine whose decision is awaited, if it is one of this house."""
        seat = self.to_act
        return None if seat is None else self.chairs[seat].bot

    @property
    def running(self) -> Position:
        """The position of a game that goes on. Raises TableRefused otherwise."""
        if self.position is None:
            raise TableRefused(TableFault.NOT_STARTED)
        if self.ended is not None:
            raise TableRefused(TableFault.FINISHED)
        return self.position

    def others_with_say(self, seat: int) -> tuple[int, ...]:
        """The other seats whose consent counts: people and outside bots still in the game, apart
        from those the same person plays."""
        owner = self.chairs[seat].owner
        return tuple(
            other
            for other, chair in enumerate(self.chairs)
            if other != seat
            and chair.has_say
            and not chair.by_engine
            and (owner is None or chair.owner != owner)
        )

    # Commands that make moves; the others stand in `commands`

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
        for seats that are out. Raises TableRefused (stale, not started, ...) or IllegalMove."""
        staged = self.staged(seat, version, moves, now, engine=engine)
        if not engine:
            self.check_log()
        turn = self.running.turn
        event = Moved(now, seat, turn, staged.moves, staged.deals, key, ask)
        return Decision((event,), self._moved(event, staged))

    def check_log(self) -> None:
        """Raises TableRefused when too much has happened for a table that somebody plays."""
        if self.seq >= MOST_EVENTS:
            raise TableRefused(TableFault.LOG_FULL)

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
        if version != self.version:
            raise TableRefused(TableFault.STALE, seen=version, version=self.version)
        if self.chairs[seat].out is not None and not engine:
            raise TableRefused(TableFault.SEAT_OUT, seat=seat)
        return stage(position, self.dealer, seat, moves, self.ply, now)

    def answered(self, seat: int, key: str, ask: str) -> int | None:
        """The seq of the submission made with that key before, or None. Raises TableRefused when
        the key stood for something else."""
        for event, seq in zip(reversed(self.moved), reversed(self.moved_seqs), strict=True):
            if event.key == key and event.seat == seat:
                if event.ask != ask:
                    raise TableRefused(TableFault.KEY_REUSED)
                return seq
        return None

    # The fold: what each event makes of the table

    def after(self, event: TableEvent) -> Table:
        """The table after one more event, which must be one that it decided itself."""
        match event:
            case Moved():
                position, known = self.running, KnownCards(event.deals)
                staged = stage(position, known, event.seat, event.moves, self.ply, event.at)
                return self._moved(event, staged)
            case Joined():
                chair = self.chairs[event.seat]
                sat = chair.sat(event.name, event.key, event.owner, event.token)
                table = self._next()._with_chair(event.seat, sat)
                if event.share_hash is not None:
                    table = table._with_shares(self.shares.pledged(event.seat, event.share_hash))
                return table._started_if_full(event.at)
            case Left() | Pledged() | Revealed():
                return self._after_sharing(event)
            case Said():
                chat = (*self.chat[1 - CHAT_KEPT :], (self.seq + 1, event))
                return replace(self._next(), said=self.said + 1, chat=chat)
            case TakebackAsked() | TakebackAgreed() | TakebackDeclined() | TakenBack():
                return self._after_takeback(event)
            case RematchOffered() | RematchAccepted() | RematchDeclined() | RematchMade():
                return self._after_rematch(event)
            case Opened():
                raise ValueError("a table is opened once")
            case _:
                return self._after_leaving(event)

    def _next(self) -> Table:
        return replace(self, seq=self.seq + 1)

    def _next_version(self) -> Table:
        return replace(self, seq=self.seq + 1, version=self.seq + 1)

    def _with_chair(self, seat: int, chair: Chair) -> Table:
        return replace(self, chairs=(*self.chairs[:seat], chair, *self.chairs[seat + 1 :]))

    def _with_shares(self, shares: Shares) -> Table:
        return replace(self, shares=shares)

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
                table = self._next()._with_shares(shares.without(seat))
                if not event.withheld:
                    return table._with_chair(seat, chair.emptied())
                line = Line(0, 0, seat, LineKind.NO_SHARE, event.at, name=chair.name)
                return replace(table, lines=(*self.lines, line))._with_chair(seat, chair.freed())

    def _parties(self) -> int:
        """How many people and programs from outside there are; one with several seats counts
        once."""
        said = enumerate(self.chairs)
        return len({chair.owner or seat for seat, chair in said if chair.has_say})

    def _started_if_full(self, now: int) -> Table:
        """The game starts with the last chair taken, or, where at least two people play and any
        of them adds to the deal, with the last share revealed."""
        if any(chair.kind is Kind.OPEN for chair in self.chairs):
            return self
        if not self.shares.parts or self._parties() < 2:
            return self._with_shares(NO_SHARES)._started(now)
        shares = self.shares.asked_at(now)
        if shares.awaited:
            return self._with_shares(shares)
        dealer = ShuffledDealer(shares.seed(self.opened.seed, self.id))
        return replace(self, shares=shares, dealer=dealer)._started(now)

    def _started(self, now: int) -> Table:
        ruleset = self.options.ruleset
        position = Position.start(ruleset, self.dealer.opening(ruleset))
        table = replace(self, position=position, version=self.seq)
        if self.options.clock is None:
            return table
        times = started(self.options.clock, ruleset.seats, table._clock_seat(position), now)
        return replace(table, times=times)

    def _moved(self, event: Moved, staged: Staged) -> Table:
        position, seq = staged.position, self.seq + 1
        over = position.phase is Phase.OVER
        return replace(
            self,
            seq=seq,
            version=seq,
            position=position,
            moved=(*self.moved, event),
            moved_seqs=(*self.moved_seqs, seq),
            lines=self.lines + staged.lines,
            times=self._times_after(position, event.turn, event.at),
            takeback=None,
            ended=ended_by_rules(position, self.chairs) if over else None,
        )

    def _times_after(self, position: Position, turn: int, now: int) -> Times | None:
        clock, times = self.options.clock, self.times
        if clock is None or times is None:
            return None
        done = turn % position.ruleset.seats if position.turn != turn else None
        return moved_on(clock, times, done, self._clock_seat(position), now)

    def _clock_seat(self, position: Position) -> int | None:
        """Whose time runs: nobody's for an engine of the house, or when it is over."""
        over = position.phase is Phase.OVER
        return None if over or self.chairs[position.seat].by_engine else position.seat

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
        ruleset = self.options.ruleset
        position = Position.start(ruleset, self.dealer.opening(ruleset))
        ply = 0
        for moved in self.moved[: event.kept]:
            known = KnownCards(moved.deals)
            position = stage(position, known, moved.seat, moved.moves, ply, moved.at).position
            ply += len(moved.moves)
        kept = tuple(line for line in self.lines if line.ply <= ply)
        line = Line(ply, position.turn, event.seat, LineKind.TAKEBACK, event.at)
        times = self.times and self.times.charged(event.at)
        if times is not None:
            times = Times(times.remaining, self._clock_seat(position), event.at)
        return replace(
            self._next_version(),
            position=position,
            moved=self.moved[: event.kept],
            moved_seqs=self.moved_seqs[: event.kept],
            lines=(*kept, line),
            times=times,
            takeback=None,
        )

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

    def _after_leaving(self, event: Resigned | Flagged | Claimed | StoodIn | CameBack) -> Table:
        match event:
            case Resigned():
                return self._gone_out(event.seat, Out.RESIGN, LineKind.RESIGN, event.at)
            case Claimed():
                return self._gone_out(event.seat, Out.ABANDON, LineKind.ABANDON, event.at)
            case Flagged() if self.options.at_zero is AtZero.LOSE:
                return self._gone_out(event.seat, Out.TIME, LineKind.TIME, event.at)
            case Flagged() | StoodIn():
                chair = self.chairs[event.seat].stood_in()
                kind = LineKind.TIME if isinstance(event, Flagged) else LineKind.STAND_IN
                return self._reseated(event.seat, chair, kind, event.at)
            case CameBack():
                chair = self.chairs[event.seat].back()
                return self._reseated(event.seat, chair, LineKind.BACK, event.at)

    def _gone_out(self, seat: int, why: Out, kind: LineKind, now: int) -> Table:
        chair = self.chairs[seat].gone_out(why)
        table = self._reseated(seat, chair, kind, now)
        ended = ended_by_leaving(self.running, table.chairs, why)
        if ended is None:
            return table
        times = None if table.times is None else replace(table.times, running=None)
        return replace(table, ended=ended, times=times, takeback=None)

    def _reseated(self, seat: int, chair: Chair, kind: LineKind, now: int) -> Table:
        """Another hand plays the seat from here on: the version changes, so that a move sent by
        the former one is stale."""
        table = self._next_version()._with_chair(seat, chair)
        position = self.running
        line = Line(self.ply, position.turn, seat, kind, now)
        times = self.times
        if times is not None:
            charged = times.charged(now)
            times = Times(charged.remaining, table._clock_seat(position), now)
        return replace(table, times=times, lines=(*self.lines, line), takeback=None)

    def may_come_back(self, seat: int) -> bool:
        """Whether a seat that a bot plays for can be taken up again by its player."""
        chair = self.chairs[seat]
        if self.ended is not None or chair.out is not None or not chair.stands_in:
            return False
        return self.times is None or self.times.remaining[seat] > 0
