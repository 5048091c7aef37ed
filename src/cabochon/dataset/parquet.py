"""The Parquet files of a data set: their two tables, writing them, reading games back.

A change of meaning is a new version, which stands in the files' metadata.  Games are written block
by block, so that memory does not grow with their number; every game that is read replays by the
law.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabochon.dataset.gameblocks import (
    MASK_BYTES,
    DatasetError,
    DatasetFault,
    GameColumns,
    Job,
    play_block,
)
from cabochon.extras import needed
from cabochon.game import ENDLESS
from cabochon.kernel import ACTION_COUNT, ACTION_TABLE_VERSION, OBSERVATION_SIZE, table_hash
from cabochon.notation import parse_record
from cabochon.record import Record
from cabochon.rules.ending import outcome_of
from cabochon.version import __version__
from cabochon.workers import Executor, Inline

SCHEMA_VERSION = 2
READABLE = ("1", "2")
"""Version 1 had no actions, visits, policies and values."""
WHAT = "a Parquet file of games"
MASK_KIND = f"fixed_size_binary[{MASK_BYTES}]"
POLICY_KIND = f"fixed_size_binary[{ACTION_COUNT}]"
VALUE_KIND = "fixed_size_binary[16]"
SEEN_KIND = f"fixed_size_binary[{4 * OBSERVATION_SIZE}]"

GAME_COLUMNS = (
    ("game", "int64", "number of the game within the file, from 0"),
    ("ruleset", "string", "for example `standard/2`"),
    ("players", "list<string>", "bot names by seat"),
    ("turns", "int32", "finished turns"),
    ("decisions", "int32", "actions of the table played, one for each returned token"),
    ("ranking", "list<int8>", "rank by seat, 1 is best, equal ranks are shared"),
    ("points", "list<int16>", "by seat, pooled in teams"),
    ("cards", "list<int16>", "bought cards by seat, pooled in teams"),
    ("ending", "string", "`target`, `stalled`, or `endless` (cut off after 2,000 turns)"),
    ("record", "string", "the whole game in record notation: it alone replays"),
    ("actions", "list<uint8>", "every action in order, one for each returned token"),
)
DECISION_COLUMNS = (
    ("game", "int64", "as in the table of games"),
    ("decision", "int32", "number within the game, from 0"),
    ("turn", "int32", "finished turns before it"),
    ("seat", "int8", "who decided"),
    ("phase", "int8", "0 act, 2 noble, 3 return"),
    ("action", "uint8", "index into the action table"),
    ("legal", MASK_KIND, f"{ACTION_COUNT} bits, bit i of byte b is action 8b + i"),
    ("share", "float", "the seat's part of the victory in the end"),
    ("visits", "int32", "of the search that decided, 1 for the network alone, 0 for none"),
    ("policy", POLICY_KIND, "visits by action, in 255ths of the most visited; 0 without a search"),
    ("value", VALUE_KIND, "what it expected: 4 float32, each seat's part of the victory"),
)
OBSERVATION_COLUMN = (
    "observation",
    SEEN_KIND,
    f"on request: {OBSERVATION_SIZE} float32, as the observation index has them",
)


def arrow() -> Any:
    """The package that writes and reads. Raises ExtraMissing."""
    return needed("pyarrow", "data", WHAT)


def parquet() -> Any:
    return needed("pyarrow.parquet", "data", WHAT)


def schema_of(columns: tuple[tuple[str, str, str], ...]) -> Any:
    """The Arrow schema, with the versions in its metadata."""
    pa = arrow()
    kinds = {
        "int64": pa.int64(),
        "int32": pa.int32(),
        "int8": pa.int8(),
        "uint8": pa.uint8(),
        "float": pa.float32(),
        "string": pa.string(),
        "list<string>": pa.list_(pa.string()),
        "list<int8>": pa.list_(pa.int8()),
        "list<int16>": pa.list_(pa.int16()),
        "list<uint8>": pa.list_(pa.uint8()),
        MASK_KIND: pa.binary(MASK_BYTES),
        POLICY_KIND: pa.binary(ACTION_COUNT),
        VALUE_KIND: pa.binary(16),
        SEEN_KIND: pa.binary(4 * OBSERVATION_SIZE),
    }
    metadata = {
        "cabochon.schema": str(SCHEMA_VERSION),
        "cabochon.version": __version__,
        "cabochon.actions": f"{ACTION_TABLE_VERSION} {table_hash()}",
    }
    return pa.schema([(name, kinds[kind]) for name, kind, _ in columns], metadata)


# Writing

Told = Callable[[int, int], None]
COMPRESSION = "zstd"


def write_dataset(
    job: Job,
    games: Path | str,
    decisions: Path | str | None = None,
    executor: Executor | None = None,
    told: Told = lambda games, decisions: None,
) -> tuple[int, int]:
    """Play the job and write the table of games and, if asked for, that of decisions; returns how
    many of each. `told` is called with the progress. A file appears only when it is complete.
    Raises OSError and ExtraMissing."""
    counted = [0, 0]
    with ExitStack() as stack:
        game_file = stack.enter_context(_Table(Path(games), GAME_COLUMNS))
        row_file = None
        if decisions is not None:
            columns = DECISION_COLUMNS + (OBSERVATION_COLUMN,) * job.observations
            row_file = stack.enter_context(_Table(Path(decisions), columns))
        for block in (executor or Inline()).map(play_block, job.blocks()):
            _write(block, game_file, row_file)
            counted[0] += len(block.games["game"])
            counted[1] += block.decisions
            told(*counted)
    return counted[0], counted[1]


def _write(block: GameColumns, games: _Table, rows: _Table | None) -> None:
    games.write(block.games)
    if rows is not None:
        rows.write(block.rows)


class _Table:
    """A Parquet file that gets its name when all of it is written."""

    def __init__(self, path: Path, columns: tuple[tuple[str, str, str], ...]) -> None:
        self._path, self._part = path, path.with_name(path.name + ".part")
        self._schema = schema_of(columns)

    def __enter__(self) -> _Table:
        self._writer = parquet().ParquetWriter(self._part, self._schema, compression=COMPRESSION)
        return self

    def write(self, columns: dict[str, Any]) -> None:
        pa = arrow()
        arrays = [_array(pa, columns[field.name], field.type) for field in self._schema]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))

    def __exit__(self, kind: object, *_: object) -> None:
        self._writer.close()
        if kind is None:
            os.replace(self._part, self._path)
        else:
            self._part.unlink(missing_ok=True)


def _array(pa: Any, values: Any, kind: Any) -> Any:
    if pa.types.is_fixed_size_binary(kind):
        return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values.tobytes())])
    return pa.array(values, kind)


# Reading


@dataclass(frozen=True)
class StoredGame:
    """A row of the table of games: its columns, and the record that its text holds."""

    columns: dict[str, Any]

    @property
    def number(self) -> int:
        return int(self.columns["game"])

    @property
    def record(self) -> Record:
        """Raises NotationError or RecordError when the text has been damaged."""
        return parse_record(self.columns["record"])


def read_games(path: Path | str) -> Iterator[StoredGame]:
    """The games of a file, or of all in a folder, one at a time. Raises DatasetError for another
    kind of file."""
    if Path(path).is_dir():
        files = sorted(Path(path).glob("games-*.parquet"))
        if not files:
            raise DatasetError(DatasetFault.NO_GAMES, path=str(path))
        for file in files:
            yield from _games_of(file)
    else:
        yield from _games_of(path)


def _games_of(path: Path | str) -> Iterator[StoredGame]:
    pq = parquet()
    try:
        file = pq.ParquetFile(path)
    except (OSError, ValueError) as error:
        number = error.errno if isinstance(error, OSError) else None
        why = os.strerror(number) if number else str(error).splitlines()[0][:100].rstrip(".")
        raise DatasetError(DatasetFault.NOT_OURS, path=str(path), why=why) from error
    with file:
        metadata = file.schema_arrow.metadata or {}
        version = metadata.get(b"cabochon.schema", b"-").decode()
        if version not in READABLE:
            why = f"schema {version}, expected {SCHEMA_VERSION}"
            raise DatasetError(DatasetFault.NOT_OURS, path=str(path), why=why)
        if "record" not in file.schema_arrow.names:
            raise DatasetError(DatasetFault.NO_RECORDS, path=str(path))
        for batch in file.iter_batches(batch_size=256):
            for row in batch.to_pylist():
                yield StoredGame(row)


def check_games(path: Path | str) -> Iterator[StoredGame]:
    """As `read_games`, each game replayed move by move and compared with its row. Raises
    DatasetError, RecordError or NotationError at the first that is wrong."""
    for game in read_games(path):
        record, columns = game.record, game.columns
        last = record.final()
        outcome = outcome_of(last)
        expected = {
            "ruleset": str(record.ruleset),
            "players": list(record.players),
            "turns": last.turn,
            "ranking": list(outcome.ranking),
            "points": list(outcome.points),
            "cards": list(outcome.cards),
            "ending": record.result.reason.value if record.result else ENDLESS,
        }
        for name, value in expected.items():
            if columns[name] != value:
                raise DatasetError(DatasetFault.DIFFERS, game=game.number, what=name)
        yield game
