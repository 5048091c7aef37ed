"""`cabochon admin WHAT`: looking after a server through its database, also while it runs.

Exit codes: 0 done, 1 the user thought better of it, 2 it could not be done.
"""

from __future__ import annotations

import asyncio
import json
import re
from argparse import REMAINDER, SUPPRESS, ArgumentTypeError, Namespace
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cabochon.cli.entry import spellings
from cabochon.cli.parser import Parser, number, one_of
from cabochon.cli.serve import settings_here
from cabochon.cli.terminal import Failure, Terminal
from cabochon.play.clock import DAY_MS, HOUR_MS
from cabochon.render.width import left, width
from cabochon.words import Words

# Lists of `cabochon admin`, in columns.


_GAP = "  "
Say = Callable[..., str]
AdminRow = dict[str, Any]


def show_list(verb: str, rows: list[AdminRow], terminal: Terminal) -> None:
    """Times are UTC. Names and reasons are others' words: what could move the cursor is escaped."""
    say = Words(terminal.words.lang, "admin")
    if not rows:
        terminal.tell(say("nothing"))
        return
    columns, cells = _LISTS[verb]
    table = [[say(f"col-{name}") for name in columns.split()]]
    table += [[_plain(str(cell)) for cell in cells(row, say)] for row in rows]
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    for line in table:
        shown = (left(cell, columns) for cell, columns in zip(line, widths, strict=True))
        terminal.say(_GAP.join(shown).rstrip())


def show_report(row: AdminRow, terminal: Terminal) -> None:
    """One report, field by field, and the game that it is about."""
    say = Words(terminal.words.lang, "admin")
    columns, cells = _LISTS["reports"]
    names = [say(f"col-{name}") for name in columns.split()]
    values = [str(cell) for cell in cells(row, say)]
    extra = [(say("col-reports"), str(row["reports"])), (say("col-note"), row["note"] or "-")]
    if "at_table" in row:
        extra.append((say("col-at-table"), say("was-there" if row["at_table"] else "never-there")))
    wide = max(width(name) for name in (*names, *(name for name, _ in extra)))
    for name, value in (*zip(names, values, strict=True), *extra):
        terminal.say(f"{left(name, wide)}{_GAP}{_plain(value)}".rstrip())
    if row["record"] is not None:
        terminal.say()
        terminal.write(row["record"])


def _tables(row: AdminRow, say: Say) -> list[object]:
    players = ", ".join(name or "-" for name in row["players"])
    times = [_time(row["created_ms"]), _time(row["last_ms"])]
    return [row["id"], row["state"], row["variant"], *times, row["events"], players]


def _seats(row: AdminRow, say: Say) -> list[object]:
    held = row["token"] or row["person"] or row["key"]
    return [row["table"], row["seat"], row["name"], row["kind"], held]


def _people(row: AdminRow, say: Say) -> list[object]:
    kind = say("kept" if row["kept"] else "guest")
    times = [_time(row["created_ms"]), _time(row["seen_ms"])]
    return [row["id"], row["name"], kind, *times, row["tables"]]


def _tokens(row: AdminRow, say: Say) -> list[object]:
    times = [_time(row[name]) for name in ("created_ms", "last_used_ms", "revoked_ms")]
    return [row["id"], row["name"], *times, " ".join(row["scopes"])]


def _bans(row: AdminRow, say: Say) -> list[object]:
    until = say("for-good") if row["until_ms"] is None else _time(row["until_ms"])
    if not row["holds"]:
        until = say("run-out")
    return [row["id"], row["kind"], row["subject"], until, row["reason"]]


def _reports(row: AdminRow, say: Say) -> list[object]:
    state = say("report-open") if row["closed_ms"] is None else _time(row["closed_ms"])
    whom = f"{row['name'] or '-'} ({row['person']})"
    told = [row["kind"], whom, row["reporter_name"] or row["reporter"], row["table"] or "-"]
    return [row["id"], _time(row["at_ms"]), *told, state, row["text"]]


def _log(row: AdminRow, say: Say) -> list[object]:
    detail = json.dumps(row["detail"], ensure_ascii=False) if row["detail"] else ""
    return [_time(row["at_ms"]), row["who"], row["act"], row["subject"], detail]


_LISTS: dict[str, tuple[str, Callable[[AdminRow, Say], list[object]]]] = {
    "tables": ("id state variant made last events players", _tables),
    "seats": ("table seat name kind key", _seats),
    "people": ("id name kind made seen tables", _people),
    "tokens": ("id name made used revoked scopes", _tokens),
    "bans": ("id kind subject until reason", _bans),
    "reports": ("id at kind reported by table closed text", _reports),
    "log": ("at who act subject detail", _log),
}


def _time(ms: int | None) -> str:
    return "-" if ms is None else datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


LOOK = ("tables", "seats", "people", "tokens", "bans", "reports", "report", "log")
ACT = (
    *("close", "kick", "ban", "lift", "revoke", "rename", "signout"),
    *("close-report", "delete", "purge", "backup", "restore", "recompute-ratings"),
)
ASKED = ("close", "kick", "ban", "revoke", "signout", "delete", "purge", "restore")
"""What cannot simply be undone is asked about first."""
NOT_DONE = 1
STATES = ("open", "running", "finished")
_UNITS_MS = {"m": 60_000, "h": HOUR_MS, "d": DAY_MS}


def describe(parser: Parser, words: Words) -> None:
    say = Words(words.lang, "admin")
    shown = {
        group: "\n".join(f"  {left(verb, 19)}{say(verb)}" for verb in verbs)
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
    say = Words(terminal.words.lang, "admin")
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
    address = args.db or settings_here("admin", terminal.words).database
    found = asyncio.run(_done(verb, args, address))
    if args.json:
        import json

        terminal.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    elif verb == "report":
        show_report(found[0], terminal)
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
    (_add_looking if verb in LOOK else _add_acting)(parser, verb, say, words)


def _add_looking(parser: Parser, verb: str, say: Callable[..., str], words: Words) -> None:
    option = parser.options.add_argument
    match verb:
        case "tables":
            states = one_of(STATES, words)
            option("--state", type=states, metavar="|".join(STATES), help=say("opt-state"))
            option("--idle", type=_span(say), metavar="SPAN", help=say("opt-idle"))
        case "seats":
            option("--table", metavar="TABLE", help=say("opt-table"))
            option("--name", metavar="TEXT", help=say("opt-name"))
        case "people":
            option("--name", metavar="TEXT", help=say("opt-name"))
            option("--guests", action="store_true", help=say("opt-guests"))
        case "tokens":
            option("--all", action="store_true", help=say("opt-all"))
        case "reports":
            option("--all", action="store_true", help=say("opt-all-reports"))
        case "report":
            parser.arguments.add_argument("report", metavar="REPORT", help=say("arg-report"))
    if verb in ("tables", "people", "log"):
        many = number(1, 100_000, words)
        option("--limit", type=many, default=100, metavar="N", help=say("opt-limit"))


_ARGUMENTS = {
    "close": (("table", "TABLE", "arg-table"),),
    "kick": (("table", "TABLE", "arg-table"),),
    "close-report": (("report", "REPORT", "arg-report"),),
    "ban": (("who", "WHO", "arg-who"),),
    "lift": (("ban", "BAN", "arg-ban"),),
    "revoke": (("token", "TOKEN", "arg-token"),),
    "rename": (("who", "WHO", "arg-renamed"), ("name", "NAME", "arg-name")),
    "signout": (("who", "WHO", "arg-person"),),
    "delete": (("table", "TABLE|WHO", "arg-deleted"),),
    "backup": (("file", "FILE", "arg-file"),),
    "restore": (("file", "FILE", "arg-file"),),
}
"""What each of these acts on: a name, how the help shows it, and what the help says."""


def _add_acting(parser: Parser, verb: str, say: Callable[..., str], words: Words) -> None:
    argument, option = parser.arguments.add_argument, parser.options.add_argument
    for name, shown, about in _ARGUMENTS.get(verb, ()):
        argument(name, metavar=shown, help=say(about))
    match verb:
        case "kick":
            argument("seat", type=number(0, 3, words), metavar="SEAT", help=say("arg-seat"))
        case "close-report":
            option("--note", default="", metavar="TEXT", help=say("opt-note"))
        case "ban":
            option("--for", dest="span", type=_span(say), metavar="SPAN", help=say("opt-for"))
            option("--reason", default="", metavar="TEXT", help=say("opt-reason"))
        case "purge":
            days = number(0, 36_500, words)
            option("--days", type=days, required=True, metavar="N", help=say("opt-days"))
        case "backup" | "restore":
            option("--replace", action="store_true", help=say("opt-replace"))


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
    say = Words(terminal.words.lang, "admin")
    if args.json:
        raise Failure(f"cabochon admin {verb}: {say('yes-needed')}")
    try:
        said = terminal.ask(say(f"ask-{verb}", **vars(args)) + " [y/N] ")
    except EOFError:
        said = ""
    if said.strip().lower() in spellings("yes"):
        return True
    terminal.tell(say("not-done"))
    return False


# Doing it


async def _done(verb: str, args: Namespace, address: str) -> Any:
    """What there is, or what was done, as plain data."""
    from cabochon.server.admin.backups import backup, restore
    from cabochon.server.admin.databases import open_existing

    if verb in ("backup", "restore"):
        work = backup if verb == "backup" else restore
        await work(address, Path(args.file).expanduser(), args.replace)
        return {"file": args.file}
    async with open_existing(address) as store:
        return await (_found if verb in LOOK else _acted)(verb, args, store)


async def _found(verb: str, args: Namespace, store: Any) -> list[dict[str, Any]]:
    from cabochon.server.admin import complaints, listings
    from cabochon.server.admin.journal import entries

    async with store.engine.connect() as connection:
        match verb:
            case "tables":
                asked = listings.TableFilter(args.state, args.idle, args.limit)
                return await listings.list_tables(connection, asked)
            case "seats":
                return await listings.list_seats(connection, args.table, args.name)
            case "people":
                wanted = listings.PeopleFilter(args.name, args.guests, args.limit)
                return await listings.list_people(connection, wanted)
            case "tokens":
                return await listings.list_tokens(connection, args.all)
            case "bans":
                return await listings.list_bans(connection)
            case "reports":
                return await complaints.list_all(connection, args.all)
            case "report":
                return [await complaints.whole(connection, args.report)]
            case _:
                return await entries(connection, args.limit)


async def _acted(verb: str, args: Namespace, store: Any) -> dict[str, Any]:
    from cabochon.server.admin import complaints, hostactions

    match verb:
        case "close":
            await hostactions.close_table(store, args.table)
            return {"table": args.table}
        case "kick":
            await hostactions.kick(store, args.table, args.seat)
            return {"table": args.table, "seat": args.seat}
        case "delete":
            await hostactions.delete(store, args.table)
            return {"table": args.table}
        case "signout":
            return {"who": args.who, "count": await hostactions.sign_out(store, args.who)}
        case "purge":
            return {"count": await hostactions.purge(store, args.days)}
        case "recompute-ratings":
            return await hostactions.recompute_ratings(store)
        case "ban":
            made = await hostactions.ban(store, args.who, args.reason, args.span)
            return {"who": args.who, "ban": made}
        case "close-report":
            await complaints.close(store, args.report, args.note)
            return {"report": args.report}
        case "lift":
            await hostactions.lift(store, args.ban)
            return {"ban": args.ban}
        case "revoke":
            await hostactions.revoke_token(store, args.token)
            return {"token": args.token}
        case _:
            await hostactions.rename(store, args.who, args.name)
            return {"who": args.who, "name": args.name}
