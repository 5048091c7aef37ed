"""What an audience is told: pure functions from events to messages.

The same events give the same messages, on any node and after any restart, so a client that comes
back with the `seq` it has seen misses nothing. A message's `seq` is where to resume from once it
has been handled: when an event makes several messages, only the last carries the event's own
number, and handling the earlier ones twice does no harm.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import cast

from cabochon.notation import view_to_json
from cabochon.play.change import Audience, Change, clocks, facts_for, legal_of
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
from cabochon.play.lines import line_for
from cabochon.play.messages import (
    VERSION,
    ChatEntry,
    ChatLine,
    FinalResult,
    GameFinish,
    GameFull,
    Rematch,
    RematchInfo,
    Seats,
    TableMessage,
    Takeback,
    TakebackInfo,
    ViewChange,
)
from cabochon.play.table import Table
from cabochon.play.tableinfo import table_info


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
        message["facts"] = None if table.position is None else facts_for(table.position, you)
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
    """The messages of one event, in order. Who tells it to several audiences hands in the same
    `change` for all of them, so that what they have in common is made once."""
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
