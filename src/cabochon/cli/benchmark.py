"""`cabochon benchmark AGENT`: a frozen schedule against frozen opponents, and one row to cite."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

from cabochon.arena.benchmark import (
    PLAYERS,
    LadderMeeting,
    as_json,
    is_frozen,
    row_of,
    run_benchmark,
)
from cabochon.cli.parser import Parser, number
from cabochon.cli.terminal import Terminal
from cabochon.words import Words, text
from cabochon.workers import local_executor


def describe(parser: Parser, words: Words) -> None:
    def help_of(key: str) -> str:
        return text(f"benchmark.help-{key}", words.lang)

    add = parser.options.add_argument
    parser.arguments.add_argument("agent", metavar="AGENT", help=help_of("agent"))
    add("--players", type=number(2, 4, words), metavar="N", help=help_of("players"))
    add("--deals", type=number(1, 999, words), metavar="D", help=help_of("deals"))
    add("--jobs", type=number(1, 1024, words), metavar="J", help=help_of("jobs"))
    add("--keep", type=Path, metavar="FOLDER", help=help_of("keep"))
    add("--json", type=Path, metavar="FILE", help=help_of("json"))


def run(args: Namespace, terminal: Terminal) -> int:
    lang = terminal.words.lang

    def told(meeting: LadderMeeting) -> None:
        facts = {"name": meeting.rung.name, "won": f"{meeting.won:g}", "games": len(meeting.games)}
        terminal.complain(text("benchmark.meeting", lang, **facts))

    results = []
    if not is_frozen():
        terminal.complain(text("benchmark.not-frozen", lang))
    executor = local_executor(args.jobs)
    try:
        for players in PLAYERS if args.players is None else (args.players,):
            terminal.complain(text("benchmark.players", lang, players=players))
            played = run_benchmark(args.agent, players, executor, args.deals, told, args.keep)
            results.append(played)
    finally:
        executor.close()
    if args.json is not None:
        args.json.write_text(json.dumps(as_json(args.agent, results)) + "\n", encoding="utf-8")
    terminal.say(row_of(args.agent, results, args.deals))
    return 0
