"""What the parts of a record must be, and the error for one that is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cabochon.recordfaults import RecordError, RecordFault
from cabochon.rules import Buy, ChooseNoble, Deal, Pass, Reserve, Return, Take
from cabochon.rules.errors import Param, shown

EVENT_TYPES = (Take, Reserve, Buy, Return, ChooseNoble, Pass, Deal)


def damage(fault: RecordFault, ply: int = 0, **params: Param) -> RecordError:
    """The error for a record with that fault at that ply; 0 is before the first."""
    return RecordError(fault, ply=ply, **params)


def check_parts(*parts: tuple[str, str, object, bool]) -> None:
    """Raise RecordError for the first part (name, what it should be, what it is) that is not."""
    for part, wanted, given, fits in parts:
        if not fits:
            raise damage(RecordFault.RECORD_PART, part=part, wanted=wanted, given=shown(given))


def check_texts(where: str, texts: Iterable[str]) -> None:
    """Raise RecordError for a text that no file can hold."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise damage(RecordFault.NOT_TEXT, where=where) from None


def is_tuple_of(things: object, *kinds: type) -> bool:
    return isinstance(things, tuple) and all(isinstance(thing, kinds) for thing in things)


def is_text_by(texts: object, key: type) -> bool:
    return isinstance(texts, Mapping) and all(
        type(name) is key and isinstance(text, str) for name, text in texts.items()
    )


def is_text_or_none(text: object) -> bool:
    return text is None or isinstance(text, str)
