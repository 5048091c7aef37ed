"""`cabochon rules` and `cabochon perft`: the rules for people, and for programs that count."""

from __future__ import annotations

from argparse import Namespace

from cabochon.cli.parser import Parser, number
from cabochon.cli.terminal import Terminal
from cabochon.notation import format_move
from cabochon.rules import VARIANTS, Position, Ruleset, ShuffledDealer, perft
from cabochon.rules.perft import divide
from cabochon.words import Words, rules_text

# `cabochon rules`: the rules of the game, for people.


def describe(parser: Parser, words: Words) -> None:
    """No arguments of its own."""


def run(args: Namespace, terminal: Terminal) -> int:
    show_rules(terminal)
    return 0


def show_rules(terminal: Terminal) -> None:
    """The text in the user's language, in lines of the terminal's width; `#` marks headings."""
    for paragraph in rules_text(terminal.words.lang).splitlines():
        if paragraph.startswith("#"):
            terminal.say(terminal.paint.strong(paragraph))
        else:
            terminal.tell(paragraph, "  " if paragraph.startswith("- ") else "")


# `cabochon perft`: how many sequences of decisions a deal has.


DEPTH = 3
SEED = "perft"


def describe_perft(parser: Parser, words: Words) -> None:
    option = parser.options.add_argument
    option(
        "--depth",
        type=number(0, 99, words),
        default=DEPTH,
        metavar="N",
        help=words("perft.depth", default=DEPTH),
    )
    option("--players", type=number(2, 4, words), metavar="2..4", help=words("play.players"))
    option("--variant", metavar="NAME", help=words("play.variant", known=", ".join(VARIANTS)))
    option("--ruleset", metavar="TEXT", help=words("play.ruleset"))
    option("--seed", default=SEED, metavar="TEXT", help=words("perft.seed", default=SEED))
    option("--divide", action="store_true", help=words("perft.divide"))


def run_perft(args: Namespace, terminal: Terminal) -> int:
    ruleset = (
        Ruleset.preset(args.variant or VARIANTS[0], args.players)
        if args.ruleset is None
        else Ruleset.parse(args.ruleset)
    )
    dealer = ShuffledDealer(args.seed)
    position = Position.start(ruleset, dealer.opening(ruleset))
    if args.divide and args.depth:
        counts = divide(position, dealer, args.depth)
        for move, count in counts.items():
            terminal.say(f"{format_move(move):<24}{count:>14}")
        terminal.say(f"{args.depth:<24}{sum(counts.values()):>14}")
        return 0
    for depth in range(args.depth + 1):
        terminal.say(f"{depth:>2}{perft(position, dealer, depth):>14}")
        terminal.flush()
    return 0
