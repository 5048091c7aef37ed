"""A whole turn on one line, for people: the table form, and one sentence.

    3b 2u5=uuo >2k1 !gr4 -w

In round 3 the second seat buys 2u5 for two blue and a gold, 2k1 refills the row, the noble gr4
comes, a white goes back. The action is one of

    wug        takes            @2u5     reserves face up     2u5=uuo   buys for that
    pass       passes           @deck2   reserves unseen      2u5       buys, least gold
    ...        began earlier

and after it, where they apply: `+o` a gold came with the reserve, `>2k1` the card dealt (`>?` if
it is hidden), `!gr4` a noble came by itself, `!!gr4` was chosen, `-w` tokens went back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cabochon.notation.errors import NotationError, NotationFault, cut, only_text, writer
from cabochon.notation.moves import (
    MOST,
    format_gems,
    noble_name,
    parse_card,
    parse_gems,
    parse_noble,
)
from cabochon.rules import DECKS, Buy, Card, Deck, Gems, Noble, Pass, Reserve, Take
from cabochon.rules.errors import Param, sentence, wrong
from cabochon.rules.gems import LETTERS, Gem
from cabochon.turn import SEAT_LETTERS, HiddenDeal, Turn, TurnAction, label_of
from cabochon.words import ENGLISH, colour_name, languages, text, until_forgotten

MOST_TURN = 4 * 10**6
"""No label that is read has more than six digits."""

_LABEL = re.compile(r"([0-9]{1,6})([a-d])[.:]?")
_DECK = re.compile(r"@(?:deck|top)([1-3])")
_BUY = re.compile(r"([1-3][a-z][0-9])(?:=(\S+))?")


def turn_label(turn: int, seats: int) -> str:
    """Round and seat of a turn counted from 0: `3b` is the second seat's third turn. Raises
    WrongArgument."""
    if type(turn) is not int or not 0 <= turn <= MOST_TURN:
        raise wrong("turn", "count", turn)
    if type(seats) is not int or not 0 < seats <= len(SEAT_LETTERS):
        raise wrong("seats", "whole", seats)
    return label_of(turn, seats)


# The table form


@writer("turn", Turn)
def format_turn(turn: Turn) -> str:
    """The canonical line of a turn. Raises WrongArgument for what is none."""
    parts = [f"{turn.round}{SEAT_LETTERS[turn.seat]}", _format_action(turn.action)]
    if turn.gold:
        parts.append("+o")
    if turn.dealt is not None:
        parts.append(">" + (turn.dealt.code if isinstance(turn.dealt, Card) else "?"))
    if turn.noble is not None:
        parts.append(("!!" if turn.chosen else "!") + turn.noble.code)
    if turn.returned.total:
        parts.append("-" + turn.returned.letters)
    return " ".join(parts)


def parse_turn(text: str) -> Turn:
    """The turn that the line says, in any case. Raises NotationError."""
    if len(only_text(text)) > MOST:
        raise NotationError(NotationFault.TOO_LONG, length=len(text), most=MOST, text=cut(text))
    words = text.lower().split()
    label = _LABEL.fullmatch(words[0]) if len(words) > 1 else None
    if label is None:
        raise NotationError(NotationFault.NOT_A_TURN, text=cut(text))
    turn = Turn(int(label[1]), SEAT_LETTERS.index(label[2]), _parse_action(words[1]))
    for mark in words[2:]:
        changed = _with_mark(turn, mark)
        if changed == turn:
            raise NotationError(NotationFault.NOT_A_TURN, text=cut(text))
        turn = changed
    return turn


def _format_action(action: TurnAction | None) -> str:
    match action:
        case None:
            return "..."
        case Take(gems):
            return format_gems(gems)
        case Reserve(Card() as target):
            return f"@{target.code}"
        case Reserve(deck):
            return f"@deck{deck.level}"
        case Buy(bought, payment):
            return bought.code if payment is None else f"{bought.code}={format_gems(payment)}"
        case _:
            return "pass"


def _parse_action(text: str) -> TurnAction | None:
    deck, buy = _DECK.fullmatch(text), _BUY.fullmatch(text)
    if text == "...":
        return None
    if text == "pass":
        return Pass()
    if deck:
        return Reserve(DECKS[int(deck[1]) - 1])
    if text.startswith("@"):
        return Reserve(parse_card(text[1:]))
    if buy:
        return Buy(parse_card(buy[1]), None if buy[2] is None else parse_gems(buy[2]))
    return Take(parse_gems(text))


def _with_mark(turn: Turn, mark: str) -> Turn:
    """The turn with what the mark adds; the same turn when it adds nothing."""
    kind, rest = mark[0], mark[1:]
    if mark in ("+o", "+*"):
        return replace(turn, gold=True)
    if kind == ">" and turn.dealt is None:
        return replace(turn, dealt=HiddenDeal() if rest == "?" else parse_card(rest))
    if kind == "!" and turn.noble is None:
        chosen = rest.startswith("!")
        return replace(turn, noble=parse_noble(rest[chosen:]), chosen=chosen)
    if kind == "-" and not turn.returned.total:
        return replace(turn, returned=parse_gems(rest))
    return turn


# One sentence


@writer("turn", Turn)
def describe_turn(turn: Turn, language: str = ENGLISH) -> str:
    """What the seat did, in one sentence without its subject: `takes white, blue, green`. Raises
    WrongArgument for anything but a turn, or an unknown language."""
    if language not in languages():
        raise wrong("language", "language", language)
    parts = [action_in_words(turn.action, turn.dealt, turn.gold, language)]
    if turn.noble is not None:
        parts.append(visit_in_words(turn.noble, language))
    if turn.returned.total:
        parts.append(return_in_words(turn.returned, language))
    return joined(parts, language)


def visit_in_words(noble: Noble, language: str) -> str:
    return _say("noble", language, noble=noble_name(noble, language))


def return_in_words(gems: Gems, language: str) -> str:
    return _say("return", language, gems=_counts(gems, language))


def joined(parts: Iterable[str], language: str) -> str:
    """What one seat did, one thing after the other."""
    return _say("then", language).join(parts)


def action_in_words(
    action: TurnAction | None, dealt: Card | HiddenDeal | None, gold: bool, language: str
) -> str:
    """What a turn begins with. `dealt` is the card drawn by a reserve from a deck, if it may be
    known; `gold` came with the card."""
    match action:
        case None:
            return _say("later", language)
        case Take(gems):
            return _say("take", language, gems=_taken(gems, language))
        case Reserve():
            also = _say("gold", language) if gold else ""
            return _reserve_words(action, dealt, language) + also
        case Buy(bought, payment):
            words = _say("buy", language, card=card_in_words(bought, language))
            if payment is None:
                return words
            if not payment.total:
                return words + _say("free", language)
            return words + _say("paying", language, gems=_counts(payment, language))
        case _:
            return _say("pass", language)


def _reserve_words(action: Reserve, dealt: Card | HiddenDeal | None, language: str) -> str:
    if not isinstance(action.target, Deck):
        return _say("reserve", language, card=card_in_words(action.target, language))
    if not isinstance(dealt, Card):
        return _say("draw", language, level=action.target.level)
    return _say("drawn", language, card=card_in_words(dealt, language), level=action.target.level)


@until_forgotten
def card_in_words(card: Card, language: str = ENGLISH) -> str:
    """`2u4 (blue, 2 points)`."""
    key = {0: "plain", 1: "point"}.get(card.points, "card")
    bonus = colour_name(card.bonus.letter, language)
    return _say(key, language, code=card.code, bonus=bonus, points=card.points)


def _taken(gems: Gems, language: str) -> str:
    """Different colours need no counts: `white, blue, green`."""
    if max(gems) > 1 or not gems.total:
        return _counts(gems, language)
    return _say("comma", language).join(colour_name(c, language) for c in gems.letters)


@until_forgotten
def _counts(gems: Gems, language: str) -> str:
    """`a white, 2 blue and a gold`."""
    parts = [
        _say(
            "one" if count == 1 else "many",
            language,
            count=count,
            colour=colour_name(letter, language),
        )
        for letter, count in zip(LETTERS, gems, strict=True)
        if count
    ]
    if not parts:
        return _say("nothing", language)
    *firsts, last = parts
    listed = _say("comma", language).join(firsts)
    return listed + _say("and", language) + last if firsts else last


def _say(key: str, language: str, **params: object) -> str:
    return text(f"turns.{key}", language, **params)


@dataclass(frozen=True, slots=True)
class WhyGood:
    """Why a move is good: what kind of reason, and what it is about."""

    kind: str
    card: Card | None = None
    noble: Noble | None = None
    colour: Gem | None = None
    seat: int | None = None
    count: int = 0

    def text(self, lang: str = ENGLISH, names: Sequence[str] | None = None) -> str:
        """The sentence; `names` are the players' by seat."""
        params: dict[str, Param] = {"count": self.count}
        if self.card is not None:
            params["card"] = card_in_words(self.card, lang)
        if self.noble is not None:
            params["noble"] = noble_name(self.noble, lang)
        if self.colour is not None:
            params["colour"] = self.colour.letter
        if self.seat is not None:
            params["who"] = _who(self.seat, lang, names)
        return sentence(f"reasons.{self.kind}", lang, params)


def _who(seat: int, lang: str, names: Sequence[str] | None) -> str:
    return names[seat] if names else sentence("reasons.reason-seat", lang, {"seat": seat + 1})
