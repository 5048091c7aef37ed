"""The pieces of a record file as they stand in the text, each with its line: what `records` reads
before it asks whether they make a record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from cabochon.notation.errors import NotationError, NotationFault, cut, located, only_text, writer
from cabochon.notation.moves import parse_seen_event
from cabochon.record import Reason, Record, RecordFault, Result
from cabochon.turn import SeenEvent
from cabochon.variation import MOST_DEPTH, MOST_VARIATIONS, LineBranch, LinePath, path_text

PARTS = ("nobles", "row1", "row2", "row3")
PAUSE = "..."
"""Stands after the last event of a line when variations go on from there."""

_TOKEN = r"""
    [\s;\ufeff]+ | \#[^\n]*
  | \[ \s* (?P<name> [A-Za-z][A-Za-z0-9_]{0,39} ) \s*
      " (?P<value> [^"\\\n]* (?: \\[^\n] [^"\\\n]* )* ) " \s* \]
  | \{ (?P<comment> [^}\\]* (?: \\. [^}\\]* )* ) \}
  | (?P<bracket> [()] )
  | (?P<words> (?: LABEL | [^\s;{}()\[\]\#\ufeff] ) [^;{}()\[\]\#\n]* )
"""
_ON_MAIN_LINE, _IN_VARIATION = (
    re.compile(_TOKEN.replace("LABEL", f"[0-9]{{1,6}} [A-Da-d]? [{ends}]+"), re.VERBOSE | re.DOTALL)
    for ends in (".:)", ".:")
)
"""A label may end with a bracket, `1a) take wug`, except where a bracket ends a variation."""

_LABEL = re.compile(r"([0-9]{1,6})(?:([a-d])(?![a-z]))?[.:)]*\s*", re.IGNORECASE)
_RESULT = re.compile(r"result\s+(-|[0-9](?:-[0-9])*)\s+([a-z]+)", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r"}


@dataclass(slots=True)
class LineDraft:
    """The main line or a variation: `ply` is that of its first event, and it begins at that
    `line` and `column` of the text. Labels (`3b`) are keyed by the ply before which they stand.
    `paused` is whether its end was marked by `...`, so that variations go on from there."""

    ply: int = 1
    line: int = 1
    column: int = 1
    events: list[tuple[SeenEvent, int]] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    labels: dict[int, str] = field(default_factory=dict)
    variations: list[LineDraft] = field(default_factory=list)
    paused: bool = False

    @property
    def end(self) -> int:
        """The ply after its last one."""
        return self.ply + len(self.events)


@dataclass(slots=True)
class Draft:
    """One record's pieces. Headers are keyed by their name in lower case. `open` are the lines
    that the text is inside of, the main line first; `count` is how many variations there are."""

    headers: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    parts: dict[str, tuple[list[str], int]] = field(default_factory=dict)
    main: LineDraft = field(default_factory=LineDraft)
    open: list[LineDraft] = field(default_factory=list)
    count: int = 0
    result: Result | None = None
    ended: bool = False
    line: int = 1

    @property
    def begun(self) -> bool:
        """Past its headers, so that another header belongs to the next record."""
        return bool(self.parts or self.main.events or self.main.paused or self.ended)

    @property
    def now(self) -> LineDraft:
        """The line that is being read."""
        return self.open[-1] if self.open else self.main


def read_drafts(text: str | bytes) -> list[Draft]:
    """Raises NotationError with the line, and the ply of a move."""
    text = decoded(text).replace("\r\n", "\n").replace("\r", "\n")
    drafts: list[Draft] = []
    draft, line, at = Draft(), 1, 0
    while at < len(text):
        token = (_IN_VARIATION if draft.open else _ON_MAIN_LINE).match(text, at)
        if token is None:
            raise _unreadable(text, at, line)
        if token["name"] is not None and draft.begun:
            drafts.append(_closed(draft))
            draft = Draft()
        _take(draft, token, line)
        line += token[0].count("\n")
        at = token.end()
    return [*drafts, _closed(draft)] if draft.headers or draft.begun else drafts


def _closed(draft: Draft) -> Draft:
    """The draft, if no variation of it is still open. Raises NotationError with the place where
    the innermost one begins."""
    if draft.open:
        place = {"line": draft.now.line, "column": draft.now.column}
        raise NotationError(NotationFault.OPEN_VARIATION, **place)
    return draft


def escape(text: str, closer: str) -> str:
    """The text so that it stands on one line and `closer` does not end it."""
    text = text.replace("\\", "\\\\").replace(closer, "\\" + closer)
    return text.replace("\n", "\\n").replace("\r", "\\r")


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)


def decoded(text: str | bytes) -> str:
    """The text that the bytes are. Raises NotationError unless it is UTF-8."""
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
        now, comment = draft.now, _unescape(token["comment"])
        earlier = now.comments.get(now.end - 1)
        now.comments[now.end - 1] = comment if earlier is None else f"{earlier} {comment}"
    elif token["bracket"] is not None:
        column = token.start() - token.string.rfind("\n", 0, token.start())
        (_open if token["bracket"] == "(" else _close)(draft, line, column)
    elif token["words"] is not None:
        _take_words(draft, token["words"].strip(), line)


def _take_header(draft: Draft, name: str, value: str, line: int) -> None:
    if not draft.headers:
        draft.line = line
    if name.lower() in draft.headers:
        raise NotationError(NotationFault.HEADER_TWICE, header=name, line=line)
    draft.headers[name.lower()] = name, value, line


def _open(draft: Draft, line: int, column: int) -> None:
    """A variation to the event before it, or what could follow after `...`."""
    if draft.ended:
        raise NotationError(NotationFault.AFTER_RESULT, text="(", line=line)
    now = draft.now
    if not now.events and not now.paused:
        raise NotationError(NotationFault.VARIATION_NOWHERE, line=line, column=column)
    draft.count += 1
    if len(draft.open) == MOST_DEPTH:
        raise NotationError(RecordFault.VARIATIONS_DEEP, most=MOST_DEPTH, line=line)
    if draft.count > MOST_VARIATIONS:
        raise NotationError(RecordFault.VARIATIONS_MANY, most=MOST_VARIATIONS, line=line)
    variation = LineDraft(now.end if now.paused else now.end - 1, line, column)
    now.variations.append(variation)
    draft.open.append(variation)


def _close(draft: Draft, line: int, column: int) -> None:
    if not draft.open:
        raise NotationError(NotationFault.VARIATION_NOT_OPEN, line=line, column=column)
    if not draft.now.events:
        raise NotationError(RecordFault.VARIATION_EMPTY, at=draft.now.ply, line=line)
    draft.open.pop()


def _take_words(draft: Draft, words: str, line: int) -> None:
    if draft.ended:
        raise NotationError(NotationFault.AFTER_RESULT, text=cut(words), line=line)
    part, *rest = words.lower().replace(",", " ").split() or [words]
    if part in PARTS:
        if part in _closed(draft).parts:
            raise NotationError(NotationFault.OPENING_TWICE, part=part, line=line)
        draft.parts[part] = rest, line
    elif part in ("*", "result"):
        _closed(draft).result, draft.ended = _parse_result(words, line), True
    else:
        _take_event(draft.now, words, line)


def _take_event(now: LineDraft, words: str, line: int) -> None:
    label = _LABEL.match(words)
    text = words[label.end() :] if label else words
    if label and label[2]:
        now.labels[now.end] = f"{int(label[1])}{label[2].lower()}"
    if not text:
        return
    if now.paused:
        raise NotationError(NotationFault.AFTER_PAUSE, text=cut(text), line=line)
    if text == PAUSE:
        now.paused = True
        return
    try:
        now.events.append((parse_seen_event(text), line))
    except NotationError as error:
        raise located(error, line=line, ply=now.end) from error


def _parse_result(words: str, line: int) -> Result | None:
    if words == "*":
        return None
    found = _RESULT.fullmatch(words)
    if found is None or found[2].lower() not in tuple(Reason):
        raise NotationError(NotationFault.BAD_RESULT, text=cut(words), line=line)
    ranking = () if found[1] == "-" else tuple(int(rank) for rank in found[1].split("-"))
    return Result(ranking, Reason(found[2].lower()))


# Which line of a record is meant, as text: `7.1/9.2`.


_BRANCH = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})")


@writer("path", tuple)
def format_path(path: LinePath) -> str:
    """`7.1/9.2` is the second variation at ply 9 of the first one at ply 7; the main line is the
    empty text. Raises WrongArgument for anything but a path."""
    return path_text(path)


def parse_path(text: str) -> LinePath:
    """The path; whether a record has such a line is not asked. Raises NotationError."""
    steps = [step for step in only_text(text).split("/", MOST_DEPTH) if text.strip()]
    found = [_BRANCH.fullmatch(step.strip()) for step in steps]
    if not all(found):
        raise NotationError(NotationFault.NOT_A_PATH, text=cut(text))
    return tuple(LineBranch(int(branch[1]), int(branch[2])) for branch in found if branch)


# A record as it was read: with what its text says beside it, which only `verify` asks for.


@dataclass(frozen=True, slots=True)
class Reading:
    """A record, and what its text says beside it: the label before a ply (`3b`), and whether the
    text was properly ended, by a result or `*`. `branch_labels` are those in variations."""

    record: Record
    labels: Mapping[int, str] = field(default_factory=dict, hash=False)
    is_ended: bool = True
    branch_labels: Mapping[LinePath, Mapping[int, str]] = field(default_factory=dict, hash=False)
