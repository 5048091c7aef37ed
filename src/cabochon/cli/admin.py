"""`cabochon admin WHAT`: looking after a server through its database, also while it runs.

Exit codes: 0 done, 1 the user thought better of it, 2 it could not be done.
"""

from __future__ import annotations

import asyncio
import re
from argparse import REMAINDER, SUPPRESS, ArgumentTypeError, Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from cabochon.cli.adminlists import show_list
from cabochon.cli.failure import Failure
from cabochon.cli.parser import Parser, number, one_of
from cabochon.cli.terminal import Terminal
from cabochon.render.width import left
from cabochon.server.admin.phrases import phrase
from cabochon.words import Words

LOOK = ("tables", "people", "tokens", "bans", "log")
ACT = (
    *("close", "kick", "ban", "lift", "revoke", "rename"),
    *("delete", "purge", "backup", "restore"),
)
ASKED = ("close", "kick", "ban", "revoke", "delete", "purge", "restore")
"""What cannot simply be undone is asked about first."""
NOT_DONE = 1
STATES = ("open", "running", "finished")
_UNITS_MS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}
_YES = ("y", "yes", "是", "好")


def describe(parser: Parser, words: Words) -> None:
    say = partial(phrase, words.lang)
    shown = {
        group: "\n".join(f"  {left(verb, 10)}{say(verb)}" for verb in verbs)
        for group, verbs in (("look", LOOK), ("act", ACT))
    }
    parser.epilog = f"{say('verbs', **shown)}\n\n{say('more')}"
    parser.arguments.add_argument("what", nargs=REMAINDER, metavar="WHAT", help=say("what"))
    _add_general(parser, say)
    parser.set_defaults(db=None, json=False, yes=False, show_help=parser.print_help)


def run(args: Namespace, terminal: Terminal) -> int:
    if not args.what:
        args.show_help()
        return 0
    verb, *rest = args.what
    say = partial(phrase, terminal.words.lang)
    if verb not in (*LOOK, *ACT):
        known = ", ".join((*LOOK, *ACT))
        raise Failure(f"cabochon admin: {say('no-verb', verb=verb[:40], known=known)}")
    parser = Parser(f"cabochon admin {verb}", terminal, say(verb))
    _add_arguments(parser, verb, say, terminal.words)
    _add_general(parser, say)
    parser.add_common(below=True)
    args = parser.parse_args(rest, args)
    if verb in ASKED and not _agreed(args, verb, terminal):
        return NOT_DONE
    found = asyncio.run(_done(verb, args))
    if args.json:
        import json

        terminal.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    elif verb in LOOK:
        show_list(verb, found, terminal)
    else:
        terminal.tell(say(f"done-{verb}", **found))
    return 0


# Arguments


def _add_general(parser: Parser, say: Callable[..., str]) -> None:
    option = parser.options.add_argument
    option("--db", metavar="ADDRESS", default=SUPPRESS, help=say("opt-db"))
    option("--json", action="store_true", default=SUPPRESS, help=say("opt-json"))
    option("--yes", action="store_true", default=SUPPRESS, help=say("opt-yes"))


def _add_arguments(parser: Parser, verb: str, say: Callable[..., str], words: Words) -> None:
    argument, option = parser.arguments.add_argument, parser.options.add_argument
    if verb in ("close", "kick", "delete"):
        argument("table", metavar="TABLE", help=say("arg-table"))
    match verb:
        case "tables":
            states = one_of(STATES, words)
            option("--state", type=states, metavar="|".join(STATES), help=say("opt-state"))
            option("--idle", type=_span(say), metavar="SPAN", help=say("opt-idle"))
        case "people":
            option("--table", metavar="TABLE", help=say("opt-table"))
            option("--name", metavar="TEXT", help=say("opt-name"))
        case "tokens":
            option("--all", action="store_true", help=say("opt-all"))
        case "kick":
            argument("seat", type=number(0, 3, words), metavar="SEAT", help=say("arg-seat"))
        case "ban":
            argument("who", metavar="WHO", help=say("arg-who"))
            option("--for", dest="span", type=_span(say), metavar="SPAN", help=say("opt-for"))
            option("--reason", default="", metavar="TEXT", help=say("opt-reason"))
        case "lift":
            argument("ban", metavar="BAN", help=say("arg-ban"))
        case "revoke":
            argument("token", metavar="TOKEN", help=say("arg-token"))
        case "rename":
            argument("who", metavar="WHO", help=say("arg-renamed"))
            argument("name", metavar="NAME", help=say("arg-name"))
        case "purge":
            days = number(0, 36_500, words)
            option("--days", type=days, required=True, metavar="N", help=say("opt-days"))
        case "backup" | "restore":
            argument("file", metavar="FILE", help=say("arg-file"))
            option("--replace", action="store_true", help=say("opt-replace"))
    if verb in ("tables", "log"):
        many = number(1, 100_000, words)
        option("--limit", type=many, default=100, metavar="N", help=say("opt-limit"))


def _span(say: Callable[..., str]) -> Callable[[str], int]:
    """A span of time, in milliseconds."""

    def check(text: str) -> int:
        found = re.fullmatch(r"([0-9]{1,5})([mhd])", text)
        if found is None or not int(found[1]):
            raise ArgumentTypeError(say("bad-span", text=text[:20]))
        return int(found[1]) * _UNITS_MS[found[2]]

    return check


def _agreed(args: Namespace, verb: str, terminal: Terminal) -> bool:
    """Whether the user says yes, or has said so already."""
    if args.yes:
        return True
    say = partial(phrase, terminal.words.lang)
    if args.json:
        raise Failure(f"cabochon admin {verb}: {say('yes-needed')}")
    try:
        said = terminal.ask(say(f"ask-{verb}", **vars(args)) + " [y/N] ")
    except EOFError:
        said = ""
    if said.strip().lower() in _YES:
        return True
    terminal.tell(say("not-done"))
    return False


# Doing it


async def _done(verb: str, args: Namespace) -> Any:
    """What there is, or what was done, as plain data."""
    from cabochon.server.admin.backups import backup, restore
    from cabochon.server.admin.office import open_office
    from cabochon.server.settings import Settings

    try:
        address = args.db or Settings.from_environment().database
    except ValueError as error:
        raise Failure(f"cabochon admin: {error}") from None
    if verb in ("backup", "restore"):
        work = backup if verb == "backup" else restore
        await work(address, Path(args.file).expanduser(), args.replace)
        return {"file": args.file}
    async with open_office(address) as store:
        return await (_found if verb in LOOK else _acted)(verb, args, store)


async def _found(verb: str, args: Namespace, store: Any) -> list[dict[str, Any]]:
    from cabochon.server.admin import looking
    from cabochon.server.admin.journal import entries

    async with store.engine.connect() as connection:
        match verb:
            case "tables":
                asked = looking.TableFilter(args.state, args.idle, args.limit)
                return await looking.list_tables(connection, asked)
            case "people":
                return await looking.list_people(connection, args.table, args.name)
            case "tokens":
                return await looking.list_tokens(connection, args.all)
            case "bans":
                return await looking.list_bans(connection)
            case _:
                return await entries(connection, args.limit)


async def _acted(verb: str, args: Namespace, store: Any) -> dict[str, Any]:
    from cabochon.server.admin import acting

    match verb:
        case "close":
            await acting.close_table(store, args.table)
            return {"table": args.table}
        case "kick":
            await acting.kick(store, args.table, args.seat)
            return {"table": args.table, "seat": args.seat}
        case "delete":
            await acting.delete_table(store, args.table)
            return {"table": args.table}
        case "purge":
            return {"count": await acting.purge(store, args.days)}
        case "ban":
            made = await acting.ban(store, args.who, args.reason, args.span)
            return {"who": args.who, "ban": made}
        case "lift":
            await acting.lift(store, args.ban)
            return {"ban": args.ban}
        case "revoke":
            await acting.revoke_token(store, args.token)
            return {"token": args.token}
        case _:
            await acting.rename(store, args.who, args.name)
            return {"who": args.who, "name": args.name}
