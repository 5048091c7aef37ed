"""`cabochon arena`: let bots play matches, and say who is better and how sure that is."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path
from time import perf_counter

from cabochon.arena import (
    ArenaError,
    ArenaFault,
    Hypotheses,
    Match,
    Report,
    Seating,
    format_report,
    parse_entrant,
    play_match,
    read_report,
)
from cabochon.arena.benchmark import (
    PLAYERS,
    LadderMeeting,
    as_json,
    is_frozen,
    row_of,
)
from cabochon.arena.benchmark import (
    run_benchmark as play_benchmark,
)
from cabochon.arena.scoreboard import MatchProgress, scoreboard
from cabochon.bots import Limit
from cabochon.cli.parser import Parser, add_variant, number, one_of
from cabochon.cli.terminal import Failure, Terminal
from cabochon.rules import Ruleset
from cabochon.words import Words, text
from cabochon.workers import Executor, local_executor, ray_executor

DIFFERS = 1


def describe(parser: Parser, words: Words) -> None:
    def help_of(key: str) -> str:
        return text(f"arena.help-{key}", words.lang).replace("%", "%%")

    add = parser.options.add_argument
    parser.arguments.add_argument("entrants", nargs="*", metavar="BOT", help=help_of("entrants"))
    add("--players", type=number(2, 4, words), metavar="N", help=help_of("players"))
    add("--games", type=number(1, 999_999, words), metavar="M", default=100, help=help_of("games"))
    add_variant(parser, words)
    add("--seed", metavar="TEXT", default="0", help=help_of("seed"))
    add("--ms", type=number(1, 999_999, words), metavar="T", help=help_of("ms"))
    add("--visits", type=number(1, 999_999, words), metavar="V", help=help_of("visits"))
    add(
        "--tables",
        type=one_of([s.value for s in Seating], words),
        metavar="HOW",
        help=help_of("tables"),
    )
    add("--sprt", metavar="LOW,HIGH", help=help_of("sprt"))
    add("--jobs", type=number(1, 1024, words), metavar="J", help=help_of("jobs"))
    add("--cluster", metavar="WHERE", nargs="?", const="auto", help=help_of("cluster"))
    add("--json", metavar="FILE", help=help_of("json"))
    add("--again", metavar="REPORT", help=help_of("again"))
    add("--table", metavar="REPORT", help=help_of("table"))


def run(args: Namespace, terminal: Terminal) -> int:
    lang = terminal.words.lang
    if args.table is not None:
        terminal.write(scoreboard(read_report(Path(args.table)), lang))
        return 0
    if args.again is not None:
        return _again(Path(args.again), args, terminal)
    if not args.entrants:
        raise Failure(text("arena.nothing-to-play", lang))
    place = None if args.json in (None, "-") else _writable(Path(args.json))
    report = _played(_match(args), args, terminal)
    written = format_report(report)
    if args.json == "-":
        terminal.write(written)
        return 0
    if place is not None:
        place.write_text(written, encoding="utf-8", newline="\n")
    terminal.write(scoreboard(report, lang))
    return 0


def _match(args: Namespace) -> Match:
    usual = Limit(None if args.ms is None else args.ms / 1000, args.visits)
    entrants = tuple(parse_entrant(text, usual) for text in args.entrants)
    ruleset = Ruleset.preset(args.variant, args.players)
    sides = 2 if ruleset.teams else ruleset.seats
    few = len(entrants) < sides
    seating = Seating(args.tables) if args.tables else Seating.LONE if few else Seating.MIXED
    return Match(entrants, ruleset, args.games, args.seed, seating, _hypotheses(args.sprt))


def _hypotheses(text: str | None) -> Hypotheses | None:
    if text is None:
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ArenaError(ArenaFault.BAD_HYPOTHESES, text=text) from None
    if not -2000 <= low < high <= 2000:
        raise ArenaError(ArenaFault.BAD_HYPOTHESES, text=text)
    return Hypotheses(low, high)


def _played(match: Match, args: Namespace, terminal: Terminal) -> Report:
    lang = terminal.words.lang
    executor = _executor(args)
    began = perf_counter()
    try:
        report = play_match(match, executor, MatchProgress(sys.stderr, lang))
    finally:
        executor.close()
    if report.match != match:
        total = match.deals * match.games_a_round
        terminal.complain(text("arena.stopped", lang, done=len(report.games), total=total))
    seconds = f"{perf_counter() - began:.1f}"
    terminal.complain(text("arena.time", lang, games=len(report.games), seconds=seconds))
    return report


def _executor(args: Namespace) -> Executor:
    if args.cluster is None:
        return local_executor(args.jobs)
    return ray_executor(args.cluster)


def _again(path: Path, args: Namespace, terminal: Terminal) -> int:
    """Play a report's match once more; 0 when the bytes are the same."""
    lang = terminal.words.lang
    old = read_report(path)
    new = _played(old.match, args, terminal)
    before, after = format_report(old), format_report(new)
    if before == after:
        terminal.say(text("arena.same", lang, count=len(before.encode())))
        return 0
    pairs = zip(old.match.entrants, old.engines, new.engines, strict=True)
    for entrant, was, now in pairs:
        if was != now:
            terminal.say(text("arena.engine-changed", lang, name=entrant.text, was=was, now=now))
    terminal.say(text("arena.differs", lang, line=_first_difference(before, after)))
    if not old.match.is_reproducible:
        terminal.say(text("arena.differs-expected", lang))
    return DIFFERS


def _first_difference(before: str, after: str) -> int:
    old, new = before.splitlines(), after.splitlines()
    same = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        same += 1
    return same + 1


def _writable(path: Path) -> Path:
    """The place for the report, checked before hours are spent on what goes into it."""
    try:
        with path.open("a"):
            return path
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from error


# `cabochon benchmark AGENT`: a frozen schedule against frozen opponents, and one row to cite.


def describe_benchmark(parser: Parser, words: Words) -> None:
    def help_of(key: str) -> str:
        return text(f"benchmark.help-{key}", words.lang)

    add = parser.options.add_argument
    parser.arguments.add_argument("agent", metavar="AGENT", help=help_of("agent"))
    add("--players", type=number(2, 4, words), metavar="N", help=help_of("players"))
    add("--deals", type=number(1, 999, words), metavar="D", help=help_of("deals"))
    add("--jobs", type=number(1, 1024, words), metavar="J", help=help_of("jobs"))
    add("--keep", type=Path, metavar="FOLDER", help=help_of("keep"))
    add("--json", type=Path, metavar="FILE", help=help_of("json"))


def run_benchmark(args: Namespace, terminal: Terminal) -> int:
    lang = terminal.words.lang

    def told(meeting: LadderMeeting) -> None:
        facts = {"name": meeting.rung.name, "won": f"{meeting.won:g}", "games": len(meeting.games)}
        terminal.complain(text("benchmark.meeting", lang, **facts))
        for line in _forfeited(meeting, lang):
            terminal.complain(line)

    results = []
    if not is_frozen():
        terminal.complain(text("benchmark.not-frozen", lang))
    executor = local_executor(args.jobs)
    try:
        for players in PLAYERS if args.players is None else (args.players,):
            terminal.complain(text("benchmark.players", lang, players=players))
            played = play_benchmark(args.agent, players, executor, args.deals, told, args.keep)
            results.append(played)
    finally:
        executor.close()
    if args.json is not None:
        args.json.write_text(json.dumps(as_json(args.agent, results)) + "\n", encoding="utf-8")
    terminal.say(row_of(args.agent, results, args.deals))
    return 0


def _forfeited(meeting: LadderMeeting, lang: str) -> list[str]:
    """How many games the agent lost without playing on, with each reason."""
    if not meeting.forfeited:
        return []
    counted = Counter(forfeit.why.get(lang, forfeit.code) for forfeit in meeting.forfeits)
    lines = [text("benchmark.forfeits", lang, count=meeting.forfeited)]
    return lines + [
        text("benchmark.reason", lang, count=count, why=why) for why, count in counted.items()
    ]
