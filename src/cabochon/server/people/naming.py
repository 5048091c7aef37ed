"""What somebody may be called here: nothing that looks like a name that somebody else has kept."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence

from cabochon.play.clock import DAY_MS
from cabochon.server.access.playernames import looks, tidy
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.people import NameHeld, People, Person
from cabochon.words import text

GUEST_DIGITS = (4, 4, 5, 6, 9)
RENAME_MS = 30 * DAY_MS
"""How often a kept name can be changed: once in this time."""


async def check_own(people: People, names: Iterable[str], person: Person | None) -> None:
    """Raises ServerRefused when one of the names is kept by somebody else."""
    names = tuple(names)
    if not names or await people.named(frozenset[str]().union(*map(looks, names))) is None:
        return  # nearly always
    for name in names:
        found = await people.named(looks(name))
        if found is not None and (person is None or found.id != person.id):
            raise ServerRefused(ServerFault.NAME_KEPT, name=name)


async def rename(people: People, person: Person, name: str, now: int) -> str:
    """Give them another name: whenever they like as long as they are a guest. Gives it as it is
    kept. Raises ServerRefused."""
    name = tidy(name)
    if name == person.name:
        return name
    after = rename_after_ms(person)
    if after is not None and now < after:
        raise ServerRefused(ServerFault.RENAMED_LATELY, days=-((now - after) // DAY_MS))
    await check_own(people, (name,), person)
    try:
        await people.rename(person, name, looks(name), now)
    except NameHeld:
        raise ServerRefused(ServerFault.NAME_KEPT, name=name) from None
    return name


async def name_at_table(
    people: People, person: Person | None, asked: str, now: int, others: Sequence[str] = ()
) -> str:
    """What somebody is called who sits down: by their kept name, or what they call themselves now,
    which a guest is called from then on. The names of others who sit down with them are checked as
    well. Raises ServerRefused."""
    if person is not None and person.kept:
        await check_own(people, others, person)
        return person.name
    name = tidy(asked)
    await check_own(people, (name, *others), person)
    if person is not None and name != person.name:
        await people.rename(person, name, looks(name), now)
    return name


def rename_after_ms(person: Person) -> int | None:
    """When they may next change their name; None for whenever they like."""
    if not person.kept or person.renamed_ms is None:
        return None
    return person.renamed_ms + RENAME_MS


async def guest_name(people: People, language: str) -> str:
    """For somebody who has not said: one that nobody has kept, with more digits if need be."""
    for digits in GUEST_DIGITS:
        least = 10 ** (digits - 1)
        name = f"{text('server.guest', language)} {least + secrets.randbelow(9 * least)}"
        if await people.named(looks(name)) is None:
            break
    return name
