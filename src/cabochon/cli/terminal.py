"""The user's side of a command: what language and colours it wants, what it reads and writes."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TextIO

from cabochon.render.text import COLUMNS, PLAIN, Paint
from cabochon.render.width import wrapped
from cabochon.words import Words, spoken

COLOUR_CHOICES = ("auto", "always", "never")
INDENT = "  "

_ASCII = str.maketrans({"─": "-", "·": "-", "…": "...", "“": '"', "”": '"', "’": "'", "–": "-"})
_COMMANDS = re.compile(
    r"\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)
"""What makes a terminal do something other than show a character or a colour: a name or a comment
in a record from elsewhere may hold it."""


class Terminal:
    """Lines in and out. Colours only where they are wanted and can be shown."""

    def __init__(
        self,
        environment: Mapping[str, str] | None = None,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
    ) -> None:
        self.environment = os.environ if environment is None else environment
        self._in = stdin or sys.stdin
        self._out = stdout or sys.stdout
        self._err = stderr or sys.stderr
        self.words = Words(spoken(self.environment))
        self.paint = PLAIN
        for stream in (self._in, self._out, self._err):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")

    def speak(self, lang: str | None) -> None:
        """Go on in that language; None leaves the environment's."""
        if lang is not None:
            self.words = Words(lang)

    def use_colours(self, choice: str) -> None:
        """`auto` asks the terminal, NO_COLOR and TERM; the user's own word goes before them."""
        asked = self._out.isatty() and not self.environment.get("NO_COLOR")
        capable = self.environment.get("TERM", "dumb") != "dumb"
        self.paint = Paint(choice == "always" or (choice == "auto" and asked and capable))

    @property
    def is_interactive(self) -> bool:
        """Whether a person reads the output and types the input."""
        return self._in.isatty() and self._out.isatty()

    @property
    def input_file(self) -> int | None:
        """The descriptor of the input; None where there is no file behind it."""
        try:
            return self._in.fileno()
        except (OSError, ValueError):
            return None

    # Writing

    def say(self, text: str = "") -> None:
        """The text as it is."""
        self._out.write(self._shown(text) + "\n")

    def tell(self, text: str, indent: str = "") -> None:
        """A sentence, on as many lines as it needs."""
        for line in wrapped(text, COLUMNS, indent):
            self.say(line)

    def complain(self, text: str) -> None:
        """One line on stderr, for those who look for errors."""
        self._out.flush()
        self._err.write(self._shown(text) + "\n")
        self._err.flush()

    def flush(self) -> None:
        self._out.flush()

    def prompt(self, text: str) -> None:
        """A question whose answer comes another way; the line stays open for it."""
        self._out.write(self._shown(text))
        self._out.flush()

    def write(self, text: str) -> None:
        """Data, byte for byte as it is given."""
        self._out.write(text)

    def _shown(self, text: str) -> str:
        text = _COMMANDS.sub("\ufffd", text)
        encoding = (self._out.encoding or "utf-8").lower()
        return text if encoding.startswith("utf") else text.translate(_ASCII)

    # Reading

    def ask(self, prompt: str) -> str:
        """A line from the user without its end. Raises EOFError when there is none."""
        prompt = self._shown(prompt)
        if self.is_interactive and self._in is sys.stdin:
            _edit_lines()
            self._out.flush()
            return input(prompt)
        self._out.write(prompt)
        self._out.flush()
        line = self._in.readline()
        if not self.is_interactive:
            self._out.write("\n")
        if not line:
            raise EOFError
        return line.rstrip("\r\n")

    def next_line(self) -> str:
        """A line from a script, unprompted. Raises EOFError when there is none."""
        self._out.flush()
        line = self._in.readline()
        if not line:
            raise EOFError
        return line.strip()

    def read(self) -> str:
        """All that comes in."""
        return self._in.read()

    def read_bytes(self) -> bytes:
        """All of the input, byte for byte: it may not be text."""
        source = getattr(self._in, "buffer", None)
        found: bytes = self._in.read().encode() if source is None else source.read()
        return found

    def hide(self) -> None:
        """What the last player saw must not stay on the screen for the next."""
        self.write("\x1b[2J\x1b[3J\x1b[H\n" if self.is_interactive else "\n" * 4)


def _edit_lines() -> None:
    """Arrow keys and history at the prompt, where Python has them."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return


# What ends a command: one line for the user, and the exit code 2.


class Failure(Exception):
    """The message stands on one line and is in the user's language."""


# Lines as they are typed, read in a thread, so that a table can speak meanwhile.


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
