"""The decorator of the network's arithmetic: ``compiled`` plus leave to reorder sums and fuse.

The order of a sum then depends on the machine's vector width, so the last digits of an
evaluation do too; on one machine it is always the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

from cabochon.kernel.cache import cache_directory

_CONFIG: Any = numba.config
Function = TypeVar("Function", bound=Callable[..., Any])
_LEAVE = {"contract", "reassoc", "nsz", "arcp"}


def compiled_sums(function: Function) -> Function:
    """Like ``kernel.cache.compiled``, with vectorised sums; use it as ``@compiled_sums``."""
    place = cache_directory("upper")
    before = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = str(place or "")
    try:
        keep = place is not None
        jit: Any = numba.njit(cache=keep, nogil=True, error_model="numpy", fastmath=_LEAVE)
        return cast(Function, jit(function))
    finally:
        _CONFIG.CACHE_DIR = before
