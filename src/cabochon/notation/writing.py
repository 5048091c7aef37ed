"""What every writer has in common: it writes values of its own kind, and refuses anything else."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from cabochon.rules.errors import CabochonError, wrong

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
