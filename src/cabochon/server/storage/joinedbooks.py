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

from cabochon.play.clock import DAY_MS
from cabochon.ratings.bookkeeping import HeadToHead, strengths_after
from cabochon.server.storage.gamebook import (
    change_row,
    keep_encounter,
    keep_strengths,
    keep_tally,
    lock_book,
    met_of_row,
    next_counted,
    strengths_of,
)
from cabochon.server.storage.lessonmarks import join_marks
from cabochon.server.storage.practice import join_practice
from cabochon.server.storage.puzzletries import join_puzzles
from cabochon.server.storage.recomputing import Books, entered, result_of, seats_of
from cabochon.server.storage.schema import (
    encounters,
    game_players,
    games,
    people,
    rating_points,
    ratings,
    tallies,
)

MONTH_MS = 30 * DAY_MS
MOST_A_MONTH = 3
"""How many guests can bring rated games along in a month: nobody plays as twenty and keeps the
luckiest."""


def join_books(connection: Connection, guest: str, heir: str) -> int:
    """The guest's games are the heir's from the commit on; how many. A second time there are
    none."""
    lock_book(connection)
    rated = _rated_games(connection, guest)
    theirs = game_players.c.person_id == guest
    change = update(game_players).where(theirs).values(person_id=heir)
    moved = connection.execute(change).rowcount
    is_early = _comes_early(connection, guest, heir)
    join_puzzles(connection, guest, heir, counts=is_early)
    join_marks(connection, guest, heir)
    join_practice(connection, guest, heir)
    for table in (ratings, rating_points):
        connection.execute(delete(table).where(table.c.person_id == guest))
    _swap_opponents(connection, guest, heir)
    if is_early:
        _count_again(connection, rated)
    else:
        _count_no_more(connection, rated)
    _sum_up(connection, guest, heir)
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


def _sum_up(connection: Connection, guest: str, heir: str) -> None:
    """What the heir's games come to, all of them together, and whom they have met in them."""
    for table in (tallies, encounters):
        both = table.c.person_id.in_((guest, heir))
        connection.execute(delete(table).where(both))
    books = Books()
    for number, at_ms, result, reviews, kept in entered(connection, heir):
        books.add(number, at_ms, result, reviews, kept)
    for (person, kind), tally in books.tallies.items():
        if person == heir:
            keep_tally(connection, heir, kind, tally)
    for (person, opponent, kind), met in books.encounters.items():
        if person == heir:
            key = {"person_id": heir, "opponent": opponent, "kind": kind}
            keep_encounter(connection, key, met)


def _swap_opponents(connection: Connection, guest: str, heir: str) -> None:
    """People who have met the guest have met the heir."""
    met = encounters.c.person_id == guest, encounters.c.opponent.like("person:%")
    for row in connection.execute(select(encounters).where(*met)).all():
        person = row.opponent.removeprefix("person:")
        theirs = _encounter(connection, person, f"person:{guest}", row.kind)
        if theirs is None:
            continue
        key = {"person_id": person, "opponent": f"person:{guest}", "kind": row.kind}
        same = (encounters.c[name] == value for name, value in key.items())
        connection.execute(delete(encounters).where(*same))
        before = _encounter(connection, person, f"person:{heir}", row.kind) or HeadToHead()
        key["opponent"] = f"person:{heir}"
        keep_encounter(connection, key, before.together_with(theirs))


def _encounter(connection: Connection, person: str, opponent: str, kind: str) -> HeadToHead | None:
    here = encounters.c
    same = here.person_id == person, here.opponent == opponent, here.kind == kind
    row = connection.execute(select(encounters).where(*same)).first()
    return None if row is None else met_of_row(row)
