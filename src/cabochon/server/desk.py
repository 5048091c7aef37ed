"""What a seat can do, the same over REST and over a socket: each is checked, decided and kept."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any

from cabochon.notation import NotationError, parse_move
from cabochon.play import commands, sharing
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.facts import effect_after
from cabochon.play.messages import Effect, Problem
from cabochon.play.table import Decision, Table
from cabochon.rules import CabochonError, IllegalMove, Move, new_seed
from cabochon.server.hub import Hub
from cabochon.server.identity import Asker
from cabochon.server.live import Live
from cabochon.server.problems import problem
from cabochon.server.replies import happened_since
from cabochon.server.secrets import new_table_id

_parse = lru_cache(maxsize=8192)(parse_move)


class Desk:
    """Commands of one asker at one table."""

    def __init__(self, hub: Hub, live: Live, asker: Asker) -> None:
        self._hub = hub
        self._live = live
        self._asker = asker

    @property
    def asker(self) -> Asker:
        return self._asker

    async def move(
        self, texts: Sequence[str], version: int, key: str | None, seat: int | None = None
    ) -> int:
        """Play the moves, or give the answer that the same key was given before: the number of
        the event. Raises CabochonError."""
        self._asker.need("table:play")
        live = self._live
        seat = self._commanding(seat)
        ask = None
        if key is not None:
            ask = _fingerprint(texts, version)
            known = self._answered(seat, key, ask)
            if known is not None:
                return known
        try:
            moves = tuple(_parse(text) for text in texts)
            version = await self._back(seat, version)
            decision = await self._hub.decide(
                live, lambda table, now: _submitted(table, seat, version, moves, now, key, ask)
            )
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
        return decision.table.seq - len(decision.events) + 1

    def _commanding(self, seat: int | None) -> int:
        """The seat a command is for; whoever commands is there. Raises CabochonError."""
        own = self._asker.seat(self._live.table, seat)
        self._hub.presence.commanded(self._live, own)
        return own

    def _answered(self, seat: int, key: str, ask: str) -> int | None:
        refused = self._live.refusal(seat, key)
        if refused is not None:
            if refused[0] != ask:
                raise TableRefused(TableFault.KEY_REUSED)
            raise refused[1]
        return self._live.table.answered(seat, key, ask)

    async def _back(self, seat: int, version: int) -> int:
        """Whoever moves is back: a bot that stood in hands the seat over. The version that the
        move saw stays good if nothing but that has changed."""
        if not self._live.table.may_come_back(seat):
            return version
        fresh = False

        def command(table: Table, now: int) -> Decision:
            nonlocal fresh
            fresh = table.is_fresh(seat, version)
            return commands.come_back(table, seat, now)

        decision = await self._hub.decide(self._live, command)
        return decision.table.version if fresh else version

    def check(self, texts: Sequence[str], version: int | None, seat: int | None = None) -> Effect:
        """What the moves would do; nothing changes. Raises CabochonError."""
        table = self._live.table
        seat = self._commanding(seat)
        moves = tuple(_parse(text) for text in texts)
        seen = table.version if version is None else version
        staged = table.staged(seat, seen, moves, 0)
        return effect_after(table.running, staged.position, staged.moves)

    async def resign(self, seat: int | None) -> Table:
        return await self._simple(seat, commands.resign)

    async def leave(self, seat: int | None) -> Table:
        self._asker.need("table:play")
        return await self._decided(self._asker.seat(self._live.table, seat), commands.leave)

    async def say(self, phrase: str, seat: int | None) -> Table:
        return await self._simple(
            seat, lambda table, seat, now: commands.say(table, seat, phrase, now)
        )

    async def takeback(self, action: str, seat: int | None) -> Table:
        act, live = _TAKEBACK[action], self._live

        def command(table: Table, own: int, now: int) -> Decision:
            return act(table, own, now, self._hub.presence.away(live))

        return await self._simple(seat, command)

    async def claim(self, gone: int | None, seat: int | None) -> Table:
        live = self._live

        def command(table: Table, by: int, now: int) -> Decision:
            gone_s = self._hub.presence.gone_s(live, now)
            return commands.claim(table, by, gone, gone_s, now)

        return await self._simple(seat, command)

    async def share(self, action: str, value: str, seat: int | None) -> Table:
        """Pledge the hash of a share, or reveal it. Raises TableRefused."""
        command = sharing.pledge if action == "pledge" else sharing.reveal
        return await self._simple(seat, lambda table, seat, now: command(table, seat, value, now))

    async def rematch(self, action: str, seat: int | None, share_hash: str | None = None) -> Table:
        if action == "decline":
            return await self._simple(seat, commands.decline_rematch)
        self._asker.need("table:play")
        seat = self._commanding(seat)
        make = commands.offer_rematch if action == "offer" else commands.accept_rematch

        def command(table: Table, now: int) -> tuple[Decision, Table | None]:
            new_id = new_table_id()
            made = make(table, seat, new_id, new_seed(), now, share_hash)
            opened = None if made.opened is None else Table.open(new_id, made.opened)
            return made.decision, opened

        decision = await self._hub.decide_and_open(self._live, command)
        return decision.table

    async def _simple(
        self, seat: int | None, command: Callable[[Table, int, int], Decision]
    ) -> Table:
        self._asker.need("table:play")
        return await self._decided(self._commanding(seat), command)

    async def _decided(self, own: int, command: Callable[[Table, int, int], Decision]) -> Table:
        decision = await self._hub.decide(self._live, lambda table, now: command(table, own, now))
        return decision.table

    async def problem(self, error: CabochonError, language: str, version: int | None) -> Problem:
        """The document for a refusal; a stale move is told what happened since."""
        more: dict[str, Any] = {}
        if error.code is TableFault.STALE and version is not None:
            table = self._live.table
            seats = self._asker.seats(table)
            reader = seats[0] if seats else None
            more["since"] = await happened_since(self._hub.store, table, version, reader)
        return problem(error, language, **more)


_TAKEBACK: dict[str, Callable[[Table, int, int, Collection[int]], Decision]] = {
    "ask": commands.ask_takeback,
    "agree": commands.agree_takeback,
    "decline": commands.decline_takeback,
}


def _submitted(
    table: Table,
    seat: int,
    version: int,
    moves: tuple[Move, ...],
    now: int,
    key: str | None,
    ask: str | None,
) -> Decision:
    """As `Table.submit`, unless the same key was accepted while this one waited."""
    if key is not None and ask is not None and table.answered(seat, key, ask) is not None:
        return Decision((), table)
    return table.submit(seat, version, moves, now, key, ask)


def _fingerprint(texts: Sequence[str], version: int) -> str:
    """Enough to notice that a key is used for something else by mistake."""
    said = "\n".join((str(version), *texts))
    return f"{zlib.crc32(said.encode('utf-8', 'surrogatepass')):08x}"
