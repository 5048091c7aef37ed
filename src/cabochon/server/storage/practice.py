"""What somebody practises day by day, the same on all their devices: the days whose puzzle was
solved, the best storm, and when their mistakes are asked again.

Two devices never contradict each other for long: days are added up, of storms the better counts,
and of a mistake the later answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from cabochon.server.storage.gamebook import put
from cabochon.server.storage.schema import best_storms, mistake_boxes, people, solved_days

MOST_DAYS = 400
MOST_BOXES = 600
"""How many are kept for each person, the newest."""

MistakeName = tuple[str, int]
"""The table, and which decision it was."""


@dataclass(frozen=True, slots=True)
class MistakeBox:
    """In which box a mistake lies since it was answered, and when it is due again."""

    box: int
    due: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Practice:
    days: frozenset[str] = frozenset()
    storm: int = 0
    boxes: Mapping[MistakeName, MistakeBox] = field(default_factory=dict)

    def together_with(self, other: Practice) -> Practice:
        """What two devices know, within bounds."""
        boxes = dict(self.boxes)
        for name, box in other.boxes.items():
            if name not in boxes or box.at_ms > boxes[name].at_ms:
                boxes[name] = box
        newest = sorted(boxes.items(), key=lambda each: each[1].at_ms)[-MOST_BOXES:]
        days = frozenset(sorted(self.days | other.days)[-MOST_DAYS:])
        return Practice(days, max(self.storm, other.storm), dict(newest))


def practice_of(connection: Connection, person_id: str) -> Practice:
    """All that is kept of them."""
    days = select(solved_days.c.day).where(solved_days.c.person_id == person_id)
    storm = select(best_storms.c.solved).where(best_storms.c.person_id == person_id)
    boxes = select(mistake_boxes).where(mistake_boxes.c.person_id == person_id)
    return Practice(
        frozenset(connection.execute(days).scalars()),
        connection.execute(storm).scalar() or 0,
        {
            (row.table_id, row.ply): MistakeBox(row.box, row.due, row.at_ms)
            for row in connection.execute(boxes)
        },
    )


def add_practice(connection: Connection, person_id: str, told: Practice) -> Practice:
    """What a device tells, put together with what is kept. Gives both."""
    before = practice_of(connection, person_id)
    after = before.together_with(told)
    here = people.c.id == person_id, people.c.deleted_ms.is_(None)
    if after == before or connection.execute(select(people.c.id).where(*here)).first() is None:
        return before
    _keep_days(connection, person_id, before.days, after.days)
    if after.storm > before.storm:
        put(connection, best_storms, {"person_id": person_id}, {"solved": after.storm})
    _keep_boxes(connection, person_id, before.boxes, after.boxes)
    return after


def _keep_days(
    connection: Connection, person_id: str, before: Collection[str], after: Collection[str]
) -> None:
    new = [{"person_id": person_id, "day": day} for day in sorted(set(after) - set(before))]
    if new:
        # A second device may tell the same day at the same moment.
        dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
        connection.execute(dialect.insert(solved_days).on_conflict_do_nothing(), new)
    old = set(before) - set(after)
    if old:
        gone = solved_days.c.person_id == person_id, solved_days.c.day.in_(old)
        connection.execute(delete(solved_days).where(*gone))


def _keep_boxes(
    connection: Connection,
    person_id: str,
    before: Mapping[MistakeName, MistakeBox],
    after: Mapping[MistakeName, MistakeBox],
) -> None:
    new = [_row(person_id, name, box) for name, box in after.items() if before.get(name) != box]
    if new:
        dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
        statement = dialect.insert(mistake_boxes)
        told = {column: statement.excluded[column] for column in ("box", "due", "at_ms")}
        key = ["person_id", "table_id", "ply"]
        connection.execute(statement.on_conflict_do_update(index_elements=key, set_=told), new)
    old = [{"table": table_id, "at": ply} for table_id, ply in before.keys() - after.keys()]
    if old:
        here = mistake_boxes.c
        gone = here.table_id == bindparam("table"), here.ply == bindparam("at")
        statement = delete(mistake_boxes).where(here.person_id == person_id, *gone)
        connection.execute(statement, old)


def _row(person_id: str, name: MistakeName, box: MistakeBox) -> dict[str, Any]:
    return {
        "person_id": person_id,
        "table_id": name[0],
        "ply": name[1],
        "box": box.box,
        "due": box.due,
        "at_ms": box.at_ms,
    }


def join_practice(connection: Connection, guest: str, heir: str) -> None:
    """What the guest has practised, the heir has."""
    add_practice(connection, heir, practice_of(connection, guest))
    forget_practice(connection, guest)


def forget_practice(connection: Connection, person_id: str) -> None:
    for table in (solved_days, best_storms, mistake_boxes):
        connection.execute(delete(table).where(table.c.person_id == person_id))
