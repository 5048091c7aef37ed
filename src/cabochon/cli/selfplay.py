"""`cabochon selfplay`: bots play, and the games become a Parquet file."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from time import perf_counter

from cabochon.cli.parser import Parser, add_variant, number
from cabochon.cli.terminal import Failure, Terminal
from cabochon.extras import needed
from cabochon.rules import Ruleset
from cabochon.words import Words, text
from cabochon.workers import Executor, local_executor, ray_executor
from cabochon.workers.progress import ProgressLine

MOST = 9_999_999


def describe(parser: Parser, words: Words) -> None:
    def help_of(key: str) -> str:
        return text(f"selfplay.help-{key}", words.lang)

    add = parser.options.add_argument
    add("--games", type=number(1, MOST, words), metavar="N", default=1000, help=help_of("games"))
    add("--out", type=Path, metavar="FILE", help=help_of("out"))
    add("--decisions", type=Path, metavar="FILE", help=help_of("decisions"))
    add("--level", metavar="NAME", help=help_of("level"))
    add("--observations", action="store_true", help=help_of("observations"))
    add("--bots", metavar="NAMES", help=help_of("bots"))
    add("--players", type=number(2, 4, words), metavar="N", help=help_of("players"))
    add_variant(parser, words)
    add("--seed", type=number(0, MOST, words), metavar="N", default=0, help=help_of("seed"))
    add("--visits", type=number(1, MOST, words), metavar="V", help=help_of("visits"))
    add("--jobs", type=number(1, 1024, words), metavar="J", help=help_of("jobs"))
    add("--cluster", metavar="WHERE", nargs="?", const="auto", help=help_of("cluster"))
    add("--check", type=Path, metavar="FILE", help=help_of("check"))


def run(args: Namespace, terminal: Terminal) -> int:
    needed("pyarrow", "data", "cabochon selfplay")
    if args.check is not None:
        return _check(args.check, terminal)
    if args.out is None:
        raise Failure(text("selfplay.nothing", terminal.words.lang))
    if args.level is not None and (args.bots is not None or args.decisions is not None):
        raise Failure(text("selfplay.level-alone", terminal.words.lang))
    if args.observations and args.level is None and args.decisions is None:
        raise Failure(text("selfplay.where-to", terminal.words.lang))
    return _play(args, terminal) if args.level is None else _publish(args, terminal)


def _play(args: Namespace, terminal: Terminal) -> int:
    from cabochon.dataset import Job, write_dataset

    bots = tuple(name.strip() for name in (args.bots or "biased").split(","))
    ruleset = Ruleset.preset(args.variant, args.players)
    wanted = args.decisions is not None
    job = Job(
        ruleset=ruleset,
        bots=bots,
        seed=args.seed,
        games=args.games,
        visits=args.visits,
        decisions=wanted,
        observations=args.observations,
    )
    executor, began = _executor(args), perf_counter()
    line = ProgressLine(sys.stderr)

    def told(games: int, decisions: int) -> None:
        facts = {"done": games, "total": args.games, "decisions": decisions}
        lang = terminal.words.lang
        line.show(games, args.games, lambda: text("selfplay.progress", lang, **facts))

    try:
        games, decisions = write_dataset(job, args.out, args.decisions, executor, told)
    except OSError as error:
        raise Failure(f"{args.out}: {error.strerror or error}") from error
    finally:
        line.clear()
        executor.close()
    seconds = f"{perf_counter() - began:.1f}"
    facts = {"games": games, "decisions": decisions, "seconds": seconds, "path": args.out}
    terminal.say(text("selfplay.written", terminal.words.lang, **facts))
    return 0


def _publish(args: Namespace, terminal: Terminal) -> int:
    from cabochon.dataset import Job, publish

    lang = terminal.words.lang
    ruleset = Ruleset.preset(args.variant, args.players)
    seen = args.observations
    job = Job(
        ruleset=ruleset,
        bots=(args.level,),
        seed=args.seed,
        games=args.games,
        visits=args.visits,
        decisions=True,
        observations=seen,
    )
    executor, line = _executor(args), ProgressLine(sys.stderr)

    def told(done: int, total: int) -> None:
        facts = {"done": done, "total": total, "decisions": "…"}
        line.show(done, total, lambda: text("selfplay.progress", lang, **facts))

    try:
        card = publish(job, args.out, executor=executor, told=told)
    except OSError as error:
        raise Failure(f"{args.out}: {error.strerror or error}") from error
    finally:
        line.clear()
        executor.close()
    facts = {name: card["statistics"][name] for name in ("games", "decisions")}
    terminal.say(text("selfplay.published", lang, **facts, path=args.out))
    return 0


def _executor(args: Namespace) -> Executor:
    return local_executor(args.jobs) if args.cluster is None else ray_executor(args.cluster)


def _check(path: Path, terminal: Terminal) -> int:
    from cabochon.dataset import check_games

    games = decisions = 0
    for game in check_games(path):
        games, decisions = games + 1, decisions + game.columns["decisions"]
    terminal.say(text("selfplay.checked", terminal.words.lang, games=games, decisions=decisions))
    return 0
