"""The table in words: in a few lines for a reader who pays by the letter, and read out in
sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cabochon.notation import format_move, noble_name
from cabochon.rules import Gem, Hidden, Move, Phase, Reserved, View
from cabochon.rules.buying import least_payment, missing, price
from cabochon.rules.cards import Card, Noble
from cabochon.rules.ending import outcome_of
from cabochon.rules.gems import COLOURS, LETTERS, Gems
from cabochon.words import ENGLISH, Words

# The table in a few lines for a reader who pays by the letter: the board, the hands, the moves.
#
# standard/2 to 15, turn 0, you-0 to act; points: you-0 0, greedy-1 0
# bank 4w4u4g4r4k5o; decks 36 26 16; nobles rk4 grk3 gr4
# 3: 3k4 5p 7r3k, 3w1 4p 3w3r6k, ...
# 2: ...
# 1: 1w3 1w2u1k, ...
# you-0: 2w1o; bonuses 1k; reserved 2u5 2p 5u
# moves: take wug wur ...; reserve 1w3 ... deck1 deck2 deck3; buy 1w3


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
    rules = view.ruleset
    facts = {"ruleset": rules, "target": rules.target, "turn": view.turn, "points": points}
    if view.phase is Phase.OVER:
        return say("over", **facts, winners=_winners(view, names, say))
    key = "last" if view.last_round else "turn"
    return say(key, who=names[view.seat], phase=say(f"{view.phase.value}"), **facts)


def _winners(view: View, names: Sequence[str], say: Words) -> str:
    winners = outcome_of(view).winners
    key = "won" if winners == view.ruleset.side(winners[0]) else "shared"
    return say(key, who=", ".join(names[seat] for seat in winners))


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
    return f"{name}: {say('semicolon').join(facts)}"


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


# A card, a noble or a hand read out in sentences: for ears, and for who asks about one thing.


def in_words(gems: Gems, words: Words, kind: str = "token") -> str:
    """`2 white, 1 gold`. Some languages count a `token` and a `bonus` in different words."""
    parts = [
        words(f"read.{kind}", count=gems[gem], colour=words.colour(gem.letter))
        for gem in Gem
        if gems[gem]
    ]
    return words("read.comma").join(parts) or words("read.nothing")


def read_card(card: Card, view: View, words: Words) -> str:
    """The whole card, and for a seat what it would pay or what it lacks."""
    line = words(
        "read.card",
        card=card.code,
        level=card.level,
        bonus=words.colour(card.bonus.letter),
        points=card.points,
        cost=in_words(card.cost, words),
    )
    if view.viewer is None:
        return line
    tokens, bonuses = view.hands[view.viewer].tokens, view.bonuses(view.viewer)
    payment = least_payment(card, bonuses, tokens)
    if payment is not None:
        return line + words("read.pay", gems=in_words(payment, words))
    due = price(card, bonuses)
    short = Gems(*(max(0, due[gem] - tokens[gem]) for gem in COLOURS))
    count = missing(card, bonuses, tokens)
    return line + words("read.lack", gems=in_words(short, words), count=count)


def read_noble(noble: Noble, view: View, words: Words) -> str:
    """What the noble asks for, and for a seat which bonuses it lacks."""
    name, cost = noble_name(noble, words.lang), in_words(noble.cost, words, "bonus")
    line = words("read.noble", noble=noble.code, name=name, points=noble.points, cost=cost)
    if view.viewer is None:
        return line
    bonuses = view.bonuses(view.viewer)
    short = Gems(*(max(0, c - b) for c, b in zip(noble.cost, bonuses, strict=True)))
    return line + words("read.noble-lack", gems=in_words(short, words, "bonus"))


def read_hand(view: View, seat: int, name: str, words: Words) -> Iterator[str]:
    """Everything the viewer may know of a hand, remembered faces of reserved cards included."""
    hand = view.hands[seat]
    yield words("read.hand", who=name, points=hand.points, cards=len(hand.bought))
    yield words("read.tokens", gems=in_words(hand.tokens, words), count=hand.tokens.total)
    yield words("read.bonuses", gems=in_words(hand.bonuses, words, "bonus"))
    if hand.nobles:
        yield words("read.nobles", nobles=" ".join(noble.code for noble in hand.nobles))
    for reserve in hand.reserved:
        yield words("read.reserved", card=_reserve(reserve, view, words))


def _reserve(reserve: Reserved | Hidden, view: View, words: Words) -> str:
    if isinstance(reserve, Hidden):
        return words("read.hidden", level=reserve.level)
    return read_card(reserve.card, view, words)
