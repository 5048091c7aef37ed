"""Playing the moves of one submission, one after the other, whole or not at all; and the table's
log, one line per decision, with what a reader wants to know of it.

A `Line` knows everything; `line_for` says only what the reader may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import cast

from cabochon.notation import noble_name
from cabochon.notation.turns import action_in_words, joined, return_in_words, visit_in_words
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Moved
from cabochon.play.messages import LogLine, Translations
from cabochon.rules import (
    Buy,
    Card,
    ChooseNoble,
    Dealer,
    Deck,
    Move,
    Noble,
    Pass,
    Phase,
    Position,
    Reserve,
    Return,
    Take,
)
from cabochon.rules.gems import Gem
from cabochon.words import languages, text


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


class TakebackRule(StrEnum):
    """Why a turn could be taken back."""

    FREE = "free"
    """Nobody had moved since, and no card was revealed."""
    AGREED = "agreed"
    ALONE = "alone"
    """There was nobody else to ask."""


_KIND_OF: dict[type[Move], LineKind] = {
    Take: LineKind.TAKE,
    Reserve: LineKind.RESERVE,
    Buy: LineKind.BUY,
    Return: LineKind.RETURN,
    ChooseNoble: LineKind.NOBLE,
    Pass: LineKind.PASS,
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

    @property
    def revealed(self) -> bool:
        return False

    @property
    def name(self) -> str | None:
        return None

    @property
    def rule(self) -> TakebackRule | None:
        return None


@dataclass(frozen=True, slots=True)
class Notice(Line):
    """A line with fields that lines of moves don't need; so those, which are many, are smaller."""

    revealed: bool = False
    """What was taken back had turned up or drawn a card."""
    name: str | None = None
    """Who it was, where somebody else may sit now."""
    rule: TakebackRule | None = None
    """Why a turn could be taken back."""


def kind_of(move: Move) -> LineKind:
    return _KIND_OF[type(move)]


def may_know(line: Line, reader: int | None) -> bool:
    """Whether that seat, or a watcher (None), may read all of it: only who drew a card from a deck
    knows which."""
    move = line.move
    drawn = isinstance(move, Reserve) and isinstance(move.target, Deck)
    return not drawn or reader == line.seat


def line_for(line: Line, reader: int | None) -> LogLine:
    """What that seat, or a watcher (None), reads."""
    return _written(line, may_know(line, reader))


def _written(line: Line, knows: bool) -> LogLine:
    move = line.move
    dealt = line.dealt if knows else None
    said: LogLine = {
        "ply": line.ply,
        "turn": line.turn,
        "seat": line.seat if line.name is None else None,
        "kind": line.kind.value,
        "at_ms": line.at,
        "text": _texts(line, dealt),
    }
    if dealt is not None:
        said["dealt"] = dealt.code
    if line.noble is not None:
        said["noble"] = line.noble.code
    if line.revealed:
        said["revealed"] = True
    if line.rule is not None:
        said["rule"] = line.rule.value
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


def _texts(line: Line, dealt: Card | None) -> Translations:
    """By language; nobody changes what is given out."""
    move = line.move
    if move is not None:
        drawn = dealt if isinstance(move, Reserve) else None
        return _turn_told(move, drawn, line.gold, line.noble, languages())
    return cast(Translations, {lang: _event_in_words(line, lang) for lang in languages()})


@lru_cache(maxsize=4096)
def _turn_told(
    move: Move, drawn: Card | None, gold: bool, noble: Noble | None, spoken: tuple[str, ...]
) -> Translations:
    """The same few thousand come again."""
    return cast(Translations, {lang: _told(move, drawn, gold, noble, lang) for lang in spoken})


def _told(move: Move, drawn: Card | None, gold: bool, noble: Noble | None, language: str) -> str:
    """In the words used for a whole turn everywhere."""
    if isinstance(move, Return):
        parts = [return_in_words(move.gems, language)]
    elif isinstance(move, ChooseNoble):
        parts = [_say("noble", language, noble=noble_name(move.noble, language))]
    else:
        parts = [action_in_words(move, drawn, gold, language)]
    if noble is not None:
        parts.append(visit_in_words(noble, language))
    return joined(parts, language)


def _event_in_words(line: Line, language: str) -> str:
    said = _say("takeback-revealed" if line.revealed else line.kind, language, name=line.name)
    return said if line.rule is None else said + _say(f"takeback-{line.rule.value}", language)


def _say(key: str, language: str, **params: object) -> str:
    return text(f"log.{key}", language, **params)


# A submission


MOST_MOVES = 3
"""No turn has more decisions: an action, a noble, a return."""


@dataclass(frozen=True, slots=True)
class Staged:
    """What the moves lead to, with payments written out, and what chance added."""

    position: Position
    moves: tuple[Move, ...]
    deals: tuple[Card, ...]
    lines: tuple[Line, ...]


def stage(
    position: Position, dealer: Dealer, seat: int, moves: tuple[Move, ...], ply: int, now: int
) -> Staged:
    """Raises IllegalMove for the first move that is not legal, TableRefused for none or too
    many; whatever is raised, nothing has happened."""
    if not moves:
        raise TableRefused(TableFault.NO_MOVES)
    if len(moves) > MOST_MOVES:
        raise TableRefused(TableFault.TOO_MANY_MOVES, count=len(moves), most=MOST_MOVES)
    done: list[Move] = []
    deals: list[Card] = []
    lines: list[Line] = []
    for move in moves:
        refusal = position.refusal(move, seat)
        if refusal is not None:
            raise refusal
        move = position.completed(move)
        before, position = position, position.play_unchecked(move)
        dealt = None
        if position.phase is Phase.DEAL:
            dealt = dealer.deal(position).card
            position = position.deal_unchecked(dealt)
            deals.append(dealt)
        done.append(move)
        lines.append(line_of(before, move, position, dealt, ply + len(done), now))
    return Staged(position, tuple(done), tuple(deals), tuple(lines))


def restaged(position: Position, event: Moved, ply: int) -> Staged:
    """A submission that was accepted before, with the cards that came then. The law, which it was
    held against when it came, is not asked again; with any other the result is meaningless."""
    done = list(steps(position, event, ply))
    lines = tuple(line for _, line in done)
    return Staged(done[-1][0], event.moves, event.deals, lines)


def steps(position: Position, event: Moved, ply: int) -> Iterator[tuple[Position, Line]]:
    """The same, decision by decision: the position after each, and its line."""
    coming = iter(event.deals)
    for move in event.moves:
        before, position = position, position.play_unchecked(move)
        dealt = None
        if position.phase is Phase.DEAL:
            dealt = next(coming)
            position = position.deal_unchecked(dealt)
        ply += 1
        yield position, line_of(before, move, position, dealt, ply, event.at)


def replayed(position: Position, event: Moved) -> Position:
    """Only the position that `restaged` leads to."""
    coming = iter(event.deals)
    for move in event.moves:
        position = position.play_unchecked(move)
        if position.phase is Phase.DEAL:
            position = position.deal_unchecked(next(coming))
    return position


def line_of(
    before: Position, move: Move, after: Position, dealt: Card | None, ply: int, now: int
) -> Line:
    """The line of the log that a decision makes, with the card that came."""
    seat = before.seat
    had, has = before.hands[seat].nobles, after.hands[seat].nobles
    came = has[-1] if len(has) > len(had) and not isinstance(move, ChooseNoble) else None
    gold = isinstance(move, Reserve) and before.bank[Gem.GOLD] > 0
    held = isinstance(move, Buy) and before.place_of(move.card) is None
    return Line(
        ply=ply,
        turn=before.turn,
        seat=seat,
        kind=kind_of(move),
        at=now,
        move=move,
        noble=came,
        dealt=dealt,
        gold=gold,
        held=held,
    )
