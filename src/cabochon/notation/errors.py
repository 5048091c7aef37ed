"""Text that does not say what it should.

`NotationError` has a stable code, parameters and a sentence that holds what came and what was
expected. What came is cut to sixty printable characters, so a message never carries
a megabyte or a control character to a terminal or a log.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from cabochon.rules.errors import CabochonError, Param, sentence, shown, wrong
from cabochon.words import ENGLISH

SHOWN = 60


class NotationFault(StrEnum):
    """Why a text cannot be read."""

    TOO_LONG = "too-long"
    NOT_A_MOVE = "not-a-move"
    NOT_AN_EVENT = "not-an-event"
    HIDDEN_DEAL = "hidden-deal"
    UNKNOWN_CARD = "unknown-card"
    UNKNOWN_DECK = "unknown-deck"
    UNKNOWN_NOBLE = "unknown-noble"
    UNKNOWN_GEM = "unknown-gem"
    GEMS_MISSING = "gems-missing"
    CARD_MISSING = "card-missing"
    NOBLE_MISSING = "noble-missing"
    EXTRA_TEXT = "extra-text"
    NOT_A_POSITION = "not-a-position"
    VIEW_GIVEN = "view-given"
    NOT_A_VIEW = "not-a-view"
    BAD_FIELD = "bad-field"
    KNOWS_TOO_MUCH = "knows-too-much"
    NOT_JSON = "not-json"
    NOT_A_TURN = "not-a-turn"
    NOT_UTF8 = "not-utf8"
    BAD_HEADER = "bad-header"
    HEADER_TWICE = "header-twice"
    HEADER_MISSING = "header-missing"
    OPENING_TWICE = "opening-twice"
    OPENING_MISSING = "opening-missing"
    OPEN_COMMENT = "open-comment"
    AFTER_RESULT = "after-result"
    BAD_RESULT = "bad-result"
    NEWER_VERSION = "newer-version"
    RECORD_COUNT = "record-count"
    SEEN_RECORD = "seen-record"
    TEXT_EXPECTED = "text-expected"
    KEY_TWICE = "key-twice"
    OPEN_VARIATION = "open-variation"
    VARIATION_NOWHERE = "variation-nowhere"
    VARIATION_NOT_OPEN = "variation-not-open"
    AFTER_PAUSE = "after-pause"
    NOT_A_PATH = "not-a-path"


_PLACED = ("line", "ply", "variation")
_PLACES = {
    frozenset({"line", "ply"}): "where.at-line-ply",
    frozenset({"line"}): "where.at-line",
    frozenset({"ply"}): "where.reading-ply",
    frozenset({"ply", "variation"}): "where.reading-ply-of",
}


class NotationError(CabochonError):
    """Text that cannot be read; `code` is a `NotationFault`, or the code of the rule that a value
    in it breaks. Inside a record, `params` also hold the `line` of the file and the `ply`, in JSON
    also the path of the `variation`."""

    def text(self, lang: str = ENGLISH) -> str:
        message = super().text(lang)
        where = {key: self.params[key] for key in _PLACED if key in self.params}
        if not where:
            return message
        return sentence(_PLACES[frozenset(where)], lang, {**where, "message": message})


def located(error: CabochonError, **place: Param) -> NotationError:
    """What another error says, as a fault of the text at that `line`, `ply` or both."""
    return NotationError(error.code, **{**error.params, **place})


def only_text(value: object) -> str:
    """The text, if it is one. Raises NotationError."""
    if not isinstance(value, str):
        raise NotationError(NotationFault.TEXT_EXPECTED, what=shown(value))
    return value


def cut(text: str) -> str:
    """At most sixty printable characters of what came."""
    shown = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
    return "".join(char if char.isprintable() else "�" for char in shown)


# What every writer has in common: it writes values of its own kind, and refuses anything else.


P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

_BROKEN = (AttributeError, TypeError, ValueError, LookupError, RecursionError, ArithmeticError)


def writer(
    what: str, *kinds: type
) -> Callable[[Callable[Concatenate[T, P], R]], Callable[Concatenate[T, P], R]]:
    """A writer of these kinds of values. A value of another kind, or one whose parts are of other
    types than they should be, raises WrongArgument; `what` is a word of the catalogue."""

    def checked(write: Callable[Concatenate[T, P], R]) -> Callable[Concatenate[T, P], R]:
        @wraps(write)
        def written(value: T, /, *args: P.args, **kwargs: P.kwargs) -> R:
            if not isinstance(value, kinds):
                raise wrong("value", what, value)
            try:
                return write(value, *args, **kwargs)
            except CabochonError:
                raise
            except _BROKEN as error:
                raise wrong("value", what, value) from error

        return written

    return checked
