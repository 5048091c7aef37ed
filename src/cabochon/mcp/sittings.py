"""Games that clients have open: found by a handle that nobody can guess, forgotten after a day."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from cabochon.bots import Bot, Limit, make_bot
from cabochon.record import Record
from cabochon.rules import (
    CabochonError,
    Dealer,
    Move,
    Phase,
    Position,
    Ruleset,
    ShuffledDealer,
    commitment,
    new_seed,
)
from cabochon.rules.errors import quoted
from cabochon.rules.sentences import register

KEPT_HOURS = 24
MOST_GAMES = 2_000
HANDLE_BYTES = 16
BOT_SECONDS = 1.0
YOU = "you"


class HandleFault(StrEnum):
    """Why a call cannot be answered, beside the rules."""

    EXPIRED = "game-expired"
    UNKNOWN = "unknown-game"
    STALE = "stale-state"
    OPPONENTS = "opponents-count"
    SEAT = "seat-not-here"
    PLAYERS = "players-differ"


register(
    {
        "game-expired": (
            "This game has expired: a game is kept for {hours} hours after its last use. "
            "Start another with new_game.",
            "这局游戏已过期：游戏在最后一次使用后保留 {hours} 小时。请用 new_game 开始新的一局。",
        ),
        "unknown-game": (
            "There is no game {game}. A handle comes from new_game and is kept for {hours} hours "
            "after its last use.",
            "没有游戏 {game}。句柄由 new_game 给出，在最后一次使用后保留 {hours} 小时。",
        ),
        "stale-state": (
            "The game has moved on: it is at version {version}, not {given}. Read get_state.",
            "局面已经变化：当前版本是 {version}，而不是 {given}。请先读取 get_state。",
        ),
        "opponents-count": (
            "{expected} opponents are needed (or one name for all, or none to play every seat); "
            "there are {given}.",
            "需要 {expected} 个对手（一个名称用于全部，不给则自己执所有座位），现有 {given} 个。",
        ),
        "players-differ": (
            "The variant {variant} is for {seats} players, but players is {given}.",
            "变体 {variant} 是 {seats} 人局，但 players 为 {given}。",
        ),
        "seat-not-here": (
            "There is no seat {given} at a table of {seats}: seats are counted from 0.",
            "{seats} 人桌没有座位 {given}：座位从 0 开始。",
        ),
    }
)


class HandleError(CabochonError):
    """A handle, version or seat that does not fit; `code` is a `HandleFault`."""


@dataclass
class Sitting:
    """One game: its record grows, bots answer at once. `seat` is the client's, None for all."""

    handle: str
    record: Record
    dealer: Dealer
    seed: str
    seat: int | None
    bots: dict[int, Bot]
    used: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def position(self) -> Position:
        return self.record.final()

    @property
    def names(self) -> list[str]:
        """By seat; two bots of one kind are told apart by their seats."""
        return [f"{name}-{seat}" for seat, name in enumerate(self.record.players)]

    @property
    def version(self) -> int:
        """How many moves and deals there have been."""
        return len(self.record.events)

    @property
    def viewer(self) -> int:
        """Through whose eyes the client looks now."""
        return self.position.seat if self.seat is None else self.seat

    @property
    def is_over(self) -> bool:
        return self.record.result is not None

    @property
    def is_to_move(self) -> bool:
        return not self.is_over and self.position.seat not in self.bots

    def play(self, move: Move, version: int | None) -> None:
        """The client's move and the bots' answers. Raises IllegalMove or HandleError, and then
        nothing has changed."""
        if version is not None and version != self.version:
            raise HandleError(HandleFault.STALE, version=self.version, given=version)
        refusal = self.position.refusal(move, self.viewer)
        if refusal is not None:
            raise refusal
        self._append(move)
        self.let_bots_play()

    def let_bots_play(self) -> None:
        while not self.is_over and self.position.seat in self.bots:
            seat = self.position.seat
            limit = Limit(seconds=BOT_SECONDS)
            self._append(self.bots[seat].choose(self.position.view(seat), limit))

    def _append(self, move: Move) -> None:
        self.record = self.record.append(move)
        if self.position.phase is Phase.DEAL:
            self.record = self.record.append(self.dealer.deal(self.position))
        if self.is_over:
            self.record = self.record.revealed(self.seed)


class Shelf:
    """The open games. The oldest go when there are too many; safe to use from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._games: OrderedDict[str, Sitting] = OrderedDict()
        self._gone: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def start(
        self, ruleset: Ruleset, opponents: Sequence[str], seat: int | None, seed: str | None
    ) -> Sitting:
        """A new game, up to the client's first decision. Raises UnknownBot or HandleError."""
        seed = new_seed() if seed is None else seed
        own, bots = _chairs(ruleset, opponents, seat)
        dealer = ShuffledDealer(seed)
        names = [getattr(bots.get(chair), "label", YOU) for chair in range(ruleset.seats)]
        record = Record.start(ruleset, dealer.opening(ruleset), names, commitment=commitment(seed))
        players = {chair: bot.bot for chair, bot in bots.items()}
        handle = secrets.token_urlsafe(HANDLE_BYTES)
        sitting = Sitting(handle, record, dealer, seed, own, players)
        sitting.let_bots_play()
        with self._lock:
            self._forget_old(room=1)
            sitting.used = self._clock()
            self._games[handle] = sitting
        return sitting

    def find(self, handle: str) -> Sitting:
        """The game of that handle. Raises HandleError, which says whether it has expired."""
        with self._lock:
            self._forget_old()
            sitting = self._games.get(handle)
            if sitting is None:
                if handle in self._gone:
                    raise HandleError(HandleFault.EXPIRED, hours=KEPT_HOURS)
                raise HandleError(HandleFault.UNKNOWN, game=quoted(handle), hours=KEPT_HOURS)
            sitting.used = self._clock()
            self._games.move_to_end(handle)
            return sitting

    def _forget_old(self, room: int = 0) -> None:
        """The games are in the order of their last use; leave room for so many more."""
        deadline = self._clock() - KEPT_HOURS * 3600
        while self._games:
            handle, oldest = next(iter(self._games.items()))
            if oldest.used > deadline and len(self._games) + room <= MOST_GAMES:
                return
            del self._games[handle]
            self._gone[handle] = None
            if len(self._gone) > MOST_GAMES:
                self._gone.popitem(last=False)


@dataclass(frozen=True)
class _Chair:
    label: str
    bot: Bot


def _chairs(
    ruleset: Ruleset, opponents: Sequence[str], seat: int | None
) -> tuple[int | None, dict[int, _Chair]]:
    """The client's seat (None: every seat) and who sits on the others."""
    seats = ruleset.seats
    if not opponents:
        return None, {}
    own = secrets.randbelow(seats) if seat is None else seat
    if own not in range(seats):
        raise HandleError(HandleFault.SEAT, given=own, seats=seats)
    names = list(opponents) * (seats - 1) if len(opponents) == 1 else list(opponents)
    if len(names) != seats - 1:
        raise HandleError(HandleFault.OPPONENTS, expected=seats - 1, given=len(names))
    chairs = {}
    for ahead, name in enumerate(names, start=1):
        bot = make_bot(name, secrets.randbits(31))
        chairs[(own + ahead) % seats] = _Chair(name, bot)
    return own, chairs
