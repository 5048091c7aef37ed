"""Lines as they are typed, read in a thread, so that a table can speak meanwhile."""

from __future__ import annotations

import codecs
import os
import threading
from collections.abc import Callable, Iterator

from cabochon.cli.terminal import Terminal


class Typist:
    """Hands over every line, and None when there will be no more."""

    def __init__(self, terminal: Terminal, tell: Callable[[str | None], None]) -> None:
        self._terminal = terminal
        self._tell = tell

    def start(self) -> None:
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        for line in self._lines():
            self._tell(line)
        self._tell(None)

    def _lines(self) -> Iterator[str]:
        source = self._terminal.input_file
        return self._typed() if source is None else _read(source)

    def _typed(self) -> Iterator[str]:
        while True:
            try:
                yield self._terminal.next_line()
            except EOFError:
                return


def _read(source: int) -> Iterator[str]:
    """Straight from the file: a thread that waits inside a buffered reader would hold its lock
    when the program ends."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    while True:
        try:
            data = os.read(source, 4096)
        except OSError:
            data = b""
        rest += decoder.decode(data, final=not data)
        *lines, rest = rest.split("\n")
        for line in lines:
            yield line.rstrip("\r")
        if not data:
            if rest:
                yield rest
            return
