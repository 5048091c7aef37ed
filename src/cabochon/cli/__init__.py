"""The command line: `cabochon VERB`. Each verb is a module of this package with two functions,

    describe(parser, words)      adds the verb's arguments
    run(args, terminal) -> int   does the work and gives the exit code

and is imported only when it is asked for. A small verb shares the module of a larger one
(`GUESTS`), with its name behind those of its functions: `run_watch`. Its line in the help is
`verb.NAME` in the words.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module

from cabochon.cli.parser import Parser
from cabochon.cli.terminal import Failure, Terminal
from cabochon.rules.errors import CabochonError
from cabochon.version import __version__
from cabochon.words import Words, languages

VERBS = (
    "play",
    "join",
    "watch",
    "show",
    "replay",
    "analyse",
    "puzzle",
    "convert",
    "verify",
    "bots",
    "arena",
    "benchmark",
    "check-engine",
    "train",
    "perft",
    "serve",
    "worker",
    "reviewer",
    "puzzles",
    "lessons",
    "admin",
    "selfplay",
    "mcp",
    "rules",
)

GUESTS = {
    "watch": "join",
    "convert": "verify",
    "benchmark": "arena",
    "check-engine": "bots",
    "perft": "rules",
    "worker": "serve",
    "reviewer": "serve",
    "mcp": "serve",
    "show": "replay",
    "lessons": "puzzles",
}
"""Small verbs, and the verb in whose module each of them is."""

FAILED = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


def main(argv: Sequence[str] | None = None, terminal: Terminal | None = None) -> int:
    """Run a command and give its exit code: 0 done, 1 a check failed, 2 it could not be done."""
    terminal = terminal or Terminal()
    try:
        code = _outcome(list(sys.argv[1:] if argv is None else argv), terminal)
        terminal.flush()
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    return code


def _outcome(argv: list[str], terminal: Terminal) -> int:
    """The exit code, after a line about whatever went wrong."""
    try:
        return _command(argv, terminal)
    except KeyboardInterrupt:
        terminal.complain("")
        return INTERRUPTED
    except Failure as failure:
        terminal.complain(str(failure))
        return FAILED
    except CabochonError as error:
        terminal.complain(f"cabochon: {error.text(terminal.words.lang)}")
        return FAILED
    except SystemExit as done:
        return int(done.code or 0)


def _command(argv: list[str], terminal: Terminal) -> int:
    terminal.speak(_language(argv))
    general, verb, rest = _split(argv)
    words = terminal.words
    if verb is None:
        return _without_verb(general, terminal)
    if verb not in VERBS:
        raise Failure(words("args.verb", verb=verb, known=", ".join(VERBS)))
    describe, run = _functions(verb)
    parser = Parser(f"cabochon {verb}", terminal, words(f"verb.{verb}"))
    describe(parser, words)
    parser.add_common()
    args = parser.parse_args([*general, *rest])
    terminal.use_colours(args.color)
    return run(args, terminal)


def _functions(
    verb: str,
) -> tuple[Callable[[Parser, Words], None], Callable[[Namespace, Terminal], int]]:
    """What adds the verb's arguments, and what does its work."""
    module = import_module(f"cabochon.cli.{GUESTS.get(verb, verb)}")
    suffix = f"_{verb.replace('-', '_')}" if verb in GUESTS else ""
    return getattr(module, f"describe{suffix}"), getattr(module, f"run{suffix}")


def _without_verb(argv: list[str], terminal: Terminal) -> int:
    words = terminal.words
    verbs = "\n".join(f"  {verb:<13}{words(f'verb.{verb}')}" for verb in VERBS)
    parser = Parser("cabochon", terminal, words("args.about"), words("args.epilog", verbs=verbs))
    parser.usage = words("args.synopsis")
    parser.options.add_argument("--version", action="store_true", help=words("args.version"))
    parser.add_common()
    if parser.parse_args(argv).version:
        terminal.say(f"cabochon {__version__}")
    else:
        parser.print_help()
    return 0


def _language(argv: list[str]) -> str | None:
    """The language asked for anywhere in the arguments, so that even a complaint is in it."""
    for index, argument in enumerate(argv):
        name, _, value = argument.partition("=")
        if name == "--lang":
            value = value or (argv[index + 1] if index + 1 < len(argv) else "")
            return value if value in languages() else None
    return None


def _split(argv: list[str]) -> tuple[list[str], str | None, list[str]]:
    """What stands before the verb, the verb, and its arguments."""
    index = 0
    while index < len(argv) and argv[index].startswith("-"):
        index += 2 if argv[index] in ("--lang", "--color") else 1
    if index >= len(argv):
        return argv, None, []
    return argv[:index], argv[index], argv[index + 1 :]


def _drop_output() -> None:
    """Nobody reads any more: let the interpreter's last flush go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
