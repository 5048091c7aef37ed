"""Moves and deals as text that needs no context: `take wug`, `buy 2u5 =uuo`, `deal 2k1`.

Reading is generous: any case and spacing, counts (`take 2r`), colour words in English and
Chinese, `*` for gold, a noble by name. Writing is canonical, so two spellings of one move are
equal after a round trip.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from cabochon.notation.errors import NotationError, NotationFault, cut, only_text, writer
from cabochon.rules import (
    CARDS,
    DECKS,
    NOBLES,
    Buy,
    Card,
    ChooseNoble,
    Deal,
    Deck,
    Event,
    Gem,
    Gems,
    Move,
    Noble,
    Pass,
    Reserve,
    Return,
    Take,
    card,
    noble,
)
from cabochon.rules.errors import wrong
from cabochon.rules.gems import LETTERS, NO_GEMS
from cabochon.rules.legal import STANDING
from cabochon.turn import HiddenDeal, SeenEvent
from cabochon.words import ENGLISH, languages, text

# What the nobles are called.


@writer("noble", Noble)
def noble_name(noble: Noble, language: str = ENGLISH) -> str:
    """What the noble is called in that language. Raises WrongArgument."""
    if language not in languages():
        raise wrong("language", "language", language)
    return text(f"nobles.{noble.code}", language)


MOST = 200
"""No move needs more characters; anything longer is refused unread."""

MOST_WRITTEN = 99 * MOST
"""No text of that length says more of one gem."""

_VERBS = {
    "take": ("take", "get", "拿", "拿取", "取"),
    "reserve": ("reserve", "hold", "预留", "保留", "预定"),
    "buy": ("buy", "purchase", "买", "购买"),
    "return": ("return", "give back", "discard", "归还", "还"),
    "noble": ("noble", "choose", "贵族", "选择"),
    "pass": ("pass", "skip", "跳过"),
    "deal": ("deal", "发牌", "发"),
}
_VERB_OF = {word: verb for verb, words in _VERBS.items() for word in words}

_GEM_WORDS = {
    Gem.WHITE: ("white", "diamond", "白色", "白"),
    Gem.BLUE: ("blue", "sapphire", "蓝色", "蓝"),
    Gem.GREEN: ("green", "emerald", "绿色", "绿"),
    Gem.RED: ("red", "ruby", "红色", "红"),
    Gem.BLACK: ("black", "onyx", "黑色", "黑"),
    Gem.GOLD: ("gold", "joker", "黄金", "金", "*"),
}
_GEM_OF = {word: gem for gem, words in _GEM_WORDS.items() for word in words}
_GEM_OF |= {letter: Gem(index) for index, letter in enumerate(LETTERS)}
_NOTHING = frozenset({"-", "0", "none", "nothing", "free", "无"})


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_VERB = re.compile(rf"({_any_of(_VERB_OF)})(?![a-z])\s*")
_GEM = re.compile(
    rf"(?:(\d{{1,2}})\s*[x枚个颗]?\s*|an?\s+)?({_any_of(_GEM_OF)})(?:[\s,+、和]|and\b)*"
)
_CODE = re.compile(r"(\S+?)(?=[\s=]|$)\s*")
_DECK = re.compile(r"(?:deck|top|牌堆)\s*(\S+)\s*")
_PAYING = re.compile(r"(?:=|with\b|for\b|用|付)\s*")
_NOBLE_CODE = re.compile(r"([wugrk]{2,3})([34])")


@cache
def _nobles_by_name() -> dict[str, Noble]:
    """By what they are called in every language."""
    return {
        noble_name(noble, language).lower(): noble for noble in NOBLES for language in languages()
    }


def parse_move(text: str) -> Move:
    """The decision that the text says, legal or not. Raises NotationError."""
    event = _parse(text, NotationFault.NOT_A_MOVE)
    if isinstance(event, Deal | HiddenDeal):
        raise NotationError(NotationFault.NOT_A_MOVE, text=cut(text))
    return event


def parse_event(text: str) -> Event:
    """A move, or a deal that names its card. Raises NotationError."""
    event = _parse(text, NotationFault.NOT_AN_EVENT)
    if isinstance(event, HiddenDeal):
        raise NotationError(NotationFault.HIDDEN_DEAL)
    return event


def parse_seen_event(text: str) -> SeenEvent:
    """A move or a deal, which may be hidden: `deal ?`. Raises NotationError."""
    return _parse(text, NotationFault.NOT_AN_EVENT)


def format_move(move: Move) -> str:
    """The canonical text of a move. Raises WrongArgument for anything but a move."""
    return format_event(move)


def format_event(event: SeenEvent) -> str:
    """The canonical text of a move or a deal. Raises WrongArgument for what is neither."""
    match event:
        case Take(gems):
            return f"take {format_gems(gems)}"
        case Reserve(Card() as target):
            return f"reserve {target.code}"
        case Reserve(Deck() as deck) if deck in DECKS:
            return f"reserve deck{deck.level}"
        case Buy(Card() as bought, None):
            return f"buy {bought.code}"
        case Buy(Card() as bought, tuple() as payment):
            return f"buy {bought.code} ={format_gems(payment)}"
        case Return(gems):
            return f"return {format_gems(gems)}"
        case ChooseNoble(Noble() as visitor):
            return f"noble {visitor.code}"
        case Deal(Card() as dealt):
            return f"deal {dealt.code}"
        case HiddenDeal():
            return "deal ?"
        case Pass():
            return "pass"
        case _:
            raise wrong("event", "event", event)


@writer("gems", tuple)
def format_gems(gems: Gems) -> str:
    """`wwo`, or `-` for none. Raises WrongArgument for what are no counts."""
    if any(type(count) is not int or not 0 <= count <= MOST_WRITTEN for count in gems):
        raise wrong("gems", "gems", gems)
    return Gems(*gems).letters or "-"


def parse_gems(text: str) -> Gems:
    """Letters, counts or words: `wwo`, `2w o`, `2 white and a gold`. Raises NotationError."""
    plain = _plain(text)
    if plain in _NOTHING:
        return NO_GEMS
    if not plain:
        raise NotationError(NotationFault.GEMS_MISSING, text=cut(text))
    counts, at = [0] * len(LETTERS), 0
    while at < len(plain):
        found = _GEM.match(plain, at)
        if found is None:
            raise NotationError(NotationFault.UNKNOWN_GEM, text=cut(plain[at:]))
        counts[_GEM_OF[found[2]]] += int(found[1] or 1)
        at = found.end()
    return Gems(*counts)


def parse_card(text: str) -> Card:
    """The card of that code, in any case. Raises NotationError."""
    try:
        return card(_plain(text))
    except KeyError:
        raise NotationError(NotationFault.UNKNOWN_CARD, card=cut(text)) from None


def parse_noble(text: str) -> Noble:
    """The noble of that code, its letters in any order, or of that name. Raises NotationError."""
    plain = " ".join(_plain(text).split())
    code = _NOBLE_CODE.fullmatch(plain)
    try:
        if code is None:
            return _nobles_by_name()[plain]
        return noble("".join(sorted(code[1], key=LETTERS.index)) + code[2])
    except KeyError:
        raise NotationError(NotationFault.UNKNOWN_NOBLE, noble=cut(text)) from None


def _parse(text: str, fault: NotationFault) -> SeenEvent:
    plain = _plain(text)
    verb = _VERB.match(plain)
    if verb is None:
        raise NotationError(fault, text=cut(text))
    return _READERS[_VERB_OF[verb[1]]](plain[verb.end() :], text)


def _plain(text: str) -> str:
    """Lower case and half-width, so that what an input method writes is read as well."""
    if len(only_text(text)) > MOST:
        raise NotationError(NotationFault.TOO_LONG, length=len(text), most=MOST, text=cut(text))
    return unicodedata.normalize("NFKC", text).lower().strip()


def _read_take(rest: str, text: str) -> Take:
    return Take(_named_gems(rest, text))


def _read_return(rest: str, text: str) -> Return:
    return Return(_named_gems(rest, text))


def _named_gems(rest: str, text: str) -> Gems:
    if not rest:
        raise NotationError(NotationFault.GEMS_MISSING, text=cut(text))
    return parse_gems(rest)


def _read_reserve(rest: str, text: str) -> Reserve:
    deck = _DECK.match(rest)
    if deck is None:
        return Reserve(_only_card(rest, text))
    if deck[1] not in ("1", "2", "3"):
        raise NotationError(NotationFault.UNKNOWN_DECK, level=cut(deck[1]))
    _expect_end(rest[deck.end() :])
    return Reserve(DECKS[int(deck[1]) - 1])


def _read_buy(rest: str, text: str) -> Buy:
    bought, rest = _first_card(rest, text)
    if not rest:
        return Buy(bought)
    mark = _PAYING.match(rest)
    return Buy(bought, _named_gems(rest[mark.end() :] if mark else rest, text))


def _read_noble(rest: str, text: str) -> ChooseNoble:
    if not rest:
        raise NotationError(NotationFault.NOBLE_MISSING, text=cut(text))
    return ChooseNoble(parse_noble(rest))


def _read_pass(rest: str, text: str) -> Pass:
    _expect_end(rest)
    return Pass()


def _read_deal(rest: str, text: str) -> Deal | HiddenDeal:
    return HiddenDeal() if rest == "?" else Deal(_only_card(rest, text))


def _only_card(rest: str, text: str) -> Card:
    named, rest = _first_card(rest, text)
    _expect_end(rest)
    return named


def _first_card(rest: str, text: str) -> tuple[Card, str]:
    code = _CODE.match(rest)
    if code is None:
        raise NotationError(NotationFault.CARD_MISSING, text=cut(text))
    return parse_card(code[1]), rest[code.end() :]


def _expect_end(rest: str) -> None:
    if rest:
        raise NotationError(NotationFault.EXTRA_TEXT, text=cut(rest))


_READERS: dict[str, Callable[[str, str], SeenEvent]] = {
    "take": _read_take,
    "reserve": _read_reserve,
    "buy": _read_buy,
    "return": _read_return,
    "noble": _read_noble,
    "pass": _read_pass,
    "deal": _read_deal,
}


# The same few hundred moves come again and again; their texts are written once


_STANDING = {id(move): format_move(move) for move in STANDING}
"""By the very object, which is quicker to find than by what the move says."""


@lru_cache(maxsize=8192)
def _buy_text(card: int, payment: Gems | None) -> str:
    """By numbers, which are quicker to find than the move."""
    return format_move(Buy(CARDS[card], payment))


_rare_text = lru_cache(maxsize=1024)(format_move)


def _other_text(move: Move) -> str:
    return _buy_text(move.card.id, move.payment) if isinstance(move, Buy) else _rare_text(move)


def move_text(move: Move) -> str:
    """What `format_move` gives."""
    return _STANDING.get(id(move)) or _other_text(move)


def move_texts(moves: list[Move]) -> list[str]:
    """Of a list of legal moves, one by one."""
    standing, other = _STANDING.get, _other_text
    return [standing(id(move)) or other(move) for move in moves]
