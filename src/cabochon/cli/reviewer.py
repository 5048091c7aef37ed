"""`cabochon reviewer`: a worker that makes reviews for the servers of a database."""

from __future__ import annotations

from argparse import Namespace

from cabochon.cli.failure import Failure
from cabochon.cli.parser import Parser, number
from cabochon.cli.serve import settings_here
from cabochon.cli.terminal import Terminal
from cabochon.words import Words


def describe(parser: Parser, words: Words) -> None:
    option = parser.options.add_argument
    option("--db", metavar="ADDRESS", help=words("reviewer.db"))
    option("--nice", type=number(0, 19, words), metavar="N", help=words("reviewer.nice"))


def run(args: Namespace, terminal: Terminal) -> int:
    from cabochon.server.reviews.working import CannotWork, review_until_stopped

    def ready() -> None:
        terminal.say(terminal.words("reviewer.ready"))
        terminal.flush()

    settings = settings_here("reviewer", terminal.words)
    try:
        asked = {"db": args.db, "review_nice": args.nice}
        said = {name: value for name, value in asked.items() if value is not None}
        review_until_stopped(settings.model_copy(update=said), ready)
    except CannotWork as error:
        sentence = terminal.words(f"serve.{error.key}", what=error.what)
        raise Failure(f"cabochon reviewer: {sentence}") from None
    except ValueError as error:
        raise Failure(f"cabochon reviewer: {error}") from None
    return 0
