"""The same record as JSON: `record_to_json` and back, for a whole record and for a seen one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from cabochon.notation.drafts import Reading
from cabochon.notation.errors import NotationError, NotationFault, located, writer
from cabochon.notation.jsontext import (
    Json,
    as_list,
    as_number,
    as_object,
    as_text,
    bad,
    numbers,
    texts,
)
from cabochon.notation.moves import (
    format_event,
    parse_card,
    parse_event,
    parse_noble,
    parse_seen_event,
)
from cabochon.notation.positionjson import (
    position_from_json,
    position_to_json,
    view_from_json,
    view_to_json,
)
from cabochon.notation.positions import parse_ruleset
from cabochon.record import (
    VERSION,
    Finding,
    Reason,
    Record,
    RecordFault,
    Result,
    SeenRecord,
    Verification,
)
from cabochon.rules import LEVELS, CabochonError, Opening, Position, Ruleset, View
from cabochon.rules.errors import Param, shown
from cabochon.variation import MAIN_LINE, MOST_DEPTH, LineBranch, LinePath, Variation, path_text
from cabochon.words import languages

_PLY = re.compile(r"[0-9]{1,6}")

T = TypeVar("T")


@writer("record", Record)
def record_to_json(record: Record) -> Json:
    """Plain dicts and lists; `dumps` makes the canonical text of them. Raises WrongArgument for
    anything but a record."""
    start: Json = (
        {"position": position_to_json(record.opening)}
        if isinstance(record.opening, Position)
        else {"opening": _opening_to_json(record.opening)}
    )
    return {
        **_sheet_to_json(record),
        "seed": record.seed,
        **start,
        "events": [format_event(event) for event in record.events],
        "comments": _comments_to_json(record),
        **_variations_to_json(record),
    }


@writer("record", SeenRecord)
def seen_record_to_json(record: SeenRecord) -> Json:
    """As a record's, with `viewer` (a seat, or null for a watcher) and nothing hidden. Raises
    WrongArgument for anything but a seen record."""
    start: Json = (
        {"view": view_to_json(record.opening)}
        if isinstance(record.opening, View)
        else {"opening": _opening_to_json(record.opening)}
    )
    return {
        **_sheet_to_json(record),
        "viewer": record.viewer,
        **start,
        "events": [format_event(event) for event in record.events],
    }


def record_from_json(value: object) -> Record:
    """Raises NotationError, BadRuleset, BadSetup for a position that cannot be, RecordError for
    parts that do not fit together; whether it replays is not asked."""
    sheet = _sheet(value)
    if "viewer" in sheet:
        raise NotationError(NotationFault.SEEN_RECORD)
    opening = _start_from_json(sheet, "position", position_from_json)
    return Record(
        ruleset=_ruleset_from_json(sheet),
        players=texts(sheet.get("players"), "players"),
        headers=_headers_from_json(sheet),
        commitment=_optional_text(sheet, "commitment"),
        result=_result_from_json(sheet.get("result")),
        seed=_optional_text(sheet, "seed"),
        opening=opening,
        events=_events_from_json(sheet, parse_event),
        comments=_comments_from_json(sheet),
        variations=_variations_from_json(sheet, MAIN_LINE),
    )


def reading_from_json(value: object) -> Reading:
    """The record and whether it says anything of a result, for `verify`; raises as
    `record_from_json` does."""
    return Reading(record_from_json(value), is_ended="result" in _sheet(value))


def verification_to_json(check: Verification) -> Json:
    """What `verify` found: its standing (`proved`, `not-proved`, `broken`) and a list of each."""
    return {
        "standing": check.standing.value,
        "proved": [_said_to_json(finding) for finding in check.proved],
        "not_proved": [_said_to_json(finding) for finding in check.unproved],
        "broken": [error_to_json(error) for error in check.problems],
    }


def error_to_json(error: CabochonError) -> Json:
    """An error for programs: `code`, `params`, and its sentence by language (`en`, `zh`)."""
    return _said_to_json(error)


def _said_to_json(said: CabochonError | Finding) -> Json:
    return {
        "code": said.code.value,
        "params": dict(said.params),
        **{lang: said.text(lang) for lang in languages()},
    }


def seen_record_from_json(value: object) -> SeenRecord:
    """Raises as `record_from_json` does."""
    sheet = _sheet(value)
    if "seed" in sheet:
        raise NotationError(NotationFault.KNOWS_TOO_MUCH, text="seed")
    opening = _start_from_json(sheet, "view", view_from_json)
    return SeenRecord(
        viewer=_viewer_from_json(sheet),
        ruleset=_ruleset_from_json(sheet),
        players=texts(sheet.get("players"), "players"),
        headers=_headers_from_json(sheet),
        commitment=_optional_text(sheet, "commitment"),
        result=_result_from_json(sheet.get("result")),
        opening=opening,
        events=_events_from_json(sheet, parse_seen_event),
    )


def _sheet_to_json(record: Record | SeenRecord) -> Json:
    result = record.result
    return {
        "cabochon": record.version,
        "ruleset": str(record.ruleset),
        "players": list(record.players),
        "headers": dict(record.headers),
        "commitment": record.commitment,
        "result": result and {"ranking": list(result.ranking), "reason": result.reason.value},
    }


def _opening_to_json(opening: Opening) -> Json:
    return {
        "nobles": [noble.code for noble in opening.nobles],
        "rows": [[card.code for card in row] for row in opening.rows],
    }


def _comments_to_json(line: Record | Variation) -> Json:
    return {str(ply): comment for ply, comment in line.comments.items()}


def _variations_to_json(line: Record | Variation) -> Json:
    """Nothing at all for a line that has none."""
    variations = [_variation_to_json(each) for each in line.variations]
    return {"variations": variations} if variations else {}


def _variation_to_json(variation: Variation) -> Json:
    comments = {"comments": _comments_to_json(variation)} if variation.comments else {}
    return {
        "ply": variation.ply,
        "events": [format_event(event) for event in variation.events],
        **comments,
        **_variations_to_json(variation),
    }


def _sheet(value: object) -> Json:
    sheet = as_object(value, "record")
    version = sheet.get("cabochon", VERSION)
    if type(version) is not int or version != VERSION:
        raise NotationError(NotationFault.NEWER_VERSION, text=shown(version), expected=VERSION)
    return sheet


def _ruleset_from_json(sheet: Json) -> Ruleset:
    return parse_ruleset(as_text(sheet.get("ruleset"), "ruleset"))


def _headers_from_json(sheet: Json) -> dict[str, str]:
    headers = as_object(sheet.get("headers", {}), "headers")
    return {name: as_text(text, "headers") for name, text in headers.items()}


def _optional_text(sheet: Json, field: str) -> str | None:
    value = sheet.get(field)
    return None if value is None else as_text(value, field)


def _viewer_from_json(sheet: Json) -> int | None:
    if "viewer" not in sheet:
        raise bad("viewer", "0 | null", "")
    viewer = sheet["viewer"]
    return None if viewer is None else as_number(viewer, "viewer")


def _start_from_json(sheet: Json, key: str, read: Callable[[object], T]) -> T | Opening:
    """The position or view under that key, or else the opening: never one in place of the other."""
    table, opening = sheet.get(key), sheet.get("opening")
    if table is None:
        return _opening_from_json(opening)
    if opening is not None:
        raise NotationError(NotationFault.OPENING_TWICE, part=key)
    return read(table)


def _opening_from_json(value: object) -> Opening:
    opening = as_object(value, "opening")
    rows = as_list(opening.get("rows"), "rows")
    if len(rows) != len(LEVELS):
        raise bad("rows", "[[...],[...],[...]]", rows)
    return Opening(
        tuple(parse_noble(code) for code in texts(opening.get("nobles"), "nobles")),
        tuple(tuple(parse_card(code) for code in texts(row, "rows")) for row in rows),
    )


def _events_from_json(
    sheet: Json, parse: Callable[[str], T], first: int = 1, path: LinePath = MAIN_LINE
) -> tuple[T, ...]:
    lines = texts(sheet.get("events", []), "events")
    return tuple(_event(line, parse, ply, path) for ply, line in enumerate(lines, start=first))


def _event(line: str, parse: Callable[[str], T], ply: int, path: LinePath) -> T:
    try:
        return parse(line)
    except NotationError as error:
        place: dict[str, Param] = {"variation": path_text(path)} if path else {}
        raise located(error, ply=ply, **place) from error


def _variations_from_json(sheet: Json, path: LinePath) -> tuple[Variation, ...]:
    """Those of the line with that path."""
    given = as_list(sheet.get("variations", []), "variations")
    if given and len(path) == MOST_DEPTH:
        raise NotationError(RecordFault.VARIATIONS_DEEP, most=MOST_DEPTH)
    numbers: dict[int, int] = {}
    variations = []
    for each in given:
        held = as_object(each, "variations")
        ply = as_number(held.get("ply"), "ply")
        numbers[ply] = numbers.get(ply, 0) + 1
        variations.append(_variation_from_json(held, ply, (*path, LineBranch(ply, numbers[ply]))))
    return tuple(variations)


def _variation_from_json(held: Json, ply: int, path: LinePath) -> Variation:
    return Variation(
        ply=ply,
        events=_events_from_json(held, parse_event, ply, path),
        comments=_comments_from_json(held),
        variations=_variations_from_json(held, path),
    )


def _comments_from_json(sheet: Json) -> dict[int, str]:
    comments = as_object(sheet.get("comments", {}), "comments")
    for ply in comments:
        if not _PLY.fullmatch(ply):
            raise bad("comments", '{"3":"..."}', ply)
    return {int(ply): as_text(text, "comments") for ply, text in comments.items()}


def _result_from_json(value: object) -> Result | None:
    if value is None:
        return None
    result = as_object(value, "result")
    reason = as_text(result.get("reason"), "reason")
    if reason not in tuple(Reason):
        raise bad("reason", " | ".join(Reason), reason)
    return Result(numbers(result.get("ranking"), "ranking"), Reason(reason))
