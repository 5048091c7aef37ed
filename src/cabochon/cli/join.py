"""`cabochon join URL` and `cabochon watch URL`: play at a server's table from this terminal, or
follow one."""

from __future__ import annotations

import socket
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

from cabochon.cli.files import SeatFile, reason, user_path
from cabochon.cli.onlinedialogue import OnlineDialogue, WentAway
from cabochon.cli.parser import Parser
from cabochon.cli.terminal import INDENT, Failure, Terminal, Typist
from cabochon.online.links import CallRefused, Calls, NoServer, TableLink, format_link, parse_link
from cabochon.online.tablesocket import Happening, TableSocket
from cabochon.words import Words

# `cabochon join URL`: play at a server's table from this terminal.


TOKEN_VARIABLE = "CABOCHON_TOKEN"
_LONGEST_NAME = 24
_ABSENCES: dict[type, str] = {
    ConnectionRefusedError: "online.no-server-there",
    socket.gaierror: "online.no-such-host",
    TimeoutError: "online.too-late",
}


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("url", metavar="URL", help=words("online.url"))
    option = parser.options.add_argument
    option("--name", metavar="NAME", help=words("online.name"))
    option("--brief", action="store_true", help=words("play.brief"))
    add_token(parser, words)


def add_token(parser: Parser, words: Words) -> None:
    help_text = words("online.token", variable=TOKEN_VARIABLE)
    parser.options.add_argument("--token", metavar="TOKEN", help=help_text)


def run(args: Namespace, terminal: Terminal) -> int:
    place = OnlinePlace(args, terminal)
    if place.link.table is None:
        place.list_open()
        return 0
    table, keys, seat_file = place.sit_down(args.name)
    return place.talk(table, keys, seat_file, draws=not args.brief)


class OnlinePlace:
    """A server, and where at it the user wants to be."""

    def __init__(self, args: Namespace, terminal: Terminal) -> None:
        """Raises Failure for anything but an address."""
        link = parse_link(args.url)
        if link is None:
            raise Failure(terminal.words("online.no-link", url=args.url))
        self.link: TableLink = link
        self._terminal = terminal
        self._words = terminal.words
        self._token = args.token or terminal.environment.get(TOKEN_VARIABLE) or None
        self._calls = Calls(link.base, self._token, terminal.words.lang)

    def list_open(self) -> None:
        """Tables that somebody can sit down at."""
        tables = self.ask(lambda: self._calls.get("/tables?state=open"))["tables"]
        none = self._words("online.none-open", base=self.link.base)
        self._terminal.tell(self._words("online.open-tables") if tables else none)
        for table in tables:
            names = ", ".join(chair["name"] for chair in table["chairs"] if chair["name"])
            address = format_link(self.link.base, table["id"])
            self._terminal.say(f"{INDENT}{address}  {table['ruleset']}  {names}")

    def featured(self) -> str | None:
        """The table of the server's featured game."""
        game = self.ask(lambda: self._calls.get("/watch"))["featured"]
        return None if game is None else str(game["table"])

    def sit_down(self, name: str | None) -> tuple[str, tuple[str, ...], SeatFile]:
        """The table, the keys that play there and their file. Raises Failure."""
        link = self.link
        assert link.table is not None
        seat_file = SeatFile(link.base, link.table, self._terminal)
        held = seat_file.held.keys
        if link.keys or held:
            seat_file.keep(*link.keys)
            return link.table, seat_file.held.keys, seat_file
        if self._token is not None and link.code is None and not self._has_room():
            return link.table, (), seat_file
        body: dict[str, Any] = {"name": self._name(name), "share_hash": seat_file.pledge()}
        if link.code is not None:
            body["code"] = link.code
        if self._token is None:
            body["key"] = seat_file.new_key()
        try:
            taken = self._calls.post(f"/tables/{link.table}/join", body)
        except (CallRefused, NoServer) as error:
            seat_file.forget()
            raise self._failure(error) from None
        keys = (taken["key"],) if taken["key"] else ()
        self._terminal.tell(self._words("online.seated", seat=taken["seat"] + 1))
        return link.table, keys, seat_file

    def _has_room(self) -> bool:
        """Whether there is an open seat; somebody who plays by token may already be seated."""
        table = self.ask(lambda: self._calls.get(f"/tables/{self.link.table}"))
        return any(chair["kind"] == "open" for chair in table["chairs"])

    def _name(self, name: str | None) -> str:
        environment = self._terminal.environment
        return (name or environment.get("USER") or self._words("play.player"))[:_LONGEST_NAME]

    def talk(
        self, table: str, keys: tuple[str, ...], seat_file: SeatFile | None, *, draws: bool
    ) -> int:
        """Play, or watch where nothing is held, game after game. Raises Failure."""
        following: str | None = table
        typist: Callable[[Callable[[str | None], None]], Typist] | None
        typist = partial(Typist, self._terminal)
        try:
            while following is not None:
                table = following
                dialogue = OnlineDialogue(
                    partial(self._socket, table, keys),
                    self._terminal,
                    partial(self._save, table, keys),
                    seat_file=seat_file,
                    draws=draws,
                )
                following = dialogue.run(typist)
        except (WentAway, KeyboardInterrupt) as end:
            self._terminal.say()
            if seat_file is not None:
                address = format_link(self.link.base, table, keys)
                self._terminal.tell(self._words("online.left"))
                self._terminal.say(f"{INDENT}cabochon join '{address}'")
            return 130 if isinstance(end, KeyboardInterrupt) else 0
        return 0

    def _socket(
        self, table: str, keys: tuple[str, ...], tell: Callable[[Happening], None]
    ) -> TableSocket:
        hello: dict[str, Any] = {"keys": list(keys), "lang": self._words.lang}
        if self.link.watch is not None:
            hello["watch"] = self.link.watch
        address = f"{self.link.socket}/api/tables/{table}/socket"
        return TableSocket(address, hello, tell, self._token)

    def _save(self, table: str, keys: tuple[str, ...], name: str) -> None:
        """What the caller may know of the game, as a record."""
        if not name:
            self._terminal.say(self._words("play.save-where"))
            return
        key = keys[0] if keys else None
        try:
            text = self._calls.get_text(f"/tables/{table}/record", key)
            user_path(name).write_text(text, "utf-8", newline="\n")
        except (CallRefused, NoServer) as error:
            self._terminal.tell(str(self._failure(error)))
        except (OSError, ValueError) as error:
            why = reason(error, self._words) if isinstance(error, OSError) else str(error)
            self._terminal.tell(self._words("file.unwritable", path=name, reason=why))
        else:
            self._terminal.tell(self._words("online.saved", path=name), INDENT)

    def ask(self, call: Callable[[], Any]) -> Any:
        """The answer. Raises Failure."""
        try:
            return call()
        except (CallRefused, NoServer) as error:
            raise self._failure(error) from None

    def _failure(self, error: CallRefused | NoServer) -> Failure:
        if isinstance(error, CallRefused):
            return Failure(f"cabochon: {error}")
        known = _ABSENCES.get(type(error.cause))
        why = str(error) if known is None else self._words(known)
        return Failure(self._words("online.no-server", base=self.link.base, why=why))


# `cabochon watch URL`: follow a server's table from this terminal.


def describe_watch(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("url", metavar="URL", help=words("online.watch-url"))
    parser.options.add_argument("--brief", action="store_true", help=words("play.brief"))
    add_token(parser, words)


def run_watch(args: Namespace, terminal: Terminal) -> int:
    place = OnlinePlace(args, terminal)
    table = place.link.table or place.featured()
    if table is None:
        terminal.tell(terminal.words("online.nothing-to-watch"))
        return 0
    return place.talk(table, (), None, draws=not args.brief)
