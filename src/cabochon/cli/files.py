"""Files of records and positions: read whatever is inside, written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from cabochon.cli.failure import Failure
from cabochon.cli.terminal import Terminal
from cabochon.notation import (
    Reading,
    decoded,
    loads,
    parse_readings,
    reading_from_json,
    recordfiles,
)
from cabochon.record import Record
from cabochon.words import Words

SUFFIX = ".cabochon"
STDIO = "-"
_REASONS = {
    errno.ENOENT: "file.missing",
    errno.EACCES: "file.forbidden",
    errno.EPERM: "file.forbidden",
    errno.EISDIR: "file.folder",
    errno.ENOTDIR: "file.missing",
    errno.ENOSPC: "file.full",
    errno.EROFS: "file.read-only",
}


def reason(error: OSError, words: Words) -> str:
    """Why a file could not be read or written, in the user's language where we have the words."""
    key = _REASONS.get(error.errno or 0)
    return words(key) if key else (error.strerror or str(error))


def read_text(path: str, terminal: Terminal) -> str:
    """What the file says; `-` is the standard input. Raises Failure."""
    return terminal.read() if path == STDIO else _bytes(path, terminal).decode("utf-8", "replace")


def _bytes(path: str, terminal: Terminal) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        why = reason(error, terminal.words) if isinstance(error, OSError) else str(error)
        raise Failure(terminal.words("file.unreadable", path=path, reason=why)) from None


def read_records(path: str, terminal: Terminal) -> tuple[Record, ...]:
    """All records in the file, text or JSON, at least one. Raises Failure and what the readers
    raise."""
    return records_in(read_text(path, terminal), path, terminal)


def read_for_proof(path: str, terminal: Terminal) -> tuple[Reading, ...]:
    """All records in the file with everything it says, at least one. Nothing is overlooked: bytes
    that are no UTF-8 are refused. Raises Failure and what the readers raise."""
    data = terminal.read_bytes() if path == STDIO else _bytes(path, terminal)
    text = decoded(data)
    if recordfiles.is_json(text):
        value = loads(text.lstrip("\ufeff"))
        readings = tuple(map(reading_from_json, value if isinstance(value, list) else [value]))
    else:
        readings = parse_readings(text)
    if not readings:
        raise Failure(terminal.words("file.no-record", path=path))
    return readings


def records_in(text: str, path: str, terminal: Terminal) -> tuple[Record, ...]:
    """All records in the text of that file, whichever of the two forms it has."""
    records = recordfiles.records_in(text)
    if not records:
        raise Failure(terminal.words("file.no-record", path=path))
    return records


def read_record(path: str, terminal: Terminal) -> Record:
    """The one record in the file. Raises Failure and what the readers raise."""
    return the_one(read_records(path, terminal), path, terminal)


def the_one(records: tuple[Record, ...], path: str, terminal: Terminal) -> Record:
    """The only record of the file. Raises Failure when there are several."""
    if len(records) != 1:
        raise Failure(terminal.words("file.one-record", path=path, count=len(records)))
    return records[0]


def write_text(path: str, text: str, terminal: Terminal) -> None:
    """The text into the file; `-` is the standard output. Raises Failure."""
    if path == STDIO:
        terminal.write(text)
        return
    try:
        Path(path).write_text(text, "utf-8", newline="\n")
    except (OSError, ValueError) as error:
        why = reason(error, terminal.words) if isinstance(error, OSError) else str(error)
        raise Failure(terminal.words("file.unwritable", path=path, reason=why)) from None


def games_folder(terminal: Terminal) -> Path:
    """Where games are kept: $XDG_DATA_HOME/cabochon/games, usually under ~/.local/share. Raises
    Failure when the user has no home."""
    said = Path(terminal.environment.get("XDG_DATA_HOME", ""))
    if said.is_absolute():
        return said / "cabochon" / "games"
    home = user_path("~")
    if not home.is_absolute():
        raise Failure(terminal.words("file.homeless"))
    return home / ".local" / "share" / "cabochon" / "games"


def user_path(text: str) -> Path:
    """The path that the user means: `~` is the home folder, where it is known."""
    return Path(os.path.expanduser(text))
