"""Playing a job and writing it, block by block, so that memory does not grow with the games."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from cabochon.dataset.games import Block, Job, play_block
from cabochon.dataset.schema import (
    DECISION_COLUMNS,
    GAME_COLUMNS,
    MASK_BYTES,
    arrow,
    parquet,
    schema_of,
)
from cabochon.workers import Executor, Inline

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
    many of each. `told` hears how far it is. A file appears only when it is complete. Raises
    OSError and ExtraMissing."""
    counted = [0, 0]
    with ExitStack() as stack:
        game_file = stack.enter_context(_Table(Path(games), GAME_COLUMNS))
        row_file = None
        if decisions is not None:
            row_file = stack.enter_context(_Table(Path(decisions), DECISION_COLUMNS))
        for block in (executor or Inline()).map(play_block, job.blocks()):
            _write(block, game_file, row_file)
            counted[0] += len(block.games["game"])
            counted[1] += block.decisions
            told(*counted)
    return counted[0], counted[1]


def _write(block: Block, games: _Table, rows: _Table | None) -> None:
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
    if kind == pa.binary(MASK_BYTES):
        return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values.tobytes())])
    return pa.array(values, kind)
