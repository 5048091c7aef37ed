"""`cabochon rules`: the rules of the game, for people."""

from __future__ import annotations

from argparse import Namespace

from cabochon.cli.parser import Parser
from cabochon.cli.terminal import Terminal
from cabochon.words import Words, rules_text


def describe(parser: Parser, words: Words) -> None:
    """No arguments of its own."""


def run(args: Namespace, terminal: Terminal) -> int:
    show_rules(terminal)
    return 0


def show_rules(terminal: Terminal) -> None:
    """The text in the user's language, in lines of the terminal's width; `#` marks headings."""
    for paragraph in rules_text(terminal.words.lang).splitlines():
        if paragraph.startswith("#"):
            terminal.say(terminal.paint.strong(paragraph))
        else:
            terminal.tell(paragraph, "  " if paragraph.startswith("- ") else "")
