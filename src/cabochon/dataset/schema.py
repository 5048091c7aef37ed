"""The two tables. A change of meaning is a new version, which stands in the file's metadata."""

from __future__ import annotations

from typing import Any

from cabochon.extras import needed
from cabochon.kernel import ACTION_TABLE_VERSION, table_hash
from cabochon.version import __version__

SCHEMA_VERSION = 1
WHAT = "a Parquet file of games"

GAME_COLUMNS = (
    ("game", "int64", "number of the game within the file, from 0"),
    ("ruleset", "string", "for example `standard/2`"),
    ("players", "list<string>", "bot names by seat"),
    ("turns", "int32", "finished turns"),
    ("decisions", "int32", "actions of the table played, one a returned token"),
    ("ranking", "list<int8>", "rank by seat, 1 is best, equal ranks are shared"),
    ("points", "list<int16>", "by seat, pooled in teams"),
    ("cards", "list<int16>", "bought cards by seat, pooled in teams"),
    ("ending", "string", "`target`, `stalled`, or `endless` (cut off after 2,000 turns)"),
    ("record", "string", "the whole game in record notation: it alone replays"),
)
DECISION_COLUMNS = (
    ("game", "int64", "as in the table of games"),
    ("decision", "int32", "number within the game, from 0"),
    ("turn", "int32", "finished turns before it"),
    ("seat", "int8", "who decided"),
    ("phase", "int8", "0 act, 2 noble, 3 return"),
    ("action", "uint8", "index into the action table"),
    ("legal", "fixed_size_binary[9]", "72 bits, bit i of byte b is action 8b + i"),
    ("share", "float", "the seat's part of the victory in the end"),
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
        "fixed_size_binary[9]": pa.binary(9),
    }
    metadata = {
        "cabochon.schema": str(SCHEMA_VERSION),
        "cabochon.version": __version__,
        "cabochon.actions": f"{ACTION_TABLE_VERSION} {table_hash()}",
    }
    return pa.schema([(name, kinds[kind]) for name, kind, _ in columns], metadata)
