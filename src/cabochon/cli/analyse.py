"""`cabochon analyse`: the moves of a position, or every decision of a game, weighed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from math import floor
from typing import TYPE_CHECKING

from cabochon.cli.files import at_ply, records_in, table_in, text_of, the_one
from cabochon.cli.parser import Parser, number
from cabochon.cli.terminal import Failure, Terminal
from cabochon.notation import dumps, format_move, turn_label
from cabochon.record import Record
from cabochon.render.width import clipped, left, right
from cabochon.rules import Phase, Position, View
from cabochon.words import Words, text

if TYPE_CHECKING:
    from cabochon.review import MoveVerdict, PlayerSummary, TurnVerdict
    from cabochon.search import Limit

VISITS = 4000
TOP = 8
_SEED = 0
_MOVE, _FIGURE = 26, 12
_LABEL, _NAME = 27, 11
_CHANCE, _LOST, _LUCK = 7, 8, 6
_INDENT = "    "
GRAVE = ("?", "??")
"""Marks that are worth a sentence."""


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("what", metavar="FILE|POSITION", help=words("analyse.what"))
    option = parser.options.add_argument
    option("--ply", type=number(0, 99999, words), metavar="N", help=words("analyse.ply"))
    option(
        "--visits",
        type=number(1, 400_000, words),
        metavar="N",
        help=words("analyse.visits", default=VISITS),
    )
    option("--ms", type=number(1, 60_000, words), metavar="M", help=words("analyse.ms"))
    option(
        "--top",
        type=number(1, 200, words),
        default=TOP,
        metavar="N",
        help=words("analyse.top", default=TOP),
    )
    option("--all-cards", action="store_true", help=words("analyse.all-cards"))
    option("--json", action="store_true", help=words("analyse.json"))


def tell_of_compiling(terminal: Terminal) -> None:
    """Whoever waits at a terminal for the engine's first time on this machine hears of it."""
    from cabochon.search.build import is_compiled

    if terminal.is_interactive and not is_compiled():
        terminal.complain(terminal.words("analyse.first-time"))


def run(args: Namespace, terminal: Terminal) -> int:
    words = terminal.words
    text = text_of(args.what, terminal)
    table = table_in(text)
    if table is not None:
        if args.ply is not None:
            raise Failure(words("show.no-ply"))
        _position(_to_decide(table, words), None, args, terminal)
        return 0
    record = the_one(records_in(text, args.what, terminal), args.what, terminal)
    if args.ply is not None:
        position = at_ply(record, args.ply, words)
        if position.phase is Phase.DEAL and args.ply < len(record.events):
            position = at_ply(record, args.ply + 1, words)
        _position(_to_decide(position, words), record.players, args, terminal)
    else:
        _game(record, args, terminal)
    return 0


def _limit(args: Namespace) -> Limit:
    """Visits, with a seed: the same every time. Or a time: as far as it gets."""
    from cabochon.search import Limit

    if args.ms is not None:
        return Limit(args.ms / 1000, args.visits)
    return Limit(visits=args.visits or VISITS, seed=_SEED)


def _to_decide(table: Position | View, words: Words) -> View:
    """What the player who must decide knows. Raises Failure when nobody must, or another."""
    if table.phase in (Phase.DEAL, Phase.OVER):
        raise Failure(words("analyse.nothing"))
    if isinstance(table, Position):
        return table.view(table.seat)
    if table.viewer != table.seat:
        raise Failure(words("analyse.not-theirs"))
    return table


# A position


def _position(view: View, names: Sequence[str] | None, args: Namespace, terminal: Terminal) -> None:
    from cabochon.review.reviewjson import analysis_to_json
    from cabochon.search import Searcher, shipped_for

    words = terminal.words
    tell_of_compiling(terminal)
    names = names or [words("analyse.seat", seat=n + 1) for n in range(view.ruleset.seats)]
    found = Searcher(shipped_for(view.ruleset)).analyse(view, _limit(args))
    if args.json:
        terminal.write(dumps(analysis_to_json(found, args.top)) + "\n")
        return
    chances = ", ".join(
        f"{name} {_percent(share)}" for name, share in zip(names, found.shares, strict=True)
    )
    terminal.tell(words("analyse.chances", chances=chances))
    terminal.say()
    heads = [words(f"analyse.{name}") for name in ("chance", "tried", "prior")]
    terminal.say(left(words("analyse.move"), _MOVE) + "".join(right(h, _FIGURE) for h in heads))
    for line in found.lines[: args.top]:
        chance = "-" if line.value is None else _percent(line.value)
        cells = (chance, _percent(line.visits / found.visits), _percent(line.prior))
        terminal.say(
            left(format_move(line.move), _MOVE) + "".join(right(c, _FIGURE) for c in cells)
        )
    terminal.say()
    if len(found.variation) > 1:
        then = ", ".join(format_move(move) for move in found.variation)
        terminal.tell(words("analyse.then", moves=then), "  ")
    effort = words("analyse.effort", visits=found.visits, seconds=f"{found.seconds:.1f}")
    terminal.tell(effort)


# A game


def _game(record: Record, args: Namespace, terminal: Terminal) -> None:
    from cabochon.review import Judge, Knowledge, Review, engine_for
    from cabochon.review.reviewjson import review_to_json

    words = terminal.words
    if args.ms is not None:
        raise Failure(words("analyse.game-by-visits"))
    tell_of_compiling(terminal)
    knowledge = Knowledge.ALL_CARDS if args.all_cards else Knowledge.OWN
    judge = Judge(record, engine_for(record, args.visits or VISITS, _SEED, knowledge))
    if not args.json:
        terminal.say(_head(words))
    turns = []
    for turn in judge.turns():
        turns.append(turn)
        if not args.json:
            for decision in turn.decisions:
                terminal.say(_decision_line(decision, turn, record))
                if decision.mark in GRAVE and decision.why:
                    terminal.tell(_INDENT + _why(decision, record, words), _INDENT)
            terminal.flush()
    found = Review(record, judge.engine, judge.start(), tuple(turns))
    if args.json:
        terminal.write(dumps(review_to_json(found)) + "\n")
        return
    terminal.say()
    for player in found.players:
        terminal.tell(_summary(record.players[player.seat], player, words), "  ")
    if found.turning_points:
        labels = [turn_label(turn.turn, record.ruleset.seats) for turn in found.turning_points]
        terminal.tell(words("analyse.turning", turns=", ".join(labels)), "  ")
    terminal.say()
    terminal.tell(words("analyse.marks", **_bounds()))


def _head(words: Words) -> str:
    heads = [words(f"analyse.{name}") for name in ("chance", "lost", "luck")]
    widths = (_CHANCE, _LOST, _LUCK)
    return (
        left(words("analyse.decision"), _LABEL)
        + left(words("analyse.player"), _NAME)
        + "".join(right(head, size) for head, size in zip(heads, widths, strict=True))
        + f"  {words('analyse.better')}"
    )


def _decision_line(decision: MoveVerdict, turn: TurnVerdict, record: Record) -> str:
    """One decision; the last one of a turn also says what the cards did."""
    label = turn_label(turn.turn, record.ruleset.seats)
    chance, lost, better = "", "", ""
    if decision.analysis is not None:
        chance = _percent(decision.analysis.shares[turn.seat])
    if decision.mark is not None:
        lost = f"{floor(100 * decision.loss) or ''} {decision.mark:2}"
        better = format_move(decision.best) if decision.loss else ""
    is_last = decision is turn.decisions[-1]
    luck = f"{100 * turn.luck:+.0f}" if is_last and turn.dealt is not None else ""
    cells = (right(chance, _CHANCE), right(lost, _LOST), right(luck, _LUCK))
    played = left(f"{label} {format_move(decision.played)}", _LABEL)
    name = left(clipped(record.players[turn.seat], _NAME - 1), _NAME)
    return f"{played}{name}{''.join(cells)}  {better}".rstrip()


def _why(decision: MoveVerdict, record: Record, words: Words) -> str:
    """Why the better move was better."""
    texts = [reason.text(words.lang, record.players) for reason in decision.why]
    return words(
        "analyse.why",
        move=format_move(decision.best),
        reasons=text("lists.sentences", words.lang).join(texts),
    )


def _summary(name: str, player: PlayerSummary, words: Words) -> str:
    from cabochon.review.verdicts import WRONG, marks_in_words

    return words(
        "analyse.sum",
        who=name,
        accuracy="-" if player.accuracy is None else f"{player.accuracy:.0f} %",
        lost=f"{100 * player.mean_loss:.1f}",
        luck=f"{100 * player.luck:+.0f}",
        marks=text("lists.comma", words.lang).join(
            f"{marks_in_words(mark, words.lang)} ({mark}) {player.marks[mark]}" for mark in WRONG
        ),
    )


def _bounds() -> dict[str, str]:
    """The marks' names and bounds, in points."""
    from cabochon.review.verdicts import LOSSES

    return {mark.name.lower(): f"{100 * least:.0f}" for mark, least in LOSSES.items()}


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
