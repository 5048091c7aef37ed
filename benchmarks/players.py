"""A hundred thousand people and a million finished games in the database: how fast are profiles,
leaderboards, histories, lists of games and the search?

    python benchmarks/players.py [--people 100000] [--games 1000000] [--asks 500] [--only sqlite]

The games are made up, not played: a few people have thousands, most have a handful, half of them
against bots. The same rows go into a SQLite file and a private PostgreSQL; then one server on each
is asked over HTTP, one question after the other, as strangers ask. The file and its making are in
`build/players` and are used again. The last line is JSON; `p99_ms_…` is the slowest of the kinds of
questions.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import httpx
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.server.cluster import Cluster, NoPostgres
from tests.server.serving import Process

from cabochon.ratings import RatingKind, first_strength, fixed_points
from cabochon.ratings.bookkeeping import ALL_KINDS, MEETING_NAMES, TALLY_NAMES
from cabochon.ratings.strength import SETTLED
from cabochon.server.access.playernames import looks
from cabochon.server.storage.database import open_database

BUILD = Path(__file__).resolve().parent.parent / "build" / "players"
KINDS = (RatingKind.TWO, RatingKind.TWO, RatingKind.TWO, RatingKind.MORE, RatingKind.QUICK)
APART_MS = 60_000
"""A game a minute, the last one just now."""
AT_ONCE = 50_000
SYLLABLES = (
    *("ka", "lo", "mi", "ra", "te", "su", "no", "vi", "da", "pe"),
    *("li", "jo", "an", "be", "zu", "fe", "go", "hi", "ru", "sa"),
)
Row = tuple[Any, ...]
Columns = dict[str, tuple[str, ...]]

COLUMNS: Columns = {
    "people": ("id", "name", "skeleton", "kept", "hidden", "created_ms", "seen_ms"),
    "games": (
        *("number", "table_id", "ended_ms", "kind", "ruleset", "seats", "rounds", "reason"),
        *("rated", "open", "review_state", "counted"),
    ),
    "game_players": (
        *("number", "seat", "person_id", "bot", "place", "result", "points", "cards", "nobles"),
        *("sources", "colours", "reserved", "reserved_bought", "turns", "accuracy", "luck"),
        *("mistakes", "learnt", "fixed_value", "before_value", "before_deviation", "value"),
    ),
    "rating_points": ("person_id", "kind", "ordinal", "number", "at_ms", "value", "deviation"),
    "ratings": ("person_id", "kind", "value", "deviation", "games", "listed"),
    "tallies": ("person_id", "kind", *TALLY_NAMES),
    "encounters": ("person_id", "opponent", "kind", *MEETING_NAMES),
}
FIRST_DEVIATION = first_strength(RatingKind.TWO).deviation
BOTS = {kind: [point.bot for point in fixed_points(kind)] for kind in set(KINDS)}


def person_id(number: int) -> str:
    return f"p{number:011d}"


def name_of(number: int) -> str:
    random = Random(number)
    return "".join(random.choices(SYLLABLES, k=3)).capitalize() + str(number)


def people_rows(count: int, at_ms: int) -> Iterator[Row]:
    for number in range(count):
        name = name_of(number)
        kept, hidden = number % 5 < 2, number % 50 == 0
        yield person_id(number), name, max(looks(name)), kept, hidden, at_ms, at_ms


class Crowd:
    """Everybody, and what follows from the games that they are said to have played."""

    def __init__(self, count: int, first_ms: int) -> None:
        self.count = count
        self.first_ms = first_ms
        self.random = Random("players")
        self.strengths: dict[tuple[int, str], tuple[float, float, int]] = {}
        self.tallies: dict[tuple[int, str], list[int]] = {}
        self.meetings: dict[tuple[int, str, str], list[int]] = {}

    def anybody(self) -> int:
        """A few are met again and again: the busiest have some thousand games."""
        chance = self.random.random()
        return int(self.count * (0.004 * chance + 0.996 * chance**4))

    def play(self, number: int, rows: dict[str, list[Row]]) -> None:
        """One game, its seats, and the points that ratings move to."""
        random = self.random
        kind = random.choice(KINDS)
        seats = random.choice((3, 4)) if kind is RatingKind.MORE else 2
        sitting: list[Any] = [self.anybody()]
        for _ in range(seats - 1):
            bot = random.random() < 0.5
            sitting.append(random.choice(BOTS[kind]) if bot else self.anybody())
        random.shuffle(sitting)
        winner, is_open = random.randrange(seats), random.random() < 0.8
        at, name = self.first_ms + number * APART_MS, kind.value
        rows["games"].append(
            (number, f"t{number:011d}", at, name, "standard/2", seats, 25, "target")
            + (True, is_open, "done", number)
        )
        for seat, who in enumerate(sitting):
            self._sit(number, seat, who, seat == winner, name, at, rows)
        for mine, one in enumerate(sitting):
            for theirs, other in enumerate(sitting):
                if isinstance(one, int) and one != other:
                    for within in (name, ALL_KINDS):
                        met = (mine == winner, theirs == winner, is_open, number)
                        self._meet(one, other, within, *met)

    def _sit(
        self, number: int, seat: int, who: Any, won: bool, kind: str, at: int, rows: Any
    ) -> None:
        random = self.random
        points, letter = (15, "w") if won else (11, "l")
        accuracy, luck = random.randrange(600, 990), random.randrange(-900, 900)
        known = (1 if won else 2, letter, points, 12, 1, "3 2 2 2 3 3", "3 2 2 2 3", 2, 1, 25)
        figures = (accuracy, luck, random.randrange(4), False)
        if not isinstance(who, int):
            rows["game_players"].append(
                (number, seat, None, who, *known, *figures, 1500.0, None, None, None)
            )
            return
        new = random.gauss(1300, 250), FIRST_DEVIATION, 0
        before, sure, count = self.strengths.get((who, kind)) or new
        value = before + random.uniform(0, 12) * (1 if won else -1)
        deviation = max(45.0, min(sure, 200.0) * 0.96)
        self.strengths[who, kind] = value, deviation, count + 1
        person = person_id(who)
        rows["game_players"].append(
            (number, seat, person, None, *known, *figures, None, before, sure, value)
        )
        rows["rating_points"].append((person, kind, count + 1, number, at, value, deviation))
        tally = self.tallies.get((who, kind))
        if tally is None:
            tally = self.tallies[who, kind] = [0] * len(TALLY_NAMES)
        for place, more in ((GAMES, 1), (WON, won), (POINTS, points), (ACCURACY, accuracy)):
            tally[place] += more

    def _meet(
        self, one: int, other: Any, kind: str, won: bool, lost: bool, is_open: bool, number: int
    ) -> None:
        opponent = f"person:{person_id(other)}" if isinstance(other, int) else f"bot:{other}"
        found = self.meetings.get((one, opponent, kind))
        if found is None:
            found = self.meetings[one, opponent, kind] = [0] * len(MEETING_NAMES)
        place = 0 if won else 1 if lost else 2
        found[place] += 1
        found[place + 3] += is_open
        found[-3] += 1
        found[-2] += is_open
        found[-1] = number

    def rows(self) -> Iterator[tuple[str, Iterator[Row]]]:
        """What is kept for each person."""
        yield (
            "ratings",
            (
                (person_id(who), kind, value, deviation, games, _is_listed(who, deviation))
                for (who, kind), (value, deviation, games) in self.strengths.items()
            ),
        )
        yield (
            "tallies",
            ((person_id(who), kind, *_whole(sums)) for (who, kind), sums in self.tallies.items()),
        )
        yield (
            "encounters",
            (
                (person_id(who), opponent, kind, *counts)
                for (who, opponent, kind), counts in self.meetings.items()
            ),
        )


GAMES, WON, POINTS, ACCURACY = (
    TALLY_NAMES.index(name) for name in ("games", "won", "points", "accuracy")
)


def _whole(sums: list[int]) -> list[int]:
    """With what is the same in every game."""
    games = sums[GAMES]
    for name, each in (("whole", 1), ("rounds", 25), ("cards", 12), ("reviewed", 1), ("white", 3)):
        sums[TALLY_NAMES.index(name)] = games * each
    return sums


def _is_listed(who: int, deviation: float) -> bool:
    return who % 50 != 0 and (who % 5 < 2 or deviation <= SETTLED)


async def fill(engine: AsyncEngine, people: int, games: int) -> None:
    """The same rows for the same numbers."""
    put = _copied if engine.dialect.name == "postgresql" else _inserted
    first_ms = int(time.time() * 1000) - games * APART_MS
    for some in _batches(people_rows(people, first_ms)):
        await put(engine, "people", some)
    crowd = Crowd(people, first_ms)
    rows: dict[str, list[Row]] = {"games": [], "game_players": [], "rating_points": []}
    for number in range(1, games + 1):
        crowd.play(number, rows)
        if number % AT_ONCE == 0 or number == games:
            for name, found in rows.items():
                await put(engine, name, found)
                found.clear()
    for name, coming in crowd.rows():
        for some in _batches(coming):
            await put(engine, name, some)
    async with engine.begin() as connection:
        await connection.execute(text("ANALYZE"))


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while some := list(islice(rows, AT_ONCE)):
        yield some


async def _inserted(engine: AsyncEngine, table: str, rows: list[Row]) -> None:
    columns = COLUMNS[table]
    marks = ", ".join("?" * len(columns))
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
    async with engine.begin() as connection:
        await connection.exec_driver_sql(statement, rows)


async def _copied(engine: AsyncEngine, table: str, rows: list[Row]) -> None:
    async with engine.begin() as connection:
        raw = await connection.get_raw_connection()
        driver: Any = raw.driver_connection
        await driver.copy_records_to_table(table, records=rows, columns=COLUMNS[table])


async def filled(address: str, people: int, games: int) -> None:
    engine = await open_database(address)
    try:
        await fill(engine, people, games)
    finally:
        await engine.dispose()


# Asking


class Asking:
    """Questions to one server, and how long each took."""

    def __init__(self, base: str, people: int, asks: int) -> None:
        self._http = httpx.Client(base_url=base, timeout=60)
        self._random = Random("asking")
        self._people = people
        self._asks = asks
        self._cursor = ""

    def run(self) -> dict[str, dict[str, float]]:
        kinds: dict[str, Callable[[], str]] = {
            "profile": self._profile,
            "history": self._history,
            "games": self._games,
            "leaderboard": self._leaderboard,
            "search": self._search,
        }
        found: dict[str, list[float]] = {name: [] for name in kinds}
        for name, path in kinds.items():
            for _ in range(20):
                self._ask(path())
            for _ in range(self._asks):
                found[name].append(self._ask(path()))
        return {name: _figures(taken) for name, taken in found.items()}

    def _ask(self, path: str) -> float:
        began = time.perf_counter()
        answer = self._http.get(path)
        taken = (time.perf_counter() - began) * 1000
        assert answer.status_code == 200, answer.text
        if path.startswith("/api/leaderboards"):
            self._cursor = answer.json()["next"] or ""
        return taken

    def _somebody(self) -> str:
        """Often somebody with many games."""
        return person_id(int(self._people * self._random.random() ** 4))

    def _profile(self) -> str:
        return f"/api/people/{self._somebody()}"

    def _history(self) -> str:
        return f"/api/people/{self._somebody()}/ratings/two"

    def _games(self) -> str:
        filters = ("", "&result=won", "&against=people", "&kind=more", "&opponent=diamond")
        return f"/api/people/{self._somebody()}/games?limit=20{self._random.choice(filters)}"

    def _leaderboard(self) -> str:
        cursor = f"&cursor={self._cursor.replace('+', '%2B')}" if self._cursor else ""
        kind = "two" if cursor else self._random.choice(("two", "more", "quick"))
        return f"/api/leaderboards/{kind}?limit=50{cursor}"

    def _search(self) -> str:
        name = name_of(self._random.randrange(self._people))
        return f"/api/people?search={name[: self._random.randrange(1, 7)]}"


def _figures(taken: list[float]) -> dict[str, float]:
    ordered = sorted(taken)
    last = len(ordered) - 1
    return {
        "p50_ms": round(ordered[last // 2], 1),
        "p99_ms": round(ordered[int(last * 0.99)], 1),
        "worst_ms": round(ordered[-1], 1),
    }


def measured(name: str, address: str, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    with Process(address, {"CABOCHON_REQUESTS_PER_S": "100000"}) as process:
        found = Asking(process.here.base, options.people, options.asks).run()
    for kind, row in found.items():
        print(
            f"{name:10}{kind:12} p50 {row['p50_ms']:6.1f} ms   p99 {row['p99_ms']:6.1f} ms"
            f"   worst {row['worst_ms']:6.1f} ms",
            flush=True,
        )
    return found


def sqlite_file(people: int, games: int) -> Path:
    """Made once, and only used when whole."""
    path = BUILD / f"players-{people}-{games}.db"
    if not path.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        making = path.with_suffix(".making")
        for old in BUILD.glob(f"{making.name}*"):
            old.unlink()
        asyncio.run(filled(str(making), people, games))
        making.rename(path)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--asks", type=int, default=500)
    parser.add_argument("--only", choices=("sqlite", "postgres"))
    options = parser.parse_args()
    said: dict[str, Any] = {"benchmark": "players", "people": options.people}
    said["games"] = options.games
    if options.only != "postgres":
        path = sqlite_file(options.people, options.games)
        _note(said, "sqlite", measured("sqlite", str(path), options))
    if options.only != "sqlite":
        try:
            cluster = Cluster()
        except NoPostgres:
            print("There is no PostgreSQL on this machine.")
        else:
            try:
                address = cluster.database("players")
                asyncio.run(filled(address, options.people, options.games))
                _note(said, "postgres", measured("postgres", address, options))
            finally:
                cluster.close()
    print(json.dumps(said))


def _note(said: dict[str, Any], name: str, found: dict[str, dict[str, float]]) -> None:
    said[f"p99_ms_{name}"] = max(row["p99_ms"] for row in found.values())
    said[name] = found


if __name__ == "__main__":
    main()
