"""Keeping one's name: it becomes theirs alone, with a way back in.

Against guessing: each failure makes the next attempt wait longer, for a name from one address,
for an address and, not so long, for a name from anywhere. It is the same for names that nobody
has.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from functools import partial

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.server.access.playernames import looks
from cabochon.server.people.hashing import (
    hash_code,
    hash_codes,
    hash_password,
    is_password,
    new_codes,
)
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.gamebook import relist
from cabochon.server.storage.guesses import Guesses, GuessRule
from cabochon.server.storage.holdings import pseudonym
from cabochon.server.storage.people import NameHeld, Person, hold_name
from cabochon.server.storage.schema import people
from cabochon.server.storage.sessions import Session
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.storage.transactions import in_transaction
from cabochon.server.storage.waysin import (
    Passkey,
    PasskeyKnown,
    keep_codes,
    keep_passkey,
    keep_password,
    remove_passkey,
)

QUARTER_HOUR_MS = 900_000
HERE = GuessRule(3, QUARTER_HOUR_MS)
"""One name, from one address."""
ADDRESS = GuessRule(20, QUARTER_HOUR_MS)
"""Any names, from one address: a school may sit behind it."""
NAME = GuessRule(10, 30_000)
"""One name, from anywhere: nobody should be able to keep its owner out for long."""


@contextlib.asynccontextmanager
async def one_guess(guesses: Guesses, look: str, address: str, now: int) -> AsyncIterator[None]:
    """What is done inside is an attempt, and has failed if it raises. Raises ServerRefused when it
    comes too soon."""
    here = pseudonym(f"guess {look} {address}")
    others = {
        pseudonym(f"guess from {address}"): ADDRESS,
        pseudonym(f"guess name {look}"): NAME,
    }
    wait = await guesses.attempt({here: HERE, **others}, now)
    if wait:
        raise ServerRefused(ServerFault.TOO_FAST, seconds=math.ceil(wait / 1000))
    yield
    await guesses.succeeded(here, list(others))


FRESH_MS = 10 * 60_000
"""How long a proof of who somebody is counts."""
MOST_PASSKEYS = 20


@dataclass(frozen=True, slots=True)
class NewWay:
    """One more way in: a password's hash or a passkey."""

    password: str | None = None
    passkey: Passkey | None = None


async def add_way(store: SqlStore, person: Person, way: NewWay) -> list[str] | None:
    """With the first, the name is kept, and the recovery codes are shown: once. Raises
    ServerRefused."""
    codes = None if person.kept else new_codes()
    hashes = [] if codes is None else await hash_codes(person.id, codes)

    async def keep(connection: AsyncConnection) -> None:
        if not person.kept:
            await _keep_name(connection, person)
            await keep_codes(connection, person.id, hashes)
        if way.password is not None:
            await keep_password(connection, person.id, way.password)
        if way.passkey is not None:
            await keep_passkey(connection, way.passkey)

    try:
        await in_transaction(store.engine, keep)
    except NameHeld:
        raise ServerRefused(ServerFault.NAME_KEPT, name=person.name) from None
    except PasskeyKnown:
        raise ServerRefused(ServerFault.BAD_PASSKEY) from None
    return codes


async def _keep_name(connection: AsyncConnection, person: Person) -> None:
    await hold_name(connection, person.id, looks(person.name))
    guest = people.c.id == person.id, people.c.name == person.name, people.c.deleted_ms.is_(None)
    kept = await connection.execute(update(people).where(*guest).values(kept=True))
    if kept.rowcount != 1:  # renamed in the meantime
        raise NameHeld
    await connection.run_sync(relist, person.id)


async def with_password(password: str) -> NewWay:
    return NewWay(password=await hash_password(password))


async def renew_codes(store: SqlStore, person: Person) -> list[str]:
    """Eight new ones; the former are good for nothing. Raises ServerRefused."""
    if not person.kept:
        raise ServerRefused(ServerFault.NOT_KEPT)
    codes = new_codes()
    hashes = await hash_codes(person.id, codes)
    await in_transaction(store.engine, partial(keep_codes, person_id=person.id, hashes=hashes))
    return codes


async def drop_passkey(store: SqlStore, person: Person, passkey_id: str) -> None:
    """Raises ServerRefused when it is the only way in."""
    ways = await store.ways.ways(person.id)
    if ways.passkeys == 1 and not ways.has_password:
        raise ServerRefused(ServerFault.LAST_WAY)
    gone = partial(remove_passkey, person_id=person.id, passkey_id=passkey_id)
    if not await in_transaction(store.engine, gone):
        raise ServerRefused(ServerFault.NO_SUCH_PASSKEY)


# Who somebody says they are


async def signed_in(
    store: SqlStore, name: str, address: str, now: int, password: str | None, code: str | None
) -> Person:
    """The person with that name, if the password or the code is theirs. Nothing reveals whether
    there is such a name. Raises ServerRefused."""
    alike = looks(name)
    person = await store.people.named(alike)
    person_id = None if person is None else person.id
    # However it is written, it is the same name that is guessed at.
    guessed = max(alike) if person_id is None else f"of {person_id}"
    async with one_guess(store.guesses, guessed, address, now):
        if code is not None:
            right = await store.ways.use_code(person_id, await hash_code(person_id, code))
        else:
            kept = await store.ways.password(person_id)
            right = await is_password(kept, password or "")
        if person is None or not right:
            raise ServerRefused(ServerFault.NOT_SIGNED_IN)
    return person


async def check_password(
    store: SqlStore, person: Person, address: str, now: int, password: str
) -> None:
    """Raises ServerRefused unless it is theirs."""
    await signed_in(store, person.name, address, now, password, None)


def is_fresh(session: Session, now: int) -> bool:
    """Whether they have lately shown who they are."""
    return session.proved_ms is not None and now - session.proved_ms <= FRESH_MS


def check_fresh(person: Person, session: Session, now: int) -> None:
    """A guest has nothing to show. Raises ServerRefused."""
    if person.kept and not is_fresh(session, now):
        raise ServerRefused(ServerFault.PROOF_NEEDED)


def as_kept(person: Person) -> Person:
    return replace(person, kept=True)
