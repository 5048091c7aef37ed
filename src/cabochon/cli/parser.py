"""Arguments, asked for and complained about in the user's language."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

from cabochon.cli.terminal import COLOUR_CHOICES, Failure, Terminal
from cabochon.render.text import COLUMNS
from cabochon.render.width import width, wrapped
from cabochon.rules import VARIANTS
from cabochon.words import Words, languages

_COMPLAINTS = (
    (r"argument (\S+): expected .*argument.*", "args.value-missing"),
    (r"argument (\S+?): (.*)", "args.bad-value"),
    (r"the following arguments are required: (.*)", "args.required"),
    (r"unrecognized arguments: (.*)", "args.unknown"),
    (r"ambiguous option: (\S+) .*", "args.unknown"),
)


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks the user's language and complains in one line."""

    def __init__(
        self, prog: str, terminal: Terminal, summary: str, epilog: str | None = None
    ) -> None:
        words = terminal.words
        super().__init__(
            prog=prog,
            description=summary,
            epilog=epilog,
            add_help=False,
            allow_abbrev=False,
            formatter_class=_formatter(words),
        )
        self._terminal = terminal
        self.arguments = self.add_argument_group(words("args.arguments"))
        self.options = self.add_argument_group(words("args.options"))
        self.options.add_argument("-h", "--help", action="help", help=words("args.help"))

    def add_common(self, below: bool = False) -> None:
        """The options that every command has; `below` leaves what was said before a sub-verb."""
        words = self._terminal.words
        unsaid = argparse.SUPPRESS if below else None
        self.options.add_argument(
            "--lang",
            type=one_of(languages(), words),
            metavar="|".join(languages()),
            default=unsaid,
            help=words("args.lang"),
        )
        self.options.add_argument(
            "--color",
            type=one_of(COLOUR_CHOICES, words),
            metavar="|".join(COLOUR_CHOICES),
            default=unsaid or "auto",
            help=words("args.color"),
        )

    def print_help(self, file: object = None) -> None:
        self._terminal.write(self.format_help())

    def error(self, message: str) -> NoReturn:
        raise Failure(f"{self.prog}: {_complaint(message, self._terminal.words)}")


def one_of(choices: Sequence[str], words: Words) -> Callable[[str], str]:
    """An argument that is one of a few words."""

    def check(text: str) -> str:
        if text not in choices:
            known = ", ".join(choices)
            raise argparse.ArgumentTypeError(words("args.choice", text=text, known=known))
        return text

    return check


def number(least: int, most: int, words: Words) -> Callable[[str], int]:
    """An argument that is a whole number in a range."""

    def check(text: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(
                words("args.number", text=text, least=least, most=most)
            )
        return int(text)

    return check


def add_variant(parser: Parser, words: Words) -> None:
    """An option for the presets of the rules."""
    variants = one_of(VARIANTS, words)
    meaning = words("play.variant", known=", ".join(VARIANTS))
    parser.options.add_argument(
        "--variant", type=variants, metavar="NAME", default=VARIANTS[0], help=meaning
    )


def _complaint(message: str, words: Words) -> str:
    message = " ".join(message.split())
    for pattern, key in _COMPLAINTS:
        found = re.fullmatch(pattern, message)
        if found:
            what = (*found.groups(), "")
            return words(key, name=what[0], message=what[1])
    return message


def _formatter(words: Words) -> type[argparse.HelpFormatter]:
    """The usual layout, in columns: argparse itself counts characters."""
    label = words("args.usage")
    columns = COLUMNS - (width(label) - len(label))

    class Formatter(argparse.RawDescriptionHelpFormatter):
        def __init__(self, prog: str) -> None:
            super().__init__(prog, max_help_position=26, width=columns)

        def add_usage(
            self,
            usage: str | None,
            actions: Iterable[argparse.Action],
            groups: Iterable[argparse._MutuallyExclusiveGroup],
            prefix: str | None = None,
        ) -> None:
            super().add_usage(usage, actions, groups, prefix or label)

        def format_help(self) -> str:
            colon = label.rstrip()[-1]  # argparse has one of its own, for every language
            return re.sub(r"(?m)^(\S.*):$", rf"\1{colon}", super().format_help())

        def _split_lines(self, text: str, columns: int) -> list[str]:
            return wrapped(" ".join(text.split()), columns)

    return Formatter
