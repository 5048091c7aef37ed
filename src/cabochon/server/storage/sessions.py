"""Sessions: who a browser belongs to. Its secret is in a cookie, and changes now and then.

A new secret is only offered: the old one stays good until the new one comes back, so that an answer
that is lost on the way costs nobody their identity. Then the old one is good for a minute more, for
whatever was under way, and never again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.play.clock import DAY_MS
from cabochon.server.secrets import hashed, matches, new_person_id, new_session_secret
from cabochon.server.storage.givenorders import give_order
from cabochon.server.storage.people import Person, living_person
from cabochon.server.storage.schema import people, sessions
from cabochon.server.storage.transactions import change_rows, in_transaction

ROTATED_MS = DAY_MS
"""A secret is replaced when it is older than that."""
GRACE_MS = 60_000
KEPT_DAYS = 400
"""As long as browsers keep a cookie."""
MOST_COOKIE = 100
NOTED_TOGETHER = 500
"""People in one transaction: a move that comes meanwhile waits a few milliseconds at most."""


@dataclass(frozen=True, slots=True)
class Session:
    """One browser of somebody."""

    id: str
    person_id: str
    label: str
    created_ms: int
    seen_ms: int
    changed_ms: int
    proved_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Recognised:
    """Whom a cookie names."""

    person: Person
    session: Session


class Sessions:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._seen: dict[str, tuple[str, int]] = {}

    async def recognised(self, cookie: str, now: int) -> Recognised | None:
        """The person the cookie belongs to; None for an unknown or expired one."""
        session_id, _, secret = cookie.partition(".")
        if not session_id or not secret or len(cookie) > MOST_COOKIE:
            return None
        living = sessions.c.id == session_id, sessions.c.revoked_ms.is_(None)
        async with self._engine.connect() as connection:
            row = (await connection.execute(select(sessions).where(*living))).first()
            person = None if row is None else await living_person(connection, row.person_id)
        if row is None or person is None:
            return None
        if not await self._is_good(row, hashed(secret), person.kept, now):
            return None
        self._seen[session_id] = person.id, now
        return Recognised(person, session_of_row(row))

    async def _is_good(
        self, row: Row[tuple[object, ...]], secret_hash: str, kept: bool, now: int
    ) -> bool:
        if matches(secret_hash, row.hash):
            return True
        if matches(secret_hash, row.next_hash):
            await self._take_up(row.id, secret_hash, now)
            return True
        if not matches(secret_hash, row.former_hash):
            return False
        if now - row.changed_ms <= GRACE_MS:
            return True
        if kept:
            # Two have had it, and only one of them can be the right one, who can sign in again.
            await self.revoke(row.person_id, row.id, now)
        return False

    async def _take_up(self, session_id: str, new_hash: str, now: int) -> None:
        """The secret that was offered has come back: it is the one from now on."""
        offered = sessions.c.id == session_id, sessions.c.next_hash == new_hash
        values = {
            "hash": sessions.c.next_hash,
            "former_hash": sessions.c.hash,
            "next_hash": None,
            "changed_ms": now,
        }
        await change_rows(self._engine, update(sessions).where(*offered).values(values))

    async def rotated(self, session: Session, now: int) -> str | None:
        """A cookie with a new secret, when the old one has served long enough."""
        if now - session.changed_ms < ROTATED_MS:
            return None
        secret = new_session_secret()
        unoffered = or_(sessions.c.offered_ms.is_(None), sessions.c.offered_ms < now - GRACE_MS)
        offer = update(sessions).where(sessions.c.id == session.id, unoffered)
        values = {"next_hash": hashed(secret), "offered_ms": now}
        offered = await change_rows(self._engine, offer.values(values))
        return f"{session.id}.{secret}" if offered else None

    async def renew(self, session: Session, now: int) -> str:
        """They have just proved who they are: a new cookie at once, and the old one is
        worthless."""
        secret = new_session_secret()
        values = {
            "hash": hashed(secret),
            "next_hash": None,
            "former_hash": None,
            "changed_ms": now,
            "proved_ms": now,
        }
        change = update(sessions).where(sessions.c.id == session.id)
        await change_rows(self._engine, change.values(values))
        return f"{session.id}.{secret}"

    async def of_person(self, person_id: str) -> list[Session]:
        """All that are good, the last used first."""
        mine = sessions.c.person_id == person_id, sessions.c.revoked_ms.is_(None)
        query = select(sessions).where(*mine).order_by(sessions.c.seen_ms.desc(), sessions.c.id)
        async with self._engine.connect() as connection:
            return [session_of_row(row) for row in await connection.execute(query)]

    async def revoke(self, person_id: str, session_id: str, now: int) -> bool:
        """It is good for nothing from the commit on. False when there is none."""
        gone = partial(revoke_sessions, person_id=person_id, now=now, session_id=session_id)
        return await in_transaction(self._engine, gone) > 0

    async def note_seen(self) -> None:
        """Write down who was here: now and then, not at every request."""
        seen, self._seen = self._seen, {}
        if not seen:
            return
        rows = [{"session": s, "person": p, "at": at} for s, (p, at) in sorted(seen.items())]
        for start in range(0, len(rows), NOTED_TOGETHER):
            await in_transaction(self._engine, partial(_note, rows[start : start + NOTED_TOGETHER]))

    async def tidy(self, now: int) -> None:
        """Forget sessions that no browser has a cookie of any more."""
        old = sessions.c.seen_ms < now - KEPT_DAYS * DAY_MS
        done = sessions.c.revoked_ms < now - DAY_MS
        await change_rows(self._engine, delete(sessions).where(or_(old, done)))


async def _note(rows: list[dict[str, Any]], connection: AsyncConnection) -> None:
    session = update(sessions).where(sessions.c.id == bindparam("session"))
    await connection.execute(session.values(seen_ms=bindparam("at")), rows)
    person = update(people).where(
        people.c.id == bindparam("person"), people.c.seen_ms < bindparam("at")
    )
    await connection.execute(person.values(seen_ms=bindparam("at")), rows)


async def begin_session(
    connection: AsyncConnection, person_id: str, label: str, now: int, proved: bool
) -> str:
    """A new one; returns the cookie, which is given out once."""
    session_id, secret = new_person_id(), new_session_secret()
    row = {
        "id": session_id,
        "person_id": person_id,
        "hash": hashed(secret),
        "label": label,
        "created_ms": now,
        "seen_ms": now,
        "changed_ms": now,
        "proved_ms": now if proved else None,
    }
    await connection.execute(insert(sessions), row)
    return f"{session_id}.{secret}"


async def revoke_sessions(
    connection: AsyncConnection,
    person_id: str,
    now: int,
    session_id: str | None = None,
) -> int:
    """That one of theirs, or all; running servers are told to end what is open. How many."""
    mine = [sessions.c.person_id == person_id, sessions.c.revoked_ms.is_(None)]
    if session_id is not None:
        mine.append(sessions.c.id == session_id)
    gone = (await connection.execute(select(sessions.c.id).where(*mine))).scalars().all()
    if gone:
        change = update(sessions).where(sessions.c.id.in_(gone))
        await connection.execute(change.values(revoked_ms=now))
    for each in gone:
        await give_order(connection, "session", each)
    return len(gone)


def session_of_row(row: Row[tuple[object, ...]]) -> Session:
    return Session(
        id=row.id,
        person_id=row.person_id,
        label=row.label,
        created_ms=row.created_ms,
        seen_ms=row.seen_ms,
        changed_ms=row.changed_ms,
        proved_ms=row.proved_ms,
    )
