"""What is asked at the prompt and said at the end, at this machine's tables and at a server's."""

from __future__ import annotations

from collections.abc import Sequence

from cabochon.render.text import counted
from cabochon.render.width import clipped, left
from cabochon.rules import ChooseNoble, Phase, Position, View
from cabochon.rules.taking import excess
from cabochon.words import Words


def question(view: View, names: Sequence[str], words: Words) -> str:
    """What the seat that has to decide is asked."""
    who = names[view.seat]
    if view.phase is Phase.RETURN:
        tokens = view.hands[view.seat].tokens
        held = counted(tokens, " ")
        return words("play.ask-return", who=who, count=excess(tokens), held=held)
    if view.phase is Phase.NOBLE:
        offered = [m.noble.code for m in view.legal_moves() if isinstance(m, ChooseNoble)]
        return words("play.ask-noble", who=who, nobles=", ".join(offered))
    return words("play.ask", who=who)


def standings(
    table: Position | View, names: Sequence[str], ranking: Sequence[int], words: Words
) -> list[str]:
    """A line for each seat, the winners first."""
    teams = table.ruleset.teams
    won = "over.shared" if list(ranking).count(1) > 1 and not teams else "over.winner"
    lines = []
    for seat in sorted(range(table.ruleset.seats), key=lambda seat: ranking[seat]):
        line = _standing(table, seat, names[seat], ranking[seat], words)
        if teams:
            line += words("over.team", points=table.points(seat))
        lines.append(line + (words(won) if ranking[seat] == 1 else ""))
    return lines


def _standing(table: Position | View, seat: int, name: str, rank: int, words: Words) -> str:
    hand = table.hands[seat]
    return words(
        "over.line",
        rank=rank,
        who=left(clipped(name, 20), 20),
        points=hand.points,
        cards=len(hand.bought),
        nobles=len(hand.nobles),
    )
