"""How far people have come in the course."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, select

from cabochon.server.storage.gamebook import put
from cabochon.server.storage.schema import lesson_marks, people


def marks_of(connection: Connection, person_id: str) -> dict[str, int]:
    """Questions answered, by lesson."""
    query = select(lesson_marks).where(lesson_marks.c.person_id == person_id)
    return {row.lesson_id: row.steps for row in connection.execute(query)}


def add_marks(
    connection: Connection, person_id: str, marks: Mapping[str, int], at_ms: int
) -> dict[str, int]:
    """What was reached stays: of each lesson the farther counts. Gives all of them."""
    before = marks_of(connection, person_id)
    here = people.c.id == person_id, people.c.deleted_ms.is_(None)
    if connection.execute(select(people.c.id).where(*here)).first() is None:
        return before
    for lesson, steps in marks.items():
        if steps > before.get(lesson, 0):
            key = {"person_id": person_id, "lesson_id": lesson}
            put(connection, lesson_marks, key, {"steps": steps, "at_ms": at_ms})
            before[lesson] = steps
    return before


def join_marks(connection: Connection, guest: str, heir: str) -> None:
    """What the guest has learnt, the heir has."""
    query = select(lesson_marks).where(lesson_marks.c.person_id == guest)
    rows = connection.execute(query).all()
    for row in rows:
        add_marks(connection, heir, {row.lesson_id: row.steps}, row.at_ms)
    forget_marks(connection, guest)


def forget_marks(connection: Connection, person_id: str) -> None:
    connection.execute(delete(lesson_marks).where(lesson_marks.c.person_id == person_id))
