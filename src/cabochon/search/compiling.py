"""The decorator of the network's arithmetic: ``compiled`` plus leave to reorder sums and fuse.

The order of a sum then depends on the machine's vector width, so the last digits of an
evaluation do too; on one machine it is always the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from cabochon.kernel.cache import kept

Function = TypeVar("Function", bound=Callable[..., Any])
_LEAVE = {"contract", "reassoc", "nsz", "arcp"}


def compiled_sums(function: Function) -> Function:
    """Like ``kernel.cache.compiled``, with vectorised sums; use it as ``@compiled_sums``."""
    return kept(function, fastmath=_LEAVE)
