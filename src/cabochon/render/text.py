"""A position as plain text, at most 80 columns wide, in English or Chinese.

    Round 9, to 15 points        w white  u blue  g green  r red  k black  o gold
    Nobles, 3 pts each:   gr4 lack 4g3r   rk4 lack 3r4k   wuk3 (Greedy)
    ────────────────────────────────────────────────────────────────────────────────
    deck3    3u4 blue  4 pts   3r1 red   4 pts   ...       level 3, its deck, its cards:
    14 left  6w 3u 3k          7g                          the price, and below it what
             lack 6w2u3k       lack 7g                     the viewer lacks or would pay
    ...
    ────────────────────────────────────────────────────────────────────────────────
    tokens+bonuses   pts cards  w     u     g     r     k     o   tokens reserved
      bank                      4     3     2     4     1     5
    > You              1     4  1+1   1     2     0+3   .     .     4/10 [2]

A `View` shows what one seat, or a watcher, may know, and reserved cards by their backs; whoever
has the whole `Position`, as from a record, sees every face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cabochon.render.width import clipped, flowed, left, right
from cabochon.rules import (
    COLOURS,
    Card,
    Gem,
    Gems,
    Hand,
    Noble,
    Phase,
    Position,
    Reserved,
    View,
)
from cabochon.rules.buying import least_payment, price
from cabochon.rules.ruleset import TOKEN_LIMIT
from cabochon.words import Words

# Colours of a terminal. Every colour says again what a letter says already.


_CHIPS = {
    Gem.WHITE: "30;107",
    Gem.BLUE: "97;44",
    Gem.GREEN: "30;42",
    Gem.RED: "97;41",
    Gem.BLACK: "97;100",
    Gem.GOLD: "30;103",
}


@dataclass(frozen=True, slots=True)
class Paint:
    """Paints, or leaves everything as it is."""

    on: bool = False

    def chip(self, text: str, gem: Gem) -> str:
        """In the gem's colour: both its ink and its ground are set, so any terminal's own
        colours do."""
        return self._dressed(text, _CHIPS[gem])

    def strong(self, text: str) -> str:
        return self._dressed(text, "1")

    def faint(self, text: str) -> str:
        return self._dressed(text, "2")

    def good(self, text: str) -> str:
        return self._dressed(text, "1;32")

    def alarm(self, text: str) -> str:
        return self._dressed(text, "1;31")

    def _dressed(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text


PLAIN = Paint()


COLUMNS = 80
_LEGEND = 51
_DECK = 8
_CELL = 17
_NAME = 16
_ENGLISH = Words("en")


def board(
    table: View | Position,
    words: Words = _ENGLISH,
    paint: Paint = PLAIN,
    names: Sequence[str] | None = None,
) -> str:
    """The whole table. `names` are the players' by seat."""
    seats = range(1, table.ruleset.seats + 1)
    names = names or [words("board.seat", number=seat) for seat in seats]
    return "\n".join(line.rstrip() for line in _Drawing(table, words, paint, names).lines())


def counted(gems: Gems, between: str = "") -> str:
    """`2w1o`, or with a space between `2w 1o`; nothing at all is a dash."""
    return between.join(f"{gems[gem]}{gem.letter}" for gem in Gem if gems[gem]) or "-"


class _Drawing:
    """One table on its way to paper: each part is a list of lines."""

    def __init__(
        self, table: View | Position, words: Words, paint: Paint, names: Sequence[str]
    ) -> None:
        self._table = table
        self._viewer = table.viewer if isinstance(table, View) else None
        self._words = words
        self._paint = paint
        self._names = [clipped(name, _NAME - 3) for name in names]

    def lines(self) -> list[str]:
        rule = self._paint.faint("─" * COLUMNS)
        return [self._title(), *self._nobles(), rule, *self._market(), rule, *self._seats()]

    def _title(self) -> str:
        table, words, paint = self._table, self._words, self._paint
        target = table.ruleset.target
        title = words("board.title", round=table.round, target=target)
        if table.last_round:
            title = words("board.last-round", target=target)
        if table.phase is Phase.OVER:
            title = words("board.over")
        legend = [paint.chip(f" {gem.letter} ", gem) + words.colour(gem.letter) for gem in Gem]
        return left(paint.strong(title), COLUMNS - _LEGEND) + " ".join(legend)

    # The nobles

    def _nobles(self) -> list[str]:
        items = [self._noble(noble) for noble in self._table.nobles]
        return flowed([self._words("board.nobles"), *items], COLUMNS, "   ")

    def _noble(self, noble: Noble) -> str:
        code = self._paint.strong(noble.code)
        for name, hand in zip(self._names, self._table.hands, strict=True):
            if noble in hand.nobles:
                return f"{code} {self._words('board.visits', who=name)}"
        if self._viewer is None:
            return code
        bonuses = self._table.bonuses(self._viewer)
        due = Gems(*(max(0, c - b) for c, b in zip(noble.cost, bonuses, strict=True)))
        return f"{code} {self._words('board.lack', gems=counted(due))}"

    # The cards

    def _market(self) -> list[str]:
        """The rows, level 3 on top, each three lines high."""
        lines: list[str] = []
        for level in (3, 2, 1):
            left_over = self._words("board.left", count=self._table.decks[level - 1])
            label = (self._paint.strong(f"deck{level}"), left_over, "")
            lines += self._row(label, self._table.rows[level - 1])
        return lines

    def _reserve(self) -> list[str]:
        """The viewer's own reserved cards, drawn like a row; nothing when there are none."""
        if self._viewer is None:
            return []
        held = self._table.hands[self._viewer].reserved
        cards = [each.card for each in held if isinstance(each, Reserved)]
        label = (self._paint.strong(self._words("board.yours")), self._words("board.reserved"), "")
        return self._row(label, cards) if cards else []

    def _row(self, label: tuple[str, str, str], cards: Sequence[Card | None]) -> list[str]:
        cells = [self._cell(card) for card in cards]
        return [
            left(label[line], _DECK) + " ".join(left(cell[line], _CELL) for cell in cells)
            for line in range(3)
        ]

    def _cell(self, card: Card | None) -> tuple[str, str, str]:
        if card is None:
            return self._paint.faint(left(" --", _CELL)), "", ""
        words, paint = self._words, self._paint
        key = {0: "board.no-points", 1: "board.point"}.get(card.points, "board.points")
        name = f" {card.code} {words.colour(card.bonus.letter)}"
        head = left(name, _CELL - 7) + right(words(key, count=card.points), 6) + " "
        price = " ".join(
            paint.chip(f"{card.cost[gem]}{gem.letter}", gem) for gem in COLOURS if card.cost[gem]
        )
        return paint.chip(head, card.bonus), f" {price}", f" {self._reach(card)}"

    def _reach(self, card: Card) -> str:
        """What the viewer would pay for the card, or what is still lacking."""
        if self._viewer is None:
            return ""
        tokens, bonuses = self._table.hands[self._viewer].tokens, self._table.bonuses(self._viewer)
        payment = least_payment(card, bonuses, tokens)
        if payment is None:
            due = price(card, bonuses)
            short = Gems(*(max(0, due[gem] - tokens[gem]) for gem in COLOURS))
            gold = f"-{tokens.gold}o" if tokens.gold else ""
            return self._paint.faint(self._words("board.lack", gems=counted(short) + gold))
        key = "board.buy" if payment.total else "board.free"
        return self._paint.good(self._words(key, gems=counted(payment)))

    # The bank and the players

    def _seats(self) -> list[str]:
        """A line for the bank and one for every seat, in columns by colour."""
        lines = [self._heading(), self._bank()]
        lines += [self._seat(seat) for seat in range(self._table.ruleset.seats)]
        if self._table.ruleset.teams:
            lines += [self._team(seat) for seat in (0, 1)]
        return lines + self._reserve()

    def _heading(self) -> str:
        words = self._words
        gems = "".join(" " + self._paint.chip(f" {gem.letter} ", gem) + "  " for gem in Gem)
        return (
            left(self._paint.faint(words("board.cell")), _NAME)
            + right(words("board.pts"), 4)
            + right(words("board.cards"), 6)
            + gems
            + right(words("board.tokens"), 6)
            + " "
            + words("board.reserved")
        )

    def _bank(self) -> str:
        gems = "".join(_holding(count, 0) for count in self._table.bank)
        return left("  " + self._words("board.bank"), _NAME + 10) + gems

    def _seat(self, seat: int) -> str:
        table, hand = self._table, self._table.hands[seat]
        to_act = table.seat == seat and table.phase is not Phase.OVER
        name = left(("> " if to_act else "  ") + self._names[seat], _NAME)
        return (
            (self._paint.strong(name) if seat == self._viewer else name)
            + right(str(hand.points), 4)
            + right(str(len(hand.bought)), 6)
            + "".join(_holding(hand.tokens[gem], hand.bonuses[gem]) for gem in Gem)
            + right(f"{hand.tokens.total}/{TOKEN_LIMIT}", 6)
            + " "
            + self._backs(hand)
        )

    def _backs(self, hand: Hand) -> str:
        """Reserved cards: their levels, or for who may see everything their faces."""
        if isinstance(self._table, View):
            return "".join(f"[{each.level}]" for each in hand.reserved)
        return " ".join(each.card.code for each in hand.reserved if isinstance(each, Reserved))

    def _team(self, seat: int) -> str:
        """What partners have in common."""
        table = self._table
        one, two = table.ruleset.side(seat)
        cards = len(table.hands[one].bought) + len(table.hands[two].bought)
        bonuses = table.bonuses(seat)
        return (
            left("  " + self._words("board.team", one=one + 1, two=two + 1), _NAME)
            + right(str(table.points(seat)), 4)
            + right(str(cards), 6)
            + "".join(_holding(0, bonuses[gem]) for gem in COLOURS)
        )


def _holding(tokens: int, bonuses: int) -> str:
    """Tokens in hand and the bonus that counts like them: `2`, `2+1`, `.`."""
    held = str(tokens) if tokens or bonuses else "."
    return right(held, 3) + left(f"+{bonuses}" if bonuses else "", 3)
