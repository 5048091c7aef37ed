"""`cabochon mcp`: a Model Context Protocol server, so that a language model can play."""

from __future__ import annotations

from argparse import Namespace

from cabochon.cli.parser import Parser, number
from cabochon.cli.terminal import Terminal
from cabochon.mcp import make_server
from cabochon.words import Words, text

HOST, PORT, PATH = "127.0.0.1", 8765, "/mcp"


def describe(parser: Parser, words: Words) -> None:
    option = parser.options.add_argument
    option("--http", action="store_true", help=text("mcp.help-http", words.lang))
    option("--host", default=HOST, metavar="ADDRESS", help=text("mcp.help-host", words.lang))
    option(
        "--port",
        type=number(1, 65535, words),
        default=PORT,
        metavar="N",
        help=text("mcp.help-port", words.lang),
    )


def run(args: Namespace, terminal: Terminal) -> int:
    """Serve until the client goes; with standard input and output nothing else is written there."""
    server = make_server(terminal.words.lang)
    if not args.http:
        server.run("stdio")
        return 0
    address = f"http://{args.host}:{args.port}{PATH}"
    terminal.complain(text("mcp.at", terminal.words.lang, address=address))
    server.run(
        "streamable-http",
        host=args.host,
        port=args.port,
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
    )
    return 0
