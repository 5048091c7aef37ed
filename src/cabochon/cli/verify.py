"""`cabochon verify`: what of a record is proved, what it leaves open, and what is broken: every
move, the deal, the commitment, the result.

Exit codes: 0 everything is proved, 1 something is broken, 3 nothing is broken but not everything is
proved; 2, as everywhere, when a file cannot be read at all.
"""

from __future__ import annotations

from argparse import Namespace

from cabochon.cli.files import read_for_proof, read_records, write_text
from cabochon.cli.parser import Parser, one_of
from cabochon.cli.terminal import Terminal
from cabochon.notation import Json, dumps, error_to_json, format_records, verification_to_json
from cabochon.notation.recordfiles import json_text
from cabochon.record import Standing, Verification, verify
from cabochon.rules import CabochonError
from cabochon.words import Words

EXIT_CODES = {Standing.PROVED: 0, Standing.BROKEN: 1, Standing.NOT_PROVED: 3}
_HEADLINES = {
    Standing.PROVED: "verify.good",
    Standing.BROKEN: "verify.bad",
    Standing.NOT_PROVED: "verify.open",
}


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("record", nargs="+", metavar="RECORD", help=words("verify.files"))
    parser.options.add_argument("--share-hash", metavar="HASH", help=words("verify.share"))
    parser.options.add_argument("--json", action="store_true", help=words("verify.json"))


def run(args: Namespace, terminal: Terminal) -> int:
    """The exit code of the record that stands worst."""
    found = {standing for path in args.record for standing in _file(path, args, terminal)}
    worst = (Standing.BROKEN, Standing.NOT_PROVED, Standing.PROVED)
    return EXIT_CODES[next(standing for standing in worst if standing in found)]


def _file(path: str, args: Namespace, terminal: Terminal) -> list[Standing]:
    """How each record of the file stands; a file that is no record is broken."""
    try:
        readings = read_for_proof(path, terminal)
    except CabochonError as error:
        _tell_unreadable(error, path, args.json, terminal)
        return [Standing.BROKEN]
    standings = []
    for number, reading in enumerate(readings, start=1):
        check = verify(
            reading.record,
            reading.labels,
            reading.is_ended,
            args.share_hash,
            reading.branch_labels,
        )
        if args.json:
            _put(terminal, {"path": path, "record": number, **verification_to_json(check)})
        else:
            _tell(check, path if len(readings) == 1 else f"{path} ({number})", terminal)
        standings.append(check.standing)
    return standings


def _tell(check: Verification, label: str, terminal: Terminal) -> None:
    """The headline, then what is broken, what is proved, and what is left open."""
    words = terminal.words
    terminal.say(words(_HEADLINES[check.standing], path=label))
    said = [error.text(words.lang) for error in check.problems]
    said += [each.text(words.lang) for each in check.proved]
    said += [words("verify.unproved", reason=each.text(words.lang)) for each in check.unproved]
    for line in said:
        terminal.tell(f"  {line}", "  ")


def _tell_unreadable(error: CabochonError, path: str, as_json: bool, terminal: Terminal) -> None:
    if as_json:
        broken = {"standing": Standing.BROKEN, "proved": [], "not_proved": []}
        _put(terminal, {"path": path, "record": None, **broken, "broken": [error_to_json(error)]})
        return
    terminal.say(terminal.words("verify.bad", path=path))
    terminal.tell(f"  {error.text(terminal.words.lang)}", "  ")


def _put(terminal: Terminal, line: Json) -> None:
    terminal.write(dumps(line) + "\n")


# `cabochon convert`: records from text to JSON and back.


FORMS = ("text", "json")


def describe_convert(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("source", metavar="IN", help=words("convert.in"))
    parser.arguments.add_argument("target", metavar="OUT", help=words("convert.out"))
    parser.options.add_argument(
        "--to", type=one_of(FORMS, words), metavar="|".join(FORMS), help=words("convert.to")
    )


def run_convert(args: Namespace, terminal: Terminal) -> int:
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
