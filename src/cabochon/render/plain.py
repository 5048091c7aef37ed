"""The table in a few lines for a reader who pays by the letter: the board, the hands, the moves.

standard/2, turn 0, you-0 to act; points: you-0 0, greedy-1 0
bank 4w4u4g4r4k5o; decks 36 26 16; nobles rk4 grk3 gr4
3: 3k4 5p 7r3k, 3w1 4p 3w3r6k, ...
2: ...
1: 1w3 1w2u1k, ...
you-0: 2w1o; bonuses 1k; reserved 2u5 2p 5u
moves: take wug wur ...; reserve 1w3 ... deck1 deck2 deck3; buy 1w3
"""

from __future__ import annotations

from collections.abc import Sequence

from cabochon.notation import format_move
from cabochon.rules import Card, Gems, Hidden, Move, Phase, View
from cabochon.rules.gems import LETTERS
from cabochon.words import ENGLISH, Words


def plain_text(view: View, names: Sequence[str], moves: Sequence[Move], lang: str = ENGLISH) -> str:
    """The table as the viewer may know it, and the moves it can play."""
    say = Words(lang, "plain")
    lines = [_heading(view, names, say), _common(view, say)]
    for level in (3, 2, 1):
        cards = ", ".join(_card(card) for card in view.rows[level - 1] if card is not None)
        lines.append(f"{level}: {cards or '-'}")
    lines += [_hand(view, seat, name, say) for seat, name in enumerate(names)]
    if moves:
        lines.append(say("moves", moves=_grouped(moves)))
    return "\n".join(lines)


def _heading(view: View, names: Sequence[str], say: Words) -> str:
    points = ", ".join(f"{name} {view.points(seat)}" for seat, name in enumerate(names))
    facts = {"ruleset": view.ruleset, "turn": view.turn, "points": points}
    if view.phase is Phase.OVER:
        return say("over", **facts)
    key = "last" if view.last_round else "turn"
    return say(key, who=names[view.seat], phase=say(f"{view.phase.value}"), **facts)


def _common(view: View, say: Words) -> str:
    nobles = " ".join(noble.code for noble in view.open_nobles) or "-"
    decks = " ".join(map(str, view.decks))
    return say("common", bank=_counts(view.bank), decks=decks, nobles=nobles)


def _hand(view: View, seat: int, name: str, say: Words) -> str:
    hand = view.hands[seat]
    facts = [_counts(hand.tokens)]
    if any(view.bonuses(seat)):
        facts.append(say("bonuses", gems=_counts(view.bonuses(seat))))
    if hand.reserved:
        held = [
            f"?{held.level}" if isinstance(held, Hidden) else _card(held.card)
            for held in hand.reserved
        ]
        facts.append(say("reserved", cards=", ".join(held)))
    return f"{name}: {'; '.join(facts)}"


def _card(card: Card) -> str:
    points = f" {card.points}p" if card.points else ""
    return f"{card.code}{points} {_counts(card.cost)}"


def _counts(gems: Gems) -> str:
    return "".join(f"{n}{letter}" for n, letter in zip(gems, LETTERS, strict=True) if n) or "-"


def _grouped(moves: Sequence[Move]) -> str:
    """Each verb once; of a purchase the card alone, which means the least gold."""
    groups: dict[str, list[str]] = {}
    for move in moves:
        verb, _, rest = format_move(move).partition(" ")
        groups.setdefault(verb, []).append(rest.partition(" ")[0] if verb == "buy" else rest)
    return "; ".join(" ".join((verb, *rest)).strip() for verb, rest in groups.items())
