"""Ratings, sums and encounters once more, from the book of games and tries at puzzles alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Table, and_, bindparam, delete, insert, select, update

from cabochon.ratings import RatingKind, Strength
from cabochon.ratings.bookkeeping import (
    MEETING_NAMES,
    TALLY_NAMES,
    HeadToHead,
    PersonTally,
    SeatResult,
    SettledResult,
    meetings,
    strengths_after,
)
from cabochon.server.storage.gamebook import WHOLE, change_row, is_listed, lock_book, stats_of
from cabochon.server.storage.puzzletries import puzzle_rows
from cabochon.server.storage.schema import (
    encounters,
    game_players,
    games,
    rating_points,
    ratings,
    tallies,
)

TOGETHER = 2000


@dataclass(slots=True)
class Recomputed:
    """Everything that follows from the games, and how much of what was kept differed."""

    games: int = 0
    people: int = 0
    changed: int = 0


def recompute(connection: Connection) -> Recomputed:
    """All ratings, sums and encounters anew, from the games in their order. What is right already
    is not touched."""
    lock_book(connection)
    books = Books()
    for number, at_ms, result, review, kept in entered(connection):
        books.add(number, at_ms, result, review, kept)
    changed = len(books.corrections)
    for correction in books.corrections:
        seat = game_players.c.seat == correction.pop("seat")
        row = and_(game_players.c.number == correction.pop("number"), seat)
        connection.execute(update(game_players).where(row).values(**correction))
    puzzle_ratings, puzzle_points = puzzle_rows(connection)
    found = books.rating_rows(connection)
    changed += _replace_rows(connection, ratings, [*found, *puzzle_ratings])
    changed += _replace_rows(connection, rating_points, [*books.points, *puzzle_points])
    changed += _replace_rows(connection, tallies, books.tally_rows())
    changed += _replace_rows(connection, encounters, books.encounter_rows())
    return Recomputed(books.games, len({person for person, _ in books.tallies}), changed)


class Books:
    """What follows from the games so far, in memory."""

    def __init__(self) -> None:
        self.games = 0
        self.strengths: dict[tuple[str, str], Strength] = {}
        self.tallies: dict[tuple[str, str], PersonTally] = {}
        self.encounters: dict[tuple[str, str, str], HeadToHead] = {}
        self.last_ms: dict[tuple[str, str], int] = {}
        self.points: list[dict[str, Any]] = []
        self.corrections: list[dict[str, Any]] = []

    def add(
        self,
        number: int,
        at_ms: int,
        result: SettledResult,
        reviews: Sequence[tuple[int, int, int] | None],
        kept: Sequence[Mapping[str, float | None]],
    ) -> None:
        self.games += 1
        kind = result.kind.value
        known = {p: s for p in result.people if (s := self.strengths.get((p, kind))) is not None}
        changes = strengths_after(result, known)
        for person, (_, after) in sorted(changes.items()):
            self.strengths[person, kind] = after
            key = {"person_id": person, "kind": kind, "ordinal": after.games, "number": number}
            last_ms = max(at_ms, self.last_ms.get((person, kind), 0))
            self.last_ms[person, kind] = last_ms
            now = {"at_ms": last_ms, "value": after.value, "deviation": after.deviation}
            self.points.append(key | now)
        for index, seat in enumerate(result.seats):
            change = change_row(changes.get(seat.person or ""))
            if change != kept[index]:
                self.corrections.append({"number": number, "seat": index} | change)
            if seat.person is not None and not result.is_practice:
                tally = self.tallies.get((seat.person, kind), PersonTally()).plus(result, index)
                figures = reviews[index]
                tally = tally if figures is None else tally.reviewed_with(*figures)
                self.tallies[seat.person, kind] = tally
        for person, opponent, within, mine, theirs in meetings(result):
            key3 = (person, opponent, within)
            before = self.encounters.get(key3, HeadToHead())
            self.encounters[key3] = before.plus(mine, theirs, result.is_open, number)

    def rating_rows(self, connection: Connection) -> list[dict[str, Any]]:
        return [
            {
                "person_id": person,
                "kind": kind,
                "value": strength.value,
                "deviation": strength.deviation,
                "games": strength.games,
                "listed": is_listed(connection, person, strength),
            }
            for (person, kind), strength in self.strengths.items()
        ]

    def tally_rows(self) -> list[dict[str, Any]]:
        return [
            {"person_id": person, "kind": kind}
            | {name: getattr(tally, name) for name in TALLY_NAMES}
            for (person, kind), tally in self.tallies.items()
        ]

    def encounter_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "person_id": person,
                "opponent": opponent,
                "kind": kind,
            }
            | {name: getattr(found, name) for name in MEETING_NAMES}
            for (person, opponent, kind), found in self.encounters.items()
        ]


_Entered = tuple[
    int,
    int,
    SettledResult,
    list[tuple[int, int, int] | None],
    list[Mapping[str, float | None]],
]


def entered(connection: Connection, person: str | None = None) -> Iterator[_Entered]:
    """Every game, or all of somebody's, in the order in which they count."""
    last = 0
    while True:
        query = select(games).where(games.c.counted > last).order_by(games.c.counted)
        if person is not None:
            theirs = select(game_players.c.number).where(game_players.c.person_id == person)
            query = query.where(games.c.number.in_(theirs))
        found = connection.execute(query.limit(TOGETHER)).all()
        if not found:
            return
        seats = seats_of(connection, [game.number for game in found])
        for game in found:
            rows = seats[game.number]
            yield (
                game.number,
                game.ended_ms,
                result_of(game, rows),
                [_review_of(row) for row in rows],
                [{name: row._mapping[name] for name in change_row(None)} for row in rows],
            )
        last = found[-1].counted


def seats_of(connection: Connection, numbers: Sequence[int]) -> dict[int, list[Row[Any]]]:
    """Who sat where in these games."""
    query = (
        select(game_players)
        .where(game_players.c.number.in_(numbers))
        .order_by(game_players.c.number, game_players.c.seat)
    )
    found: dict[int, list[Row[Any]]] = {}
    for row in connection.execute(query):
        found.setdefault(row.number, []).append(row)
    return found


def result_of(game: Row[Any], rows: Sequence[Row[Any]]) -> SettledResult:
    kind = RatingKind(game.kind)
    seats = tuple(
        SeatResult(
            person=row.person_id,
            bot=row.bot,
            side=row.seat % 2 if kind is RatingKind.TEAMS else row.seat,
            place=row.place,
            result=row.result,
            stats=stats_of(row),
            fixed=None
            if row.fixed_value is None
            else Strength(row.fixed_value, row.fixed_deviation),
        )
        for row in rows
    )
    return SettledResult(kind, game.rated, game.open, game.reason == WHOLE, game.rounds, seats)


def _review_of(row: Row[Any]) -> tuple[int, int, int] | None:
    return None if row.accuracy is None else (row.accuracy, row.luck, row.mistakes)


def _replace_rows(connection: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> int:
    """Make the table hold these rows; how many were wrong, missing or too many."""
    key = [column.name for column in table.primary_key]
    wanted = {tuple(row[name] for name in key): row for row in rows}
    wrong: list[tuple[Any, ...]] = []
    for row in connection.execute(select(table)):
        kept = dict(row._mapping)
        found = tuple(kept[name] for name in key)
        if wanted.get(found) == kept:
            del wanted[found]
        else:
            wrong.append(found)
    if wrong:
        gone = delete(table).where(*(table.c[name] == bindparam(f"k_{name}") for name in key))
        keys = [f"k_{name}" for name in key]
        connection.execute(gone, [dict(zip(keys, each, strict=True)) for each in wrong])
    if wanted:
        connection.execute(insert(table), list(wanted.values()))
    return len({*wrong, *wanted})
