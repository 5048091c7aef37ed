"""The win chances that watchers see: from what everybody may know, once for each position."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256

from cabochon.play.table import Table
from cabochon.rules import Card, Hand, Position, View
from cabochon.rules.facts import HeldCard, Hidden, Reserved
from cabochon.server.reviews.lookdesk import LookDesk
from cabochon.server.storage.database import log_failure
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.chances")

VISITS = 400
MOST_KEPT = 2000
BUSY_S = 0.5
_Key = tuple[str, int]


class ChanceDesk:
    """Of one node. The engine's processes do the work, when nobody else needs them."""

    def __init__(self, looks: LookDesk) -> None:
        self._looks = looks
        self._known: OrderedDict[_Key, list[float]] = OrderedDict()
        self._wanted: OrderedDict[str, Table] = OrderedDict()
        self._more = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="chances")

    async def close(self) -> None:
        await ended(self._task)

    def of(self, table: Table) -> list[float] | None:
        """By seat, as they were at this very position; None as long as nobody has looked. Asking
        makes somebody look."""
        position = table.position
        if position is None or table.ended is not None or not self._looks.engines:
            return None
        found = self._known.get(_key(table))
        if found is None:
            self._wanted[table.id] = table  # an older position of the table need not be looked at
            self._more.set()
        return found

    async def _run(self) -> None:
        while True:
            await self._more.wait()
            if not self._wanted:
                self._more.clear()
                continue
            _, table = self._wanted.popitem(last=False)
            try:
                await self._look(table)
            except Exception as error:
                log_failure(log, "watchers go without chances; it goes on", error)

    async def _look(self, table: Table) -> None:
        assert table.position is not None
        chances = await self._looks.glance(public_view(table.position, table.id), VISITS)
        if chances is None:
            await asyncio.sleep(BUSY_S)
            return
        self._known[_key(table)] = chances
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)


def _key(table: Table) -> _Key:
    return table.id, table.version


def public_view(position: Position, salt: str) -> View:
    """What a watcher knows, with the eyes of the seat that must decide. Where that seat holds a
    card that nobody else has seen, another of the same level stands for it, always the same: the
    chances tell nothing about the real one."""
    view = position.view(None)
    hand = view.hands[view.seat]
    held = tuple(_stand_ins(hand.reserved, view.unseen(), salt))
    imagined = Hand(hand.tokens, hand.bought, held, hand.nobles)
    hands = tuple(imagined if seat == view.seat else h for seat, h in enumerate(view.hands))
    return replace(view, hands=hands, viewer=view.seat)


def _stand_ins(held: Iterable[HeldCard], unseen: Iterable[Card], salt: str) -> Iterator[HeldCard]:
    """The same cards, with others that nobody has seen where they are hidden: in an order of the
    table's own."""
    left = sorted(unseen, key=lambda card: sha256(f"{salt} {card.code}".encode()).digest())
    for reserve in held:
        if isinstance(reserve, Hidden):
            card = next(card for card in left if card.level == reserve.level)
            left.remove(card)
            yield Reserved(card, blind=True)
        else:
            yield reserve
