"""Who is asking: seat keys and personal tokens, and which seats of a table they play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cabochon.play.chairs import Chair
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.options import Watching
from cabochon.play.table import Table
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import TOKEN, hashed, matches
from cabochon.server.sqlstore import SqlStore, Token


class Asker:
    """The hashes of the seat keys that came with a request, and the token if there was one."""

    def __init__(self, keys: tuple[str, ...] = (), token: Token | None = None) -> None:
        self.keys = keys
        self.token = token
        self._chairs: tuple[Chair, ...] | None = None
        self._seats: tuple[int, ...] = ()

    def seats(self, table: Table) -> tuple[int, ...]:
        """The seats that the asker plays; looked up anew whenever somebody changes seats."""
        if table.chairs is not self._chairs:
            self._seats, self._chairs = self._find(table), table.chairs
        return self._seats

    def _find(self, table: Table) -> tuple[int, ...]:
        return tuple(
            seat
            for seat, chair in enumerate(table.chairs)
            if any(matches(key, chair.key) for key in self.keys)
            or (self.token is not None and chair.token == self.token.id)
        )

    def plays_all(self, table: Table) -> bool:
        """Whether each of the keys, and the token, plays a seat here."""
        chairs = [table.chairs[seat] for seat in self.seats(table)]
        keys = all(any(matches(key, chair.key) for chair in chairs) for key in self.keys)
        token = self.token
        return keys and (token is None or any(chair.token == token.id for chair in chairs))

    def seat(self, table: Table, asked: int | None = None) -> int:
        """The one seat a command is for. Raises ServerRefused or TableRefused."""
        seats = self.seats(table)
        if not seats:
            known = bool(self.keys) or self.token is not None
            raise ServerRefused(ServerFault.BAD_KEY if known else ServerFault.KEY_NEEDED)
        if asked is not None:
            if asked not in seats:
                raise TableRefused(TableFault.NOT_YOURS, seat=asked)
            return asked
        if len(seats) == 1:
            return seats[0]
        if table.to_act in seats:
            return table.to_act
        raise TableRefused(TableFault.SEAT_NEEDED)

    def need(self, scope: str) -> None:
        """Raises ServerRefused when a token is used that may not do that."""
        if self.token is not None and scope not in self.token.scopes:
            raise ServerRefused(ServerFault.SCOPE_NEEDED, scope=scope)


async def asker_of(store: SqlStore, secrets: Iterable[str]) -> Asker:
    """Whoever holds these secrets. Raises ServerRefused for a token that does not exist, and for
    what is banned."""
    keys: list[str] = []
    token: Token | None = None
    for secret in secrets:
        if secret.startswith(TOKEN):
            token = await store.token(hashed(secret))
            if token is None:
                raise ServerRefused(ServerFault.BAD_KEY)
        else:
            keys.append(hashed(secret))
    store.bans.check_secrets((None if token is None else token.id, *keys))
    return Asker(tuple(keys), token)


def bearer(header: str | None) -> list[str]:
    """The secret in an Authorization header, if there is one. Raises ServerRefused."""
    if not header:
        return []
    scheme, _, secret = header.partition(" ")
    secret = secret.strip()
    if scheme.lower() != "bearer" or not 0 < len(secret) <= 128:
        raise ServerRefused(ServerFault.BAD_KEY)
    return [secret]


def check_may_look(table: Table, asker: Asker, code: str | None) -> tuple[int, ...]:
    """The seats that the asker plays. What plays nothing here is ignored, as long as the table
    may be watched. Raises ServerRefused."""
    seats = asker.seats(table)
    try:
        check_may_watch(table, seats, code)
    except ServerRefused:
        if asker.keys or asker.token is not None:
            raise ServerRefused(ServerFault.BAD_KEY) from None
        raise
    return seats


def check_may_watch(table: Table, seats: Sequence[int], code: str | None) -> None:
    """Whether somebody with these seats may look at the table. Raises ServerRefused."""
    if seats or table.options.watching is Watching.ANYONE:
        return
    link = table.options.watching is Watching.LINK
    if not (link and code is not None and matches(hashed(code), table.opened.watch_code)):
        raise ServerRefused(ServerFault.NOT_FOR_WATCHERS)
