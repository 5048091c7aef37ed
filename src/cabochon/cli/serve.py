"""`cabochon serve`, `worker`, `reviewer` and `mcp`: the table online and in the browser, who thinks
for it, and a table for language models."""

from __future__ import annotations

import webbrowser
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from cabochon.cli.parser import Parser, number
from cabochon.cli.terminal import Failure, Terminal
from cabochon.words import Words, text
from cabochon.workers import available_cores

if TYPE_CHECKING:
    from cabochon.server.settings import Settings


# `cabochon serve`: the table online, and in the browser.


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
        sentence = words(
            f"serve.{error.key}", variable=error.variable, what=error.what, bound=error.bound
        )
        raise Failure(f"cabochon {command}: {sentence}") from None


def run(args: Namespace, terminal: Terminal) -> int:
    from cabochon.server.settings import misspelt
    from cabochon.server.web.running import CannotServe, serve

    def started(address: str) -> None:
        terminal.say(terminal.words("serve.at", address=address))
        terminal.flush()
        if args.open:
            webbrowser.open(address)

    asked = ("host", "port", "admin_port", "db", "workers", "log_json")
    said = {name: getattr(args, name) for name in asked}
    for variable, meant in misspelt():
        terminal.complain(terminal.words("serve.misspelt", variable=variable, meant=meant))
    settings = settings_here("serve", terminal.words)
    try:
        serve(with_said(settings, said), started)
    except CannotServe as error:
        sentence = terminal.words(f"serve.{error.key}", what=error.what)
        raise Failure(f"cabochon serve: {sentence}") from None
    except ValueError as error:
        raise Failure(f"cabochon serve: {error}") from None
    return 0


# `cabochon worker`: bots' moves and reviews for the servers of a database, from this machine.


MOST = 256


def describe_worker(parser: Parser, words: Words) -> None:
    option = parser.options.add_argument
    option("--db", metavar="ADDRESS", help=words("worker.db"))
    option("--bots", type=number(0, MOST, words), metavar="N", help=words("worker.bots"))
    option("--reviews", type=number(0, MOST, words), metavar="N", help=words("worker.reviews"))


def run_worker(args: Namespace, terminal: Terminal) -> int:
    settings = settings_here("worker", terminal.words)
    asked = {"db": args.db, "bot_workers": args.bots, "review_workers": args.reviews}
    said = with_said(settings, asked)
    bots = said.bot_workers if said.bot_workers >= 0 else available_cores()
    return work("worker", said, terminal, reviews=said.review_workers, bots=bots)


def with_said(settings: Settings, asked: dict[str, Any]) -> Settings:
    """The settings, and whatever was said on the command line."""
    return settings.model_copy(update={k: value for k, value in asked.items() if value is not None})


def work(verb: str, settings: Settings, terminal: Terminal, reviews: int, bots: int) -> int:
    """Work until told to stop. Raises Failure."""
    from cabochon.server.reviews.working import CannotWork, work_until_stopped

    def ready() -> None:
        terminal.say(terminal.words(f"{verb}.ready"))
        terminal.flush()

    try:
        work_until_stopped(settings, reviews, bots, ready)
    except CannotWork as error:
        sentence = terminal.words(f"serve.{error.key}", what=error.what)
        raise Failure(f"cabochon {verb}: {sentence}") from None
    except ValueError as error:
        raise Failure(f"cabochon {verb}: {error}") from None
    return 0


# `cabochon reviewer`: a worker that makes reviews for the servers of a database.


def describe_reviewer(parser: Parser, words: Words) -> None:
    option = parser.options.add_argument
    option("--db", metavar="ADDRESS", help=words("reviewer.db"))
    option("--nice", type=number(0, 19, words), metavar="N", help=words("reviewer.nice"))


def run_reviewer(args: Namespace, terminal: Terminal) -> int:
    settings = settings_here("reviewer", terminal.words)
    asked = {"db": args.db, "review_nice": args.nice}
    return work("reviewer", with_said(settings, asked), terminal, reviews=1, bots=0)


# `cabochon mcp`: a Model Context Protocol server, so that a language model can play.


MCP_HOST, MCP_PORT, MCP_PATH = "127.0.0.1", 8765, "/mcp"


def describe_mcp(parser: Parser, words: Words) -> None:
    option = parser.options.add_argument
    option("--http", action="store_true", help=text("mcp.help-http", words.lang))
    option("--host", default=MCP_HOST, metavar="ADDRESS", help=text("mcp.help-host", words.lang))
    option(
        "--port",
        type=number(1, 65535, words),
        default=MCP_PORT,
        metavar="N",
        help=text("mcp.help-port", words.lang),
    )


def run_mcp(args: Namespace, terminal: Terminal) -> int:
    """Serve until the client goes; with standard input and output nothing else is written there."""
    from cabochon.mcp import make_server

    server = make_server(terminal.words.lang)
    if not args.http:
        server.run("stdio")
        return 0
    address = f"http://{args.host}:{args.port}{MCP_PATH}"
    terminal.complain(text("mcp.at", terminal.words.lang, address=address))
    server.run(
        "streamable-http",
        host=args.host,
        port=args.port,
        streamable_http_path=MCP_PATH,
        stateless_http=True,
        json_response=True,
    )
    return 0
