"""Files of records: read whichever form is inside, written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from cabochon.notation.jsontext import dumps, loads
from cabochon.notation.recordjson import record_from_json, record_to_json
from cabochon.notation.records import format_record, parse_record, parse_records
from cabochon.record import Record

PRIVATE = 0o600


def records_in(text: str) -> tuple[Record, ...]:
    """All records in the text, which is JSON or our own notation. Raises NotationError."""
    if not is_json(text):
        return parse_records(text)
    value = loads(text.lstrip("\ufeff"))
    return tuple(map(record_from_json, value if isinstance(value, list) else [value]))


def read_record(path: Path) -> Record:
    """The record in the file; it must be the only one. Raises OSError and NotationError."""
    text = path.read_bytes().decode("utf-8", "replace")
    return record_from_json(loads(text.lstrip("\ufeff"))) if is_json(text) else parse_record(text)


def is_json(text: str) -> bool:
    """Whether a file with that text holds JSON, and not our own notation."""
    return text.lstrip("\ufeff \t\r\n").startswith(("{", "[{"))


def record_text(record: Record, name: str) -> str:
    """The record in the form that the file's name asks for."""
    return json_text([record]) if name.lower().endswith(".json") else format_record(record)


def json_text(records: list[Record] | tuple[Record, ...]) -> str:
    """One record as an object, several as a list."""
    values = [record_to_json(record) for record in records]
    return dumps(values[0] if len(values) == 1 else values) + "\n"


def write_record(path: Path, record: Record) -> None:
    """Put the record there, for its owner's eyes alone. Raises OSError."""
    write_whole(path, record_text(record, path.name))


def write_whole(path: Path, text: str) -> None:
    """All of the text, or on any failure the file as it was; readable by its owner only. Raises
    OSError."""
    if not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_whole(path, text, PRIVATE)


def replace_whole(path: Path, text: str, mode: int) -> None:
    """The same in a folder that is there already; the file gets the mode, as far as the user's mask
    allows. Raises OSError."""
    # Named before it exists: whatever interrupts this finds the draft and takes it away.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(draft, "x", encoding="utf-8", newline="\n", opener=_with(mode)) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def _with(mode: int) -> Callable[[str, int], int]:
    return lambda name, flags: os.open(name, flags, mode)


# Which game a record is of.


def fingerprint(record: Record) -> str:
    """SHA-256 of the game itself, without the players' names and the comments."""
    bare = Record(ruleset=record.ruleset, players=("?",) * record.ruleset.seats,
                  opening=record.opening, events=record.events)  # fmt: skip
    return sha256(format_record(bare).encode()).hexdigest()
