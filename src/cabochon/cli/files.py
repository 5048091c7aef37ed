"""Files of records and positions, how much of them is shown, and the seats held at servers:
read whatever is inside, written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
from argparse import Namespace
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from cabochon.cli.parser import Parser, number
from cabochon.cli.terminal import Failure, Terminal
from cabochon.notation import (
    Reading,
    decoded,
    loads,
    parse_position,
    parse_readings,
    parse_view,
    position_from_json,
    reading_from_json,
    recordfiles,
    view_from_json,
)
from cabochon.record import LinePath, Record, Turn
from cabochon.rules import Position, View
from cabochon.rules.dealer import new_share, share_hash
from cabochon.variation import MAIN_LINE
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
        _put(Path(path), text)
    except (OSError, ValueError) as error:
        why = reason(error, terminal.words) if isinstance(error, OSError) else str(error)
        raise Failure(terminal.words("file.unwritable", path=path, reason=why)) from None


def _put(path: Path, text: str) -> None:
    """A file whole or not at all, with the mode it had; a pipe or a device as it comes."""
    target = path.resolve()
    if not target.name or (target.exists() and not target.is_file()):
        path.write_text(text, "utf-8", newline="\n")
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666
    recordfiles.replace_whole(target, text, mode)


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


# Positions that are given as an argument, in a file, or as a ply of a record.


def text_of(what: str, terminal: Terminal) -> str:
    """The argument itself if it is a position, or what the file says. Raises Failure."""
    return what if is_position(what) else read_text(what, terminal)


def table_in(text: str) -> Position | View | None:
    """The position or view that the text is, in its one line or as JSON; None for a record."""
    text = text.strip()
    if text.startswith("{"):
        value = loads(text)
        if not isinstance(value, dict) or "rows" not in value:
            return None
        return view_from_json(value) if "viewer" in value else position_from_json(value)
    if not is_position(text):
        return None
    return (parse_view if text.startswith(("seat", "watch")) else parse_position)(text)


def is_position(text: str) -> bool:
    """Whether the text is one line of many fields, the ruleset and two hands among them."""
    return text.count(" ") > 8 and "/" in text and text.count("|") > 5 and "\n" not in text


def at_ply(record: Record, ply: int | None, words: Words, path: LinePath = MAIN_LINE) -> Position:
    """The position after that many plies of the line; the last one when none is said. Raises
    Failure, and RecordError for a line that is not there."""
    if ply is None:
        *_, last = record.replay(path)
        return last
    position = next(islice(record.replay(path), ply, None), None)
    if position is None:
        raise Failure(words("show.short", ply=ply, plies=len(record.line_events(path))))
    return position


# The seats this user holds at servers' tables: the keys that play them and the shares that were
# promised for the deal, in one small file a table that only the user can read.


KEY_PREFIX = "cab_s_"


@dataclass(frozen=True, slots=True)
class HeldSeat:
    """What plays here; `shares` are by their hash."""

    keys: tuple[str, ...] = ()
    shares: dict[str, str] = field(default_factory=dict)


class SeatFile:
    """One table's file. A folder that can't be written to only means that nothing is kept."""

    def __init__(self, base: str, table: str, terminal: Terminal) -> None:
        host = re.sub(r"[^A-Za-z0-9.-]+", "_", base.partition("//")[2])
        self._path = games_folder(terminal).parent / "seats" / f"{host}_{table}.json"
        self.held = _read(self._path)

    def keep(self, *keys: str) -> None:
        """These keys play here."""
        self._write(replace(self.held, keys=tuple(dict.fromkeys((*self.held.keys, *keys)))))

    def new_key(self) -> str:
        """A key of our own, kept before anybody is asked: a lost answer loses no seat."""
        key = KEY_PREFIX + secrets.token_urlsafe(32)
        self.keep(key)
        return key

    def forget(self) -> None:
        """Nothing is held here after all."""
        self.held = HeldSeat()
        self._path.unlink(missing_ok=True)

    def pledge(self) -> str:
        """A new share of the deal, kept; only its hash may be sent."""
        share = new_share()
        promised = share_hash(share)
        self._write(replace(self.held, shares={**self.held.shares, promised: share}))
        return promised

    def _write(self, held: HeldSeat) -> None:
        self.held = held
        text = json.dumps({"keys": held.keys, "shares": held.shares})
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            draft = self._path.with_suffix(".new")
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as f:
                f.write(text)
            draft.replace(self._path)
        except OSError:
            return


def _read(path: Path) -> HeldSeat:
    try:
        said = json.loads(path.read_text("utf-8"))
        return HeldSeat(tuple(map(str, said["keys"])), dict(said["shares"]))
    except (OSError, ValueError, KeyError, TypeError):
        return HeldSeat()


# How much of a game is shown: a game that is over, everything; one that goes on, only what a
# watcher or a seat may know, unless everything is asked for.


def add_sight(parser: Parser, words: Words) -> None:
    """The options that choose it."""
    option = parser.options.add_argument
    option("--seat", type=number(1, 4, words), metavar="1..4", help=words("show.seat"))
    option("--all", action="store_true", help=words("show.all"))


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything, or what the viewer (None is a watcher) may know."""

    viewer: int | None
    everything: bool

    def table(self, position: Position) -> Position | View:
        return position if self.everything else position.view(self.viewer)

    def turn(self, turn: Turn) -> Turn:
        return turn if self.everything else turn.seen_by(self.viewer)


def sight_of(args: Namespace, record: Record, words: Words) -> Sight:
    """What the options say. Raises Failure for a seat that is not there."""
    if args.seat is None:
        return Sight(None, args.all or record.result is not None)
    return Sight(seat_index(args.seat, record.ruleset.seats, words), everything=False)


def seat_index(seat: int, seats: int, words: Words) -> int:
    """Seats are 1 to 4 for people, from 0 for programs. Raises Failure."""
    if seat > seats:
        raise Failure(words("show.no-seat", seat=seat, seats=seats))
    return seat - 1
