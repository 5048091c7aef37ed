"""`cabochon analyse`: the moves of a position, or every decision of a game, weighed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from math import floor
from typing import TYPE_CHECKING

from cabochon.cli.failure import Failure
from cabochon.cli.files import records_in, the_one
from cabochon.cli.parser import Parser, number
from cabochon.cli.tables import at_ply, table_in, text_of
from cabochon.cli.terminal import Terminal
from cabochon.notation import Json, dumps, format_move, turn_label
from cabochon.record import Record
from cabochon.render.width import clipped, left, right
from cabochon.rules import Phase, Position, View
from cabochon.words import Words

if TYPE_CHECKING:
    from cabochon.search import Analysis, Limit, ReviewedMove

VISITS = 4000
TOP = 8
_SEED = 0
_MOVE, _FIGURE = 26, 12
_LABEL, _NAME, _NARROW = 28, 14, 8


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
    option("--json", action="store_true", help=words("analyse.json"))


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
    """Visits with a seed: the same every time; so long a time: whatever it is good for."""
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
    from cabochon.search import Searcher, shipped_for

    words = terminal.words
    names = names or [words("analyse.seat", seat=n + 1) for n in range(view.ruleset.seats)]
    found = Searcher(shipped_for(view.ruleset)).analyse(view, _limit(args))
    if args.json:
        terminal.write(dumps(_analysis_json(found, args.top)) + "\n")
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


def _analysis_json(found: Analysis, top: int) -> Json:
    return {
        "chances": [round(share, 4) for share in found.shares],
        "moves": [
            {
                "move": format_move(line.move),
                "value": None if line.value is None else round(line.value, 4),
                "visits": line.visits,
                "prior": round(line.prior, 4),
            }
            for line in found.lines[:top]
        ],
        "variation": [format_move(move) for move in found.variation],
        "visits": found.visits,
    }


# A game


def _game(record: Record, args: Namespace, terminal: Terminal) -> None:
    from cabochon.search import review

    words = terminal.words
    if not args.json:
        heads = (words("analyse.chance"), words("analyse.lost"))
        terminal.say(
            left(words("analyse.decision"), _LABEL)
            + left(words("analyse.player"), _NAME)
            + "".join(right(head, _NARROW) for head in heads)
            + f"     {words('analyse.better')}"
        )
    verdicts = []
    for verdict in review(record, _limit(args)):
        verdicts.append(verdict)
        if not args.json:
            terminal.say(_verdict_line(verdict, record))
            terminal.flush()
    if args.json:
        terminal.write(dumps(_review_json(record, verdicts)) + "\n")
        return
    terminal.say()
    for seat in range(record.ruleset.seats):
        terminal.tell(_summary(record.players[seat], _of(seat, verdicts), words), "  ")
    terminal.say()
    terminal.tell(words("analyse.marks", **_bounds()))


def _verdict_line(verdict: ReviewedMove, record: Record) -> str:
    label = turn_label(verdict.turn, record.ruleset.seats)
    lost, better = "", ""
    if verdict.mark is not None:
        lost = f"{floor(100 * verdict.loss)} {verdict.mark:2}"
        better = format_move(verdict.analysis.best)
    chance = _percent(verdict.analysis.shares[verdict.seat])
    line = (
        left(f"{label} {format_move(verdict.played)}", _LABEL)
        + left(clipped(record.players[verdict.seat], _NAME - 2), _NAME)
        + right(chance, _NARROW)
        + right(lost, _NARROW + 3)
        + f"  {better}"
    )
    return line.rstrip()


def _of(seat: int, verdicts: Sequence[ReviewedMove]) -> list[ReviewedMove]:
    return [verdict for verdict in verdicts if verdict.seat == seat]


def _summary(name: str, verdicts: Sequence[ReviewedMove], words: Words) -> str:
    from cabochon.search import Mark

    marks = [verdict.mark for verdict in verdicts]
    return words(
        "analyse.sum",
        who=name,
        count=len(verdicts),
        lost=f"{100 * _mean_loss(verdicts):.1f}",
        dubious=marks.count(Mark.DUBIOUS),
        mistakes=marks.count(Mark.MISTAKE),
        blunders=marks.count(Mark.BLUNDER),
    )


def _mean_loss(verdicts: Sequence[ReviewedMove]) -> float:
    return sum(verdict.loss for verdict in verdicts) / max(1, len(verdicts))


def _bounds() -> dict[str, str]:
    """The marks' names and bounds, in points."""
    from cabochon.search.review import MARKS

    return {mark.name.lower(): f"{100 * least:.0f}" for mark, least in MARKS.items()}


def _review_json(record: Record, verdicts: Sequence[ReviewedMove]) -> Json:
    return {
        "decisions": [
            {
                "ply": verdict.ply,
                "turn": verdict.turn,
                "seat": verdict.seat,
                "move": format_move(verdict.played),
                "best": format_move(verdict.analysis.best),
                "chances": [round(share, 4) for share in verdict.analysis.shares],
                "loss": round(verdict.loss, 4),
                "mark": verdict.mark,
            }
            for verdict in verdicts
        ],
        "mean_loss": [
            round(_mean_loss(_of(seat, verdicts)), 4) for seat in range(record.ruleset.seats)
        ],
        "players": list(record.players),
    }


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
