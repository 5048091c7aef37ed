"""Lists of `cabochon admin`, in columns."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from cabochon.cli.terminal import Terminal
from cabochon.render.width import left, width
from cabochon.words import Words

_GAP = "  "
Say = Callable[..., str]
AdminRow = dict[str, Any]


def show_list(verb: str, rows: list[AdminRow], terminal: Terminal) -> None:
    """Times are UTC. Names and reasons are others' words: what could move the cursor is escaped."""
    say = Words(terminal.words.lang, "admin")
    if not rows:
        terminal.tell(say("nothing"))
        return
    columns, cells = _LISTS[verb]
    table = [[say(f"col-{name}") for name in columns.split()]]
    table += [[_plain(str(cell)) for cell in cells(row, say)] for row in rows]
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    for line in table:
        shown = (left(cell, columns) for cell, columns in zip(line, widths, strict=True))
        terminal.say(_GAP.join(shown).rstrip())


def show_report(row: AdminRow, terminal: Terminal) -> None:
    """One report, field by field, and the game that it is about."""
    say = Words(terminal.words.lang, "admin")
    columns, cells = _LISTS["reports"]
    names = [say(f"col-{name}") for name in columns.split()]
    values = [str(cell) for cell in cells(row, say)]
    extra = [(say("col-reports"), str(row["reports"])), (say("col-note"), row["note"] or "-")]
    if "at_table" in row:
        extra.append((say("col-at-table"), say("was-there" if row["at_table"] else "never-there")))
    wide = max(width(name) for name in (*names, *(name for name, _ in extra)))
    for name, value in (*zip(names, values, strict=True), *extra):
        terminal.say(f"{left(name, wide)}{_GAP}{_plain(value)}".rstrip())
    if row["record"] is not None:
        terminal.say()
        terminal.write(row["record"])


def _tables(row: AdminRow, say: Say) -> list[object]:
    players = ", ".join(name or "-" for name in row["players"])
    times = [_time(row["created_ms"]), _time(row["last_ms"])]
    return [row["id"], row["state"], row["variant"], *times, row["events"], players]


def _seats(row: AdminRow, say: Say) -> list[object]:
    held = row["token"] or row["person"] or row["key"]
    return [row["table"], row["seat"], row["name"], row["kind"], held]


def _people(row: AdminRow, say: Say) -> list[object]:
    kind = say("kept" if row["kept"] else "guest")
    times = [_time(row["created_ms"]), _time(row["seen_ms"])]
    return [row["id"], row["name"], kind, *times, row["tables"]]


def _tokens(row: AdminRow, say: Say) -> list[object]:
    times = [_time(row[name]) for name in ("created_ms", "last_used_ms", "revoked_ms")]
    return [row["id"], row["name"], *times, " ".join(row["scopes"])]


def _bans(row: AdminRow, say: Say) -> list[object]:
    until = say("for-good") if row["until_ms"] is None else _time(row["until_ms"])
    if not row["holds"]:
        until = say("run-out")
    return [row["id"], row["kind"], row["subject"], until, row["reason"]]


def _reports(row: AdminRow, say: Say) -> list[object]:
    state = say("report-open") if row["closed_ms"] is None else _time(row["closed_ms"])
    whom = f"{row['name'] or '-'} ({row['person']})"
    told = [row["kind"], whom, row["reporter_name"] or row["reporter"], row["table"] or "-"]
    return [row["id"], _time(row["at_ms"]), *told, state, row["text"]]


def _log(row: AdminRow, say: Say) -> list[object]:
    detail = json.dumps(row["detail"], ensure_ascii=False) if row["detail"] else ""
    return [_time(row["at_ms"]), row["who"], row["act"], row["subject"], detail]


_LISTS: dict[str, tuple[str, Callable[[AdminRow, Say], list[object]]]] = {
    "tables": ("id state variant made last events players", _tables),
    "seats": ("table seat name kind key", _seats),
    "people": ("id name kind made seen tables", _people),
    "tokens": ("id name made used revoked scopes", _tokens),
    "bans": ("id kind subject until reason", _bans),
    "reports": ("id at kind reported by table closed text", _reports),
    "log": ("at who act subject detail", _log),
}


def _time(ms: int | None) -> str:
    return "-" if ms is None else datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
