"""`cabochon watch URL`: follow a server's table from this terminal."""

from __future__ import annotations

from argparse import Namespace

from cabochon.cli.join import OnlinePlace, add_token
from cabochon.cli.parser import Parser
from cabochon.cli.terminal import Terminal
from cabochon.words import Words


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("url", metavar="URL", help=words("online.watch-url"))
    parser.options.add_argument("--brief", action="store_true", help=words("play.brief"))
    add_token(parser, words)


def run(args: Namespace, terminal: Terminal) -> int:
    place = OnlinePlace(args, terminal)
    table = place.link.table or place.featured()
    if table is None:
        terminal.tell(terminal.words("online.nothing-to-watch"))
        return 0
    return place.talk(table, (), None, draws=not args.brief)
