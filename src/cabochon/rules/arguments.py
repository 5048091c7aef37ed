"""Numbers that somebody was given, looked at before they are used: no bool, and nothing that only
compares like a number, passes for one."""

from __future__ import annotations

from math import isfinite

from cabochon.rules.errors import wrong


def check_whole(what: str, given: object, least: int | None = None) -> None:
    """Raises WrongArgument unless this is a whole number, of at least `least` (0 or more)."""
    if type(given) is not int or (least is not None and given < least):
        raise wrong(what, "whole" if least is None else "count", given)


def check_seconds(what: str, given: object) -> None:
    """Raises WrongArgument unless this is a time: finite, and not negative."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not isfinite(given) or given < 0:  # type: ignore[arg-type,operator]
        raise wrong(what, "seconds", given)
