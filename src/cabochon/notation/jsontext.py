"""JSON with one spelling a value, and readers that say which field is wrong.

`dumps` is compact and keeps the order in which the writers of this package put their keys, so two
equal positions give the same bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TypeAlias

from cabochon.notation.errors import NotationError, NotationFault, cut
from cabochon.rules.errors import shown, wrong

Json: TypeAlias = dict[str, object]
MOST_NUMBER = 999_999


def dumps(value: object) -> str:
    """Canonical JSON text: compact, Unicode as it is, keys in the writer's order. Raises
    WrongArgument for what JSON cannot hold."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise wrong("value", "json", value) from None


def loads(text: str | bytes) -> object:
    """Any JSON value. Raises NotationError, also for nesting or numbers beyond all reason, and for
    an object with a key twice, which two readers could take for two different things."""
    if not isinstance(text, str | bytes | bytearray):
        raise NotationError(NotationFault.TEXT_EXPECTED, what=shown(text))
    try:
        return json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        start = text if isinstance(text, str) else text[:200].decode("utf-8", "replace")
        raise NotationError(NotationFault.NOT_JSON, text=cut(start)) from None


def _object(pairs: list[tuple[str, object]]) -> Json:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise NotationError(NotationFault.KEY_TWICE, key=cut(twice))
    return found


def bad(field: str, expected: str, value: object) -> NotationError:
    """The error for a field that holds something else."""
    text = value if isinstance(value, str) else shown(value)
    return NotationError(
        NotationFault.BAD_FIELD, field=cut(field), expected=expected, text=cut(text)
    )


def as_object(value: object, field: str) -> Json:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise bad(field, "{...}", value)
    return value


def as_list(value: object, field: str) -> list[object]:
    if not isinstance(value, list):
        raise bad(field, "[...]", value)
    return value


def as_text(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise bad(field, '"..."', value)
    return value


def as_flag(value: object, field: str) -> bool:
    if not isinstance(value, bool):
        raise bad(field, "true | false", value)
    return value


def as_number(value: object, field: str) -> int:
    """A whole number of at most six digits; more are in no game."""
    if type(value) is not int or abs(value) > MOST_NUMBER:
        raise bad(field, "12", value)
    return value


def texts(value: object, field: str) -> tuple[str, ...]:
    return tuple(as_text(item, field) for item in as_list(value, field))


def numbers(value: object, field: str) -> tuple[int, ...]:
    return tuple(as_number(item, field) for item in as_list(value, field))
