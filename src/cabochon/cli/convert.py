"""`cabochon convert`: records from text to JSON and back."""

from __future__ import annotations

from argparse import Namespace

from cabochon.cli.files import read_records, write_text
from cabochon.cli.parser import Parser, one_of
from cabochon.cli.terminal import Terminal
from cabochon.notation import format_records
from cabochon.notation.recordfiles import json_text
from cabochon.words import Words

FORMS = ("text", "json")


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("source", metavar="IN", help=words("convert.in"))
    parser.arguments.add_argument("target", metavar="OUT", help=words("convert.out"))
    parser.options.add_argument(
        "--to", type=one_of(FORMS, words), metavar="|".join(FORMS), help=words("convert.to")
    )


def run(args: Namespace, terminal: Terminal) -> int:
    """Without --to the name of OUT decides; a nameless output gets what the input was not."""
    records = read_records(args.source, terminal)
    form = args.to or _form(args.source, args.target)
    text = json_text(records) if form == "json" else format_records(records)
    write_text(args.target, text, terminal)
    return 0


def _form(source: str, target: str) -> str:
    if target == "-":
        return "text" if source.lower().endswith(".json") else "json"
    return "json" if target.lower().endswith(".json") else "text"
