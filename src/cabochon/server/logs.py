"""What the server writes down: for people by default, one JSON object a line on request.

A request is logged by its route, never by its address, body or headers: no secret, code, name or
card can get in.

A name for each request, the same in its answer and in every line that is logged for it.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from contextvars import ContextVar

from cabochon.server.limits import Buckets

HEADER = "X-Request-Id"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")

current: ContextVar[str | None] = ContextVar("request", default=None)
"""The request that is being served, for log lines."""


def request_id(said: str | None) -> str:
    """What the client or a proxy calls the request, if that is fit to be logged; else a new one."""
    if said is not None and _WELL_FORMED.fullmatch(said):
        return said
    return secrets.token_hex(8)


FIELDS = ("request", "method", "route", "status", "ms")
ALIKE_PER_S = 0.1
ALIKE_AT_ONCE = 10
"""Warnings of one kind: more of them are counted, not written."""


class _WithRequest(logging.Filter):
    """Says for which request a line is, if for any."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = current.get()
        if request is not None:
            record.request = request
        return True


class _Sparing(logging.Filter):
    """Lets nobody fill the log by doing something wrong again and again."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds = Buckets(ALIKE_PER_S, ALIKE_AT_ONCE)
        self._left_out: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        kind = f"{record.name} {record.msg}"[:200]
        if self._kinds.take(kind):
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        more = self._left_out.pop(kind, 0)
        if more:
            record.msg = f"{record.getMessage()} (and {more} times more since it was last said)"
            record.args = None
        return True


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class _Plain(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        more = [f"{name}={getattr(record, name)}" for name in FIELDS if hasattr(record, name)]
        return " ".join((text, *more))


def set_up_logs(level: str, as_json: bool) -> None:
    """Everything goes to standard error; the libraries only say what is wrong."""
    handler = logging.StreamHandler()
    plain = _Plain("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(_JsonLines() if as_json else plain)
    for sieve in (_Sparing(), _WithRequest()):
        handler.addFilter(sieve)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("cabochon").setLevel(level.upper())
