"""Reading the book of games: profiles, histories, lists of games, leaderboards, searches.

Everything is looked up by an index; sums were made when games were entered.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cabochon.ratings import RatingKind, Strength
from cabochon.ratings.bookkeeping import ALL_KINDS, PersonTally
from cabochon.server.storage.gamebook import tally_of_row
from cabochon.server.storage.schema import (
    encounters,
    game_players,
    games,
    people,
    rating_points,
    ratings,
    tallies,
)
from cabochon.server.storage.transactions import change_rows
from cabochon.server.storage.weekplaces import WeekPlaces

MOST_POINTS = 200
MOST_MET = 8
MOST_FOUND = 20
RECENT = 12
ACCURACIES = 60
COUNTED_S = 5.0
LADDER = RatingKind.TWO.value

Accuracy = tuple[int, float]
"""When a game ended, and how accurate somebody was, in per cent."""


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which of somebody's games are wanted. Only open ones, unless `private`."""

    opponent: str | None = None
    kind: str | None = None
    players: int | None = None
    result: str | None = None
    against: str | None = None
    rated: bool | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    private: bool = False


@dataclass(frozen=True, slots=True)
class BookedGame:
    """A game with its seats, and the names of the people there as they are now."""

    game: Row[Any]
    seats: Sequence[Row[Any]]
    names: Mapping[str, str | None]
    hidden: frozenset[str] = frozenset()
    """Those of them who don't want to be seen."""


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """A place on a leaderboard, or where somebody who is not listed would stand."""

    rank: int
    person: str
    name: str
    strength: Strength
    is_listed: bool
    recent: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Met:
    """How somebody has fared against a person or a bot."""

    person: str | None
    bot: str | None
    name: str | None
    won: int
    lost: int
    drawn: int


@dataclass(frozen=True, slots=True)
class PersonBook:
    """What a profile tells: ratings and sums by kind; the last reviewed games by kind, the oldest
    first; those they met most, by the name they have now; games played and won against bots."""

    strengths: dict[str, Strength]
    tallies: dict[str, PersonTally]
    accuracies: dict[str, list[Accuracy]]
    met: list[Met]
    against_bots: dict[str, tuple[int, int]]
    games: int = 0


HIDDEN_BOOK = PersonBook({}, {}, {}, [], {})
"""What is told of somebody who does not want to be seen."""


async def standing(engine: AsyncEngine, person_id: str) -> tuple[dict[str, Strength], int]:
    """Somebody's ratings by kind, and how many games they have finished."""
    async with engine.connect() as connection:
        found = await _strengths(connection, person_id)
        count = await _count(connection, person_id)
    return found, count


async def _count(connection: AsyncConnection, person_id: str) -> int:
    mine = game_players.c.person_id == person_id
    query = select(func.count(func.distinct(game_players.c.number))).where(mine)
    return int((await connection.execute(query)).scalar_one())


async def _strengths(connection: AsyncConnection, person_id: str) -> dict[str, Strength]:
    query = select(ratings).where(ratings.c.person_id == person_id)
    rows = await connection.execute(query)
    return {row.kind: Strength(row.value, row.deviation, row.games) for row in rows}


async def _tallies(connection: AsyncConnection, person_id: str) -> dict[str, PersonTally]:
    query = select(tallies).where(tallies.c.person_id == person_id)
    return {row.kind: tally_of_row(row) for row in await connection.execute(query)}


async def _accuracies(
    connection: AsyncConnection, person_id: str, private: bool
) -> dict[str, list[Accuracy]]:
    query = (
        select(games.c.kind, games.c.ended_ms, game_players.c.accuracy)
        .join(games, games.c.number == game_players.c.number)
        .where(game_players.c.person_id == person_id, game_players.c.accuracy.is_not(None))
        .where(or_(games.c.open == true(), literal(private)))
        .order_by(game_players.c.number.desc())
        .limit(2 * ACCURACIES)
    )
    found: dict[str, list[Accuracy]] = {}
    for row in await connection.execute(query):
        found.setdefault(row.kind, []).append((row.ended_ms, row.accuracy / 10))
    return {kind: points[:ACCURACIES][::-1] for kind, points in found.items()}


async def _most_met(connection: AsyncConnection, person_id: str, private: bool) -> list[Met]:
    here, prefix = encounters.c, "" if private else "open_"
    won, lost, drawn = (here[f"{prefix}{name}"].label(name) for name in ("won", "lost", "drawn"))
    played = here[f"{prefix}played"]
    query = (
        select(here.opponent, won, lost, drawn)
        .where(here.person_id == person_id, here.kind == ALL_KINDS, played > 0)
        .order_by(played.desc(), here.last.desc())
        .limit(MOST_MET)
    )
    rows = (await connection.execute(query)).all()
    ids = [row.opponent[7:] for row in rows if row.opponent.startswith("person:")]
    names = await names_of(connection, ids)
    return [_met(row, names) for row in rows]


async def _against_bots(
    connection: AsyncConnection, person_id: str, kind: str
) -> dict[str, tuple[int, int]]:
    here = encounters.c
    query = select(here.opponent, here.won, here.lost, here.drawn).where(
        here.person_id == person_id, here.kind == kind, here.opponent.like("bot:%")
    )
    rows = await connection.execute(query)
    return {row.opponent[4:]: (row.won + row.lost + row.drawn, row.won) for row in rows}


class GameReads:
    """On one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._counts: dict[str, tuple[float, int]] = {}
        self.weeks = WeekPlaces(engine)

    # One person

    async def book_of(self, person_id: str, private: bool) -> PersonBook:
        """Everything about one person; only of open games, where it could be told which, unless
        `private`."""
        async with self._engine.connect() as connection:
            return PersonBook(
                await _strengths(connection, person_id),
                await _tallies(connection, person_id),
                await _accuracies(connection, person_id, private),
                await _most_met(connection, person_id, private),
                await _against_bots(connection, person_id, LADDER) if private else {},
                await _count(connection, person_id),
            )

    async def points(self, person_id: str, kind: str) -> Sequence[Any]:
        """How a rating has moved: at most that many points, the last one among them."""
        mine = and_(ratings.c.person_id == person_id, ratings.c.kind == kind)
        async with self._engine.connect() as connection:
            count = (await connection.execute(select(ratings.c.games).where(mine))).scalar() or 0
            step = max(1, -(-count // (MOST_POINTS - 1)))
            here = rating_points.c
            query = (
                select(here.at_ms, here.value, here.deviation)
                .where(here.person_id == person_id, here.kind == kind)
                .where(or_(here.ordinal % step == count % step, here.ordinal == 1))
                .order_by(here.ordinal)
            )
            return (await connection.execute(query)).all()

    async def against_bots(self, person_id: str, kind: str) -> dict[str, tuple[int, int]]:
        """Games played and won against each bot."""
        async with self._engine.connect() as connection:
            return await _against_bots(connection, person_id, kind)

    # Games

    async def page(
        self, person_id: str, wanted: GameFilter, limit: int, before: int | None
    ) -> list[BookedGame]:
        """The last games that fit, the newest first; `before` is the number where the last page
        ended."""
        query = (
            select(games)
            .join(game_players, game_players.c.number == games.c.number)
            .where(*_conditions(person_id, wanted))
            .order_by(game_players.c.number.desc())
            .limit(limit)
        )
        if before is not None:
            query = query.where(game_players.c.number < before)
        async with self._engine.connect() as connection:
            return await _with_seats(connection, query)

    async def game(self, table_id: str) -> BookedGame | None:
        """The game of that table, once it is entered."""
        query = select(games).where(games.c.table_id == table_id)
        async with self._engine.connect() as connection:
            found = await _with_seats(connection, query)
        return found[0] if found else None

    async def mistakes(self, person_id: str, limit: int) -> Sequence[Any]:
        """The last games with mistakes that have not been gone through."""
        here = game_players.c
        query = (
            select(games.c.table_id, games.c.ended_ms, here.seat, here.mistakes)
            .join(games, games.c.number == here.number)
            .where(here.person_id == person_id, here.mistakes > 0, here.learnt == false())
            .order_by(here.number.desc())
            .limit(limit)
        )
        async with self._engine.connect() as connection:
            return (await connection.execute(query)).all()

    async def set_learnt(self, person_id: str, table_id: str, learnt: bool) -> bool:
        """Whether there was such a game of theirs."""
        number = select(games.c.number).where(games.c.table_id == table_id).scalar_subquery()
        mine = and_(game_players.c.number == number, game_players.c.person_id == person_id)
        change = update(game_players).where(mine).values(learnt=learnt)
        return await change_rows(self._engine, change) > 0

    # Everybody

    async def board(
        self, kind: str, limit: int, after: tuple[int, float, str] | None, skipped: int = 0
    ) -> list[BoardPlace]:
        """The next places of a leaderboard; `after` is the rank, rating and id where the last page
        ended, and so many are `skipped` from there."""
        rank, conditions = skipped, list[ColumnElement[bool]]()
        if after is not None:
            last, value, person = after
            rank += last
            conditions = [ratings.c.value <= value, _is_below(value, person)]
        page = _board(kind).where(*conditions).limit(limit).offset(skipped).subquery()
        query = (
            select(page, people.c.name)
            .join(people, people.c.id == page.c.person_id)
            .order_by(page.c.value.desc(), page.c.person_id.desc())
        )
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).all()
            recent = await _recent(connection, kind, [row.person_id for row in rows])
        return [
            _place(rank + place, row, recent.get(row.person_id, []))
            for place, row in enumerate(rows, 1)
        ]

    async def place(self, kind: str, person_id: str) -> BoardPlace | None:
        """Where somebody stands or, not being listed, would."""
        here = ratings.c
        query = select(ratings, people.c.name).join(people, people.c.id == here.person_id)
        query = query.where(here.person_id == person_id, here.kind == kind)
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).first()
            if row is None or row.name is None:
                return None
            above = or_(
                here.value > row.value,
                and_(here.value == row.value, here.person_id > person_id),
            )
            counted = select(func.count()).where(
                here.kind == kind, here.listed == true(), here.value >= row.value, above
            )
            rank = 1 + int((await connection.execute(counted)).scalar() or 0)
            recent = await _recent(connection, kind, [person_id])
        return _place(rank, row, recent.get(person_id, []))

    async def count(self, kind: str) -> int:
        """How many are on the board, as of some seconds ago."""
        until, count = self._counts.get(kind, (0.0, 0))
        if time.monotonic() < until:
            return count
        query = select(func.count()).where(ratings.c.kind == kind, ratings.c.listed == true())
        async with self._engine.connect() as connection:
            count = int((await connection.execute(query)).scalar() or 0)
        self._counts[kind] = (time.monotonic() + COUNTED_S, count)
        return count

    async def search(self, beginning: str) -> list[Any]:
        """People whose name looks as if it began with that, kept names first."""
        found: list[Any] = []
        async with self._engine.connect() as connection:
            for kept in (True, False):
                query = (
                    select(people.c.id, people.c.name, people.c.kept)
                    .where(people.c.kept == kept, *self._begins(beginning))
                    .where(people.c.deleted_ms.is_(None), people.c.hidden == false())
                    .limit(MOST_FOUND - len(found))
                )
                rows = (await connection.execute(query)).all()
                found += sorted(rows, key=lambda row: row.name)
                if len(found) == MOST_FOUND:
                    break
        return found

    def _begins(self, beginning: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        """Letter by letter, whatever language the database sorts by."""
        look, end = people.c.skeleton, beginning[:-1] + chr(ord(beginning[-1]) + 1)
        if self._engine.dialect.name == "postgresql":
            return look.op("~>=~")(beginning), look.op("~<~")(end)
        return look >= beginning, look < end

    async def strengths(self, ids: Sequence[str], kind: str) -> dict[str, Strength]:
        """Of several people."""
        query = select(ratings).where(ratings.c.person_id.in_(ids), ratings.c.kind == kind)
        async with self._engine.connect() as connection:
            rows = await connection.execute(query)
            return {row.person_id: Strength(row.value, row.deviation, row.games) for row in rows}


async def names_of(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, str | None]:
    """What people are called now; None for those who are gone."""
    if not ids:
        return {}
    query = select(people.c.id, people.c.name).where(people.c.id.in_(sorted(set(ids))))
    return {row.id: row.name for row in await connection.execute(query)}


async def _hidden_of(connection: AsyncConnection, ids: Sequence[str]) -> frozenset[str]:
    if not ids:
        return frozenset()
    hidden = people.c.id.in_(sorted(set(ids))), people.c.hidden == true()
    query = select(people.c.id).where(*hidden)
    return frozenset((await connection.execute(query)).scalars())


def _conditions(person_id: str, wanted: GameFilter) -> list[ColumnElement[bool]]:
    here = game_players.c
    found: list[ColumnElement[bool]] = [here.person_id == person_id]
    for column, value in (
        (games.c.kind, wanted.kind),
        (games.c.seats, wanted.players),
        (games.c.rated, wanted.rated),
        (here.result, wanted.result),
    ):
        if value is not None:
            found.append(column == value)
    if not wanted.private:
        found.append(games.c.open == true())
    if wanted.since_ms is not None:
        found.append(games.c.ended_ms >= wanted.since_ms)
    if wanted.until_ms is not None:
        found.append(games.c.ended_ms < wanted.until_ms)
    if wanted.opponent is not None:
        found.append(_sat_there(wanted.opponent, person_id))
    if wanted.against is not None:
        others = _other_people(person_id)
        found.append(others if wanted.against == "people" else ~others)
    return found


def _sat_there(opponent: str, person_id: str) -> ColumnElement[bool]:
    """A person by id, or a bot by name."""
    other = game_players.alias("opponent")
    theirs = or_(other.c.person_id == opponent, other.c.bot == opponent)
    return exists().where(other.c.number == games.c.number, theirs, _is_other(other, person_id))


def _other_people(person_id: str) -> ColumnElement[bool]:
    other = game_players.alias("others")
    return exists().where(
        other.c.number == games.c.number, other.c.bot.is_(None), _is_other(other, person_id)
    )


def _is_other(other: Any, person_id: str) -> ColumnElement[bool]:
    return or_(other.c.person_id.is_(None), other.c.person_id != person_id)


async def _with_seats(connection: AsyncConnection, query: Select[Any]) -> list[BookedGame]:
    found = (await connection.execute(query)).all()
    numbers = [game.number for game in found]
    seats: dict[int, list[Row[Any]]] = {number: [] for number in numbers}
    rows = await connection.execute(
        select(game_players)
        .where(game_players.c.number.in_(numbers))
        .order_by(game_players.c.number, game_players.c.seat)
    )
    for row in rows:
        seats[row.number].append(row)
    ids = [row.person_id for each in seats.values() for row in each if row.person_id is not None]
    names = await names_of(connection, ids)
    hidden = await _hidden_of(connection, ids)
    return [BookedGame(game, seats[game.number], names, hidden) for game in found]


def _met(row: Any, names: Mapping[str, str | None]) -> Met:
    kind, _, key = row.opponent.partition(":")
    person = key if kind == "person" else None
    bot = key if kind == "bot" else None
    name = None if person is None else names.get(person)
    return Met(person, bot, name, int(row.won), int(row.lost), int(row.drawn))


def _board(kind: str) -> Select[Any]:
    here = ratings.c
    return (
        select(ratings)
        .where(here.kind == kind, here.listed == true())
        .order_by(here.value.desc(), here.person_id.desc())
    )


def _is_below(value: float, person: str) -> ColumnElement[bool]:
    same = and_(ratings.c.value == value, ratings.c.person_id < person)
    return or_(ratings.c.value < value, same)


async def _recent(
    connection: AsyncConnection, kind: str, ids: Sequence[str]
) -> dict[str, list[float]]:
    """Each one's last ratings, the oldest first."""
    if not ids:
        return {}
    here = rating_points.c
    query = (
        select(here.person_id, here.value)
        .join(ratings, and_(ratings.c.person_id == here.person_id, ratings.c.kind == here.kind))
        .where(here.person_id.in_(ids), here.kind == kind)
        .where(here.ordinal > ratings.c.games - RECENT)
        .order_by(here.person_id, here.ordinal)
    )
    found: dict[str, list[float]] = {}
    for row in await connection.execute(query):
        found.setdefault(row.person_id, []).append(row.value)
    return found


def _place(rank: int, row: Row[Any], recent: list[float]) -> BoardPlace:
    strength = Strength(row.value, row.deviation, row.games)
    return BoardPlace(rank, row.person_id, row.name, strength, bool(row.listed), recent)
