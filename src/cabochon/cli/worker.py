"""`cabochon worker`: bots' moves and reviews for the servers of a database, from this machine."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from cabochon.cli.failure import Failure
from cabochon.cli.parser import Parser, number
from cabochon.cli.serve import settings_here
from cabochon.cli.terminal import Terminal
from cabochon.words import Words
from cabochon.workers import available_cores

if TYPE_CHECKING:
    from cabochon.server.settings import Settings

MOST = 256


def describe(parser: Parser, words: Words) -> None:
    option = parser.options.add_argument
    option("--db", metavar="ADDRESS", help=words("worker.db"))
    option("--bots", type=number(0, MOST, words), metavar="N", help=words("worker.bots"))
    option("--reviews", type=number(0, MOST, words), metavar="N", help=words("worker.reviews"))


def run(args: Namespace, terminal: Terminal) -> int:
    settings = settings_here("worker", terminal.words)
    asked = {"db": args.db, "bot_workers": args.bots, "review_workers": args.reviews}
    said = with_said(settings, asked)
    bots = said.bot_workers if said.bot_workers >= 0 else available_cores()
    return work("worker", said, terminal, reviews=said.review_workers, bots=bots)


def with_said(settings: Settings, asked: dict[str, Any]) -> Settings:
    """The settings, and whatever was said on the command line."""
    return settings.model_copy(update={k: value for k, value in asked.items() if value is not None})


def work(verb: str, settings: Settings, terminal: Terminal, reviews: int, bots: int) -> int:
    """Work until told to stop. Raises Failure."""
    from cabochon.server.reviews.working import CannotWork, work_until_stopped

    def ready() -> None:
        terminal.say(terminal.words(f"{verb}.ready"))
        terminal.flush()

    try:
        work_until_stopped(settings, reviews, bots, ready)
    except CannotWork as error:
        sentence = terminal.words(f"serve.{error.key}", what=error.what)
        raise Failure(f"cabochon {verb}: {sentence}") from None
    except ValueError as error:
        raise Failure(f"cabochon {verb}: {error}") from None
    return 0
