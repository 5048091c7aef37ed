"""The book of finished games: entered once, and everything follows from the games alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from cabochon.bots.roster import LEVEL_NAMES
from cabochon.play.clock import DAY_MS
from cabochon.ratings import RatingKind, Strength, fixed_point
from cabochon.ratings.bookkeeping import (
    SeatResult,
    SeatReview,
    SeatStats,
    SettledResult,
    meetings,
)
from cabochon.rules import Ruleset
from cabochon.server.storage.database import open_database
from cabochon.server.storage.gamebook import SettledGame, add_review, enter, relist
from cabochon.server.storage.gamereads import GameFilter, GameReads, standing
from cabochon.server.storage.joinedbooks import MOST_A_MONTH, join_books
from cabochon.server.storage.recomputing import recompute
from cabochon.server.storage.schema import (
    encounters,
    game_players,
    games,
    people,
    rating_points,
    ratings,
    tallies,
)
from cabochon.server.storage.sidewriter import SideWriter

PEOPLE = ("ada", "bo", "chen", "dora", "guest")
FOLLOWING = (ratings, rating_points, tallies, encounters, game_players)


class Book:
    """On a database of its own."""

    def __init__(self, address: str) -> None:
        self._loop = asyncio.new_event_loop()
        self.engine: AsyncEngine = self._run(open_database(address))
        self._aside = self._run(self._open())
        self.reads = GameReads(self.engine)
        self.write(_add_people)

    async def _open(self) -> SideWriter:
        return SideWriter(self.engine)

    def _run(self, work: Any) -> Any:
        return self._loop.run_until_complete(work)

    def write(self, work: Callable[[Connection], Any]) -> Any:
        return self._run(self._aside.write(work))

    def read(self, work: Any) -> Any:
        return self._run(work)

    def enter(self, game: SettledGame) -> Any:
        return self.write(lambda connection: enter(connection, game))

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything that follows from the games."""

        def look(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
            return {
                table.name: sorted(map(tuple, connection.execute(select(table))), key=str)
                for table in FOLLOWING
            }

        return self.write(look)  # type: ignore[no-any-return]

    def close(self) -> None:
        self._run(self._aside.close())
        self._run(self.engine.dispose())
        self._loop.close()


def _add_people(connection: Connection) -> None:
    for name in PEOPLE:
        row = {"id": name, "name": name.title(), "skeleton": name, "created_ms": 0, "seen_ms": 0}
        connection.execute(insert(people).values(kept=name != "guest", hidden=False, **row))


@pytest.fixture(params=["sqlite", "postgres"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Book]:
    if request.param == "sqlite":
        found = Book(str(tmp_path / "book.db"))
    else:
        found = Book(request.getfixturevalue("cluster").database("book"))
    yield found
    found.close()


def _stats(random: Random) -> SeatStats:
    sources = {letter: random.randrange(6) for letter in ("w", "u", "g", "r", "k", "nobles")}
    colours = {letter: random.randrange(5) for letter in "wugrk"}
    points, cards = sum(sources.values()), sum(colours.values())
    return SeatStats(
        points=points,
        cards=cards,
        nobles=1,
        sources=sources,
        colours=colours,
        reserved=2,
        reserved_bought=random.randrange(3),
        turns=25,
    )


def _seat(who: str, side: int, place: int, result: str, random: Random) -> SeatResult:
    if who in PEOPLE:
        return SeatResult(who, None, side, place, result, _stats(random))
    point = fixed_point(who, Ruleset())
    fixed = None if point is None else Strength(point.value, point.deviation, point.games)
    return SeatResult(
        person=None,
        bot=who,
        side=side,
        place=place,
        result=result,
        stats=_stats(random),
        fixed=fixed,
    )


def made_game(number: int, **changes: Any) -> SettledGame:
    """A game by chance, the same for the same number."""
    random = Random(number)
    kind = random.choice((RatingKind.TWO, RatingKind.TWO, RatingKind.MORE, RatingKind.TEAMS))
    count = {RatingKind.TWO: 2, RatingKind.MORE: 3}.get(kind, 4)
    sitting = [*random.sample(PEOPLE, random.randrange(1, 3))]
    sitting += random.choices(LEVEL_NAMES, k=count - len(sitting))
    random.shuffle(sitting)
    sides = [seat % 2 if kind is RatingKind.TEAMS else seat for seat in range(count)]
    winner, drawn = random.choice(sides), random.random() < 0.1
    letters = [("d" if drawn else "w") if s == winner or drawn else "l" for s in sides]
    seats = tuple(
        _seat(who, side, 1 if letter != "l" else 2, letter, random)
        for who, side, letter in zip(sitting, sides, letters, strict=True)
    )
    is_open = random.random() < 0.7
    result = SettledResult(kind, random.random() < 0.9, is_open, True, 25, seats)
    game = SettledGame(
        table_id=f"table{number}",
        ended_ms=1000 * number,
        ruleset="standard/2",
        clock=None,
        reason="target",
        review_id=f"r{number}",
        result=result,
        names=(None,) * count,
    )
    return replace(game, **changes)


REVIEW = tuple(SeatReview(80.0 + seat, 1.5 - seat, seat) for seat in range(4))


def test_a_game_is_entered_once(book: Book) -> None:
    assert [book.enter(made_game(number)) for number in (1, 2, 1)] == [1, 2, None]
    before = book.rows()
    assert book.enter(made_game(2)) is None
    assert book.rows() == before


def test_beginning_again_gives_the_same_numbers_to_the_last_digit(book: Book) -> None:
    for number in range(1, 61):
        book.enter(made_game(number))
        if number % 3 == 0:
            entering = partial(add_review, number=number - 1, found=REVIEW)
            assert [book.write(entering), book.write(entering)] == [True, False]
    before = book.rows()
    assert book.write(recompute).changed == 0
    assert book.rows() == before

    def spoil(connection: Connection) -> None:
        connection.execute(update(ratings).values(value=1.0, games=7))
        connection.execute(rating_points.delete().where(rating_points.c.ordinal == 2))
        connection.execute(update(tallies).values(won=99, accuracy=1))
        connection.execute(update(encounters).where(encounters.c.won > 0).values(open_won=5))
        connection.execute(update(game_players).where(game_players.c.seat == 0).values(value=3.0))
        extra = {"person_id": "nobody", "kind": "two", "value": 1, "deviation": 1, "games": 1}
        connection.execute(insert(ratings).values(listed=True, **extra))

    book.write(spoil)
    assert book.rows() != before
    found = book.write(recompute)
    assert found.games == 60
    assert found.changed > 10
    assert book.rows() == before


def alone_when_rated(game: SettledGame) -> SettledGame:
    """As the guest plays: rated against bots only."""
    if game.result.is_rated and len(game.result.people) > 1 and "guest" in game.result.people:
        return replace(game, result=replace(game.result, is_rated=False))
    return game


def become_ada(connection: Connection) -> None:
    gone = {"deleted_ms": 10**6, "became": "ada", "name": None}
    connection.execute(update(people).where(people.c.id == "guest").values(**gone))


def test_a_guests_pages_become_those_of_whoever_they_turn_out_to_be(book: Book) -> None:
    made = [alone_when_rated(made_game(number)) for number in range(1, 81)]
    for game in made:
        number = book.enter(game)
        if number % 4 == 0:
            book.write(partial(add_review, number=number, found=REVIEW))
    before = book.rows()
    count = sum("guest" in game.result.people for game in made)
    assert count > 10
    book.write(become_ada)
    assert book.write(partial(join_books, guest="guest", heir="ada")) == count
    after = book.rows()
    assert not [row for rows in after.values() for row in rows if "guest" in str(row)]
    for name in ("ratings", "rating_points", "tallies"):
        others = [
            [r for r in rows[name] if r[0] not in ("ada", "guest")] for rows in (before, after)
        ]
        assert others[0] == others[1], name
    assert book.write(partial(join_books, guest="guest", heir="ada")) == 0
    assert book.write(recompute).changed == 0
    assert book.rows() == after
    book.enter(made_game(81))
    assert book.write(recompute).changed == 0


def test_a_game_that_is_entered_late_goes_to_who_the_guest_has_become(book: Book) -> None:
    book.write(become_ada)
    late = next(g for g in map(made_game, range(1, 99)) if g.result.people == ("guest",))
    book.enter(late)
    seats = book.write(lambda connection: connection.execute(select(game_players)).all())
    assert {seat.person_id for seat in seats} == {"ada", None}


def test_of_many_guests_only_the_first_bring_rated_games(book: Book) -> None:
    """Nobody plays as twenty and keeps the luckiest."""
    rated = [g for g in map(made_game, range(1, 99)) if g.result.people == ("guest",)]
    for game in rated:
        book.enter(game)

    def others_came(connection: Connection) -> None:
        for n in range(MOST_A_MONTH):
            row = {"id": f"former{n}", "kept": False, "hidden": True, "created_ms": 0}
            gone = {"seen_ms": 0, "deleted_ms": 10**6 - 1, "became": "ada"}
            connection.execute(insert(people).values(**row, **gone))

    book.write(others_came)
    book.write(become_ada)
    book.write(partial(join_books, guest="guest", heir="ada"))
    assert book.rows()["ratings"] == []
    assert book.write(lambda c: c.execute(select(game_players)).all())[0].value is None
    assert book.write(recompute).changed == 0


def test_ratings_agree_with_the_rows_of_games(book: Book) -> None:
    for number in range(1, 31):
        book.enter(made_game(number))

    def look(connection: Connection) -> None:
        for row in connection.execute(select(ratings)).all():
            mine = (
                select(game_players.c.value, game_players.c.deviation)
                .join(games, games.c.number == game_players.c.number)
                .where(game_players.c.person_id == row.person_id, games.c.kind == row.kind)
                .where(game_players.c.value.is_not(None))
                .order_by(games.c.number)
            )
            found = connection.execute(mine).all()
            assert len(found) == row.games
            assert tuple(found[-1]) == (row.value, row.deviation)
            assert row.listed == (row.person_id != "guest" or row.deviation <= 80)

    book.write(look)


def test_who_hides_is_on_no_board(book: Book) -> None:
    for number in range(1, 31):
        book.enter(made_game(number))
    assert "ada" in [p.person for p in book.read(book.reads.board("two", 50, None))]

    def hide(connection: Connection) -> None:
        connection.execute(update(people).where(people.c.id == "ada").values(hidden=True))
        relist(connection, "ada")

    book.write(hide)
    assert "ada" not in [p.person for p in book.read(book.reads.board("two", 50, None))]


def test_pages_of_games_are_all_games_once(book: Book) -> None:
    for number in range(1, 61):
        book.enter(made_game(number))
    for wanted in (
        GameFilter(private=True),
        GameFilter(),
        GameFilter(kind="two", private=True),
        GameFilter(result="w", private=True),
        GameFilter(against="people", private=True),
        GameFilter(against="bots", private=True),
        GameFilter(opponent="bo", private=True),
        GameFilter(opponent="talc", private=True),
        GameFilter(rated=False, private=True),
        GameFilter(players=3, since_ms=5000, until_ms=40_000, private=True),
    ):
        found, before = [], None
        while page := book.read(book.reads.page("ada", wanted, 3, before)):
            found += [game.game.number for game in page]
            before = found[-1]
        expected = [n for n in range(60, 0, -1) if _fits(made_game(n), wanted)]
        assert found == expected, wanted


def _fits(game: SettledGame, wanted: GameFilter) -> bool:
    """The filter once more, by hand."""
    seats = {seat.person or seat.bot: seat for seat in game.result.seats}
    if "ada" not in seats:
        return False
    others = [seat for seat in game.result.seats if seat.person != "ada"]
    against = "people" if any(seat.person for seat in others) else "bots"
    return all(
        (
            wanted.private or game.result.is_open,
            wanted.kind in (None, game.result.kind.value),
            wanted.result in (None, seats["ada"].result),
            wanted.against in (None, against),
            wanted.opponent in (None, *(seat.person or seat.bot for seat in others)),
            wanted.rated in (None, game.result.is_rated),
            wanted.players in (None, len(game.result.seats)),
            (wanted.since_ms or 0) <= game.ended_ms < (wanted.until_ms or 10**9),
        )
    )


def test_boards_go_on_where_a_page_ended(book: Book) -> None:
    for number in range(1, 61):
        book.enter(made_game(number))
    whole = book.read(book.reads.board("two", 50, None))
    assert [place.rank for place in whole] == list(range(1, len(whole) + 1))
    assert [p.strength.value for p in whole] == sorted(
        (p.strength.value for p in whole), reverse=True
    )
    paged, after = [], None
    while page := book.read(book.reads.board("two", 2, after)):
        paged += page
        after = (page[-1].rank, page[-1].strength.value, page[-1].person)
    assert paged == whole
    assert book.read(book.reads.board("two", 50, None, skipped=1)) == whole[1:]
    for place in whole:
        assert book.read(book.reads.place("two", place.person)) == place
    assert book.read(book.reads.count("two")) == len(whole)


def test_a_history_is_thinned_and_has_its_end(book: Book) -> None:
    for number in range(1, 450):
        book.enter(made_game(number))
    strengths, count = book.read(standing(book.engine, "ada"))
    points = book.read(book.reads.points("ada", "two"))
    assert len(points) <= 200
    assert points[-1].value == strengths["two"].value
    assert count == sum(_fits(made_game(n), GameFilter(private=True)) for n in range(1, 450))


def test_what_others_see_of_meetings_is_only_of_open_games(book: Book) -> None:
    for number in range(1, 61):
        book.enter(made_game(number))
    whole = {(m.person, m.bot): m for m in book.read(book.reads.book_of("ada", private=True)).met}
    shown = book.read(book.reads.book_of("ada", private=False)).met
    assert shown
    for met in shown:
        full = whole.get((met.person, met.bot))
        assert full is None or met.won <= full.won
    opened = [n for n in range(1, 61) if _fits(made_game(n), GameFilter())]
    total = sum(m.won + m.lost + m.drawn for m in shown)
    assert total <= 3 * len(opened)


def test_two_bots_of_one_name_at_a_table_are_met_once() -> None:
    """Whoever comes between them has lost to the better one."""
    chance = Random(1)
    for place, others in ((1, (2, 3)), (2, (1, 3)), (2, (3, 1))):
        seats = (
            _seat("ada", 0, place, "w" if place == 1 else "l", chance),
            *(_seat("talc", seat, other, "l", chance) for seat, other in enumerate(others, 1)),
        )
        found = meetings(SettledResult(RatingKind.MORE, True, True, True, 25, seats))
        best = min(others)
        assert found == [("ada", "bot:talc", kind, place, best) for kind in ("more", "all")]


def _duel(number: int, winner: str, loser: str, at_ms: int) -> SettledGame:
    """A rated game of two."""
    random = Random(number)
    seats = (_seat(winner, 0, 1, "w", random), _seat(loser, 1, 2, "l", random))
    result = SettledResult(RatingKind.TWO, True, True, True, 25, seats)
    return replace(made_game(number), ended_ms=at_ms, result=result, names=(None, None))


def test_games_of_two_who_have_met_enough_are_friendly_ones(book: Book) -> None:
    """They may have begun a hundred at once."""
    for number in range(1, 81):  # eight a day
        book.enter(_duel(number, "ada", "bo", at_ms=1000 * DAY_MS + number * DAY_MS // 8))
    rated = book.write(
        lambda c: set(c.execute(select(games.c.number).where(games.c.rated)).scalars())
    )
    for number in range(1, 81):
        today = len(rated.intersection(range(number - 7, number)))
        this_week = len(rated.intersection(range(number - 55, number)))
        assert (number in rated) is (today < 6 and this_week < 12), number
    strength = book.read(standing(book.engine, "ada"))[0][RatingKind.TWO.value]
    assert strength.games == len(rated)
    book.enter(_duel(90, "ada", "chen", at_ms=1010 * DAY_MS))
    assert book.read(standing(book.engine, "ada"))[0][RatingKind.TWO.value].games == len(rated) + 1
    before = book.rows()
    assert book.write(recompute).changed == 0
    assert book.rows() == before


def test_places_up_on_last_week(book: Book) -> None:
    now = 1000 * DAY_MS
    past, lately = now - 10 * DAY_MS, now - DAY_MS
    for number, (winner, loser) in enumerate((("ada", "bo"), ("chen", "bo"), ("ada", "chen")), 1):
        book.enter(_duel(number, winner, loser, past + number))
    before = _board_at(book)
    for number in range(4, 9):
        book.enter(_duel(number, "bo", "dora", lately + number))
    book.enter(_duel(9, "bo", "ada", lately + 9))
    after = _board_at(book)
    assert before != [person for person in after if person in before]
    for person in before:
        rank = after.index(person) + 1
        found = book.read(book.reads.weeks.places_up("two", person, rank, now))
        assert found == before.index(person) + 1 - rank, person
    dora = after.index("dora") + 1
    assert book.read(book.reads.weeks.places_up("two", "dora", dora, now)) is None


def _board_at(book: Book) -> list[str]:
    return [place.person for place in book.read(book.reads.board("two", 10, None, 0))]
