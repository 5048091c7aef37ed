"""Numbers that somebody was given, looked at before they are used: no bool, and nothing that only
compares like a number, passes for one."""

from __future__ import annotations

from cabochon.rules.errors import wrong

LONGEST_SECONDS = 10**9


def check_whole(what: str, given: object, least: int | None = None) -> None:
    """Raises WrongArgument unless this is a whole number, of at least `least` (0 or more)."""
    if type(given) is not int or (least is not None and given < least):
        raise wrong(what, "whole" if least is None else "count", given)


def check_seconds(what: str, given: object) -> None:
    """Raises WrongArgument unless this is a time: not negative, and not for ever."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not 0 <= given <= LONGEST_SECONDS:  # type: ignore[operator]
        raise wrong(what, "seconds", given)
