"""Who is asking: a person, seat keys, a personal token; and which seats of a table they play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cabochon.play.chairs import PERSON, Chair, holder_by
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.options import Watching
from cabochon.play.table import Table
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import TOKEN, hashed, matches
from cabochon.server.storage.people import Person
from cabochon.server.storage.sessions import Recognised, Session
from cabochon.server.storage.sqlstore import SqlStore, Token


class Caller:
    """The hashes of the seat keys that came with a request, the token if there was one, and the
    person whose browser sent it."""

    def __init__(
        self,
        keys: tuple[str, ...] = (),
        token: Token | None = None,
        recognised: Recognised | None = None,
    ) -> None:
        self.keys = keys
        self.token = token
        self.person: Person | None = None if recognised is None else recognised.person
        self.session: Session | None = None if recognised is None else recognised.session
        self._chairs: tuple[Chair, ...] | None = None
        self._seats: tuple[int, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether they hold anything that may play a seat."""
        return bool(self.keys) or self.token is not None or self.person is not None

    @property
    def holder(self) -> str | None:
        """As whom they sit down, if it is not by a key of their own; a program that sends its token
        does so as itself."""
        if self.token is not None:
            return holder_by(self.token.id, None)
        return None if self.person is None else PERSON + self.person.id

    @property
    def names(self) -> tuple[str, ...]:
        """Everything they may be known, and banned, by."""
        person = () if self.person is None else (self.person.id,)
        token = () if self.token is None else (self.token.id, self.token.person_id)
        return (*person, *(name for name in token if name is not None), *self.keys)

    def seats(self, table: Table) -> tuple[int, ...]:
        """The seats that the caller plays; looked up anew whenever somebody changes seats."""
        if table.chairs is not self._chairs:
            self._seats, self._chairs = self._find(table), table.chairs
        return self._seats

    def _find(self, table: Table) -> tuple[int, ...]:
        return tuple(seat for seat, chair in enumerate(table.chairs) if self._plays(chair))

    def _plays(self, chair: Chair) -> bool:
        if any(matches(key, chair.key) for key in self.keys):
            return True
        if self.token is not None and chair.token == self.token.id:
            return True
        return self.person is not None and chair.person == self.person.id

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
            raise ServerRefused(ServerFault.BAD_KEY if self.is_known else ServerFault.KEY_NEEDED)
        if asked is not None:
            if asked not in seats:
                raise TableRefused(TableFault.NOT_YOURS, seat=asked)
            return asked
        if len(seats) == 1:
            return seats[0]
        if table.to_act in seats:
            return table.to_act
        raise TableRefused(TableFault.SEAT_NEEDED)

    def require_scope(self, scope: str) -> None:
        """Raises ServerRefused when a token is used that may not do that."""
        if self.token is not None and scope not in self.token.scopes:
            raise ServerRefused(ServerFault.SCOPE_NEEDED, scope=scope)


async def authenticate(
    store: SqlStore, secrets: Iterable[str], recognised: Recognised | None = None
) -> Caller:
    """The caller with these secrets, in the browser of the person who was recognised. Raises
    ServerRefused for a token that does not exist, and for what is banned."""
    keys: list[str] = []
    token: Token | None = None
    for secret in secrets:
        if secret.startswith(TOKEN):
            token = await store.token(hashed(secret))
            if token is None:
                raise ServerRefused(ServerFault.BAD_KEY)
        else:
            keys.append(hashed(secret))
    caller = Caller(tuple(keys), token, recognised)
    store.bans.check_secrets(caller.names)
    return caller


def bearer(header: str | None) -> list[str]:
    """The secret in an Authorization header, if there is one. Raises ServerRefused."""
    if not header:
        return []
    scheme, _, secret = header.partition(" ")
    secret = secret.strip()
    if scheme.lower() != "bearer" or not 0 < len(secret) <= 128:
        raise ServerRefused(ServerFault.BAD_KEY)
    return [secret]


def check_may_look(table: Table, caller: Caller, code: str | None) -> tuple[int, ...]:
    """The seats that the caller plays. What plays nothing here is ignored, as long as the table
    may be watched. Raises ServerRefused."""
    seats = caller.seats(table)
    try:
        check_may_watch(table, seats, code)
    except ServerRefused:
        if caller.keys or caller.token is not None:
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
