"""Reading games back: every one of them replays by the law."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabochon.dataset.errors import DatasetError, DatasetFault
from cabochon.dataset.games import ENDLESS
from cabochon.dataset.schema import SCHEMA_VERSION, parquet
from cabochon.notation import parse_record
from cabochon.record import Record
from cabochon.rules.ending import outcome_of


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
    """The games of a file, one at a time. Raises DatasetError for another kind of file."""
    pq = parquet()
    try:
        file = pq.ParquetFile(path)
    except (OSError, ValueError) as error:
        why = str(error).splitlines()[0][:100]
        raise DatasetError(DatasetFault.NOT_OURS, path=str(path), why=why) from error
    with file:
        metadata = file.schema_arrow.metadata or {}
        version = metadata.get(b"cabochon.schema", b"-").decode()
        if version != str(SCHEMA_VERSION) or "record" not in file.schema_arrow.names:
            why = f"schema {version}, expected {SCHEMA_VERSION} with records"
            raise DatasetError(DatasetFault.NOT_OURS, path=str(path), why=why)
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
