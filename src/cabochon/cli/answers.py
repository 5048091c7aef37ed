"""What a player may ask at the prompt, and what a table asks and says, answered from the player's
View."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cabochon.bots import make_bot
from cabochon.cli.terminal import INDENT, Terminal
from cabochon.notation import NotationError, format_move, parse_card
from cabochon.render.plain import in_words, read_card, read_hand, read_noble
from cabochon.render.text import COLUMNS, counted
from cabochon.render.width import clipped, flowed, left
from cabochon.rules import (
    Buy,
    Card,
    ChooseNoble,
    Move,
    Pass,
    Phase,
    Position,
    Reserve,
    Return,
    Take,
    View,
)
from cabochon.rules.taking import excess
from cabochon.words import Words, text

# What a player may ask about the table at the prompt, answered from the player's View.


_LABEL = 10
_KINDS: tuple[tuple[str, type[Move]], ...] = (
    ("take", Take),
    ("reserve", Reserve),
    ("buy", Buy),
    ("return", Return),
    ("noble", ChooseNoble),
    ("pass", Pass),
)


def answer(
    question: str, argument: str, view: View, names: Sequence[str], terminal: Terminal
) -> None:
    """Say what the question (a key of `entry.COMMANDS`) asks for."""
    _Answers(view, names, terminal).give(question, argument)


class _Answers:
    def __init__(self, view: View, names: Sequence[str], terminal: Terminal) -> None:
        self._view = view
        self._names = names
        self._terminal = terminal
        self._words = terminal.words

    def give(self, question: str, argument: str) -> None:
        plain: dict[str, Callable[[], None]] = {
            "help": lambda: self._terminal.say(self._words("play.help")),
            "moves": self._moves,
            "hint": self._hint,
            "bank": self._bank,
            "market": self._market,
            "nobles": self._nobles,
            "me": lambda: self._hands(lambda seat: seat == self._view.seat),
            "others": lambda: self._hands(lambda seat: seat != self._view.seat),
        }
        if question in plain:
            plain[question]()
        else:
            self._about_card(question, argument)

    def _moves(self) -> None:
        """Every legal move with its number, by kind."""
        moves = self._view.legal_moves()
        for verb, kind in _KINDS:
            items = [
                f"{number:>2} {format_move(move).removeprefix(verb).strip() or verb}"
                for number, move in enumerate(moves, start=1)
                if isinstance(move, kind)
            ]
            label = left(self._words(f"moves.{verb}"), _LABEL)
            for line in flowed(items, COLUMNS - _LABEL, "   "):
                self._terminal.say(label + line)
                label = " " * _LABEL
        self._terminal.say(self._words("moves.how"))

    def _hint(self) -> None:
        move = make_bot("greedy").choose(self._view)
        self._terminal.say(self._words("play.hint", move=format_move(move)))

    def _bank(self) -> None:
        bank = in_words(self._view.bank, self._words)
        self._terminal.tell(self._words("read.bank", gems=bank), INDENT)

    def _market(self) -> None:
        for row in self._view.rows:
            for card in row:
                if card is not None:
                    self._terminal.tell(read_card(card, self._view, self._words), INDENT)
        for level, count in enumerate(self._view.decks, start=1):
            self._terminal.say(self._words("read.deck", level=level, count=count))

    def _nobles(self) -> None:
        for noble in self._view.open_nobles:
            self._terminal.tell(read_noble(noble, self._view, self._words), INDENT)

    def _hands(self, wanted: Callable[[int], bool]) -> None:
        for seat in filter(wanted, range(self._view.ruleset.seats)):
            for line in read_hand(self._view, seat, self._names[seat], self._words):
                self._terminal.tell(line, INDENT * 2)

    def _about_card(self, question: str, code: str) -> None:
        if not code:
            typed = text(f"commands.{question}", self._words.lang).split()[0]
            self._terminal.say(self._words("play.which-card", command=typed))
            return
        try:
            card = parse_card(code.lower())
        except NotationError as error:
            self._terminal.tell(error.text(self._words.lang))
            return
        if question == "pay":
            self._payments(card)
        else:
            self._terminal.tell(read_card(card, self._view, self._words), INDENT)

    def _payments(self, card: Card) -> None:
        """Every way to pay for the card, as a move that can be typed."""
        refusal = self._view.refusal(Buy(card))
        if refusal is not None:
            self._terminal.tell(refusal.text(self._words.lang), INDENT)
            return
        moves = [format_move(Buy(card, paid)) for paid in self._view.legal_payments(card)]
        for line in flowed(moves, COLUMNS, "   "):
            self._terminal.say(line)


# What is asked at the prompt and said at the end, at this machine's tables and at a server's.


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
