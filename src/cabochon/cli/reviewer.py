"""`cabochon reviewer`: a worker that makes reviews for the servers of a database."""

from __future__ import annotations

from argparse import Namespace

from cabochon.cli.parser import Parser, number
from cabochon.cli.serve import settings_here
from cabochon.cli.terminal import Terminal
from cabochon.cli.worker import with_said, work
from cabochon.words import Words


def describe(parser: Parser, words: Words) -> None:
    option = parser.options.add_argument
    option("--db", metavar="ADDRESS", help=words("reviewer.db"))
    option("--nice", type=number(0, 19, words), metavar="N", help=words("reviewer.nice"))


def run(args: Namespace, terminal: Terminal) -> int:
    settings = settings_here("reviewer", terminal.words)
    asked = {"db": args.db, "review_nice": args.nice}
    return work("reviewer", with_said(settings, asked), terminal, reviews=1, bots=0)
