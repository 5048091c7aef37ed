"""`cabochon train`: go on training the networks from where they stopped."""

from __future__ import annotations

import signal
import sys
import threading
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from cabochon.cli.parser import Parser, number
from cabochon.cli.terminal import Failure, Terminal
from cabochon.extras import needed
from cabochon.words import Words, text
from cabochon.workers.progress import ProgressLine

HOME = "training"


def describe(parser: Parser, words: Words) -> None:
    option = parser.options.add_argument

    def help_of(key: str) -> str:
        return text(f"training.help-{key}", words.lang)

    option("--players", type=number(2, 4, words), metavar="N", help=help_of("players"))
    option("--minutes", type=number(1, 99_999, words), metavar="M", help=help_of("minutes"))
    option("--home", type=Path, default=Path(HOME), metavar="DIR", help=help_of("home"))
    option("--worker", action="store_true", help=help_of("worker"))
    option("--cluster", metavar="WHERE", help=help_of("cluster"))
    option("--plot", type=Path, metavar="FILE", help=help_of("plot"))


def run(args: Namespace, terminal: Terminal) -> int:
    if find_spec("torch") is None:
        raise Failure(text("training.no-torch", terminal.words.lang))
    if args.plot is not None:
        _plot(args.home, args.plot)
        return 0
    return _train(args, terminal)


def _train(args: Namespace, terminal: Terminal) -> int:
    from cabochon.train.config import CONFIGS
    from cabochon.train.loop import Trainer

    if args.worker:
        _work(args.home, args.players or min(CONFIGS), args.cluster)
        return 0
    if args.cluster is not None:
        raise Failure(text("training.cluster-is-for-workers", terminal.words.lang))
    line = ProgressLine(sys.stderr)
    trainer = Trainer(args.home, lambda kind, facts: _tell(terminal, line, kind, facts))
    for which in (signal.SIGINT, signal.SIGTERM):
        signal.signal(which, lambda *_: trainer.stop())
    trainer.run([args.players] if args.players else list(CONFIGS), args.minutes)
    terminal.say(text("training.stopped", terminal.words.lang))
    return 0


def _work(home: Path, players: int, cluster: str | None) -> None:
    from cabochon.train.config import CONFIGS
    from cabochon.train.selfplayworker import work
    from cabochon.workers import local_executor, ray_executor

    executor = local_executor(1) if cluster is None else ray_executor(cluster)
    stop = threading.Event()
    for which in (signal.SIGINT, signal.SIGTERM):
        signal.signal(which, lambda *_: stop.set())
    try:
        work(CONFIGS[players], home, stop, executor)
    finally:
        executor.close()


def _tell(terminal: Terminal, line: ProgressLine, kind: str, facts: dict[str, object]) -> None:
    lang = terminal.words.lang
    if kind == "progress":
        done, total = int(str(facts["done"])), int(str(facts["all"]))
        line.show(done, total, lambda: text(f"training.{kind}", lang, **facts))
        return
    line.clear()
    terminal.say(text(f"training.{kind}", lang, **_for_reading(lang, kind, facts)))
    terminal.flush()


def _for_reading(lang: str, kind: str, facts: dict[str, object]) -> dict[str, object]:
    if kind == "generation":
        unseen = facts["unseen"]
        policy, value = unseen if isinstance(unseen, list) and unseen else ("-", "-")
        first = f"{100 * float(str(facts['first_seat'])):.0f}"
        return facts | {
            "policy": policy,
            "value": value,
            "speed": facts["games_per_second"],
            "first": first,
        }
    if kind == "exam":
        return {
            "best": _percent(facts["against_best"]),
            "verdict": text(f"training.{'passed' if facts['passed'] else 'failed'}", lang),
            "shipped": _percent(facts["against_shipped"]),
            "playouts": _percent(facts["against_playouts"]),
        }
    return facts


def _percent(share: object) -> str:
    return "-" if share is None else f"{100 * float(str(share)):.0f}"


def _plot(home: Path, file: Path) -> None:
    needed("matplotlib", "train", "cabochon train --plot")
    from cabochon.train.config import CONFIGS
    from cabochon.train.loop import read_log
    from cabochon.train.plot import curve, draw

    curves = {f"{n} players": curve(read_log(home, config)) for n, config in CONFIGS.items()}
    title = "Share of wins, 64 visits against playouts with 1,000"
    file.write_text(draw(curves, title, "thousands of games of self-play"))
