"""`cabochon lessons`: the figures that the lessons quote, made once more."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from cabochon.cli.failure import Failure
from cabochon.cli.parser import Parser, number, one_of
from cabochon.cli.terminal import Terminal
from cabochon.words import Words
from cabochon.workers.progress import PLAIN_SECONDS, ProgressLine

FIGURES_OUT = Path("figures.json")
MOST = 999_999


def describe(parser: Parser, words: Words) -> None:
    from cabochon.lessons.figures import SEED, VISITS

    parser.arguments.add_argument(
        "what", type=one_of(("figures",), words), metavar="figures", help=words("lessons.what")
    )
    add = parser.options.add_argument
    add(
        "--games",
        type=number(1, MOST, words),
        metavar="N",
        help=words("lessons.games"),
    )
    add(
        "--visits",
        type=number(2, MOST, words),
        default=VISITS,
        metavar="N",
        help=words("lessons.visits", default=VISITS),
    )
    add(
        "--seed", type=number(0, MOST, words), default=SEED, metavar="N", help=words("lessons.seed")
    )
    add("--jobs", type=number(1, 64, words), metavar="J", help=words("lessons.jobs"))
    add("--out", type=Path, default=FIGURES_OUT, metavar="FILE", help=words("lessons.out"))


def run(args: Namespace, terminal: Terminal) -> int:
    from cabochon.lessons.figures import GAMES, format_figures, make_figures
    from cabochon.workers import local_executor

    words = terminal.words
    line = ProgressLine(sys.stderr, PLAIN_SECONDS)
    games = GAMES if args.games is None else dict.fromkeys(GAMES, args.games)
    executor = local_executor(args.jobs)

    def tell(done: int, total: int) -> None:
        line.show(done, total, lambda: words("lessons.playing", done=done, total=total))

    try:
        figures = make_figures(games, args.visits, args.seed, executor, tell)
    finally:
        executor.close()
        line.clear()
    try:
        args.out.write_text(format_figures(figures), "utf-8")
    except OSError as error:
        raise Failure(f"{args.out}: {error.strerror or error}") from error
    terminal.say(words("lessons.made", games=sum(games.values()), path=str(args.out)))
    return 0
