"""What a table is at one moment, and what can be read off it. How it got there, and what comes
next, is the table's own affair (`play.table`)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cabochon.play.budgets import Spent
from cabochon.play.chairs import Chair
from cabochon.play.clock import Times
from cabochon.play.dealshares import NO_SHARES, Shares
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Moved, Opened, Said, TakenBack, Wrote
from cabochon.play.history import NOTHING_PLAYED, Ended, History, Stack
from cabochon.play.messages import State
from cabochon.play.options import Options
from cabochon.play.staging import Line, TakebackRule
from cabochon.rules import Dealer, Phase, Position, ShuffledDealer

NO_LINES: Stack[Line] = Stack()


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
class TableState:
    """One sitting, live. `seq` counts its events; `version` is the seq of the last one that
    touched the game. `fresh` has, for each seat, the first version that its moves may have seen:
    the last at which the position or the hand that plays the seat changed. `position` is None,
    and so is `started_at`, until every chair is taken."""

    id: str
    opened: Opened
    dealer: Dealer
    chairs: tuple[Chair, ...]
    seq: int = 1
    version: int = 0
    position: Position | None = None
    history: History = NOTHING_PLAYED
    log: Stack[Line] = NO_LINES
    times: Times | None = None
    chat: tuple[tuple[int, Said | Wrote], ...] = ()
    takeback: Asked | None = None
    rematch: Asked | None = None
    ended: Ended | None = None
    started_at: int | None = None
    fresh: tuple[int, ...] = ()
    spent: tuple[Spent, ...] = ()
    shares: Shares = NO_SHARES
    hints: tuple[int, ...] = ()
    """The turns in which somebody was given a hint."""
    texting: tuple[int, ...] = ()
    """The seats that want to read and write free text."""

    @property
    def options(self) -> Options:
        return self.opened.options

    @property
    def state(self) -> State:
        if self.position is None and self.ended is None:
            return "open"
        return "running" if self.ended is None else "finished"

    @property
    def first(self) -> Position:
        """Where the game begins: with its deal, or at the position that was given."""
        if self.opened.position is not None:
            return self.opened.position
        ruleset = self.options.ruleset
        return Position.start(ruleset, self.dealer.opening(ruleset))

    @property
    def is_starting(self) -> bool:
        """Whether every chair is taken and the game waits for what people add to the deal."""
        return self.position is None and self.shares.asked is not None

    @property
    def ply(self) -> int:
        """How many decisions the game has seen."""
        last = self.log.top()
        return 0 if last is None else last.ply

    @property
    def moved(self) -> tuple[Moved, ...]:
        """The submissions that stand."""
        return tuple(self.history.moved)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The log that people read."""
        return tuple(self.log)

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
        holder = self.chairs[seat].holder
        return tuple(
            other
            for other, chair in enumerate(self.chairs)
            if other != seat
            and chair.has_say
            and not chair.by_engine
            and not chair.is_held_by(holder)
        )

    def parties(self) -> int:
        """How many people and programs from outside there are; one with several seats counts
        once."""
        return len({chair.holder for chair in self.chairs if chair.has_say})

    def clock_seat(self, position: Position) -> int | None:
        """Whose time runs: nobody's for an engine of the house, or when it is over."""
        over = position.phase is Phase.OVER
        return None if over or self.chairs[position.seat].by_engine else position.seat

    def is_fresh(self, seat: int, version: int) -> bool:
        """Whether nothing that matters to a move of that seat has changed since the version:
        the position, or who plays the seat."""
        return self.fresh[seat] <= version <= self.version

    def has_moves(self, seat: int) -> bool:
        return self.spent[seat].has_moves(len(self.chairs))

    def answered(self, seat: int, key: str, ask: str) -> int | None:
        """The seq of the submission made with that key before, or None. Raises TableRefused when
        the key stood for something else."""
        index = self.history.index_of(seat, key)
        if index is None:
            return None
        if self.history.moved[index].ask != ask:
            raise TableRefused(TableFault.KEY_REUSED)
        return self.history.seqs[index]

    def takeback_rule(self, event: TakenBack) -> TakebackRule:
        if self.takeback is not None:
            return TakebackRule.AGREED
        undone = self.history.moved.since(event.kept)
        free = not any(moved.deals or moved.seat != event.seat for moved in undone)
        return TakebackRule.FREE if free else TakebackRule.ALONE

    def log_until(self, ply: int) -> Stack[Line]:
        """The log without what came after so many decisions: plies never fall along it."""
        count = len(self.log)
        while count and self.log[count - 1].ply > ply:
            count -= 1
        return self.log.cut(count)

    def may_come_back(self, seat: int) -> bool:
        """Whether a seat that a bot plays for can be taken up again by its player."""
        chair = self.chairs[seat]
        if self.ended is not None or chair.out is not None or not chair.stands_in:
            return False
        if not self.has_moves(seat) or not self.spent[seat].may_return:
            return False
        return self.times is None or self.times.remaining[seat] > 0


def dealer_of(opened: Opened, seed: str) -> Dealer:
    """From the seed; where a position was given, only what is not out yet."""
    dealer = ShuffledDealer(seed)
    return dealer if opened.position is None else dealer.onwards(opened.position)


def check_start(options: Options, position: Position) -> None:
    """Raises TableRefused for a position where no game under these options can begin."""
    if position.phase in (Phase.DEAL, Phase.OVER):
        raise TableRefused(TableFault.NOT_PLAYABLE)
    if position.ruleset != options.ruleset:
        expected, given = str(position.ruleset), str(options.ruleset)
        raise TableRefused(TableFault.RULES_DIFFER, expected=expected, given=given)
