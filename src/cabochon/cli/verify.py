"""`cabochon verify`: whether records hold: every move, the deal, the commitment, the result."""

from __future__ import annotations

from argparse import Namespace

from cabochon.cli.files import read_records
from cabochon.cli.parser import Parser
from cabochon.cli.terminal import Terminal
from cabochon.record import Record, verify
from cabochon.rules import CabochonError
from cabochon.words import Words


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("record", nargs="+", metavar="RECORD", help=words("verify.files"))
    parser.options.add_argument("--share-hash", metavar="HASH", help=words("verify.share"))


def run(args: Namespace, terminal: Terminal) -> int:
    """0 when all hold, 1 when one does not; a file that cannot be opened is exit code 2."""
    holding = [_file_holds(path, args.share_hash, terminal) for path in args.record]
    return 0 if all(holding) else 1


def _file_holds(path: str, share_hash: str | None, terminal: Terminal) -> bool:
    words = terminal.words
    try:
        records = read_records(path, terminal)
    except CabochonError as error:
        terminal.say(words("verify.bad", path=path))
        terminal.tell(f"  {words.refusal(error)}", "  ")
        return False
    several = len(records) > 1
    holding = [
        _holds(record, f"{path} ({index})" if several else path, share_hash, terminal)
        for index, record in enumerate(records, start=1)
    ]
    return all(holding)


def _holds(record: Record, label: str, share_hash: str | None, terminal: Terminal) -> bool:
    check = verify(record, share_hash)
    terminal.say(terminal.words("verify.good" if check.ok else "verify.bad", path=label))
    for line in check.lines(terminal.words.lang):
        terminal.tell(f"  {line}", "  ")
    return check.ok
