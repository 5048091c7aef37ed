"""What a seat can do, the same over REST and over a socket: each is checked, decided and kept."""

from __future__ import annotations

import asyncio
import math
import zlib
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache, partial
from typing import Any, Protocol

from cabochon.notation import NotationError, parse_move
from cabochon.play import commands, hosting, talking
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.messages import Effect, Problem
from cabochon.play.table import Decision, Table
from cabochon.play.viewfacts import effect_after
from cabochon.ratings import fixed_point
from cabochon.rules import CabochonError, IllegalMove, Move, View, new_seed
from cabochon.server import metrics
from cabochon.server.access.identity import Caller
from cabochon.server.limits import Pace
from cabochon.server.problems import ServerFault, ServerRefused, problem
from cabochon.server.secrets import new_table_id
from cabochon.server.settings import Settings
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables.commanding import TableCommand
from cabochon.server.tables.live import Live
from cabochon.server.tables.replies import happened_since

COMMANDS_PER_S = 10.0
SHARE_OF_REQUESTS = 5
SEAT_BURST_S = 3
MOST_PUT_OFF_S = 5.0
"""A seat commands ten times a second, and thirty times at once, or a fifth as often as an address
may ask if that is more. People never come near; a faster program is answered a little later, and
refused once too much of it is waiting."""

_parse = lru_cache(maxsize=8192)(parse_move)


class SeatSigns(Protocol):
    """Who has given a sign of life lately."""

    def commanded(self, live: Live, seat: int, now: int) -> None: ...

    def away(self, live: Live) -> frozenset[int]: ...

    def gone_s(self, live: Live, now: int) -> dict[int, float]: ...


class AskedMove(Protocol):
    """A move as a client asks for it: `id` is the key that makes it the same move again."""

    @property
    def id(self) -> str: ...

    @property
    def version(self) -> int: ...

    @property
    def moves(self) -> Sequence[str]: ...

    @property
    def seat(self) -> int | None: ...


class CommandedTables(Protocol):
    """The tables that commands go to."""

    @property
    def clock(self) -> Callable[[], int]: ...

    @property
    def store(self) -> SqlStore: ...

    @property
    def settings(self) -> Settings: ...

    @property
    def presence(self) -> SeatSigns: ...

    async def decide(self, live: Live, command: TableCommand) -> Decision: ...

    def decide_soon(
        self,
        live: Live,
        read: Callable[[], TableCommand | None],
        told: Callable[[Decision | None], None],
    ) -> bool: ...

    async def decide_and_open(
        self, live: Live, command: Callable[[Table, int], tuple[Decision, Table | None]]
    ) -> Decision: ...


class SeatCommands:
    """Commands of one caller at one table."""

    def __init__(self, tables: CommandedTables, live: Live, caller: Caller) -> None:
        self._tables = tables
        self._live = live
        self._caller = caller

    @property
    def caller(self) -> Caller:
        return self._caller

    async def move(
        self, texts: Sequence[str], version: int, key: str | None, seat: int | None = None
    ) -> int:
        """Play the moves, or give the answer that the same key was given before: the number of
        the event. Raises CabochonError."""
        self._caller.require_scope("table:play")
        live = self._live
        seat = await self._commanding(seat)
        ask, asked = None, live.table
        if key is not None:
            ask = _fingerprint(texts, version)
            known = self._answered(seat, key, ask)
            if known is not None:
                return known
        try:
            moves = tuple(_parse(text) for text in texts)
            version = await self._back(seat, version)

            def submit(table: Table, now: int) -> Decision:
                """Unless the same key was accepted while this one waited."""
                if table is not asked and _was_answered(table, seat, key, ask):
                    return Decision((), table)
                return table.submit(seat, version, moves, now, key, ask)

            decision = await self._tables.decide(live, submit)
        except (TableRefused, IllegalMove, NotationError) as error:
            if key is not None and ask is not None:
                live.remember_refusal(seat, key, ask, error)
            raise
        if not decision.events:
            assert key is not None
            assert ask is not None
            repeated = decision.table.answered(seat, key, ask)
            assert repeated is not None
            return repeated
        return _first_event(decision)

    def move_soon(
        self, read: Callable[[], AskedMove | None], told: Callable[[int | None], None]
    ) -> bool:
        """As `move`, for the move that comes when it is expected: decided without a task that
        waits, together with others. `read` is asked for it then. `told` gets the number of the
        event, or None, and nothing has happened, for any other: `move` does what there is to do,
        or says why not. False if the table isn't free."""

        def kept(decision: Decision | None) -> None:
            told(None if decision is None else _first_event(decision))

        return self._tables.decide_soon(self._live, lambda: self._plain(read()), kept)

    def _plain(self, asked: AskedMove | None) -> TableCommand | None:
        """The command, if nothing is in its way."""
        if asked is None:
            return None
        version, key, ask = asked.version, asked.id, _fingerprint(asked.moves, asked.version)
        try:
            own = self._expected(key, ask, asked.seat)
            moves = tuple([_parse(text) for text in asked.moves])
        except CabochonError:
            return None
        return None if own is None else partial(self._submit, own, version, moves, key, ask)

    def _submit(
        self,
        own: int,
        version: int,
        moves: tuple[Move, ...],
        key: str,
        ask: str,
        table: Table,
        now: int,
    ) -> Decision:
        decision = table.submit(own, version, moves, now, key, ask)
        self._live.paces[own].reserve()
        self._tables.presence.commanded(self._live, own, now)
        return decision

    def _expected(self, key: str, ask: str, seat: int | None) -> int | None:
        """Whose move it is; None when it has to wait, was made before, or brings its player back.
        Raises CabochonError."""
        live = self._live
        self._caller.require_scope("table:play")
        own = self._caller.seat(live.table, seat)
        plain = not self._pace(own).ahead_s and not live.table.may_come_back(own)
        return own if plain and self._answered(own, key, ask) is None else None

    async def _commanding(self, seat: int | None) -> int:
        """The seat a command is for; its player is clearly there. Raises CabochonError."""
        own = await self._in_turn(seat)
        self._tables.presence.commanded(self._live, own, self._tables.clock())
        return own

    async def _in_turn(self, seat: int | None) -> int:
        """The seat a command is for, when it is the command's turn. Raises CabochonError."""
        own = self._caller.seat(self._live.table, seat)
        pace = self._pace(own)
        if pace.ahead_s > MOST_PUT_OFF_S:
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.TOO_FAST, seconds=math.ceil(pace.ahead_s))
        wait = pace.reserve()
        if wait:
            await asyncio.sleep(wait)
            own = self._caller.seat(self._live.table, seat)
        return own

    def _pace(self, own: int) -> Pace:
        pace = self._live.paces.get(own)
        if pace is None:
            rate = max(COMMANDS_PER_S, self._tables.settings.requests_per_s / SHARE_OF_REQUESTS)
            pace = self._live.paces[own] = Pace(rate, rate * SEAT_BURST_S)
        return pace

    def _answered(self, seat: int, key: str, ask: str) -> int | None:
        refused = self._live.refusal(seat, key)
        if refused is not None:
            if refused[0] != ask:
                raise TableRefused(TableFault.KEY_REUSED)
            raise refused[1]
        return self._live.table.answered(seat, key, ask)

    async def _back(self, seat: int, version: int) -> int:
        """A player who moves is back: a bot that stood in hands the seat over. The version that the
        move saw stays good if nothing but that has changed."""
        if not self._live.table.may_come_back(seat):
            return version
        fresh = False

        def command(table: Table, now: int) -> Decision:
            nonlocal fresh
            fresh = table.is_fresh(seat, version)
            return commands.come_back(table, seat, now)

        decision = await self._tables.decide(self._live, command)
        return decision.table.version if fresh else version

    async def check(
        self, texts: Sequence[str], version: int | None, seat: int | None = None
    ) -> Effect:
        """What the moves would do; nothing changes. Raises CabochonError."""
        seat = await self._commanding(seat)
        table = self._live.table
        moves = tuple(_parse(text) for text in texts)
        seen = table.version if version is None else version
        staged = table.staged(seat, seen, moves, 0)
        return effect_after(table.running, staged.position, staged.moves)

    async def resign(self, seat: int | None) -> Table:
        return await self._simple(seat, commands.resign)

    async def leave(self, seat: int | None) -> Table:
        self._caller.require_scope("table:play")
        return await self._decided(await self._in_turn(seat), commands.leave)

    async def say(self, phrase: str | None, text: str | None, seat: int | None) -> Table:
        """A phrase; or a text, for the people at the table."""

        def command(table: Table, own: int, now: int) -> Decision:
            if text is not None:
                return talking.write(table, own, text, now)
            return talking.say(table, own, phrase or "", now)

        return await self._simple(seat, command)

    async def switch_texting(self, on: bool, seat: int | None) -> Table:
        return await self._simple(
            seat, lambda table, seat, now: talking.switch_texting(table, seat, on, now)
        )

    async def fill(self, bot: str | None, chair: int | None, seat: int | None) -> Table:
        """Give an open chair to a bot, at a rated table to one whose strength is known; or, with
        None, take it from the bot again."""

        def command(table: Table, own: int, now: int) -> Decision:
            if bot is None:
                return hosting.empty(table, own, chair, now)
            decision = hosting.fill(table, own, chair, bot, now)
            if table.options.rated and fixed_point(bot, table.options.ruleset) is None:
                raise TableRefused(TableFault.RATED_BOT, bot=bot)
            return decision

        return await self._simple(seat, command)

    async def hint_view(self, version: int, seat: int | None) -> View:
        """What is to be looked at for a hint. Raises CabochonError where none is given."""
        self._caller.require_scope("table:play")
        return talking.hint_view(self._live.table, await self._commanding(seat), version)

    async def hinted(self, version: int, seat: int | None) -> Table:
        """The hint is given; it is stored before it is sent."""
        return await self._simple(
            seat, lambda table, seat, now: talking.hinted(table, seat, version, now)
        )

    async def takeback(self, action: str, seat: int | None) -> Table:
        act, live = _TAKEBACK[action], self._live

        def command(table: Table, own: int, now: int) -> Decision:
            return act(table, own, now, self._tables.presence.away(live))

        return await self._simple(seat, command)

    async def claim(self, gone: int | None, seat: int | None) -> Table:
        live = self._live

        def command(table: Table, by: int, now: int) -> Decision:
            gone_s = self._tables.presence.gone_s(live, now)
            return commands.claim(table, by, gone, gone_s, now)

        return await self._simple(seat, command)

    async def share(self, action: str, value: str, seat: int | None) -> Table:
        """Pledge the hash of a share, or reveal it. Raises TableRefused."""
        command = commands.pledge if action == "pledge" else commands.reveal
        return await self._simple(seat, lambda table, seat, now: command(table, seat, value, now))

    async def rematch(self, action: str, seat: int | None, share_hash: str | None = None) -> Table:
        if action == "decline":
            return await self._simple(seat, commands.decline_rematch)
        self._caller.require_scope("table:play")
        seat = await self._commanding(seat)
        make = commands.offer_rematch if action == "offer" else commands.accept_rematch

        def command(table: Table, now: int) -> tuple[Decision, Table | None]:
            new_id = new_table_id()
            made = make(table, seat, new_id, new_seed(), now, share_hash)
            opened = None if made.opened is None else Table.open(new_id, made.opened)
            return made.decision, opened

        decision = await self._tables.decide_and_open(self._live, command)
        return decision.table

    async def _simple(
        self, seat: int | None, command: Callable[[Table, int, int], Decision]
    ) -> Table:
        self._caller.require_scope("table:play")
        return await self._decided(await self._commanding(seat), command)

    async def _decided(self, own: int, command: Callable[[Table, int, int], Decision]) -> Table:
        decision = await self._tables.decide(
            self._live, lambda table, now: command(table, own, now)
        )
        return decision.table

    async def problem(self, error: CabochonError, language: str, version: int | None) -> Problem:
        """The document for a refusal; for a stale move, with what happened since."""
        more: dict[str, Any] = {}
        if error.code is TableFault.STALE and version is not None:
            table = self._live.table
            seats = self._caller.seats(table)
            reader = seats[0] if seats else None
            more["since"] = await happened_since(self._tables.store, table, version, reader)
        return problem(error, language, **more)


_TAKEBACK: dict[str, Callable[[Table, int, int, Collection[int]], Decision]] = {
    "ask": commands.ask_takeback,
    "agree": commands.agree_takeback,
    "decline": commands.decline_takeback,
}


def _first_event(decision: Decision) -> int:
    return decision.table.seq - len(decision.events) + 1


def _was_answered(table: Table, seat: int, key: str | None, ask: str | None) -> bool:
    return key is not None and ask is not None and table.answered(seat, key, ask) is not None


def _fingerprint(texts: Sequence[str], version: int) -> str:
    """Enough to notice that a key is used for something else by mistake."""
    said = "\n".join((str(version), *texts))
    return f"{zlib.crc32(said.encode('utf-8', 'surrogatepass')):08x}"
