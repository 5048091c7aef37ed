"""A name for each request, the same in its answer and in every line that is logged for it."""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar

HEADER = "X-Request-Id"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")

current: ContextVar[str | None] = ContextVar("request", default=None)
"""The request that is being served, for whoever logs."""


def request_id(said: str | None) -> str:
    """What the client or a proxy calls the request, if that is fit to be logged; else a new one."""
    if said is not None and _WELL_FORMED.fullmatch(said):
        return said
    return secrets.token_hex(8)
