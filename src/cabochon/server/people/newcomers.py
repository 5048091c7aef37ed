"""How much of what others have to put up with one person may do: less for somebody new."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.play.clock import DAY_MS
from cabochon.server.storage.people import Person

NEW_MS = DAY_MS
"""Somebody is new for a day."""


@dataclass(frozen=True, slots=True)
class CivilLimits:
    """`joins_an_hour` are times that somebody begins to wait in a pool."""

    joins_an_hour: int
    reports_a_day: int
    blocks: int
    invitations_an_hour: int


FOR_NEW = CivilLimits(joins_an_hour=30, reports_a_day=3, blocks=100, invitations_an_hour=12)
FOR_OTHERS = CivilLimits(joins_an_hour=120, reports_a_day=20, blocks=1000, invitations_an_hour=60)


def limits_of(person: Person, now: int) -> CivilLimits:
    return FOR_NEW if now - person.created_ms < NEW_MS else FOR_OTHERS
