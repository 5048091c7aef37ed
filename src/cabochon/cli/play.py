"""`cabochon play`: a game at this terminal, at once."""

from __future__ import annotations

import secrets
from argparse import Namespace
from collections import Counter
from datetime import datetime
from pathlib import Path

from cabochon.bots import BOT_NAMES, Bot, make_bot
from cabochon.bots.command import CommandBot, EngineFailed
from cabochon.bots.roster import HOUSE_BOT, LEVEL_NAMES, STYLE_NAMES
from cabochon.cli.analyse import tell_of_compiling
from cabochon.cli.dialogue import Dialogue, KeptGame, new_game, resumed_game
from cabochon.cli.files import SUFFIX, games_folder, read_record, user_path
from cabochon.cli.jsonlines import JsonLines
from cabochon.cli.parser import Parser, number
from cabochon.cli.terminal import Failure, Terminal
from cabochon.game import HUMAN, KINDS_HEADER
from cabochon.record import Record, verify
from cabochon.rules import VARIANTS, CabochonError, Ruleset, new_seed, seating
from cabochon.words import Words

LATEST = ""
PROGRAM = "program"
_LONGEST_NAME = 40


def describe(parser: Parser, words: Words) -> None:
    option = parser.options.add_argument
    option("--players", type=number(2, 4, words), metavar="2..4", help=words("play.players"))
    option("--variant", metavar="NAME", help=words("play.variant", known=", ".join(VARIANTS)))
    option("--ruleset", metavar="TEXT", help=words("play.ruleset"))
    option("--bots", metavar="A,B", help=words("play.bots", known=", ".join(BOT_NAMES)))
    option("--bot-command", action="append", metavar="CMD", help=words("play.bot-command"))
    option("--humans", type=number(0, 4, words), metavar="N", help=words("play.humans"))
    option("--name", metavar="A,B", help=words("play.name"))
    option("--keep-order", action="store_true", help=words("play.keep-order"))
    option("--seed", metavar="TEXT", help=words("play.seed"))
    option("--brief", action="store_true", help=words("play.brief"))
    option("--json", action="store_true", help=words("play.json"))
    option("--resume", nargs="?", const=LATEST, metavar="FILE", help=words("play.resume"))
    option("--record", metavar="FILE", help=words("play.record"))
    option("--no-save", action="store_true", help=words("play.no-save"))


def run(args: Namespace, terminal: Terminal) -> int:
    game = _new(args, terminal) if args.resume is None else _resumed(args, terminal)
    kinds = game.record.headers.get(KINDS_HEADER, "").split(",")
    if not {*LEVEL_NAMES, *STYLE_NAMES}.isdisjoint(kinds):
        tell_of_compiling(terminal)
    try:
        if args.json:
            return JsonLines(game, terminal).run()
        return Dialogue(game, terminal, draws=not args.brief).run()
    finally:
        for bot in game.bots.values():
            if isinstance(bot, CommandBot):
                bot.close()


# A new game


def _new(args: Namespace, terminal: Terminal) -> KeptGame:
    kinds, ruleset = _table(args, terminal.words)
    names = _names(args.name, kinds, terminal.words)
    seed = args.seed or new_seed()
    order = range(len(kinds)) if args.keep_order else seating(seed, len(kinds))
    now = datetime.now().astimezone()
    return new_game(
        ruleset,
        seed,
        [names[player] for player in order],
        _bots([kinds[player] for player in order], args.bot_command or [], terminal),
        {"Date": now.isoformat(timespec="seconds")},
        _file(args, terminal, now),
    )


def _bots(kinds: list[str], commands: list[str], terminal: Terminal) -> list[str | Bot | None]:
    """Who plays each seat: nobody of ours for people, the user's own programs where theirs are. A
    record never names a program, so that it cannot start one: a game that is resumed goes on with
    the house bot."""
    waiting = iter(commands)

    def complain(failure: EngineFailed) -> None:
        terminal.complain(failure.text(terminal.words.lang))

    def bot(kind: str) -> str | Bot | None:
        if kind == PROGRAM:
            return CommandBot(next(waiting), on_fault=complain)
        return None if kind == HUMAN else kind

    return [bot(kind) for kind in kinds]


def _table(args: Namespace, words: Words) -> tuple[list[str], Ruleset]:
    """Who plays, people first, and by which rules. Raises Failure, UnknownBot and BadRuleset."""
    asked = [name.strip().lower() for name in (args.bots or "").split(",") if name.strip()]
    for name in asked:
        make_bot(name)
    asked += [PROGRAM] * len(args.bot_command or [])
    ruleset = _ruleset(args, len(asked) + (1 if args.humans is None else args.humans))
    humans = max(0, min(1, ruleset.seats - len(asked))) if args.humans is None else args.humans
    places = ruleset.seats - humans
    if places < len(asked) or places < 0:
        raise Failure(words("play.too-many", humans=humans, bots=len(asked), seats=ruleset.seats))
    last = asked[-1] if asked and asked[-1] != PROGRAM else HOUSE_BOT
    return [HUMAN] * humans + asked + [last] * (places - len(asked)), ruleset


def _ruleset(args: Namespace, players: int) -> Ruleset:
    """The rules asked for; where nobody says how many play, as many as are named."""
    if args.ruleset is not None:
        return Ruleset.parse(args.ruleset)
    variant = args.variant or VARIANTS[0]
    seats = players if players > 2 and not Ruleset.preset(variant).teams else None
    return Ruleset.preset(variant, args.players or seats)


def _names(given: str | None, kinds: list[str], words: Words) -> list[str]:
    """A name for everybody: those given go to the people, bots are called what they are."""
    own = [_clean(name) for name in (given or "").split(",")]
    humans, repeated = kinds.count(HUMAN), Counter(kinds)
    names: list[str] = []
    count: Counter[str] = Counter()
    for kind in kinds:
        count[kind] += 1
        number = f" {count[kind]}" if repeated[kind] > 1 else ""
        if kind != HUMAN:
            names.append(kind.capitalize() + number)
        elif count[kind] <= len(own) and own[count[kind] - 1]:
            names.append(own[count[kind] - 1])
        else:
            names.append(words("play.you") if humans == 1 else words("play.player") + number)
    return names


def _clean(name: str) -> str:
    """A name that does no harm to a terminal or a record."""
    return "".join(char for char in name if char.isprintable()).strip()[:_LONGEST_NAME]


def _file(args: Namespace, terminal: Terminal, now: datetime) -> Path | None:
    if args.record is not None:
        return user_path(args.record)
    if args.no_save:
        return None
    stamp = now.strftime("%Y-%m-%d-%H%M%S")
    return games_folder(terminal) / f"{stamp}-{secrets.token_hex(2)}{SUFFIX}"


# A game that was left


def _resumed(args: Namespace, terminal: Terminal) -> KeptGame:
    path = _latest(terminal) if args.resume == LATEST else user_path(args.resume)
    record = read_record(str(path), terminal)
    words = terminal.words
    if record.result is not None:
        raise Failure(words("play.over-already", path=path, result=record.result))
    check = verify(record)
    if not check.ok:
        raise Failure(words("play.damaged", path=path, reason=check.lines(words.lang)[0]))
    keep = user_path(args.record) if args.record else None if args.no_save else path
    return resumed_game(record, keep)


def _latest(terminal: Terminal) -> Path:
    """The file of the game that was played last and is not over."""
    folder = games_folder(terminal)
    files = sorted(folder.glob(f"*{SUFFIX}"), key=lambda p: p.stat().st_mtime, reverse=True)
    for path in files:
        record = _readable(path, terminal)
        if record is not None and record.result is None:
            return path
    raise Failure(terminal.words("play.none-left", path=folder))


def _readable(path: Path, terminal: Terminal) -> Record | None:
    try:
        return read_record(str(path), terminal)
    except (CabochonError, Failure):
        return None
