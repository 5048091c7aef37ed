"""Positions that are given as an argument, in a file, or as a ply of a record."""

from __future__ import annotations

from itertools import islice

from cabochon.cli.failure import Failure
from cabochon.cli.files import read_text
from cabochon.cli.terminal import Terminal
from cabochon.notation import (
    loads,
    parse_position,
    parse_view,
    position_from_json,
    view_from_json,
)
from cabochon.record import LinePath, Record
from cabochon.rules import Position, View
from cabochon.variation import MAIN_LINE
from cabochon.words import Words


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
