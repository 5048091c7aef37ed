"""The record file: headers, the opening, one line per turn, comments, the result.

    [Cabochon "1"]
    [Ruleset "standard/2"]
    [Seat0 "Ada"]
    [Seat1 "Bo"]

    nobles rk4 gr4 ug4
    row1 1w1 1u2 1g3 1k4
    …
    1a. take wug {a quiet start}
    1b. reserve 2u5
      (1b. take grk
       2a. take wug)
    1b. deal 2k1
    result 1-2 target

A variation stands in parentheses after the move or deal that it replaces; after `...`, which marks
the end of a line, it goes on from there. The label of a line (round and seat) is for people: the
record does not depend on it, and only who verifies asks whether it is right (`parse_readings`).
Reading is generous: a byte order mark, any line ends, `#` notes, unknown headers (kept), a missing
result, several records in one file. What a value breaks is said with its line and, for a move, its
ply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from cabochon.notation.drafts import PARTS, PAUSE, Draft, LineDraft, Reading, escape, read_drafts
from cabochon.notation.errors import NotationError, NotationFault, cut, located, writer
from cabochon.notation.jsontext import bad
from cabochon.notation.moves import format_event, parse_card, parse_noble
from cabochon.notation.positions import (
    format_position,
    format_view,
    parse_position,
    parse_ruleset,
    parse_view,
)
from cabochon.notation.turns import turn_label
from cabochon.record import NOBODY, VERSION, Record, SeenRecord
from cabochon.rules import (
    BadSetup,
    Buy,
    CabochonError,
    Event,
    Opening,
    Pass,
    Position,
    Reserve,
    Ruleset,
    Take,
    View,
)
from cabochon.turn import SEAT_LETTERS, HiddenDeal, SeenEvent
from cabochon.variation import MAIN_LINE, LineBranch, LinePath, Variation

T = TypeVar("T")


# Writing text


@writer("records", Iterable)
def format_records(records: Iterable[Record | SeenRecord]) -> str:
    """Several records in one text, an empty line between them. Raises WrongArgument."""
    return "\n".join(format_record(record) for record in records)


@writer("record", Record, SeenRecord)
def format_record(record: Record | SeenRecord) -> str:
    """The canonical text of a record: reading it and writing it again gives the same. Raises
    WrongArgument for anything but a record."""
    result = "*" if record.result is None else f"result {record.result}"
    blocks = (_header_lines(record), _opening_lines(record), [*_turn_lines(record), result])
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _header_lines(record: Record | SeenRecord) -> list[str]:
    headers = {"Cabochon": str(record.version), "Ruleset": str(record.ruleset)}
    if isinstance(record, SeenRecord):
        headers["Viewer"] = "watch" if record.viewer is None else str(record.viewer)
    headers |= {f"Seat{seat}": name for seat, name in enumerate(record.players)}
    headers |= record.headers
    if record.commitment is not None:
        headers["Commitment"] = record.commitment
    if isinstance(record, Record) and record.seed is not None:
        headers["Seed"] = record.seed
    if isinstance(record.opening, Position):
        headers["Position"] = format_position(record.opening)
    elif isinstance(record.opening, View):
        headers["Position"] = format_view(record.opening)
    return [f'[{name} "{escape(value, chr(34))}"]' for name, value in headers.items()]


def _opening_lines(record: Record | SeenRecord) -> list[str]:
    opening = record.opening
    if not isinstance(opening, Opening):
        return []
    rows = [[card.code for card in row] for row in opening.rows]
    codes = [[noble.code for noble in opening.nobles], *rows]
    return [" ".join([part, *line]) for part, line in zip(PARTS, codes, strict=True)]


def _turn_lines(record: Record | SeenRecord) -> Iterator[str]:
    """One line per turn: a turn begins with an action, whatever follows belongs to it."""
    first = 0 if isinstance(record.opening, Opening) else record.opening.turn
    writer = _LineWriter(record.ruleset.seats, first)
    if isinstance(record, SeenRecord):
        return writer.write(1, record.events, {}, (), 0)
    return writer.write(1, record.events, record.comments, record.variations, 0)


class _LineWriter:
    """Writes the lines of a game for so many seats whose first turn has that number."""

    def __init__(self, seats: int, first: int) -> None:
        self._seats = seats
        self._first = first

    def write(
        self,
        first: int,
        events: tuple[SeenEvent, ...],
        comments: Mapping[int, str],
        variations: tuple[Variation, ...],
        begun: int,
    ) -> Iterator[str]:
        """Text lines for the events from ply `first` on, before which so many turns have begun.
        What hangs at a ply stands in lines of its own right after it."""
        hanging = _by_ply(variations)
        if first - 1 in comments:
            yield _comment(comments[first - 1])
        words: list[str] = []
        for ply, event in enumerate(events, start=first):
            before = begun
            if not begun or isinstance(event, Take | Reserve | Buy | Pass):
                yield from self._turn(begun, words)
                begun, words = begun + 1, []
            comment = f" {_comment(comments[ply])}" if ply in comments else ""
            words.append(format_event(event) + comment)
            if ply in hanging:
                yield from self._turn(begun, words)
                words = []
                yield from self._hung(hanging[ply], before)
        yield from self._turn(begun, words)
        after = hanging.get(first + len(events))
        if after:
            yield PAUSE
            yield from self._hung(after, begun)

    def _turn(self, begun: int, words: list[str]) -> Iterator[str]:
        if words:
            label = turn_label(self._first + begun - 1, self._seats)
            yield f"{label}. {'; '.join(words)}"

    def _hung(self, variations: list[Variation], begun: int) -> Iterator[str]:
        for each in variations:
            lines = self.write(each.ply, each.events, each.comments, each.variations, begun)
            first, *rest = lines
            *most, last = [f"  ({first}", *(f"   {line}" for line in rest)]
            yield from most
            yield last + ")"


def _by_ply(variations: Iterable[Variation]) -> dict[int, list[Variation]]:
    hanging: dict[int, list[Variation]] = {}
    for each in variations:
        hanging.setdefault(each.ply, []).append(each)
    return hanging


def _comment(text: str) -> str:
    return "{" + escape(text, "}") + "}"


# Reading text


def parse_readings(text: str | bytes) -> tuple[Reading, ...]:
    """All records of the text with all it says, for `verify`; raises as `parse_records` does."""
    return tuple(
        Reading(_record(draft), dict(draft.main.labels), draft.ended, _branch_labels(draft))
        for draft in read_drafts(text)
    )


def _branch_labels(draft: Draft) -> dict[LinePath, dict[int, str]]:
    """The labels in variations, by the path of each that has some."""
    found: dict[LinePath, dict[int, str]] = {}
    waiting: list[tuple[LinePath, LineDraft]] = [(MAIN_LINE, draft.main)]
    while waiting:
        path, line = waiting.pop()
        if path and line.labels:
            found[path] = dict(line.labels)
        numbers: dict[int, int] = {}
        for each in line.variations:
            numbers[each.ply] = numbers.get(each.ply, 0) + 1
            waiting.append(((*path, LineBranch(each.ply, numbers[each.ply])), each))
    return found


def parse_record(text: str | bytes) -> Record:
    """The only record in the text; raises as `parse_records` does."""
    return _record(_only_draft(text))


def parse_records(text: str | bytes) -> tuple[Record, ...]:
    """All records in the text; whether they replay isn't checked. Raises NotationError, BadSetup
    for a Position header that cannot be, RecordError for parts that do not fit together."""
    return tuple(_record(draft) for draft in read_drafts(text))


def parse_seen_record(text: str | bytes) -> SeenRecord:
    """The one record of the text, as a viewer knows it; raises as `parse_records` does."""
    return _seen_record(_only_draft(text))


def _only_draft(text: str | bytes) -> Draft:
    drafts = read_drafts(text)
    if len(drafts) != 1:
        raise NotationError(NotationFault.RECORD_COUNT, count=len(drafts))
    return drafts[0]


def _record(draft: Draft) -> Record:
    headers = _Headers(draft)
    if headers.take("Viewer") is not None:
        raise NotationError(NotationFault.SEEN_RECORD, line=draft.line)
    position = headers.read("Position", parse_position)
    ruleset = headers.ruleset(position)
    return Record(
        ruleset=ruleset,
        opening=_opening(draft, position),
        events=_known_events(draft.main),
        comments=draft.main.comments,
        variations=tuple(map(_variation, draft.main.variations)),
        seed=headers.take("Seed"),
        commitment=headers.take("Commitment"),
        result=draft.result,
        players=headers.players(ruleset),
        headers=headers.rest(),
    )


def _seen_record(draft: Draft) -> SeenRecord:
    headers = _Headers(draft)
    viewer = headers.read("Viewer", _parse_viewer)
    if viewer is None:
        raise NotationError(NotationFault.HEADER_MISSING, header="Viewer", line=draft.line)
    view = headers.read("Position", parse_view)
    ruleset = headers.ruleset(view)
    if headers.take("Seed") is not None:
        raise NotationError(NotationFault.KNOWS_TOO_MUCH, text="Seed", line=draft.line)
    return SeenRecord(
        viewer=viewer[0],
        ruleset=ruleset,
        opening=_opening(draft, view),
        events=tuple(event for event, _ in draft.main.events),
        commitment=headers.take("Commitment"),
        result=draft.result,
        players=headers.players(ruleset),
        headers=headers.rest(),
    )


def _variation(line: LineDraft) -> Variation:
    return Variation(
        ply=line.ply,
        events=_known_events(line),
        comments=line.comments,
        variations=tuple(map(_variation, line.variations)),
    )


def _known_events(line: LineDraft) -> tuple[Event, ...]:
    return tuple(_known(*entry, ply) for ply, entry in enumerate(line.events, start=line.ply))


def _known(event: SeenEvent, line: int, ply: int) -> Event:
    if isinstance(event, HiddenDeal):
        raise NotationError(NotationFault.HIDDEN_DEAL, line=line, ply=ply)
    return event


def _opening(draft: Draft, table: T | None) -> T | Opening:
    """The position of the headers, or else what the opening lines say."""
    if table is not None:
        for part, (_, line) in draft.parts.items():
            raise NotationError(NotationFault.OPENING_TWICE, part=part, line=line)
        return table
    for part in PARTS:
        if part not in draft.parts:
            raise NotationError(NotationFault.OPENING_MISSING, part=part, line=draft.line)
    nobles, *rows = (draft.parts[part] for part in PARTS)
    return Opening(_things(nobles, parse_noble), tuple(_things(row, parse_card) for row in rows))


def _things(part: tuple[list[str], int], parse: Callable[[str], T]) -> tuple[T, ...]:
    codes, line = part
    try:
        return tuple(parse(code) for code in codes)
    except NotationError as error:
        raise located(error, line=line) from error


def _parse_viewer(text: str) -> tuple[int | None]:
    if text.lower() == "watch":
        return (None,)
    if text not in ("0", "1", "2", "3"):
        raise bad("Viewer", "0 | watch", text)
    return (int(text),)


def _parse_version(text: str) -> int:
    if text.strip() != str(VERSION):
        raise NotationError(NotationFault.NEWER_VERSION, text=cut(text), expected=VERSION)
    return VERSION


class _Headers:
    """The headers of a draft, taken out one by one; the rest are the free ones."""

    def __init__(self, draft: Draft) -> None:
        self._line = draft.line
        self._left = dict(draft.headers)
        self.read("Cabochon", _parse_version)

    def take(self, name: str) -> str | None:
        return self.read(name, str)

    def read(self, name: str, parse: Callable[[str], T]) -> T | None:
        """What the header says, or None when it is not there."""
        if name.lower() not in self._left:
            return None
        _, value, line = self._left.pop(name.lower())
        try:
            return parse(value)
        except BadSetup:
            raise
        except CabochonError as error:
            raise located(error, line=line) from error

    def rest(self) -> dict[str, str]:
        return {name: value for name, value, _ in self._left.values()}

    def players(self, ruleset: Ruleset) -> tuple[str, ...]:
        """Names by seat; more names than seats are left for the record to refuse."""
        names = [self.take(f"Seat{seat}") for seat in range(len(SEAT_LETTERS))]
        while len(names) > ruleset.seats and names[-1] is None:
            names.pop()
        return tuple(NOBODY if name is None else name for name in names)

    def ruleset(self, table: Position | View | None) -> Ruleset:
        ruleset = self.read("Ruleset", parse_ruleset)
        if ruleset is not None:
            return ruleset
        if table is None:
            raise NotationError(NotationFault.HEADER_MISSING, header="Ruleset", line=self._line)
        return table.ruleset
