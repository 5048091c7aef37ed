"""How people come back: passkeys, a password, recovery codes. Of each only what can be checked is
kept, never what could be used."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.server.secrets import hashed
from cabochon.server.storage.schema import challenges, passkeys, people, recovery_codes
from cabochon.server.storage.transactions import change_rows


@dataclass(frozen=True, slots=True)
class Passkey:
    """A public key; `credential` is the name that its device gave it."""

    id: str
    person_id: str
    credential: str
    public_key: bytes
    counter: int
    label: str
    created_ms: int
    used_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Ways:
    """How many ways back somebody has."""

    passkeys: int
    has_password: bool
    codes_left: int


class PasskeyKnown(Exception):
    """Somebody has that passkey already."""


class WayStore:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def ways(self, person_id: str) -> Ways:
        keys = select(func.count()).where(passkeys.c.person_id == person_id).scalar_subquery()
        codes = select(func.count()).where(recovery_codes.c.person_id == person_id)
        query = select(people.c.password.is_not(None), keys, codes.scalar_subquery())
        async with self._engine.connect() as connection:
            row = (await connection.execute(query.where(people.c.id == person_id))).one()
        return Ways(row[1], bool(row[0]), row[2])

    async def password(self, person_id: str | None) -> str | None:
        """What it is checked against; the same is asked of the database when there is nobody."""
        query = select(people.c.password).where(people.c.id == (person_id or ""))
        async with self._engine.connect() as connection:
            return (await connection.execute(query)).scalar()

    async def use_code(self, person_id: str | None, code_hash: str) -> bool:
        """Whether it was one of theirs; it is good once."""
        mine = recovery_codes.c.person_id == (person_id or ""), recovery_codes.c.hash == code_hash
        return await change_rows(self._engine, delete(recovery_codes).where(*mine)) == 1

    # Passkeys

    async def passkeys(self, person_id: str) -> list[Passkey]:
        query = select(passkeys).where(passkeys.c.person_id == person_id)
        async with self._engine.connect() as connection:
            rows = await connection.execute(query.order_by(passkeys.c.created_ms))
            return [_passkey(row) for row in rows]

    async def passkey(self, credential: str) -> Passkey | None:
        query = select(passkeys).where(passkeys.c.credential_hash == hashed(credential))
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else _passkey(row)

    async def used(self, passkey: Passkey, counter: int, now: int) -> None:
        change = update(passkeys).where(passkeys.c.id == passkey.id)
        await change_rows(self._engine, change.values(counter=counter, used_ms=now))

    async def challenge(self, challenge: bytes, purpose: str, until_ms: int) -> None:
        """Something to sign, for that purpose, until then."""
        row = {"hash": hashed(challenge.hex()), "purpose": purpose, "until_ms": until_ms}
        await change_rows(self._engine, insert(challenges), row)

    async def answered(self, challenge: bytes, purpose: str, now: int) -> bool:
        """Whether that was to be signed; it is good once."""
        asked = (
            challenges.c.hash == hashed(challenge.hex()),
            challenges.c.purpose == purpose,
            challenges.c.until_ms > now,
        )
        return await change_rows(self._engine, delete(challenges).where(*asked)) == 1

    async def tidy(self, now: int) -> None:
        await change_rows(self._engine, delete(challenges).where(challenges.c.until_ms < now))


async def keep_password(connection: AsyncConnection, person_id: str, password: str) -> None:
    """`password` is its hash."""
    change = update(people).where(people.c.id == person_id)
    await connection.execute(change.values(password=password))


async def keep_codes(connection: AsyncConnection, person_id: str, hashes: Collection[str]) -> None:
    """These, and none of the former ones."""
    await connection.execute(delete(recovery_codes).where(recovery_codes.c.person_id == person_id))
    rows = [{"person_id": person_id, "hash": each} for each in hashes]
    await connection.execute(insert(recovery_codes), rows)


async def keep_passkey(connection: AsyncConnection, passkey: Passkey) -> None:
    """Raises PasskeyKnown."""
    row = {
        "id": passkey.id,
        "person_id": passkey.person_id,
        "credential": passkey.credential,
        "credential_hash": hashed(passkey.credential),
        "public_key": passkey.public_key,
        "counter": passkey.counter,
        "label": passkey.label,
        "created_ms": passkey.created_ms,
    }
    try:
        await connection.execute(insert(passkeys), row)
    except IntegrityError:
        raise PasskeyKnown from None


async def remove_passkey(connection: AsyncConnection, person_id: str, passkey_id: str) -> bool:
    mine = passkeys.c.person_id == person_id, passkeys.c.id == passkey_id
    return (await connection.execute(delete(passkeys).where(*mine))).rowcount == 1


async def remove_all_ways(connection: AsyncConnection, person_id: str) -> None:
    """Nothing of theirs lets anybody in any more."""
    for table in (passkeys, recovery_codes):
        await connection.execute(delete(table).where(table.c.person_id == person_id))
    change = update(people).where(people.c.id == person_id)
    await connection.execute(change.values(password=None))


def _passkey(row: Row[tuple[object, ...]]) -> Passkey:
    return Passkey(
        id=row.id,
        person_id=row.person_id,
        credential=row.credential,
        public_key=row.public_key,
        counter=row.counter,
        label=row.label,
        created_ms=row.created_ms,
        used_ms=row.used_ms,
    )
