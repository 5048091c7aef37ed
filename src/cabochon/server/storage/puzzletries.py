"""Who has met which puzzle, and what it did to both ratings: each counts once for each person.

A person's rating follows from where they began and from their tries in their order; a puzzle's from
the tries of those who keep their name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, text, update

from cabochon.ratings import RatingKind, Strength
from cabochon.ratings.method import (
    first_puzzle_strength,
    measured_strength,
    puzzle_after,
    solver_after,
    taken_over,
)
from cabochon.server.storage.gamebook import is_listed, put
from cabochon.server.storage.schema import (
    people,
    puzzle_ratings,
    puzzle_starts,
    puzzle_tries,
    rating_points,
    ratings,
)

OPEN, SOLVED, FAILED, SEEN = "open", "solved", "failed", "seen"
KIND = RatingKind.PUZZLES.value
_LOCK = 0x70757A7A


@dataclass(frozen=True, slots=True)
class PuzzleMeeting:
    """Somebody before a puzzle that the bots have `measured`."""

    person_id: str
    puzzle_id: str
    measured: float
    at_ms: int


@dataclass(frozen=True, slots=True)
class PuzzleChange:
    """What a try did to the rating of the person who tried."""

    solved: bool
    before: float
    after: Strength


def lock_puzzles(connection: Connection) -> None:
    """Until the commit nobody else's try counts."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    elif not connection.connection.dbapi_connection.in_transaction:  # type: ignore[union-attr]
        connection.exec_driver_sql("BEGIN IMMEDIATE")


# Trying


def note_try(
    connection: Connection, meeting: PuzzleMeeting, step: int, right: bool, following: int | None
) -> PuzzleChange | None:
    """A try at a step, of which `following` is to be answered next, None when it is solved. The
    first wrong one decides, and so does one that comes before its turn. Gives what the puzzle has
    done to the rating, now or before."""
    lock_puzzles(connection)
    row = _met(connection, meeting)
    if row is not None and row.state != OPEN:
        return change_of(row)
    expected = 0 if row is None else row.step
    if not right or step > expected:
        return _settle(connection, meeting, solved=False)
    if following is None:
        return _settle(connection, meeting, solved=True)
    _keep(connection, meeting, {"state": OPEN, "step": max(expected, following)})
    return None


def note_help(connection: Connection, meeting: PuzzleMeeting) -> PuzzleChange | None:
    """A hint, or the answer: it is not solved any more."""
    lock_puzzles(connection)
    row = _met(connection, meeting)
    if row is not None and row.state != OPEN:
        return change_of(row)
    return _settle(connection, meeting, solved=False)


def note_seen(connection: Connection, person_id: str, ids: Collection[str], at_ms: int) -> None:
    """These will not count, unless they have already."""
    lock_puzzles(connection)
    if not _is_here(connection, person_id):
        return
    mine = puzzle_tries.c.person_id == person_id
    known = set(connection.execute(select(puzzle_tries.c.puzzle_id).where(mine)).scalars())
    rows = [
        {"person_id": person_id, "puzzle_id": each, "state": SEEN, "step": 0, "at_ms": at_ms}
        for each in sorted(set(ids) - known)
    ]
    if rows:
        connection.execute(insert(puzzle_tries), rows)


def take_over(connection: Connection, person_id: str, rating: float, at_ms: int) -> None:
    """Begin with a rating from one's own browser: once, and only before anything has counted."""
    lock_puzzles(connection)
    if not _is_here(connection, person_id) or _start(connection, person_id) is not None:
        return
    if _strength(connection, person_id) is None:
        row = {"person_id": person_id, "value": taken_over(rating).value, "at_ms": at_ms}
        connection.execute(insert(puzzle_starts), row)


def _met(connection: Connection, meeting: PuzzleMeeting) -> Row[Any] | None:
    here = puzzle_tries.c
    same = here.person_id == meeting.person_id, here.puzzle_id == meeting.puzzle_id
    return connection.execute(select(puzzle_tries).where(*same)).first()


def change_of(row: Row[Any]) -> PuzzleChange | None:
    """None for one that does not count."""
    if row.ordinal is None:
        return None
    after = Strength(row.value, row.deviation, row.ordinal)
    return PuzzleChange(row.state == SOLVED, row.before_value, after)


def _is_here(connection: Connection, person_id: str) -> bool:
    return _living(connection, person_id) is not None


def _living(connection: Connection, person_id: str) -> Row[Any] | None:
    """None for somebody who is gone meanwhile."""
    query = select(people.c.kept).where(people.c.id == person_id, people.c.deleted_ms.is_(None))
    return connection.execute(query).first()


def _keep(connection: Connection, meeting: PuzzleMeeting, values: dict[str, Any]) -> None:
    if _is_here(connection, meeting.person_id):
        key = {"person_id": meeting.person_id, "puzzle_id": meeting.puzzle_id}
        put(connection, puzzle_tries, key, values | {"at_ms": meeting.at_ms})


def _settle(connection: Connection, meeting: PuzzleMeeting, *, solved: bool) -> PuzzleChange | None:
    person = _living(connection, meeting.person_id)
    if person is None:
        return None
    puzzle = _puzzle(connection, meeting)
    before = strength_before(connection, meeting.person_id)
    after = solver_after(before, puzzle, solved)
    values = {"state": SOLVED if solved else FAILED, "step": 0}
    _keep(connection, meeting, values | _counted(before, after, puzzle))
    keep_puzzle_strength(connection, meeting.person_id, after, meeting.at_ms)
    if person.kept:
        _move_puzzle(connection, meeting, puzzle_after(puzzle, before, solved, meeting.measured))
    return PuzzleChange(solved, before.value, after)


def _counted(before: Strength, after: Strength, puzzle: Strength) -> dict[str, Any]:
    return {
        "ordinal": after.games,
        "puzzle_value": puzzle.value,
        "puzzle_deviation": puzzle.deviation,
        "before_value": before.value,
        "value": after.value,
        "deviation": after.deviation,
    }


# Strengths


def strength_before(connection: Connection, person_id: str) -> Strength:
    """Where somebody stands: after their last try, or where they begin."""
    found = _strength(connection, person_id)
    if found is not None:
        return found
    start = _start(connection, person_id)
    return first_puzzle_strength() if start is None else taken_over(start)


def _strength(connection: Connection, person_id: str) -> Strength | None:
    mine = ratings.c.person_id == person_id, ratings.c.kind == KIND
    row = connection.execute(select(ratings).where(*mine)).first()
    return None if row is None else Strength(row.value, row.deviation, row.games)


def _start(connection: Connection, person_id: str) -> float | None:
    query = select(puzzle_starts.c.value).where(puzzle_starts.c.person_id == person_id)
    return connection.execute(query).scalar()


def keep_puzzle_strength(
    connection: Connection, person_id: str, after: Strength, at_ms: int
) -> None:
    """From now on, and as a point of their line."""
    row = rating_row(connection, person_id, after)
    put(connection, ratings, {name: row.pop(name) for name in ("person_id", "kind")}, row)
    connection.execute(insert(rating_points), point_row(person_id, after, at_ms))


def rating_row(connection: Connection, person_id: str, after: Strength) -> dict[str, Any]:
    listed = is_listed(connection, person_id, after, KIND)
    now = {"value": after.value, "deviation": after.deviation, "games": after.games}
    return {"person_id": person_id, "kind": KIND, "listed": listed} | now


def point_row(person_id: str, after: Strength, at_ms: int) -> dict[str, Any]:
    """Of no game: its number is 0."""
    return {
        "person_id": person_id,
        "kind": KIND,
        "ordinal": after.games,
        "number": 0,
        "at_ms": at_ms,
        "value": after.value,
        "deviation": after.deviation,
    }


def _puzzle(connection: Connection, meeting: PuzzleMeeting) -> Strength:
    query = select(puzzle_ratings).where(puzzle_ratings.c.puzzle_id == meeting.puzzle_id)
    row = connection.execute(query).first()
    if row is None:
        return measured_strength(meeting.measured)
    return Strength(row.value, row.deviation, row.tries)


def _move_puzzle(connection: Connection, meeting: PuzzleMeeting, after: Strength) -> None:
    now = {"value": after.value, "deviation": after.deviation, "tries": after.games}
    put(connection, puzzle_ratings, {"puzzle_id": meeting.puzzle_id}, now)


# All of it once more


def counted_tries(connection: Connection) -> Iterator[tuple[str, Strength, int]]:
    """Everybody's strength after each of their tries and when, from where they began."""
    starts = {row.person_id: row.value for row in connection.execute(select(puzzle_starts))}
    query = (
        select(puzzle_tries)
        .where(puzzle_tries.c.ordinal.is_not(None))
        .order_by(puzzle_tries.c.person_id, puzzle_tries.c.ordinal)
    )
    person, now = "", first_puzzle_strength()
    for row in connection.execute(query):
        if row.person_id != person:
            person, start = row.person_id, starts.get(row.person_id)
            now = first_puzzle_strength() if start is None else taken_over(start)
        now = solver_after(now, _then(row), row.state == SOLVED)
        yield person, now, row.at_ms


def _then(row: Row[Any]) -> Strength:
    return Strength(row.puzzle_value, row.puzzle_deviation)


def puzzle_rows(connection: Connection) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of `ratings` and of `rating_points` that follow from all tries."""
    last: dict[str, Strength] = {}
    points = []
    for person, after, at_ms in counted_tries(connection):
        last[person] = after
        points.append(point_row(person, after, at_ms))
    return [rating_row(connection, person, after) for person, after in last.items()], points


# A guest who has turned out to be somebody else


def join_puzzles(connection: Connection, guest: str, heir: str, *, counts: bool) -> None:
    """The guest's tries are the heir's. Where they count (`counts`), they do so once more, after
    the heir's own; a puzzle that both have met stays as it was for the heir."""
    lock_puzzles(connection)
    _join_starts(connection, guest, heir)
    here = puzzle_tries.c
    both = select(here.puzzle_id).where(here.person_id == heir)
    twice = here.person_id == guest, here.puzzle_id.in_(both)
    connection.execute(delete(puzzle_tries).where(*twice))
    query = select(puzzle_tries).where(here.person_id == guest).order_by(here.ordinal)
    for row in connection.execute(query).all():
        _hand_on(connection, row, heir, counts=counts and row.ordinal is not None)
    for table in (ratings, rating_points):
        left = table.c.person_id == guest, table.c.kind == KIND
        connection.execute(delete(table).where(*left))


def _hand_on(connection: Connection, row: Row[Any], heir: str, *, counts: bool) -> None:
    values: dict[str, Any] = {"person_id": heir}
    if counts:
        before = strength_before(connection, heir)
        after = solver_after(before, _then(row), row.state == SOLVED)
        keep_puzzle_strength(connection, heir, after, row.at_ms)
        values |= _counted(before, after, _then(row))
    elif row.ordinal is not None:
        none = ("ordinal", "puzzle_value", "puzzle_deviation", "before_value", "value", "deviation")
        values |= {"state": SEEN} | dict.fromkeys(none)
    here = puzzle_tries.c
    same = here.person_id == row.person_id, here.puzzle_id == row.puzzle_id
    connection.execute(update(puzzle_tries).where(*same).values(values))


def _join_starts(connection: Connection, guest: str, heir: str) -> None:
    """The guest's claim is the heir's, if the heir has neither one nor a rating."""
    start = _start(connection, guest)
    connection.execute(delete(puzzle_starts).where(puzzle_starts.c.person_id == guest))
    if start is None or _start(connection, heir) is not None:
        return
    if _strength(connection, heir) is None:
        row = {"person_id": heir, "value": start, "at_ms": 0}
        connection.execute(insert(puzzle_starts), row)


def forget_puzzles(connection: Connection, person_id: str) -> None:
    """Of somebody who is gone nothing is left but what puzzles have learnt from them."""
    for table in (puzzle_tries, puzzle_starts):
        connection.execute(delete(table).where(table.c.person_id == person_id))
    for table in (ratings, rating_points):
        mine = table.c.person_id == person_id, table.c.kind == KIND
        connection.execute(delete(table).where(*mine))


# Reading


def tries_of(connection: Connection, person_id: str) -> Sequence[Row[Any]]:
    """Everything somebody has met, the oldest first."""
    query = select(puzzle_tries).where(puzzle_tries.c.person_id == person_id)
    order = puzzle_tries.c.at_ms, puzzle_tries.c.puzzle_id
    return connection.execute(query.order_by(*order)).all()


def moved_puzzles(connection: Connection) -> dict[str, float]:
    """The ratings of puzzles that people have moved."""
    return {row.puzzle_id: row.value for row in connection.execute(select(puzzle_ratings))}


def moved_puzzle(connection: Connection, puzzle_id: str) -> float | None:
    query = select(puzzle_ratings.c.value).where(puzzle_ratings.c.puzzle_id == puzzle_id)
    return connection.execute(query).scalar()
