"""All of somebody's games in one file: records, lines of JSON, or a Parquet table."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, TypeVar

import orjson

from cabochon.extras import ExtraMissing, needed
from cabochon.notation.recordjson import record_to_json
from cabochon.notation.records import format_record
from cabochon.play.recording import record_of
from cabochon.record import Record
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.gamereads import BookedGame, GameFilter, GameReads
from cabochon.server.storage.sqlstore import SqlStore

T = TypeVar("T")

TOGETHER = 50
ROW_GROUP = 500
MINE = GameFilter(private=True)

GameTold = Callable[[BookedGame], Mapping[str, Any]]
"""A game in figures, as the API gives it."""


async def exported_records(
    store: SqlStore, reads: GameReads, person_id: str, one: str | None = None
) -> AsyncIterator[bytes]:
    """Records one after the other; a game whose table is gone is left out. `one` is the only
    table that is wanted."""
    async for _, record in _games(store, reads, person_id, one):
        if record is not None:
            text = await _told(store, record, format_record)
            yield (text.rstrip("\n") + "\n\n").encode()


async def exported_lines(
    store: SqlStore, reads: GameReads, person_id: str, told: GameTold, one: str | None = None
) -> AsyncIterator[bytes]:
    """A line for each game: what the API tells of it, and its `record` as JSON, null when its
    table is gone."""
    async for game, record in _games(store, reads, person_id, one):
        whole = None if record is None else await _told(store, record, record_to_json)
        yield orjson.dumps({**told(game), "record": whole}) + b"\n"


async def exported_table(
    store: SqlStore, reads: GameReads, person_id: str, told: GameTold, one: str | None = None
) -> AsyncIterator[bytes]:
    """A Parquet file with a row for each game, a row group at a time: only so many games are ever
    in memory."""
    writing = _ParquetFile()
    rows: list[dict[str, Any]] = []
    async for game, record in _games(store, reads, person_id, one):
        text = None if record is None else await _told(store, record, format_record)
        rows.append(_row(told(game), text))
        if len(rows) == ROW_GROUP:
            yield await asyncio.to_thread(writing.group, rows)
            rows = []
    yield await asyncio.to_thread(writing.group, rows)
    yield await asyncio.to_thread(writing.end)


def check_parquet() -> None:
    """Raises ServerRefused where no such file can be made."""
    try:
        needed("pyarrow.parquet", "data", "Parquet")
    except ExtraMissing:
        raise ServerRefused(ServerFault.NO_PARQUET) from None


async def _games(
    store: SqlStore, reads: GameReads, person_id: str, one: str | None
) -> AsyncIterator[tuple[BookedGame, Record | None]]:
    """The newest first."""
    before: int | None = None
    while True:
        games = await _page(reads, person_id, before, one)
        for game in games:
            yield game, await _record(store, game.game.table_id)
        if one is not None or len(games) < TOGETHER:
            return
        before = games[-1].game.number


async def _page(
    reads: GameReads, person_id: str, before: int | None, one: str | None
) -> Sequence[BookedGame]:
    if one is None:
        return await reads.page(person_id, MINE, TOGETHER, before)
    found = await reads.game(one)
    if found is None or all(seat.person_id != person_id for seat in found.seats):
        return ()
    return (found,)


async def _record(store: SqlStore, table_id: str) -> Record | None:
    table = await store.table(table_id)
    if table is None:
        return None
    return await store.longwork.tell(table.ply * 2, lambda: record_of(table))


async def _told(store: SqlStore, record: Record, how: Callable[[Record], T]) -> T:
    """Long records are written aside."""
    return await store.longwork.tell(len(record.events), lambda: how(record))


def _row(told: Mapping[str, Any], record: str | None) -> dict[str, Any]:
    """Flat, as tables are: what is by seat is a list."""
    seats: Sequence[Mapping[str, Any]] = told["seats"]
    by_seat = ("person", "bot", "name", "rating", "change", "points", "place", "accuracy", "luck")
    plain = (
        *("table", "ended_ms", "kind", "ruleset", "you", "result", "reason"),
        *("rounds", "rated", "mistakes", "public"),
    )
    return (
        {name: told[name] for name in plain}
        | {f"seat_{name}": [seat[name] for seat in seats] for name in by_seat}
        | {"record": record}
    )


class _ParquetFile:
    """Gives what it has written so far, piece by piece."""

    def __init__(self) -> None:
        self._arrow = needed("pyarrow", "data", "Parquet")
        parquet = needed("pyarrow.parquet", "data", "Parquet")
        self._sink = _Handed()
        self._schema = _schema(self._arrow)
        target = self._arrow.PythonFile(self._sink, mode="w")
        self._writer = parquet.ParquetWriter(target, self._schema)

    def group(self, rows: list[dict[str, Any]]) -> bytes:
        if rows:
            self._writer.write_table(self._arrow.Table.from_pylist(rows, self._schema))
        return self._sink.taken()

    def end(self) -> bytes:
        self._writer.close()
        return self._sink.taken()


class _Handed(io.RawIOBase):
    """A file that forgets what was taken out of it."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._at = 0

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        data = bytes(piece)
        self._pieces.append(data)
        self._at += len(data)
        return len(data)

    def tell(self) -> int:
        return self._at

    def taken(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _schema(arrow: Any) -> Any:
    """The same for everybody, even for people without a game."""
    text, whole, number, truth = arrow.string(), arrow.int32(), arrow.float64(), arrow.bool_()
    columns = {
        "table": text,
        "ended_ms": arrow.int64(),
        "kind": text,
        "ruleset": text,
        "you": whole,
        "result": text,
        "reason": text,
        "rounds": whole,
        "rated": truth,
        "mistakes": whole,
        "public": truth,
        "seat_person": arrow.list_(text),
        "seat_bot": arrow.list_(text),
        "seat_name": arrow.list_(text),
        "seat_rating": arrow.list_(whole),
        "seat_change": arrow.list_(whole),
        "seat_points": arrow.list_(whole),
        "seat_place": arrow.list_(whole),
        "seat_accuracy": arrow.list_(number),
        "seat_luck": arrow.list_(number),
        "record": text,
    }
    return arrow.schema(list(columns.items()))
