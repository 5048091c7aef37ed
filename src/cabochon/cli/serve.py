"""`cabochon serve`: the table online, and in the browser."""

from __future__ import annotations

import webbrowser
from argparse import Namespace
from typing import TYPE_CHECKING

from cabochon.cli.failure import Failure
from cabochon.cli.parser import Parser, number
from cabochon.cli.terminal import Terminal
from cabochon.words import Words

if TYPE_CHECKING:
    from cabochon.server.settings import Settings


def describe(parser: Parser, words: Words) -> None:
    option = parser.options.add_argument
    option("--host", metavar="ADDRESS", help=words("serve.host"))
    option("--port", type=number(0, 65535, words), metavar="N", help=words("serve.port"))
    option(
        "--admin-port", type=number(1, 65535, words), metavar="N", help=words("serve.admin-port")
    )
    option("--db", metavar="ADDRESS", help=words("serve.db"))
    option("--workers", type=number(1, 64, words), metavar="N", help=words("serve.workers"))
    option("--log-json", action="store_true", default=None, help=words("serve.log-json"))
    option("--open", action="store_true", help=words("serve.open"))


def settings_here(command: str, words: Words) -> Settings:
    """What the environment says. Raises Failure for a variable that cannot be read."""
    from cabochon.server.settings import BadSetting, Settings

    try:
        return Settings.from_environment()
    except BadSetting as error:
        sentence = words(f"serve.{error.key}", variable=error.variable, what=error.what)
        raise Failure(f"cabochon {command}: {sentence}") from None


def run(args: Namespace, terminal: Terminal) -> int:
    from cabochon.server.web.running import CannotServe, serve

    def started(address: str) -> None:
        terminal.say(terminal.words("serve.at", address=address))
        terminal.flush()
        if args.open:
            webbrowser.open(address)

    settings = settings_here("serve", terminal.words)
    try:
        said = {
            name: getattr(args, name)
            for name in ("host", "port", "admin_port", "db", "workers", "log_json")
            if getattr(args, name) is not None
        }
        serve(settings.model_copy(update=said), started)
    except CannotServe as error:
        sentence = terminal.words(f"serve.{error.key}", what=error.what)
        raise Failure(f"cabochon serve: {sentence}") from None
    except ValueError as error:
        raise Failure(f"cabochon serve: {error}") from None
    return 0
