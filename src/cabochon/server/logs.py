"""What the server writes down: for people by default, one JSON object a line on request.

A request is logged by its route, never by its address, body or headers: no secret, code, name or
card can get in.
"""

from __future__ import annotations

import json
import logging
import time

FIELDS = ("method", "route", "status", "ms")


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
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("cabochon").setLevel(level.upper())
