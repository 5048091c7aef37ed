"""A guest has turned out to be somebody who keeps their name: their pages of the book become one.

Only what is the guest's changes hands, and nobody else's rating depends on it: guests play rated
games against bots alone. Those games count once more, after everything that has counted so far, so
what the others have is untouched, and all of it follows from the games alone as before. Of many
guests in one month only the first few bring rated games; the games of the others are friendly ones
from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from cabochon.ratings.accounts import HeadToHead, strengths_after
from cabochon.server.storage.gamebook import (
    change_row,
    keep_encounter,
    keep_strengths,
    keep_tally,
    lock_book,
    met_of_row,
    next_counted,
    strengths_of,
    tally_of,
    tally_of_row,
)
from cabochon.server.storage.recomputing import result_of, seats_of
from cabochon.server.storage.schema import (
    encounters,
    game_players,
    games,
    people,
    rating_points,
    ratings,
    tallies,
)

MONTH_MS = 30 * 86_400_000
MOST_A_MONTH = 3
"""So many guests bring rated games along in a month: nobody plays as twenty and keeps the
luckiest."""


def join_books(connection: Connection, guest: str, heir: str) -> int:
    """The guest's games are the heir's from the commit on; how many. A second time there are
    none."""
    lock_book(connection)
    rated = _rated_games(connection, guest)
    theirs = game_players.c.person_id == guest
    change = update(game_players).where(theirs).values(person_id=heir)
    moved = connection.execute(change).rowcount
    for table in (ratings, rating_points):
        connection.execute(delete(table).where(table.c.person_id == guest))
    _join_encounters(connection, guest, heir)
    if _comes_early(connection, guest, heir):
        _count_again(connection, rated)
    else:
        _count_no_more(connection, rated)
    _join_tallies(connection, guest, heir)
    return moved


def _comes_early(connection: Connection, guest: str, heir: str) -> bool:
    """Whether few others have become that person in the month before."""
    became = select(people.c.deleted_ms).where(people.c.id == guest)
    at_ms = connection.execute(became).scalar() or 0
    before = people.c.became == heir, people.c.id != guest, people.c.deleted_ms <= at_ms
    query = select(func.count()).where(*before, people.c.deleted_ms > at_ms - MONTH_MS)
    return int(connection.execute(query).scalar() or 0) < MOST_A_MONTH


def _count_no_more(connection: Connection, rated: Sequence[Row[Any]]) -> None:
    numbers = [game.number for game in rated]
    change = update(games).where(games.c.number.in_(numbers))
    connection.execute(change.values(rated=False))
    seats = update(game_players).where(game_players.c.number.in_(numbers))
    connection.execute(seats.values(**change_row(None)))


def _rated_games(connection: Connection, guest: str) -> Sequence[Row[Any]]:
    query = (
        select(games)
        .join(game_players, game_players.c.number == games.c.number)
        .where(game_players.c.person_id == guest, games.c.rated)
        .order_by(games.c.counted)
    )
    return connection.execute(query).all()


def _count_again(connection: Connection, rated: Sequence[Row[Any]]) -> None:
    """After all other games, in the order they had."""
    if not rated:
        return
    seats = seats_of(connection, [game.number for game in rated])
    for counted, game in enumerate(rated, next_counted(connection)):
        rows = seats[game.number]
        result = result_of(game, rows)
        changes = strengths_after(result, strengths_of(connection, result))
        here = update(games).where(games.c.number == game.number)
        connection.execute(here.values(counted=counted))
        keep_strengths(connection, game.number, game.kind, game.ended_ms, changes)
        for row in rows:
            seat = game_players.c.number == row.number, game_players.c.seat == row.seat
            values = change_row(changes.get(row.person_id or ""))
            connection.execute(update(game_players).where(*seat).values(**values))


def _join_tallies(connection: Connection, guest: str, heir: str) -> None:
    rows = connection.execute(select(tallies).where(tallies.c.person_id == guest)).all()
    for row in rows:
        mine = tally_of(connection, heir, row.kind)
        results = _results(connection, heir, row.kind)
        keep_tally(connection, heir, row.kind, mine.together_with(tally_of_row(row), results))
    connection.execute(delete(tallies).where(tallies.c.person_id == guest))


def _results(connection: Connection, person: str, kind: str) -> Sequence[str]:
    query = (
        select(game_players.c.result)
        .join(games, games.c.number == game_players.c.number)
        .where(game_players.c.person_id == person, games.c.kind == kind)
        .order_by(games.c.counted, game_players.c.seat)
    )
    return connection.execute(query).scalars().all()


def _join_encounters(connection: Connection, guest: str, heir: str) -> None:
    """Whom the guest met, the heir has met, and the other way round; nobody meets themselves."""
    rows = connection.execute(select(encounters).where(encounters.c.person_id == guest)).all()
    for row in rows:
        other = row.opponent.removeprefix("person:")
        if other != heir:
            _add_encounter(connection, heir, row.opponent, row.kind, met_of_row(row))
        if other != row.opponent:
            _swap_opponent(connection, other, guest, heir, row.kind)
    connection.execute(delete(encounters).where(encounters.c.person_id == guest))


def _swap_opponent(connection: Connection, person: str, guest: str, heir: str, kind: str) -> None:
    key = {"person_id": person, "opponent": f"person:{guest}", "kind": kind}
    found = [encounters.c[name] == value for name, value in key.items()]
    row = connection.execute(select(encounters).where(*found)).first()
    if row is not None and person != heir:
        _add_encounter(connection, person, f"person:{heir}", kind, met_of_row(row))
    connection.execute(delete(encounters).where(*found))


def _add_encounter(
    connection: Connection, person: str, opponent: str, kind: str, more: HeadToHead
) -> None:
    key = {"person_id": person, "opponent": opponent, "kind": kind}
    found = [encounters.c[name] == value for name, value in key.items()]
    row = connection.execute(select(encounters).where(*found)).first()
    before = HeadToHead() if row is None else met_of_row(row)
    keep_encounter(connection, key, before.together_with(more))
