"""From events to messages: what each audience gets.

The same events give the same messages, on any node and after any restart, so a client that comes
back with the `seq` it has seen misses nothing. A message's `seq` is where to resume from once it
has been handled: when an event makes several messages, only the last carries the event's own
number, and handling the earlier ones twice does no harm.

Whatever several audiences may know of an event is made once, in a `Change`, and what a seat alone
may know is added to that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeAlias, cast

import orjson

from cabochon.notation import view_to_json
from cabochon.notation.moves import move_text, move_texts
from cabochon.notation.positionjson import hand_to_json, public_fields_to_json
from cabochon.play.clock import Days
from cabochon.play.commands import rematch_voters, undoing_of
from cabochon.play.events import (
    BotSeated,
    Closed,
    HandedOver,
    Hinted,
    Joined,
    Left,
    Moved,
    Opened,
    Pledged,
    RematchAccepted,
    RematchDeclined,
    RematchMade,
    RematchOffered,
    Renamed,
    Revealed,
    Said,
    TableEvent,
    TakebackAgreed,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    TextingSwitched,
    Wrote,
)
from cabochon.play.history import Ended
from cabochon.play.messages import (
    VERSION,
    ChatEntry,
    ChatLine,
    ClockTimes,
    FactsChange,
    FinalResult,
    GameFinish,
    GameFull,
    GameState,
    LegalMove,
    LogLine,
    Rematch,
    RematchInfo,
    Seats,
    TableMessage,
    Takeback,
    TakebackInfo,
    ViewChange,
)
from cabochon.play.staging import line_for, may_know
from cabochon.play.table import Table
from cabochon.play.tableinfo import table_info
from cabochon.play.viewfacts import facts_changed, facts_of, legal_with_effects
from cabochon.rules import Deck, Position, Reserve
from cabochon.rules.view import seen_hand


@dataclass(frozen=True, slots=True)
class Audience:
    """Who a message is for: the seats that are held (none for a watcher), and whether derived facts
    are wanted. Equal audiences get the same bytes."""

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
        self._hands: list[Any] | None = None
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
            message["facts"] = self._facts(old_you, you)
        return message

    def _facts(self, old_viewer: int | None, viewer: int | None) -> FactsChange:
        changed = facts_changed(self._old, old_viewer, self._new, viewer)
        form = orjson.Fragment if self._pack is written else orjson.loads
        return cast(FactsChange, {name: form(value) for name, value in changed.items()})

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
        if self._hands is None:
            self._hands = [self._pack(hand_to_json(hand)) for hand in self._seen_hands]
        hands = self._hands
        if viewer is not None and self._knows_more(viewer):
            hands = [*hands]
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


def snapshot(table: Table, audience: Audience, here: Collection[int], now: int) -> GameFull:
    """Everything that the audience may know."""
    you = audience.shown(table)
    view = None if table.position is None else table.position.view(you)
    message: GameFull = {
        "v": VERSION,
        "type": "gameFull",
        "seq": table.seq,
        "version": table.version,
        "now_ms": now,
        "table": table_info(table, here),
        "you": you,
        "seats_held": list(audience.seats),
        "status": table.state,
        "view": None if view is None else cast(ViewChange, view_to_json(view)),
        "legal": legal_of(table, you, audience.facts),
        "log": [line_for(line, audience.reader) for line in table.log],
        "chat": [chat_entry(seq, said) for seq, said in table.chat if _may_hear(said, audience)],
        "clocks": clocks(table),
        "takeback": _takeback_info(table),
        "rematch": _rematch_info(table),
        "result": None if table.ended is None else result(table.ended),
        "seed": None if table.ended is None else table.opened.seed,
        "last_round": view is not None and view.last_round,
    }
    if audience.facts:
        message["facts"] = None if view is None else facts_of(view)
    return message


def messages_for(
    before: Table,
    event: TableEvent,
    after: Table,
    audience: Audience,
    here: Collection[int],
    now: int,
    change: Change | None = None,
) -> Iterator[TableMessage]:
    """The messages of one event, in order. For several audiences, hand in the same `change`, so
    that what they have in common is made once."""
    if change is not None and after.ended is None:
        yield change.state(audience)  # as nearly all are
        return
    seq = after.seq
    match event:
        case Opened():
            yield snapshot(after, audience, here, now)
        case Closed() if after.position is None:
            return  # there is nothing to show: they are sent off
        case Moved() | TakenBack() | Closed():
            yield from _state(before, event, after, audience, here, change)
        case Joined() | Pledged() | Revealed() | BotSeated() if after.position is not None:
            yield snapshot(after, audience, here, now)
        case Left(withheld=True):
            yield snapshot(after, audience, here, now)
        case (
            Joined()
            | Left()
            | Pledged()
            | Revealed()
            | Renamed()
            | HandedOver()
            | BotSeated()
            | Hinted()
            | TextingSwitched()
        ):
            yield Seats(v=VERSION, type="seats", seq=seq, table=table_info(after, here))
        case Said() | Wrote():
            if _may_hear(event, audience):
                yield ChatLine(v=VERSION, type="chatLine", **chat_entry(seq, event))
        case TakebackAsked() | TakebackAgreed() | TakebackDeclined():
            yield Takeback(v=VERSION, type="takeback", seq=seq, takeback=_takeback_info(after))
        case RematchOffered() | RematchAccepted() | RematchDeclined() | RematchMade():
            yield Rematch(v=VERSION, type="rematch", seq=seq, rematch=_rematch_info(after))
        case _:
            table = table_info(after, here)
            yield Seats(v=VERSION, type="seats", seq=before.seq, table=table)
            yield from _state(before, event, after, audience, here, change)


def chat_entry(seq: int, said: Said | Wrote) -> ChatEntry:
    if isinstance(said, Wrote):
        return {"seq": seq, "seat": said.seat, "phrase": "", "at_ms": said.at, "text": said.text}
    return {"seq": seq, "seat": said.seat, "phrase": said.phrase, "at_ms": said.at}


def _may_hear(said: Said | Wrote, audience: Audience) -> bool:
    """Phrases are for everybody; what people write, for those who sit there."""
    return isinstance(said, Said) or bool(audience.seats)


def _state(
    before: Table,
    event: TableEvent,
    after: Table,
    audience: Audience,
    here: Collection[int],
    change: Change | None,
) -> Iterator[TableMessage]:
    change = change or Change(before, event, after)
    yield change.state(audience)
    if after.ended is not None:
        yield GameFinish(
            v=VERSION,
            type="gameFinish",
            seq=after.seq,
            result=result(after.ended),
            seed=after.opened.seed,
            table=table_info(after, here),
        )


def result(ended: Ended) -> FinalResult:
    return cast(
        FinalResult,
        {
            "ranking": list(ended.ranking),
            "points": list(ended.points),
            "cards": list(ended.cards),
            "reason": ended.reason,
            "winners": list(ended.winners),
        },
    )


def _takeback_info(table: Table) -> TakebackInfo | None:
    asked = table.takeback
    if asked is None:
        return None
    waiting = [s for s in table.others_with_say(asked.by) if s not in asked.agreed]
    info: TakebackInfo = {"by": asked.by, "agreed": list(asked.agreed), "waiting": waiting}
    if undoing_of(table, asked.by).reveals:
        info["revealed"] = True
    return info


def _rematch_info(table: Table) -> RematchInfo | None:
    asked = table.rematch
    if asked is None:
        return None
    waiting = [s for s in rematch_voters(table, asked.by) if s not in asked.agreed]
    if asked.table is not None:
        waiting = []
    return {
        "by": asked.by,
        "agreed": list(asked.agreed),
        "waiting": waiting,
        "table": asked.table,
    }
