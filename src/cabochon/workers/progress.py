"""How far some work is, in one line: redrawn with a bar on a terminal, elsewhere a plain line now
and then, or none at all."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic
from typing import TextIO

BAR = 24
REDRAW_SECONDS = 0.1
PLAIN_SECONDS = 30.0


class ProgressLine:
    """Writes to a stream, usually stderr; never to where the result goes."""

    def __init__(
        self,
        stream: TextIO,
        plain_seconds: float = inf,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`plain_seconds` is how often a line is written where there is no terminal; the default
        is never."""
        self._stream, self._clock = stream, clock
        self._is_live = stream.isatty()
        self._wait = REDRAW_SECONDS if self._is_live else plain_seconds
        self._drawn = clock()

    def show(self, done: int, total: int, text: Callable[[], str]) -> None:
        """Draw, unless that was done just now; the last step is always drawn (but not where
        nothing is)."""
        now = self._clock()
        if self._wait < inf and (now - self._drawn >= self._wait or done >= total):
            self._drawn = now
            if self._is_live:
                filled = BAR * min(done, total) // total
                bar = f"[{'#' * filled}{'.' * (BAR - filled)}]"
                self._write(f"\r{bar} {text()}\x1b[K")
            else:
                self._write(text() + "\n")

    def say(self, text: str) -> None:
        """A line of its own, which stays."""
        self.clear()
        self._write(text + "\n")

    def clear(self) -> None:
        """Leave nothing behind."""
        if self._is_live:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
