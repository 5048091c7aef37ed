"""The log of a table: one line a decision, with what a reader wants to know of it.

A `Line` knows everything; `line_for` says only what the reader may know.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from cabochon.notation import noble_name
from cabochon.play.messages import LogLine
from cabochon.render.words import gems_in_words
from cabochon.rules import (
    Buy,
    Card,
    ChooseNoble,
    Deck,
    Move,
    Noble,
    Pass,
    Reserve,
    Return,
    Take,
)
from cabochon.rules.sentences import LANGUAGES


class LineKind(StrEnum):
    TAKE = "take"
    RESERVE = "reserve"
    BUY = "buy"
    RETURN = "return"
    NOBLE = "noble"
    PASS = "pass"
    RESIGN = "resign"
    TIME = "time"
    ABANDON = "abandon"
    STAND_IN = "stand_in"
    BACK = "back"
    TAKEBACK = "takeback"
    REMOVED = "removed"
    NO_SHARE = "no_share"


_KIND_OF: dict[type[Move], LineKind] = {
    Take: LineKind.TAKE,
    Reserve: LineKind.RESERVE,
    Buy: LineKind.BUY,
    Return: LineKind.RETURN,
    ChooseNoble: LineKind.NOBLE,
    Pass: LineKind.PASS,
}

_TEXTS: dict[str, tuple[str, str]] = {
    "take": ("takes {gems}", "拿取 {gems}"),
    "reserve": ("reserves {card}", "保留 {card}"),
    "reserve-deck": ("reserves a card of deck {level}", "从 {level} 级牌堆保留一张牌"),
    "reserve-drew": (
        "reserves {card} from deck {level}",
        "从 {level} 级牌堆保留 {card}",
    ),
    "buy": ("buys {card} for {gems}", "购买 {card}，支付 {gems}"),
    "return": ("gives back {gems}", "归还 {gems}"),
    "noble": ("is visited by {noble}", "获得贵族{noble}来访"),
    "pass": ("passes: nothing else is possible", "跳过：别无选择"),
    "resign": ("resigns", "认输"),
    "time": ("runs out of time", "超时"),
    "abandon": ("has left the game", "已离开本局"),
    "stand_in": ("is away: a bot plays on", "暂离，由机器人代打"),
    "back": ("is back", "回来了"),
    "takeback": ("takes a turn back", "悔棋"),
    "takeback-revealed": (
        "takes back a turn after a card was revealed",
        "在已有牌翻开之后悔棋",
    ),
    "removed": ("was removed by the host", "被管理员移出"),
    "no_share": (
        "{name} lost the seat: no share for the deal came in time, so everybody picks a new one",
        "{name} 失去了座位：未及时公开发牌份额，大家将重新选取",
    ),
    "and-gold": (" and takes a gold", "，并拿一枚黄金"),
    "and-noble": ("; {noble} visits", "；贵族{noble}来访"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line with all its facts. `noble` came by itself; `dealt` is the card that was turned
    up, or drawn by the seat when `move` reserves from a deck."""

    ply: int
    turn: int
    seat: int
    kind: LineKind
    at: int
    move: Move | None = None
    noble: Noble | None = None
    dealt: Card | None = None
    gold: bool = False
    held: bool = False
    """The card bought was one reserved before."""
    revealed: bool = False
    """What was taken back had turned up or drawn a card."""
    name: str | None = None
    """Who it was, where somebody else may sit now."""


def kind_of(move: Move) -> LineKind:
    return _KIND_OF[type(move)]


def line_for(line: Line, reader: int | None) -> LogLine:
    """What that seat, or a watcher (None), reads."""
    move = line.move
    drawn = isinstance(move, Reserve) and isinstance(move.target, Deck)
    return _written(line, not drawn or reader == line.seat)


@lru_cache(maxsize=1024)
def _written(line: Line, knows: bool) -> LogLine:
    """Written once for all who may read the same; nobody changes it afterwards."""
    move = line.move
    dealt = line.dealt if knows else None
    said: LogLine = {
        "ply": line.ply,
        "turn": line.turn,
        "seat": line.seat if line.name is None else None,
        "kind": line.kind.value,
        "at_ms": line.at,
        "text": {"en": _text(line, dealt, "en"), "zh": _text(line, dealt, "zh")},
    }
    if dealt is not None:
        said["dealt"] = dealt.code
    if line.noble is not None:
        said["noble"] = line.noble.code
    if line.revealed:
        said["revealed"] = True
    _add_move(said, line, move)
    return said


def _add_move(said: LogLine, line: Line, move: Move | None) -> None:
    if isinstance(move, Take | Return):
        said["gems"] = move.gems.letters
    elif isinstance(move, Buy):
        assert move.payment is not None
        said["card"] = move.card.code
        said["payment"] = move.payment.letters
        said["source"] = "hand" if line.held else "row"
    elif isinstance(move, ChooseNoble):
        said["noble"] = move.noble.code
    elif isinstance(move, Reserve):
        said["gold"] = line.gold
        said["level"] = move.target.level
        if isinstance(move.target, Card):
            said["card"] = move.target.code
            said["source"] = "row"
        else:
            said["source"] = "deck"


def _text(line: Line, dealt: Card | None, language: str) -> str:
    text = _first_words(line, dealt, language)
    if line.gold:
        text += _say("and-gold", language)
    if line.noble is not None:
        text += _say("and-noble", language, noble=noble_name(line.noble, language))
    return text


def _first_words(line: Line, dealt: Card | None, language: str) -> str:
    move = line.move
    if isinstance(move, Take | Return):
        return _say(line.kind, language, gems=gems_in_words(move.gems, language))
    if isinstance(move, Buy):
        assert move.payment is not None
        gems = gems_in_words(move.payment, language)
        return _say("buy", language, card=move.card.code, gems=gems)
    if isinstance(move, ChooseNoble):
        return _say("noble", language, noble=noble_name(move.noble, language))
    if isinstance(move, Reserve):
        return _reserve_words(move, dealt, language)
    key = "takeback-revealed" if line.revealed else line.kind
    return _say(key, language, name=line.name)


def _reserve_words(move: Reserve, dealt: Card | None, language: str) -> str:
    if isinstance(move.target, Card):
        return _say("reserve", language, card=move.target.code)
    level = move.target.level
    if dealt is None:
        return _say("reserve-deck", language, level=level)
    return _say("reserve-drew", language, card=dealt.code, level=level)


def _say(key: str, language: str, **params: object) -> str:
    return _TEXTS[key][LANGUAGES.index(language)].format(**params)
