"""Arrays without their counts.

Numba counts who holds an array, with an atomic instruction for every view and every array taken out
of a tuple: a fifth of a search's time. A function holds its arguments until it returns, so a loop
may work on borrowed arrays, which nobody counts. They must not be returned.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


@intrinsic
def _borrowed(typingctx: Any, arrays: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _without_owner(context, builder, arrays, args[0])

    return arrays(arrays), generate


borrowed: Any = _borrowed
"""Of an array, or a named tuple of arrays and tuples: the same, which nobody counts. For compiled
code."""


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The same array, or tuple of arrays and tuples, with nobody to tell."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = ir.Constant(array.meminfo.type, None)
        array.parent = ir.Constant(array.parent.type, None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        parts: Any = kind
        for place, part in enumerate(parts):
            bare = _without_owner(context, builder, part, builder.extract_value(value, place))
            value = builder.insert_value(value, bare, place)
    return value
