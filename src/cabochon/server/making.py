"""Making tables: who sits where, which secrets are handed out, and the seed."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.bots import BOT_NAMES, BotFault, UnknownBot
from cabochon.play.chairs import Chair, Kind
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Opened, Series
from cabochon.play.options import Options, SeatOrder, Watching
from cabochon.play.tutor import SEED, TUTOR, tutorial_options
from cabochon.rules import new_seed, seating
from cabochon.server.identity import Asker
from cabochon.server.models import (
    AnyChair,
    BotChair,
    Invite,
    MeChair,
    NewTable,
    OpenChair,
    SeatKey,
)
from cabochon.server.names import check_apart, free_name, tidy
from cabochon.server.secrets import hashed, new_code, new_seat_key, new_table_id


@dataclass(frozen=True, slots=True)
class Plan:
    """A table about to be opened, and the secrets that only its maker is told."""

    table_id: str
    opened: Opened
    keys: list[SeatKey]
    invites: list[Invite]
    watch_code: str | None


def plan_table(asked: NewTable, asker: Asker, now: int) -> Plan:
    """Raises BadRuleset, UnknownBot, or TableRefused for a wrong number of chairs."""
    options = asked.options()
    seats = options.ruleset.seats
    if len(asked.chairs) != seats:
        raise TableRefused(TableFault.CHAIRS_COUNT, count=len(asked.chairs), seats=seats)
    return plan_chairs(options, asked.chairs, asker, new_seed(), now)


def plan_chairs(
    options: Options, chairs: list[AnyChair], asker: Asker, seed: str, now: int
) -> Plan:
    """The chairs in the order that the seed draws, or as they are. Raises ServerRefused or
    TableRefused for a name that cannot be."""
    order = tuple(range(len(chairs)))
    if options.seat_order is SeatOrder.RANDOM:
        order = seating(seed, len(chairs))
    maker = _Maker(new_table_id(), asker)
    made = tuple(maker.chair(seat, chairs[index]) for seat, index in enumerate(order))
    watch_code = new_code(maker.table_id) if options.watching is Watching.LINK else None
    series = Series(maker.table_id, 1, (0,) * len(made))
    code_hash = None if watch_code is None else hashed(watch_code)
    opened = Opened(now, options, made, seed, series, code_hash, tuple(maker.share_hashes))
    return Plan(maker.table_id, opened, maker.keys, maker.invites, watch_code)


def plan_tutorial(language: str, now: int) -> Plan:
    """A newcomer's first game: it begins, and the cards are always the same."""
    table_id, key = new_table_id(), new_seat_key()
    name = {"en": "You", "zh": "你"}[language]
    chairs = (
        Chair(Kind.HUMAN, name=name, key=hashed(key), owner=table_id),
        Chair(Kind.BOT, bot=TUTOR),
    )
    opened = Opened(now, tutorial_options(), chairs, SEED, Series(table_id, 1, (0, 0)))
    return Plan(table_id, opened, [SeatKey(seat=0, key=key)], [], None)


class _Maker:
    """Makes chairs and notes down the secrets that go with them."""

    def __init__(self, table_id: str, asker: Asker) -> None:
        self.table_id = table_id
        self.keys: list[SeatKey] = []
        self.invites: list[Invite] = []
        self.share_hashes: list[tuple[int, str]] = []
        self._asker = asker
        self._owner = new_table_id()
        self._names: list[str] = []

    def chair(self, seat: int, asked: AnyChair) -> Chair:
        if isinstance(asked, OpenChair):
            code = new_code(self.table_id)
            self.invites.append(Invite(seat=seat, code=code, url=f"/join/{code}"))
            return Chair(Kind.OPEN, invite=hashed(code))
        if isinstance(asked, BotChair):
            if asked.bot not in BOT_NAMES:
                known = ", ".join(BOT_NAMES)
                raise UnknownBot(BotFault.UNKNOWN_BOT, name=asked.bot, known=known)
            return Chair(Kind.BOT, bot=asked.bot)
        if isinstance(asked, MeChair) and asked.share_hash is not None:
            self.share_hashes.append((seat, asked.share_hash))
        token = self._asker.token
        if token is not None and asked.kind == "me":
            return Chair(Kind.BOT, name=self._free(token.name), token=token.id)
        key = new_seat_key()
        self.keys.append(SeatKey(seat=seat, key=key))
        name = self._apart(tidy(asked.name))
        return Chair(Kind.HUMAN, name=name, key=hashed(key), owner=self._owner)

    def _apart(self, name: str) -> str:
        check_apart(name, self._names)
        self._names.append(name)
        return name

    def _free(self, name: str) -> str:
        """A program cannot be asked for another name: it gets a number."""
        return self._apart(free_name(name, self._names))
