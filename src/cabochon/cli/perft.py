"""`cabochon perft`: how many sequences of decisions a deal has."""

from __future__ import annotations

from argparse import Namespace

from cabochon.cli.parser import Parser, number
from cabochon.cli.terminal import Terminal
from cabochon.notation import format_move
from cabochon.rules import VARIANTS, Position, Ruleset, ShuffledDealer, perft
from cabochon.rules.perft import divide
from cabochon.words import Words

DEPTH = 3
SEED = "perft"


def describe(parser: Parser, words: Words) -> None:
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


def run(args: Namespace, terminal: Terminal) -> int:
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
