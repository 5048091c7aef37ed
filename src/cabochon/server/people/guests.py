"""A person from the first visit on: a guest has a name, and a session in one browser."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.server.access.playernames import looks, tidy
from cabochon.server.people.naming import check_own
from cabochon.server.secrets import new_person_id
from cabochon.server.storage.people import Person, add_person
from cabochon.server.storage.sessions import begin_session
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.storage.transactions import in_transaction


async def make_guest(store: SqlStore, name: str, label: str, now: int) -> tuple[Person, str]:
    """A new person, and the cookie by which they will be known. Raises ServerRefused."""
    name = tidy(name)
    await check_own(store.people, (name,), None)
    person = Person(new_person_id(), name, kept=False, hidden=False, created_ms=now, seen_ms=now)

    async def written(connection: AsyncConnection) -> str:
        await add_person(connection, person, looks(name))
        return await begin_session(connection, person.id, label, now, proved=False)

    return person, await in_transaction(store.engine, written)
