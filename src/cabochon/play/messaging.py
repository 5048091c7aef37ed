"""What an audience is told: pure functions from events to messages.

The same events give the same messages, on any node and after any restart, so a client that comes
back with the `seq` it has seen misses nothing. A message's `seq` is where to resume from once it
has been handled: when an event makes several messages, only the last carries the event's own
number, and handling the earlier ones twice does no harm.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import cast

from cabochon.notation import format_event, view_fields_to_json, view_to_json
from cabochon.play.clock import Days
from cabochon.play.commands import rematch_voters
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
from cabochon.play.lines import line_for
from cabochon.play.messages import (
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
from cabochon.play.results import Ended
from cabochon.play.table import Table
from cabochon.play.tableinfo import table_info
from cabochon.play.undoing import undoing_of
from cabochon.play.viewfacts import facts_of, legal_with_effects, move_text
from cabochon.rules import Deal, Deck, Position, Reserve, View

VERSION = 1

_VIEW_FIELDS = (
    "turn",
    "seat",
    "phase",
    "last_round",
    "passes",
    "bank",
    "rows",
    "decks",
    "hands",
    "pending",
)
"""What can change in a view besides its viewer; the ruleset and the nobles in play cannot."""
FACTS_KEPT = 2048


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
        "legal": _legal(table, view, audience),
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
        message["facts"] = None if view is None else _FACTS.of(table.position, you, view)
    return message


def messages_for(
    before: Table,
    event: TableEvent,
    after: Table,
    audience: Audience,
    here: Collection[int],
    now: int,
) -> Iterator[TableMessage]:
    """The messages of one event, in order."""
    seq = after.seq
    match event:
        case Opened():
            yield snapshot(after, audience, here, now)
        case Closed() if after.position is None:
            return  # there is nothing to show: they are sent off
        case Moved() | TakenBack() | Closed():
            yield from _state(before, event, after, audience, here)
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
            yield from _state(before, event, after, audience, here)


def chat_entry(seq: int, said: Said | Wrote) -> ChatEntry:
    if isinstance(said, Wrote):
        return {"seq": seq, "seat": said.seat, "phrase": "", "at_ms": said.at, "text": said.text}
    return {"seq": seq, "seat": said.seat, "phrase": said.phrase, "at_ms": said.at}


def _may_hear(said: Said | Wrote, audience: Audience) -> bool:
    """Phrases are for everybody; what people write, for those who sit there."""
    return isinstance(said, Said) or bool(audience.seats)


def _state(
    before: Table, event: TableEvent, after: Table, audience: Audience, here: Collection[int]
) -> Iterator[TableMessage]:
    assert before.position is not None
    assert after.position is not None
    ended = after.ended
    old_you, you = audience.shown(before), audience.shown(after)
    new = after.position.view(you)
    log_from, log = _new_lines(before, after, audience)
    message: GameState = {
        "v": VERSION,
        "type": "gameState",
        "seq": after.seq if ended is None else before.seq,
        "version": after.version,
        "by": getattr(event, "seat", None),
        "events": _texts(event, audience) if isinstance(event, Moved) else [],
        "log": log,
        "log_from": log_from,
        "you": you,
        "view": _view_change(before.position, old_you, after.position, new),
        "legal": _legal(after, new, audience),
        "clocks": clocks(after),
        "status": after.state,
        "last_round": new.last_round,
    }
    if audience.facts:
        before_facts = _FACTS.of(before.position, old_you)
        message["facts"] = facts_change(before_facts, _FACTS.of(after.position, you, new))
    yield message
    if ended is not None:
        yield GameFinish(
            v=VERSION,
            type="gameFinish",
            seq=after.seq,
            result=result(ended),
            seed=after.opened.seed,
            table=table_info(after, here),
        )


def _view_change(
    before: Position, old_viewer: int | None, after: Position, new: View
) -> ViewChange:
    """The fields of the new view that differ from the old one. Positions are compared, which
    need no view to be made: whatever one event changes in a hand, everybody sees changing."""
    names = [name for name in _VIEW_FIELDS if getattr(before, name) != getattr(after, name)]
    if old_viewer != new.viewer:
        names.append("viewer")
        if "hands" not in names and before.view(old_viewer).hands != new.hands:
            names.append("hands")
    return cast(ViewChange, view_fields_to_json(new, names))


class _FactsKept:
    """The facts told last are needed again for what changes next. Kept by the very position they
    were made of, so that nothing can be mistaken for something else."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int | None], tuple[Position, FactsChange]] = (
            OrderedDict()
        )

    def of(
        self, position: Position | None, viewer: int | None, view: View | None = None
    ) -> FactsChange:
        assert position is not None
        key = (id(position), viewer)
        found = self._kept.get(key)
        if found is not None and found[0] is position:
            return found[1]
        facts = facts_of(position.view(viewer) if view is None else view)
        self._kept[key] = (position, facts)
        if len(self._kept) > FACTS_KEPT:
            self._kept.popitem(last=False)
        return facts


_FACTS = _FactsKept()


def facts_change(old: FactsChange, new: FactsChange) -> FactsChange:
    before = cast(dict[str, object], old)
    changed = {key: value for key, value in new.items() if value != before[key]}
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
            texts += ["deal ?" if hidden else format_event(Deal(card)) for card in coming]
    return texts


def _texts(event: Moved, audience: Audience) -> list[str]:
    return texts_of(event, audience.reader)


def _new_lines(before: Table, after: Table, audience: Audience) -> tuple[int, list[LogLine]]:
    """From which line on the log is new, and the new lines."""
    common = before.log.common(after.log)
    return common, [line_for(line, audience.reader) for line in after.log.since(common)]


def _legal(table: Table, view: View | None, audience: Audience) -> list[str] | list[LegalMove]:
    if view is None or table.to_act is None or view.viewer != table.to_act:
        return []
    if table.chairs[table.to_act].out is not None:
        return []
    if audience.facts:
        return legal_with_effects(view)
    return [move_text(move) for move in view.legal_moves()]


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
