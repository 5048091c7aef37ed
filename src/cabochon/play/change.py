"""Who is told what happens at a table, and what: what one event has changed in the game, as each
audience is told it. Whatever several of them may know is made once, and what a seat alone may know
is added to that."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeAlias, cast

import orjson

from cabochon.notation.moves import move_text, move_texts
from cabochon.notation.positionjson import hand_to_json, public_fields_to_json
from cabochon.play.clock import Days
from cabochon.play.events import Moved, TableEvent
from cabochon.play.lines import line_for, may_know
from cabochon.play.messages import (
    VERSION,
    ClockTimes,
    FactsChange,
    GameState,
    LegalMove,
    LogLine,
    ViewChange,
)
from cabochon.play.table import Table
from cabochon.play.viewfacts import PublicFacts, facts_of, legal_with_effects, public_facts
from cabochon.rules import Deck, Position, Reserve, View
from cabochon.rules.view import seen_hand


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is told: the seats that are held (none for a watcher), and whether derived facts are
    wanted. All with an equal audience get the same bytes."""

    seats: tuple[int, ...] = ()
    facts: bool = False

    def shown(self, table: Table) -> int | None:
        """Whose view it is: the seat to act if it is held, else the held one that acted last."""
        if not self.seats:
            return None
        position = table.position
        if position is None or len(self.seats) == 1:
            return self.seats[0]
        seats = len(table.chairs)
        return min(self.seats, key=lambda seat: (position.seat - seat) % seats)

    @property
    def reader(self) -> int | None:
        """For whom log lines are written: several seats at one device share the public log."""
        return self.seats[0] if len(self.seats) == 1 else None


_VIEW_FIELDS = (
    "turn",
    "seat",
    "phase",
    "last_round",
    "passes",
    "bank",
    "rows",
    "decks",
    "pending",
)
"""What can change in a view besides hands and viewer; the ruleset and the nobles in play cannot.
All of it is public."""
_public_values = attrgetter(*_VIEW_FIELDS)
FACTS_KEPT = 2048


Pack: TypeAlias = Callable[[Any], Any]


def written(value: Any) -> Any:
    """The same for orjson, as the bytes that it will write: for what goes into several messages."""
    return orjson.Fragment(orjson.dumps(value))


def _as_it_is(value: Any) -> Any:
    return value


class Change:
    """One event that touched a game that had begun. What is made once for several audiences goes
    through `pack`; who writes the messages hands in `written`, and each is put together of parts
    that are bytes already."""

    def __init__(
        self, before: Table, event: TableEvent, after: Table, pack: Pack = _as_it_is
    ) -> None:
        assert before.position is not None
        assert after.position is not None
        self._before, self._event, self._after = before, event, after
        self._pack = pack
        self._old, self._new = old, new = before.position, after.position
        # Positions are compared, and no view is made: all of these fields are public, and whatever
        # one event changes in a hand, everybody sees changing.
        self._fields = public_fields_to_json(new, _changed(old, new))
        self._hands_changed = old.hands != new.hands
        self._seen_hands = [seen_hand(hand) for hand in new.hands]
        grown = isinstance(event, Moved)
        self._log_from = len(before.log) if grown else before.log.common(after.log)
        self._lines = after.log.since(self._log_from)
        self._clocks = clocks(after)
        # Made when they are first asked for, and packed
        self._logs: dict[tuple[bool, ...], list[LogLine]] = {}
        self._texts: dict[bool, list[str]] = {}
        self._legal: dict[bool, list[str] | list[LegalMove]] = {}
        self._views: dict[int | None, ViewChange] = {}

    def state(self, audience: Audience) -> GameState:
        """The message about it."""
        before, after, event = self._before, self._after, self._event
        old_you, you = audience.shown(before), audience.shown(after)
        message: GameState = {
            "v": VERSION,
            "type": "gameState",
            "seq": after.seq if after.ended is None else before.seq,
            "version": after.version,
            "by": getattr(event, "seat", None),
            "events": self._events(audience.reader),
            "log": self._log(audience.reader),
            "log_from": self._log_from,
            "you": you,
            "view": self._view(old_you, you),
            "legal": self._legal_for(you, audience.facts),
            "clocks": self._clocks,
            "status": after.state,
            "last_round": self._new.last_round,
        }
        if audience.facts:
            told_before, told = _FACTS.of(self._old, old_you), _FACTS.of(self._new, you)
            message["facts"] = facts_change(told_before, told)
        return message

    def _view(self, old_viewer: int | None, viewer: int | None) -> ViewChange:
        """The fields of the new view that differ from the old one."""
        if old_viewer != viewer:
            changed = self._old.view(old_viewer).hands != self._new.view(viewer).hands
            return cast(ViewChange, self._view_fields(viewer, changed) | {"viewer": viewer})
        only = viewer if self._knows_more(viewer) else None
        found = self._views.get(only)
        if found is None:
            found = self._views[only] = self._pack(self._view_fields(only, self._hands_changed))
        return found

    def _view_fields(self, viewer: int | None, with_hands: bool) -> dict[str, object]:
        """With what everybody sees of all hands, and in its own what the viewer does."""
        if not with_hands:
            return {**self._fields}
        hands = [hand_to_json(hand) for hand in self._seen_hands]
        if viewer is not None and self._knows_more(viewer):
            hands[viewer] = hand_to_json(self._new.hands[viewer])
        return {**self._fields, "hands": hands}

    def _knows_more(self, viewer: int | None) -> bool:
        """Whether the viewer holds a card that nobody else knows."""
        return viewer is not None and self._seen_hands[viewer] is not self._new.hands[viewer]

    def _events(self, reader: int | None) -> list[str]:
        event = self._event
        if not isinstance(event, Moved):
            return []
        own = reader == event.seat
        found = self._texts.get(own)
        if found is None:
            found = self._texts[own] = self._pack(texts_of(event, reader))
        return found

    def _log(self, reader: int | None) -> list[LogLine]:
        knows = tuple([may_know(line, reader) for line in self._lines])
        found = self._logs.get(knows)
        if found is None:
            lines = [line_for(line, reader) for line in self._lines]
            found = self._logs[knows] = self._pack(lines)
        return found

    def _legal_for(self, you: int | None, facts: bool) -> list[str] | list[LegalMove]:
        if you is None or you != self._after.to_act:
            return []
        found = self._legal.get(facts)
        if found is None:
            found = self._legal[facts] = self._pack(legal_of(self._after, you, facts))
        return found


def _changed(old: Position, new: Position) -> list[str]:
    """Which fields differ. What stayed is nearly always the very same object."""
    pairs = zip(_VIEW_FIELDS, _public_values(old), _public_values(new), strict=True)
    return [name for name, was, now in pairs if was is not now and was != now]


class _FactsKept:
    """The facts told last are needed again for what changes next. Kept by the very position they
    were made of, so that nothing can be mistaken for something else."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int | None], tuple[Position, FactsChange]] = (
            OrderedDict()
        )
        self._last: tuple[Position, PublicFacts] | None = None

    def of(self, position: Position, viewer: int | None) -> FactsChange:
        key = (id(position), viewer)
        found = self._kept.get(key)
        if found is not None and found[0] is position:
            return found[1]
        view = position.view(viewer)
        facts = facts_of(view, self._public(position, view))
        self._kept[key] = (position, facts)
        if len(self._kept) > FACTS_KEPT:
            self._kept.popitem(last=False)
        return facts

    def _public(self, position: Position, view: View) -> PublicFacts:
        """One audience after the other is told of the same position."""
        if self._last is None or self._last[0] is not position:
            self._last = (position, public_facts(view))
        return self._last[1]


_FACTS = _FactsKept()


def facts_for(position: Position, viewer: int | None) -> FactsChange:
    """What follows from the viewer's view; nobody changes what is given out."""
    return _FACTS.of(position, viewer)


def facts_change(old: FactsChange, new: FactsChange) -> FactsChange:
    before = cast(dict[str, object], old)
    changed = {
        key: value
        for key, value in new.items()
        if value is not before[key] and value != before[key]
    }
    return cast(FactsChange, changed)


def texts_of(event: Moved, reader: int | None) -> list[str]:
    """The moves and deals of a submission, as far as the reader may know them."""
    texts: list[str] = []
    coming = iter(event.deals)
    # A deal follows at once the one move of a turn that empties a place: the first.
    for index, move in enumerate(event.moves):
        texts.append(move_text(move))
        if index == 0:
            drawn = isinstance(move, Reserve) and isinstance(move.target, Deck)
            hidden = drawn and reader != event.seat
            texts += ["deal ?" if hidden else f"deal {card.code}" for card in coming]
    return texts


def legal_of(table: Table, you: int | None, facts: bool) -> list[str] | list[LegalMove]:
    """The seat's moves, when it is to act. They follow from what it sees: a position knows no
    other ones than the view of the seat to act."""
    position = table.position
    if position is None or you is None or you != table.to_act:
        return []
    if table.chairs[you].out is not None:
        return []
    if facts:
        return legal_with_effects(position.view(you))
    return move_texts(position.legal_moves())


def clocks(table: Table) -> ClockTimes | None:
    """Everybody's time, as it was at `at_ms`."""
    clock, times = table.options.clock, table.times
    if clock is None or times is None:
        return None
    days = isinstance(clock, Days)
    return {
        "kind": "days" if days else "increment",
        "remaining_ms": list(times.remaining),
        "running": times.running,
        "at_ms": times.since,
        "increment_ms": 0 if isinstance(clock, Days) else clock.increment_ms,
    }
