"""The pieces of a record file as they stand in the text, each with its line: what `records` reads
before it asks whether they make a record."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cabochon.notation.errors import NotationError, NotationFault, cut, located, only_text
from cabochon.notation.moves import parse_seen_event
from cabochon.record import Reason, Result
from cabochon.turn import SeenEvent

PARTS = ("nobles", "row1", "row2", "row3")

_TOKEN = re.compile(
    r"""
    [\s;\ufeff]+ | \#[^\n]*
  | \[ \s* (?P<name> [A-Za-z][A-Za-z0-9_]{0,39} ) \s*
      " (?P<value> [^"\\\n]* (?: \\[^\n] [^"\\\n]* )* ) " \s* \]
  | \{ (?P<comment> [^}\\]* (?: \\. [^}\\]* )* ) \}
  | (?P<words> [^\s;{}\[\]\#\ufeff] [^;{}\[\]\#\n]* )
    """,
    re.VERBOSE | re.DOTALL,
)
_LABEL = re.compile(r"([0-9]{1,6})(?:([a-d])(?![a-z]))?[.:)]*\s*", re.IGNORECASE)
_RESULT = re.compile(r"result\s+(-|[0-9](?:-[0-9])*)\s+([a-z]+)", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r"}


@dataclass(slots=True)
class Draft:
    """One record's pieces. Headers are keyed by their name in lower case, labels (`3b`) by the
    ply before which they stand."""

    headers: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    parts: dict[str, tuple[list[str], int]] = field(default_factory=dict)
    events: list[tuple[SeenEvent, int]] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    labels: dict[int, str] = field(default_factory=dict)
    result: Result | None = None
    ended: bool = False
    line: int = 1

    @property
    def begun(self) -> bool:
        """Past its headers, so that another header belongs to the next record."""
        return bool(self.parts or self.events or self.ended)


def read_drafts(text: str | bytes) -> list[Draft]:
    """Raises NotationError with the line, and the ply of a move."""
    text = decoded(text).replace("\r\n", "\n").replace("\r", "\n")
    drafts: list[Draft] = []
    draft, line, at = Draft(), 1, 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _unreadable(text, at, line)
        if token["name"] is not None and draft.begun:
            drafts.append(draft)
            draft = Draft()
        _take(draft, token, line)
        line += token[0].count("\n")
        at = token.end()
    return [*drafts, draft] if draft.headers or draft.begun else drafts


def escape(text: str, closer: str) -> str:
    """The text so that it stands on one line and `closer` does not end it."""
    text = text.replace("\\", "\\\\").replace(closer, "\\" + closer)
    return text.replace("\n", "\\n").replace("\r", "\\r")


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)


def decoded(text: str | bytes) -> str:
    """The text that the bytes are. Raises NotationError for what is no UTF-8."""
    if not isinstance(text, bytes | bytearray):
        return only_text(text)
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotationError(NotationFault.NOT_UTF8, offset=error.start) from None


def _unreadable(text: str, at: int, line: int) -> NotationError:
    faults = {"[": NotationFault.BAD_HEADER, "{": NotationFault.OPEN_COMMENT}
    fault = faults.get(text[at], NotationFault.NOT_AN_EVENT)
    return NotationError(fault, text=cut(text[at : at + 200].partition("\n")[0]), line=line)


def _take(draft: Draft, token: re.Match[str], line: int) -> None:
    if token["name"] is not None:
        _take_header(draft, token["name"], _unescape(token["value"]), line)
    elif token["comment"] is not None:
        ply, comment = len(draft.events), _unescape(token["comment"])
        earlier = draft.comments.get(ply)
        draft.comments[ply] = comment if earlier is None else f"{earlier} {comment}"
    elif token["words"] is not None:
        _take_words(draft, token["words"].strip(), line)


def _take_header(draft: Draft, name: str, value: str, line: int) -> None:
    if not draft.headers:
        draft.line = line
    if name.lower() in draft.headers:
        raise NotationError(NotationFault.HEADER_TWICE, header=name, line=line)
    draft.headers[name.lower()] = name, value, line


def _take_words(draft: Draft, words: str, line: int) -> None:
    if draft.ended:
        raise NotationError(NotationFault.AFTER_RESULT, text=cut(words), line=line)
    part, *rest = words.lower().replace(",", " ").split() or [words]
    if part in PARTS:
        if part in draft.parts:
            raise NotationError(NotationFault.OPENING_TWICE, part=part, line=line)
        draft.parts[part] = rest, line
    elif part in ("*", "result"):
        draft.result, draft.ended = _parse_result(words, line), True
    else:
        _take_event(draft, words, line)


def _take_event(draft: Draft, words: str, line: int) -> None:
    label = _LABEL.match(words)
    text = words[label.end() :] if label else words
    if label and label[2]:
        draft.labels[len(draft.events) + 1] = f"{int(label[1])}{label[2].lower()}"
    if not text:
        return
    try:
        draft.events.append((parse_seen_event(text), line))
    except NotationError as error:
        raise located(error, line=line, ply=len(draft.events) + 1) from error


def _parse_result(words: str, line: int) -> Result | None:
    if words == "*":
        return None
    found = _RESULT.fullmatch(words)
    if found is None or found[2].lower() not in tuple(Reason):
        raise NotationError(NotationFault.BAD_RESULT, text=cut(words), line=line)
    ranking = () if found[1] == "-" else tuple(int(rank) for rank in found[1].split("-"))
    return Result(ranking, Reason(found[2].lower()))
