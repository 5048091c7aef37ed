"""The book of finished games: each is entered once, with everything that follows from it, in one
commit.

Games are numbered in the order they are entered, and that is the order in which they count, unless
a guest brings them along to a kept name later (see `cabochon.server.storage.joinedbooks`). On
PostgreSQL a lock lets one node enter at a time; SQLite has one writer anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    Table,
    and_,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from cabochon.ratings import RatingKind, Strength
from cabochon.ratings.bookkeeping import (
    MEETING_NAMES,
    NOBLES_SOURCE,
    TALLY_NAMES,
    HeadToHead,
    PersonTally,
    SeatReview,
    SeatStats,
    SettledResult,
    meetings,
    strengths_after,
)
from cabochon.rules.gems import COLOURS
from cabochon.server.storage.ratedmeetings import have_met_enough
from cabochon.server.storage.schema import (
    encounters,
    game_players,
    games,
    people,
    rating_points,
    ratings,
    tables,
    tallies,
)

AWAITED, REVIEWED, NO_REVIEW = "wait", "done", "none"
WHOLE = "target"
"""The reason of a game that was played to its end."""
_LOCK = 0x67616D65
_LETTERS = tuple(colour.letter for colour in COLOURS)


@dataclass(frozen=True, slots=True)
class SettledGame:
    """A finished game as it is entered. `names` are those of seats of whom no more is known."""

    table_id: str
    ended_ms: int
    ruleset: str
    clock: str | None
    reason: str
    review_id: str | None
    result: SettledResult
    names: tuple[str | None, ...]


# Entering


def enter(connection: Connection, game: SettledGame) -> int | None:
    """The number of the game; None when it was entered before."""
    lock_book(connection)
    if connection.execute(_number_of(game.table_id)).scalar() is not None:
        mark_settled(connection, game.table_id)
        return None
    game = replace(game, result=_if_fair(connection, _inherited(connection, game.result), game))
    number = 1 + (connection.execute(select(func.max(games.c.number))).scalar() or 0)
    changes = strengths_after(game.result, strengths_of(connection, game.result))
    counted = next_counted(connection)
    connection.execute(insert(games), _game_row(number, game) | {"counted": counted})
    connection.execute(insert(game_players), _player_rows(number, game, changes))
    kind = game.result.kind.value
    keep_strengths(connection, number, kind, game.ended_ms, changes)
    _keep_tallies(connection, game.result)
    _keep_encounters(connection, number, game.result)
    mark_settled(connection, game.table_id)
    return number


def lock_book(connection: Connection) -> None:
    """Until the commit nobody else enters anything."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    elif not connection.connection.dbapi_connection.in_transaction:  # type: ignore[union-attr]
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def mark_settled(connection: Connection, table_id: str) -> None:
    """Nothing more is to be done for that table."""
    connection.execute(update(tables).where(tables.c.id == table_id).values(settled=True))


def _number_of(table_id: str) -> Any:
    return select(games.c.number).where(games.c.table_id == table_id)


def next_counted(connection: Connection) -> int:
    """The place in the order in which games count that comes after all others."""
    return 1 + (connection.execute(select(func.max(games.c.counted))).scalar() or 0)


def _inherited(connection: Connection, result: SettledResult) -> SettledResult:
    """The game of a guest who has become somebody else meanwhile is theirs."""
    known = people.c.id.in_(result.people), people.c.became.is_not(None)
    query = select(people.c.id, people.c.became).where(*known)
    heirs = {row.id: row.became for row in connection.execute(query)}
    if not heirs:
        return result
    seats = (replace(seat, person=heirs.get(seat.person, seat.person)) for seat in result.seats)
    return replace(result, seats=tuple(seats))


def _if_fair(connection: Connection, result: SettledResult, game: SettledGame) -> SettledResult:
    """Friendly, where two have met often enough: they may have begun many games at once."""
    if result.is_rated and have_met_enough(connection, result.people, game.ended_ms):
        return replace(result, is_rated=False)
    return result


def strengths_of(connection: Connection, result: SettledResult) -> dict[str, Strength]:
    if not result.counts:
        return {}
    query = select(ratings).where(
        ratings.c.person_id.in_(result.people), ratings.c.kind == result.kind.value
    )
    return {
        row.person_id: Strength(row.value, row.deviation, row.games)
        for row in connection.execute(query)
    }


def _game_row(number: int, game: SettledGame) -> dict[str, Any]:
    result = game.result
    return {
        "number": number,
        "table_id": game.table_id,
        "ended_ms": game.ended_ms,
        "kind": result.kind.value,
        "ruleset": game.ruleset,
        "seats": len(result.seats),
        "rounds": result.rounds,
        "clock": game.clock,
        "reason": game.reason,
        "rated": result.is_rated,
        "open": result.is_open,
        "review_id": game.review_id,
        "review_state": NO_REVIEW if game.review_id is None else AWAITED,
    }


def _player_rows(
    number: int, game: SettledGame, changes: Mapping[str, tuple[Strength, Strength]]
) -> list[dict[str, Any]]:
    return [
        {
            "number": number,
            "seat": index,
            "person_id": seat.person,
            "bot": seat.bot,
            "name": game.names[index],
            "place": seat.place,
            "result": seat.result,
            **stats_to_row(seat.stats),
            "fixed_value": None if seat.fixed is None else seat.fixed.value,
            "fixed_deviation": None if seat.fixed is None else seat.fixed.deviation,
            **change_row(changes.get(seat.person or "")),
        }
        for index, seat in enumerate(game.result.seats)
    ]


def change_row(change: tuple[Strength, Strength] | None) -> dict[str, float | None]:
    before, after = change or (None, None)
    return {
        "before_value": None if before is None else before.value,
        "before_deviation": None if before is None else before.deviation,
        "value": None if after is None else after.value,
        "deviation": None if after is None else after.deviation,
    }


def stats_to_row(stats: SeatStats) -> dict[str, Any]:
    """Counts by colour are written as numbers in the order of colours."""
    sources = [*(stats.sources[letter] for letter in _LETTERS), stats.sources[NOBLES_SOURCE]]
    return {
        "points": stats.points,
        "cards": stats.cards,
        "nobles": stats.nobles,
        "sources": " ".join(map(str, sources)),
        "colours": " ".join(str(stats.colours[letter]) for letter in _LETTERS),
        "reserved": stats.reserved,
        "reserved_bought": stats.reserved_bought,
        "turns": stats.turns,
    }


def sources_of(row: Row[Any]) -> dict[str, int]:
    """Points by the colour they stand on, and of nobles."""
    return dict(zip((*_LETTERS, NOBLES_SOURCE), map(int, row.sources.split()), strict=True))


def stats_of(row: Row[Any]) -> SeatStats:
    return SeatStats(
        points=row.points,
        cards=row.cards,
        nobles=row.nobles,
        sources=sources_of(row),
        colours=dict(zip(_LETTERS, map(int, row.colours.split()), strict=True)),
        reserved=row.reserved,
        reserved_bought=row.reserved_bought,
        turns=row.turns,
    )


def keep_strengths(
    connection: Connection,
    number: int,
    kind: str,
    at_ms: int,
    changes: Mapping[str, tuple[Strength, Strength]],
) -> None:
    """Of everybody whom a game changed. No point of a line is earlier than the one before it."""
    for person, (_, after) in sorted(changes.items()):
        key = {"person_id": person, "kind": kind}
        now = {"value": after.value, "deviation": after.deviation}
        listed = is_listed(connection, person, after)
        put(connection, ratings, key, now | {"games": after.games, "listed": listed})
        last = max(at_ms, _last_point_ms(connection, person, kind, after.games - 1))
        point = {"ordinal": after.games, "number": number, "at_ms": last}
        connection.execute(insert(rating_points), key | point | now)


def _last_point_ms(connection: Connection, person: str, kind: str, ordinal: int) -> int:
    here = rating_points.c
    mine = here.person_id == person, here.kind == kind, here.ordinal == ordinal
    return int(connection.execute(select(here.at_ms).where(*mine)).scalar() or 0)


def _keep_tallies(connection: Connection, result: SettledResult) -> None:
    if result.is_practice:
        return
    for index, seat in enumerate(result.seats):
        if seat.person is not None:
            tally = tally_of(connection, seat.person, result.kind.value)
            keep_tally(connection, seat.person, result.kind.value, tally.plus(result, index))


def tally_of(connection: Connection, person: str, kind: str) -> PersonTally:
    query = select(tallies).where(tallies.c.person_id == person, tallies.c.kind == kind)
    row = connection.execute(query).first()
    return PersonTally() if row is None else tally_of_row(row)


def tally_of_row(row: Row[Any]) -> PersonTally:
    return PersonTally(**{name: row._mapping[name] for name in TALLY_NAMES})


def keep_tally(connection: Connection, person: str, kind: str, tally: PersonTally) -> None:
    key = {"person_id": person, "kind": kind}
    put(connection, tallies, key, {name: getattr(tally, name) for name in TALLY_NAMES})


def _keep_encounters(connection: Connection, number: int, result: SettledResult) -> None:
    for person, opponent, kind, mine, theirs in meetings(result):
        key = {"person_id": person, "opponent": opponent, "kind": kind}
        where = and_(*(encounters.c[name] == value for name, value in key.items()))
        row = connection.execute(select(encounters).where(where)).first()
        before = HeadToHead() if row is None else met_of_row(row)
        keep_encounter(connection, key, before.plus(mine, theirs, result.is_open, number))


def met_of_row(row: Row[Any]) -> HeadToHead:
    return HeadToHead(**{name: row._mapping[name] for name in MEETING_NAMES})


def keep_encounter(connection: Connection, key: Mapping[str, str], met: HeadToHead) -> None:
    """`key` is person, opponent and kind."""
    put(connection, encounters, key, {name: getattr(met, name) for name in MEETING_NAMES})


def put(
    connection: Connection, table: Table, key: Mapping[str, Any], values: Mapping[str, Any]
) -> None:
    """The row with that key has these values from now on."""
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table).values(**key, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=dict(values)))


# Who is on the leaderboard


def is_listed(connection: Connection, person: str, strength: Strength, kind: str = "") -> bool:
    """Those who keep their name from the first game on, guests once their rating has settled; in
    puzzles everybody once it has, since one may begin there with a claim. Nobody who does not want
    to be seen."""
    query = select(people.c.kept, people.c.hidden, people.c.deleted_ms).where(people.c.id == person)
    row = connection.execute(query).first()
    if row is None or row.hidden or row.deleted_ms is not None:
        return False
    early = bool(row.kept) and kind != RatingKind.PUZZLES
    return early or not strength.is_provisional


def relist(connection: Connection, person: str) -> None:
    """To be called when somebody keeps their name, hides, or is gone."""
    for row in connection.execute(select(ratings).where(ratings.c.person_id == person)).all():
        strength = Strength(row.value, row.deviation, row.games)
        listed = is_listed(connection, person, strength, row.kind)
        change = update(ratings).where(ratings.c.person_id == person, ratings.c.kind == row.kind)
        connection.execute(change.values(listed=listed))


# Reviews


def add_review(connection: Connection, number: int, found: Sequence[SeatReview]) -> bool:
    """Enter the figures of a game's review, once."""
    lock_book(connection)
    mine = update(games).where(games.c.number == number, games.c.review_state == AWAITED)
    if connection.execute(mine.values(review_state=REVIEWED)).rowcount != 1:
        return False
    query = select(game_players, games.c.kind, games.c.rated)
    query = query.join(games, games.c.number == game_players.c.number)
    rows = connection.execute(query.where(games.c.number == number)).all()
    practice = not rows[0].rated and sum(row.bot is None for row in rows) < 2
    for row in rows:
        figures = _figures(found[row.seat])
        if figures is None:
            continue
        accuracy, luck, mistakes = figures
        seat = and_(game_players.c.number == number, game_players.c.seat == row.seat)
        values = {"accuracy": accuracy, "luck": luck, "mistakes": mistakes}
        connection.execute(update(game_players).where(seat).values(values))
        if row.person_id is not None and not practice:
            tally = tally_of(connection, row.person_id, row.kind)
            keep_tally(connection, row.person_id, row.kind, tally.reviewed_with(*figures))
    return True


def _figures(found: SeatReview) -> tuple[int, int, int] | None:
    """In whole numbers; None for a seat that had no choice."""
    if found.accuracy is None:
        return None
    return round(found.accuracy * 10), round(found.luck * 100), found.mistakes
