"""Making tables: who sits where, which secrets are handed out, and the seed."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.play.chairs import Chair, Kind, holder_by
from cabochon.play.driver import TUTOR, TUTORIAL_SEED, tutorial_options
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Opened, Series
from cabochon.play.hosting import check_bot
from cabochon.play.options import Options, SeatOrder, Watching
from cabochon.play.tablestate import check_start
from cabochon.rules import Position, new_seed, seating
from cabochon.server.access.identity import Caller
from cabochon.server.access.playernames import check_apart, free_name, tidy
from cabochon.server.people.ratedtables import check_rated_table
from cabochon.server.secrets import hashed, new_code, new_seat_key, new_table_id
from cabochon.server.web.models import (
    AnyChair,
    BotChair,
    Invite,
    LocalChair,
    MeChair,
    NewTable,
    OpenChair,
    SeatKey,
)
from cabochon.words import text


@dataclass(frozen=True, slots=True)
class Plan:
    """A table about to be opened, and the secrets that only its maker gets."""

    table_id: str
    opened: Opened
    keys: list[SeatKey]
    invites: list[Invite]
    watch_code: str | None


def plan_table(asked: NewTable, caller: Caller, now: int) -> Plan:
    """Raises BadRuleset, UnknownBot, TableRefused for a wrong number of chairs, a position where
    no game can begin or a game that can't be rated, and NotationError or BadSetup for a position
    that is none."""
    start = asked.start()
    options = asked.options(start)
    seats = options.ruleset.seats
    if len(asked.chairs) != seats:
        raise TableRefused(TableFault.CHAIRS_COUNT, count=len(asked.chairs), seats=seats)
    if start is not None:
        check_start(options, start)
    plan = plan_chairs(options, asked.chairs, caller, new_seed(), now, start)
    check_rated_table(options, plan.opened.chairs, start, caller.person)
    return plan


def plan_chairs(
    options: Options,
    chairs: list[AnyChair],
    caller: Caller,
    seed: str,
    now: int,
    start: Position | None = None,
) -> Plan:
    """The chairs in the order that the seed draws, or as they are. Raises ServerRefused or
    TableRefused for a name that cannot be."""
    order = tuple(range(len(chairs)))
    if options.seat_order is SeatOrder.RANDOM:
        order = seating(seed, len(chairs))
    maker = _Maker(new_table_id(), caller)
    made = tuple(maker.chair(seat, chairs[index]) for seat, index in enumerate(order))
    watch_code = new_code(maker.table_id) if options.watching is Watching.LINK else None
    series = Series(maker.table_id, 1, (0,) * len(made))
    code_hash = None if watch_code is None else hashed(watch_code)
    hashes = tuple(maker.share_hashes)
    opened = Opened(
        at=now,
        options=options,
        chairs=made,
        seed=seed,
        series=series,
        watch_code=code_hash,
        share_hashes=hashes,
        position=start,
    )
    return Plan(maker.table_id, opened, maker.keys, maker.invites, watch_code)


def plan_tutorial(caller: Caller, language: str, now: int) -> Plan:
    """A newcomer's first game: it begins, and the cards are always the same."""
    table_id, key = new_table_id(), new_seat_key()
    name = text("server.you", language)
    holder = person_holder(caller) or holder_by(None, hashed(key))
    chairs = (
        Chair(Kind.HUMAN, name=name, key=hashed(key), holder=holder),
        Chair(Kind.BOT, bot=TUTOR),
    )
    opened = Opened(now, tutorial_options(), chairs, TUTORIAL_SEED, Series(table_id, 1, (0, 0)))
    return Plan(table_id, opened, [SeatKey(seat=0, key=key)], [], None)


def person_holder(caller: Caller) -> str | None:
    """As whom somebody sits down who is no program."""
    return caller.holder if caller.token is None else None


class _Maker:
    """Makes chairs and notes down the secrets that go with them."""

    def __init__(self, table_id: str, caller: Caller) -> None:
        self.table_id = table_id
        self.keys: list[SeatKey] = []
        self.invites: list[Invite] = []
        self.share_hashes: list[tuple[int, str]] = []
        self._caller = caller
        self._holder = person_holder(caller)
        self._names: list[str] = []

    def chair(self, seat: int, asked: AnyChair) -> Chair:
        if isinstance(asked, OpenChair):
            code = new_code(self.table_id)
            self.invites.append(Invite(seat=seat, code=code, url=f"/join/{code}"))
            return Chair(Kind.OPEN, invite=hashed(code))
        if isinstance(asked, BotChair):
            check_bot(asked.bot)
            return Chair(Kind.BOT, bot=asked.bot)
        if isinstance(asked, MeChair) and asked.share_hash is not None:
            self.share_hashes.append((seat, asked.share_hash))
        token = self._caller.token
        if token is not None and asked.kind == "me":
            return Chair(Kind.BOT, name=self._free(token.name), holder=self._caller.holder)
        key = new_seat_key()
        self.keys.append(SeatKey(seat=seat, key=key))
        self._holder = self._holder or holder_by(None, hashed(key))
        name = self._apart(self._called(asked))
        return Chair(Kind.HUMAN, name=name, key=hashed(key), holder=self._holder)

    def _called(self, asked: MeChair | LocalChair) -> str:
        """Who keeps their name goes by it."""
        person = self._caller.person
        kept = person is not None and person.kept and isinstance(asked, MeChair)
        return person.name if person is not None and kept else tidy(asked.name)

    def _apart(self, name: str) -> str:
        check_apart(name, self._names)
        self._names.append(name)
        return name

    def _free(self, name: str) -> str:
        """A program cannot be asked for another name: it gets a number."""
        return self._apart(free_name(name, self._names))
