"""`cabochon bots`: who there is to play against, and how strong each was measured to be."""

from __future__ import annotations

from argparse import Namespace

from cabochon.bots.enginecheck import EngineFinding, check_engine
from cabochon.bots.roster import (
    LEVELS,
    RATED_PLAYERS,
    STYLES,
    Entry,
    Rating,
    is_current,
    is_measured,
    level_data,
    ratings,
    steps,
)
from cabochon.cli.parser import Parser
from cabochon.cli.terminal import Terminal
from cabochon.render.width import left, right, width
from cabochon.rules import CabochonError
from cabochon.words import Words, text

_RATING = 12


def describe(parser: Parser, words: Words) -> None:
    parser.options.add_argument("--json", action="store_true", help=words("bots.json"))


def run(args: Namespace, terminal: Terminal) -> int:
    if args.json:
        terminal.write(_json())
        return 0
    words = terminal.words
    measured = {players: ratings(players) for players in RATED_PLAYERS}
    titles = [entry.title[words.lang] for entry in (*LEVELS, *STYLES)]
    columns = 2 + max(map(width, titles)) + 2
    head = "".join(right(words("bots.players", count=n), _RATING) for n in RATED_PLAYERS)
    terminal.say(" " * (columns + 10) + head)
    for title, entries in ((words("bots.levels"), LEVELS), (words("bots.styles"), STYLES)):
        terminal.say(title)
        for entry in entries:
            row = [measured[players].get(entry.name) for players in RATED_PLAYERS]
            terminal.say(_line(entry, words.lang, columns, row))
            terminal.tell(f"    {entry.about[words.lang]}", "    ")
    terminal.say()
    _tell_how(terminal)
    return 0


def _tell_how(terminal: Terminal) -> None:
    """What the figures mean and what made them, or that there are none."""
    words = terminal.words
    measured = [players for players in RATED_PLAYERS if is_measured(players)]
    for players in measured:
        terminal.tell(_steps(players, words))
    if measured:
        made = level_data()["made"]
        terminal.say()
        terminal.tell(words("bots.method", games=made["games"]))
        terminal.say(words("bots.made", command=made["command"]))
    if stale := [players for players in measured if not is_current(players)]:
        terminal.tell(words("bots.stale", players=_listed(stale)))
    if missing := [players for players in RATED_PLAYERS if players not in measured]:
        terminal.tell(words("bots.unmeasured", players=_listed(missing)))


def _listed(players: list[int]) -> str:
    return ", ".join(map(str, players))


def _line(entry: Entry, lang: str, columns: int, row: list[Rating | None]) -> str:
    cells = [
        right("-" if rating is None else f"{rating.elo:.0f} ±{rating.error:.0f}", _RATING)
        for rating in row
    ]
    return left(f"  {entry.title[lang]}", columns) + left(entry.name, 10) + "".join(cells)


def _steps(players: int, words: Words) -> str:
    chances = ", ".join(f"{100 * step.chance:.0f} %" for step in reversed(steps(players)))
    return words("bots.steps", count=players, chances=chances)


def _json() -> str:
    import json

    return json.dumps(level_data(), indent=1, ensure_ascii=False) + "\n"


# `cabochon check-engine CMD`: does this program speak the engine protocol, and what is wrong?


WRONG = 1


def describe_check_engine(parser: Parser, words: Words) -> None:
    help_text = text("check-engine.help-command", words.lang)
    parser.arguments.add_argument("program", metavar="CMD", help=help_text)


def run_check_engine(args: Namespace, terminal: Terminal) -> int:
    lang = terminal.words.lang
    is_good = True
    for finding in check_engine(args.program):
        is_good = is_good and finding.is_good
        key = "good" if finding.is_good else "bad"
        terminal.say(text(f"check-engine.{key}", lang, what=_sentence(finding, lang)))
        terminal.flush()
    terminal.say(text(f"check-engine.{'all-good' if is_good else 'some-bad'}", lang))
    return 0 if is_good else WRONG


def _sentence(finding: EngineFinding, lang: str) -> str:
    facts = dict(finding.facts)
    if finding.is_good:
        return text(f"check-engine.{finding.step}-good", lang, **facts)
    if isinstance(why := facts.get("why"), CabochonError):
        facts["why"] = why.text(lang)
    elif why is not None:
        facts["why"] = text(f"check-engine.{why}", lang, **facts)
    if "position" in facts:
        return text("check-engine.moves-bad", lang, **facts)
    if "asked" in facts:
        facts["position"] = facts["asked"]
        return text("check-engine.asked", lang, step=finding.step, **facts)
    if finding.step in ("time", "output", "quit") and why is None:
        return text(f"check-engine.{finding.step}-bad", lang, **facts)
    return text("check-engine.fault-bad", lang, step=finding.step, **facts)
