"""Colours, encodings, and the lines of a terminal."""

from __future__ import annotations

import io

import pytest

from cabochon.cli.terminal import Terminal


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "out", "choice", "colours"),
    [
        ({"TERM": "xterm"}, Tty(), "auto", True),
        ({"TERM": "xterm"}, io.StringIO(), "auto", False),
        ({"TERM": "dumb"}, Tty(), "auto", False),
        ({}, Tty(), "auto", False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, Tty(), "auto", False),
        ({"TERM": "xterm", "NO_COLOR": ""}, Tty(), "auto", True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, Tty(), "always", True),
        ({}, io.StringIO(), "always", True),
        ({"TERM": "xterm"}, Tty(), "never", False),
    ],
)
def test_colours_only_where_they_are_wanted_and_can_be_shown(
    environment: dict[str, str], out: io.StringIO, choice: str, colours: bool
) -> None:
    terminal = Terminal(environment, io.StringIO(), out, io.StringIO())
    terminal.use_colours(choice)
    assert terminal.paint.on is colours


def test_an_encoding_without_lines_gets_dashes() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    terminal = Terminal({}, io.StringIO(), out, io.StringIO())
    terminal.say("── “a” 宝")
    terminal.flush()
    assert raw.getvalue() == b'-- "a" ?\n'


def test_names_and_comments_from_elsewhere_do_nothing_to_the_terminal() -> None:
    """A record may be anybody's: it clears no screen, sets no title and turns no line round."""
    out = io.StringIO()
    terminal = Terminal({}, io.StringIO(), out)
    terminal.say("\x1b[2JAda\x1b]0;x\x07 \x9b2J b\u202eo\r\x00")
    terminal.tell("\x1b[2J Ada")
    terminal.prompt("\x1b[6n?")
    said = out.getvalue()
    assert "\x1b" not in said
    assert all(each.isprintable() or each == "\n" for each in said), ascii(said)
    terminal.say("\x1b[1;31mred\x1b[0m\tand plain")
    assert out.getvalue().endswith("\x1b[1;31mred\x1b[0m\tand plain\n")


def test_the_screen_is_cleared_between_two_at_one_device() -> None:
    out = Tty()
    Terminal({}, Tty(), out).hide()
    assert out.getvalue() == "\x1b[2J\x1b[3J\x1b[H\n"


def test_the_end_of_the_input_is_the_end() -> None:
    terminal = Terminal({}, io.StringIO("one\r\nlast"), io.StringIO(), io.StringIO())
    assert terminal.ask("? ") == "one"
    assert terminal.next_line() == "last"
    for read in (terminal.next_line, lambda: terminal.ask("? ")):
        with pytest.raises(EOFError):
            read()
