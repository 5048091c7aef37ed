"""Games that clients have open: found by a handle that nobody can guess, forgotten after a day."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from cabochon.bots import Limit, make_bot
from cabochon.game import Game
from cabochon.record import Record
from cabochon.rules import CabochonError, Move, Position, Ruleset
from cabochon.rules.errors import quoted

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


class HandleError(CabochonError):
    """A handle, version or seat that does not fit; `code` is a `HandleFault`."""


@dataclass
class OpenGame:
    """One game of a client; bots answer at once. `seat` is the client's, None for all."""

    handle: str
    game: Game
    seat: int | None
    used: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def record(self) -> Record:
        return self.game.record

    @property
    def names(self) -> list[str]:
        """By seat; two bots of one kind are told apart by their seats."""
        return [f"{name}-{seat}" for seat, name in enumerate(self.game.names)]

    @property
    def version(self) -> int:
        """How many moves and deals there have been."""
        return self.game.plies

    @property
    def viewer(self) -> int:
        """Through whose eyes the client looks now."""
        return self.game.seat if self.seat is None else self.seat

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def is_to_move(self) -> bool:
        return not self.is_over and self.game.seat not in self.game.bots

    def play(self, move: Move, version: int | None) -> None:
        """The client's move and the bots' answers. Raises IllegalMove or HandleError, and then
        nothing has changed."""
        if version is not None and version != self.version:
            raise HandleError(HandleFault.STALE, version=self.version, given=version)
        refusal = self.position.refusal(move, self.viewer)
        if refusal is not None:
            raise refusal
        self.game.play(move)
        self.game.play_bots()


class GameStore:
    """The open games. The oldest go when there are too many; safe to use from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._games: OrderedDict[str, OpenGame] = OrderedDict()
        self._gone: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def start(
        self, ruleset: Ruleset, opponents: Sequence[str], seat: int | None, seed: str | None
    ) -> OpenGame:
        """A new game, up to the client's first decision. Raises UnknownBot or HandleError."""
        own, bots = _chairs(ruleset, opponents, seat)
        game = Game(
            ruleset=ruleset,
            seed=seed,
            names=[bots.get(chair, YOU) for chair in range(ruleset.seats)],
            bots={chair: make_bot(name, secrets.randbits(31)) for chair, name in bots.items()},
            limit=Limit(seconds=BOT_SECONDS),
            steady=False,
        )
        opened = OpenGame(secrets.token_urlsafe(HANDLE_BYTES), game, own)
        game.play_bots()
        with self._lock:
            self._forget_old(room=1)
            opened.used = self._clock()
            self._games[opened.handle] = opened
        return opened

    def find(self, handle: str) -> OpenGame:
        """The game of that handle. Raises HandleError, which says whether it has expired."""
        with self._lock:
            self._forget_old()
            found = self._games.get(handle)
            if found is None:
                if handle in self._gone:
                    raise HandleError(HandleFault.EXPIRED, hours=KEPT_HOURS)
                raise HandleError(HandleFault.UNKNOWN, game=quoted(handle), hours=KEPT_HOURS)
            found.used = self._clock()
            self._games.move_to_end(handle)
            return found

    def _forget_old(self, room: int = 0) -> None:
        """Make room for that many more; the games are in the order of their last use."""
        deadline = self._clock() - KEPT_HOURS * 3600
        while self._games:
            handle, oldest = next(iter(self._games.items()))
            if oldest.used > deadline and len(self._games) + room <= MOST_GAMES:
                return
            del self._games[handle]
            self._gone[handle] = None
            if len(self._gone) > MOST_GAMES:
                self._gone.popitem(last=False)


def _chairs(
    ruleset: Ruleset, opponents: Sequence[str], seat: int | None
) -> tuple[int | None, dict[int, str]]:
    """The client's seat (None: every seat) and which bots sit on the others."""
    seats = ruleset.seats
    if not opponents:
        return None, {}
    own = secrets.randbelow(seats) if seat is None else seat
    if own not in range(seats):
        raise HandleError(HandleFault.SEAT, given=own, seats=seats)
    names = list(opponents) * (seats - 1) if len(opponents) == 1 else list(opponents)
    if len(names) != seats - 1:
        raise HandleError(HandleFault.OPPONENTS, expected=seats - 1, given=len(names))
    return own, {(own + ahead) % seats: name for ahead, name in enumerate(names, start=1)}
