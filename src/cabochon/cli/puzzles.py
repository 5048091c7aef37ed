"""`cabochon puzzles` and `cabochon lessons`: make the book of puzzles and the figures of the
lessons, prove the book once more, or trace it to its games."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from datetime import UTC, datetime
from functools import partial
from lzma import LZMAError
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from cabochon.cli.parser import Parser, number, one_of
from cabochon.cli.terminal import Failure, Terminal
from cabochon.puzzles.book import BookEntry, PuzzleBook, read_book, shipped_book
from cabochon.puzzles.puzzle import Hunt, PuzzleTheme
from cabochon.puzzles.rough import QuarryShare, progress_of, quarry
from cabochon.words import Words
from cabochon.workers.progress import PLAIN_SECONDS, ProgressLine

if TYPE_CHECKING:
    from cabochon.puzzles.prooflog import ProofLog
    from cabochon.puzzles.proving import ProofSetting, PuzzleProof


# `cabochon puzzles`: make the book of puzzles, or prove it once more.


ROUGH = Path("build/puzzles")
BOOK_OUT = Path("puzzles.jsonl.xz")
MOST = 999_999


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument(
        "what",
        type=one_of(tuple(_VERBS), words),
        metavar="|".join(_VERBS),
        help=words("puzzles.what"),
    )
    add = parser.options.add_argument
    add(
        "--games",
        type=number(0, MOST, words),
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
        type=number(100, 10 * MOST, words),
        default=100_000,
        metavar="N",
        help=words("puzzles.visits"),
    )
    add("--sample", type=number(1, MOST, words), metavar="N", help=words("puzzles.sample"))
    add("--players", type=number(2, 4, words), metavar="2..4", help=words("puzzles.players"))
    add("--judged", action="store_true", help=words("puzzles.judged"))
    add("--log", type=Path, metavar="FILE", help=words("puzzles.log"))
    add("--forced", action="store_true", help=words("puzzles.forced"))
    add("--nobles", action="store_true", help=words("puzzles.nobles"))
    add("--onto", type=Path, metavar="FILE", help=words("puzzles.onto"))
    add("--early", action="store_true", help=words("puzzles.early"))
    add("--playouts", action="store_true", help=words("puzzles.playouts"))


def run(args: Namespace, terminal: Terminal) -> int:
    return _VERBS[args.what](args, terminal)


def _make(args: Namespace, terminal: Terminal) -> int:
    from cabochon.puzzles.bookmaking import make_book
    from cabochon.puzzles.prooflog import refuted

    words, began = terminal.words, perf_counter()
    line = ProgressLine(sys.stderr, PLAIN_SECONDS)
    try:
        if args.games:
            _quarry(args, line, words)
        tell, older = _teller(line, words("puzzles.cutting")), _older_book(args.onto)
        today = datetime.now(UTC).date()
        gone = refuted(args.log, older.entries if older else ())
        made = make_book(args.folder, tell, today, older, gone)
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


def _older_book(path: Path | None) -> PuzzleBook | None:
    if path is None:
        return None
    try:
        return read_book(path.read_bytes())
    except OSError as error:
        raise Failure(f"{path}: {error.strerror or error}") from error
    except (ValueError, LZMAError) as error:
        raise Failure(f"{path}: {error}") from error


def _quarry(args: Namespace, line: ProgressLine, words: Words) -> None:
    """Play the games that are still missing, in several processes."""
    hunt = Hunt.NOBLES if args.nobles else Hunt.FORCED if args.forced else Hunt.ALL
    shares = [
        QuarryShare(args.seed, args.games, part, args.jobs, hunt) for part in range(args.jobs)
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
    from cabochon.puzzles.prooflog import ProofLog, engine_setting
    from cabochon.puzzles.proving import ProofSetting

    how = ProofSetting(args.visits, args.playouts, args.early)
    entries, logs = _wanted(args), {}
    for seats in {entry.seats for entry in entries}:
        logs[seats] = ProofLog(args.log, engine_setting(how, seats))
    line = ProgressLine(sys.stderr, PLAIN_SECONDS)
    try:
        proofs = _proofs(
            entries, logs, how, args.jobs, _teller(line, terminal.words("puzzles.proving"))
        )
    finally:
        line.clear()
    return _tell_proofs([(entry, proofs[entry.id]) for entry in entries], args.visits, terminal)


def _proofs(
    entries: Sequence[BookEntry],
    logs: Mapping[int, ProofLog],
    how: ProofSetting,
    jobs: int,
    tell: Callable[[int, int], None],
) -> dict[str, PuzzleProof]:
    """By puzzle: what the logs have, and the others, proved in several processes and logged."""
    from cabochon.puzzles.proving import prove_shipped
    from cabochon.workers import local_executor

    known = {seats: log.read() for seats, log in logs.items()}
    proofs = {e.id: known[e.seats][e.id] for e in entries if e.id in known[e.seats]}
    left = [entry for entry in entries if entry.id not in proofs]
    executor = local_executor(min(jobs, len(left)))
    try:
        found = executor.map(partial(prove_shipped, how), [entry.id for entry in left])
        for entry, proof in zip(left, found, strict=True):
            logs[entry.seats].add(proof)
            proofs[entry.id] = proof
            tell(len(proofs), len(entries))
    finally:
        executor.close()
    return proofs


def _wanted(args: Namespace) -> list[BookEntry]:
    """The shipped puzzles, or some of them."""
    from cabochon.puzzles.prooflog import drawn_from_themes

    entries = list(shipped_book().entries)
    if args.players is not None:
        entries = [entry for entry in entries if entry.seats == args.players]
    if args.judged:
        entries = [entry for entry in entries if not entry.theme.is_forced]
    if args.sample is not None:
        entries = drawn_from_themes(entries, args.sample, args.seed)
    return entries


def _trace(args: Namespace, terminal: Terminal) -> int:
    """Whether every position is met in the game that its puzzle names."""
    from cabochon.puzzles.proving import Tracer

    book, words = shipped_book(), terminal.words
    tracer, asked = Tracer(book), _wanted(args)
    entries = [entry for entry in asked if tracer.can_tell(book.puzzle(entry.id))]
    line = ProgressLine(sys.stderr, PLAIN_SECONDS)
    astray: list[str] = []
    for count, entry in enumerate(entries, start=1):
        if not tracer.is_from_its_game(book.puzzle(entry.id)):
            astray.append(entry.id)
        _teller(line, words("puzzles.tracing"))(count, len(entries))
    line.clear()
    traced = len(entries) - len(astray)
    terminal.say(words("puzzles.traced", puzzles=len(entries), traced=traced))
    if len(entries) < len(asked):
        terminal.say(words("puzzles.untraced", puzzles=len(asked) - len(entries)))
    if astray:
        terminal.say(words("puzzles.astray", ids=" ".join(astray)))
    return 1 if astray else 0


def _tell_proofs(
    proofs: Sequence[tuple[BookEntry, PuzzleProof]], visits: int, terminal: Terminal
) -> int:
    """What came of it, theme by theme, and every puzzle about which the engine thinks otherwise."""
    words = terminal.words
    for entry, proof in proofs:
        if not proof.holds or not proof.agrees:
            key = "puzzles.differs" if proof.holds else "puzzles.fails"
            terminal.say(words(key, puzzle=entry.id, theme=entry.theme, note=proof.note))
    for theme in PuzzleTheme:
        of_theme = [proof for entry, proof in proofs if entry.theme is theme]
        if of_theme:
            terminal.say(words("puzzles.of-theme", theme=theme.value, **_sums(of_theme)))
    sums = _sums([proof for _, proof in proofs])
    terminal.say(words("puzzles.proved", visits=visits, **sums))
    return 0 if sums["holds"] == len(proofs) else 1


def _sums(proofs: Sequence[PuzzleProof]) -> dict[str, int]:
    return {
        "puzzles": len(proofs),
        "holds": sum(proof.holds for proof in proofs),
        "agrees": sum(proof.agrees for proof in proofs),
    }


_VERBS = {"make": _make, "prove": _prove, "trace": _trace}


# `cabochon lessons`: the figures that the lessons quote, made once more.


FIGURES_OUT = Path("figures.json")


def describe_lessons(parser: Parser, words: Words) -> None:
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


def run_lessons(args: Namespace, terminal: Terminal) -> int:
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
