"""Columns of a terminal: a Chinese character takes two, a combining mark none."""

from __future__ import annotations

import re
import unicodedata

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def plain(text: str) -> str:
    """The text without colours."""
    return _ESCAPE.sub("", text)


def width(text: str) -> int:
    """How many columns the text takes; colours take none."""
    if text.isascii() and "\x1b" not in text:
        return len(text)
    return sum(map(_columns, plain(text)))


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def left(text: str, columns: int) -> str:
    """Padded on the right."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """Padded on the left."""
    return " " * (columns - width(text)) + text


def clipped(text: str, columns: int) -> str:
    """The plain text, cut to the columns, with a dot at the end if something is missing."""
    if width(text) <= columns:
        return text
    kept, used = "", 0
    for char in text:
        used += _columns(char)
        if used > columns - 1:
            break
        kept += char
    return kept + "."


def flowed(items: list[str], columns: int, gap: str = "  ") -> list[str]:
    """The items side by side, on as many lines as they need."""
    lines: list[str] = []
    for item in items:
        if lines and width(lines[-1]) + width(gap) + width(item) <= columns:
            lines[-1] += gap + item
        else:
            lines.append(item)
    return lines


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """The text in lines of at most that many columns: broken at spaces, and between Chinese
    characters. Lines after the first begin with the indent."""
    lines, line = [], ""
    for piece in _pieces(text):
        fits = width(line) + width(piece.rstrip()) <= columns
        if not fits and line.strip():
            lines.append(line.rstrip())
            line = indent + piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()]


_CLOSING = "，。；：、！？）”’》」"
_OPENING = "（“‘《「"


def _pieces(text: str) -> list[str]:
    """Runs that must stay on one line: a word with its space, a Chinese character with the marks
    that open and close it."""
    pieces: list[str] = []
    for char in text:
        joins = (
            bool(pieces)
            and not pieces[-1].endswith(" ")
            and (
                char == " "
                or char in _CLOSING
                or pieces[-1][-1] in _OPENING
                or _columns(char) + _columns(pieces[-1][-1]) == 2
            )
        )
        if joins:
            pieces[-1] += char
        else:
            pieces.append(char)
    return pieces
