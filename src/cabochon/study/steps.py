"""One point of a game as a page shows it: the view, what follows from it, what may be played."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from cabochon.notation import format_position, format_view, view_to_json
from cabochon.notation.moves import move_text
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.messages import FactsChange
from cabochon.play.staging import MOST_MOVES, Line, line_for, line_of
from cabochon.play.viewfacts import facts_of, legal_with_effects
from cabochon.rules import CARDS, Card, Deal, Move, Phase, Place, Position
from cabochon.study.gametree import GameNode


@dataclass(frozen=True, slots=True)
class StudySight:
    """Who it is for: a seat or a watcher (None), or, with `everything`, somebody who may see all
    hands. `live` is for a game that is still being played: nothing beyond the viewer's own
    knowledge is shown, not even in a position's text."""

    viewer: int | None = None
    everything: bool = False
    live: bool = False

    def reader(self, line: Line) -> int | None:
        """For whom a line of the log is written."""
        return line.seat if self.everything else self.viewer


def replay_step(
    position: Position, line: Line | None, sight: StudySight, facts: bool = True
) -> dict[str, Any]:
    """The position after a decision (None: the first one), as a replay shows it."""
    return {
        "ply": 0 if line is None else line.ply,
        "turn": position.turn,
        "view": _view(position, sight),
        "facts": _facts(position, sight) if facts else None,
        "log": None if line is None else line_for(line, sight.reader(line)),
    }


def study_step(
    position: Position, line: Line | None, sight: StudySight, ply: int | None = None
) -> dict[str, Any]:
    """The same with what is needed to play on from there. `ply` is said where no decision led to
    the position."""
    step = replay_step(position, line, sight)
    log = step["log"]
    if ply is not None:
        step["ply"] = ply
    return step | {
        "position": _text(position, sight),
        "legal": [] if sight.live else legal_here(position),
        "event": None if line is None or line.move is None else move_text(line.move),
        "dealt": None if log is None else log.get("dealt"),
    }


def legal_here(position: Position) -> list[Any]:
    """What the seat to act may do, each with what it would have then; nothing while the position
    waits for a card or is over."""
    if position.phase in (Phase.DEAL, Phase.OVER):
        return []
    return legal_with_effects(position.view(position.seat))


def _text(position: Position, sight: StudySight) -> str:
    return format_view(position.view(sight.viewer)) if sight.live else format_position(position)


def _view(position: Position, sight: StudySight) -> dict[str, Any]:
    shown = cast(dict[str, Any], view_to_json(position.view(sight.viewer)))
    if sight.everything:
        seats = range(position.ruleset.seats)
        own = [cast(dict[str, Any], view_to_json(position.view(seat))) for seat in seats]
        shown["hands"] = [own[seat]["hands"][seat] for seat in seats]
    return shown


def _facts(position: Position, sight: StudySight) -> FactsChange:
    """Those who see all hands also get the prices of what the seat to act has drawn unseen."""
    facts = facts_of(position.view(sight.viewer))
    if sight.everything and sight.viewer is None and position.hands[position.seat].reserved:
        facts["cards"] = facts_of(position.view(position.seat))["cards"]
    return facts


# Playing on from any position: the decisions of a turn, with the cards that chance or somebody's
# choice brings.


@dataclass(frozen=True, slots=True)
class Wanted:
    """A card must come there before it goes on: one of these."""

    place: Place
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Onward:
    """The decisions that were played, and the card that the next of them waits for."""

    nodes: tuple[GameNode, ...]
    wanted: Wanted | None = None


def wanted_in(position: Position) -> Wanted | None:
    """What the position waits for, if it is a card."""
    place = position.pending
    if place is None:
        return None
    cards = [card for card in CARDS if card.level == place.level and position.in_deck(card)]
    return Wanted(place, tuple(cards))


def play_turn(
    position: Position,
    moves: Sequence[Move],
    deal: Card | random.Random | None = None,
    ply: int = 0,
) -> Onward:
    """The nodes of these decisions, counted on from `ply`. A card that must come is `deal`, once;
    or drawn, each as likely as any other that is unseen; with None it is asked for, and its
    decision is not made yet. With no moves, only a card that the position waits for comes.
    Raises IllegalMove, IllegalDeal, and TableRefused for no moves or too many."""
    if len(moves) > MOST_MOVES:
        raise TableRefused(TableFault.TOO_MANY_MOVES, count=len(moves), most=MOST_MOVES)
    if not moves and position.phase is not Phase.DEAL:
        raise TableRefused(TableFault.NO_MOVES)
    source = _Source(deal)
    nodes: list[GameNode] = []
    if position.phase is Phase.DEAL:
        dealt = source.card(position)
        if dealt is None:
            return Onward((), wanted_in(position))
        position = position.deal(Deal(dealt))
        nodes.append(GameNode(position, ply, None, dealt))
    for number, move in enumerate(moves, start=ply + 1):
        before, position = position, position.play(move)
        dealt = None
        if position.phase is Phase.DEAL:
            dealt = source.card(position)
            if dealt is None:
                return Onward(tuple(nodes), wanted_in(position))
            position = position.deal(Deal(dealt))
        line = line_of(before, before.completed(move), position, dealt, number, 0)
        nodes.append(GameNode(position, number, line, dealt))
    return Onward(tuple(nodes))


class _Source:
    """Where the cards come from."""

    def __init__(self, deal: Card | random.Random | None) -> None:
        self._deal = deal

    def card(self, position: Position) -> Card | None:
        """The one for the pending place; None when nobody has said which."""
        deal = self._deal
        if isinstance(deal, random.Random):
            wanted = wanted_in(position)
            assert wanted is not None
            return deal.choice(wanted.cards)
        self._deal = None
        return deal
