"""`cabochon puzzles`: make the book of puzzles, or prove it once more."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import perf_counter

from cabochon.cli.failure import Failure
from cabochon.cli.parser import Parser, number, one_of
from cabochon.cli.terminal import Terminal
from cabochon.puzzles.book import shipped_book
from cabochon.puzzles.rough import QuarryShare, progress_of, quarry
from cabochon.words import Words
from cabochon.workers.progress import PLAIN_SECONDS, ProgressLine

ROUGH = Path("build/puzzles")
BOOK_OUT = Path("puzzles.jsonl.xz")
MOST = 999_999


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument(
        "what",
        type=one_of(("make", "prove"), words),
        metavar="make|prove",
        help=words("puzzles.what"),
    )
    add = parser.options.add_argument
    add(
        "--games",
        type=number(1, MOST, words),
        default=4000,
        metavar="N",
        help=words("puzzles.games"),
    )
    add("--seed", type=number(0, MOST, words), default=1, metavar="N", help=words("puzzles.seed"))
    add("--jobs", type=number(1, 64, words), default=2, metavar="J", help=words("puzzles.jobs"))
    add("--folder", type=Path, default=ROUGH, metavar="DIR", help=words("puzzles.folder"))
    add("--out", type=Path, default=BOOK_OUT, metavar="FILE", help=words("puzzles.out"))
    add(
        "--visits",
        type=number(100, MOST, words),
        default=100_000,
        metavar="N",
        help=words("puzzles.visits"),
    )
    add("--sample", type=number(1, MOST, words), metavar="N", help=words("puzzles.sample"))
    add("--forced", action="store_true", help=words("puzzles.forced"))
    add("--playouts", action="store_true", help=words("puzzles.playouts"))


def run(args: Namespace, terminal: Terminal) -> int:
    return _make(args, terminal) if args.what == "make" else _prove(args, terminal)


def _make(args: Namespace, terminal: Terminal) -> int:
    from cabochon.puzzles.making import make_book

    words, began = terminal.words, perf_counter()
    line = ProgressLine(sys.stderr, PLAIN_SECONDS)
    try:
        _quarry(args, line, words)
        made = make_book(args.folder, _teller(line, words("puzzles.cutting")))
    finally:
        line.clear()
    try:
        args.out.write_bytes(made.data)
    except OSError as error:
        raise Failure(f"{args.out}: {error.strerror or error}") from error
    terminal.say(
        words(
            "puzzles.made",
            puzzles=made.puzzles,
            dropped=made.uncut + made.near,
            bytes=len(made.data),
            seconds=f"{perf_counter() - began:.0f}",
            path=str(args.out),
        )
    )
    return 0


def _quarry(args: Namespace, line: ProgressLine, words: Words) -> None:
    """Play the games that are still missing, in several processes."""
    shares = [
        QuarryShare(args.seed, args.games, part, args.jobs, args.forced)
        for part in range(args.jobs)
    ]
    with ProcessPoolExecutor(args.jobs, mp_context=get_context("spawn")) as pool:
        work = {pool.submit(quarry, share, args.folder) for share in shares}
        while work:
            done, work = wait(work, timeout=1.0)
            for job in done:
                job.result()
            _show_progress(line, words, args.games, *progress_of(shares, args.folder))


def _show_progress(line: ProgressLine, words: Words, total: int, games: int, found: int) -> None:
    line.show(games, total, lambda: words("puzzles.playing", games=games, found=found))


def _teller(line: ProgressLine, label: str) -> Callable[[int, int], None]:
    return lambda done, total: line.show(done, total, lambda: f"{label} {done}/{total}")


def _prove(args: Namespace, terminal: Terminal) -> int:
    from cabochon.puzzles.proving import Prover

    words, book = terminal.words, shipped_book()
    entries = list(book.entries)
    if args.sample is not None:
        entries = Random(args.seed).sample(entries, min(args.sample, len(entries)))
    prover = Prover(args.visits, playouts=args.playouts)
    line = ProgressLine(sys.stderr, PLAIN_SECONDS)
    holds = agrees = 0
    for count, entry in enumerate(entries, start=1):
        puzzle = book.puzzle(entry.id)
        proof = prover.search(puzzle) if args.playouts else prover.prove(puzzle)
        holds += proof.holds
        agrees += proof.agrees
        if not proof.holds:
            line.clear()
            terminal.say(
                words("puzzles.fails", puzzle=entry.id, theme=entry.theme, note=proof.note)
            )
        _teller(line, words("puzzles.proving"))(count, len(entries))
    line.clear()
    terminal.say(
        words(
            "puzzles.proved", puzzles=len(entries), holds=holds, agrees=agrees, visits=args.visits
        )
    )
    return 0 if holds == len(entries) else 1
