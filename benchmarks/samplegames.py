"""Finished games as people play them, for benchmarks that need many: two to four seats, most of
them people with seat keys and clocks, greedy enough to come to an end."""

from __future__ import annotations

from random import Random

from cabochon.bots import make_bot
from cabochon.play.chairs import PERSON, Chair, Kind
from cabochon.play.clock import Increment
from cabochon.play.events import Opened, Said, Series, TableEvent
from cabochon.play.options import AtZero, Options, WhenGone
from cabochon.play.table import Table
from cabochon.rules import Ruleset
from cabochon.server.secrets import hashed

SEATS = (2, 2, 2, 2, 3, 4)
NAMES = ("Ada", "Bo", "Chen", "Dora", "小明", "Marguerite", "kai_07", "Ø")


def finished_game(number: int, began_ms: int) -> list[TableEvent]:
    """All events of one game; another number is another game."""
    random = Random(number)
    table = Table.open(f"sample{number:06}"[-10:], _opening(random, began_ms))
    events: list[TableEvent] = [table.opened]
    bots = [make_bot("greedy", random.getrandbits(32)) for _ in table.chairs]
    now = began_ms
    while table.state == "running":
        now += int(1000 * random.lognormvariate(1.8, 0.9))
        position = table.running
        move = bots[position.seat].choose(position.view(position.seat))
        by_hand = table.chairs[position.seat].kind is Kind.HUMAN
        key = _id_of_the_page(random, now, len(events)) if by_hand else None
        ask = f"{random.getrandbits(32):08x}" if by_hand else None
        made = table.submit(
            position.seat, table.version, (move,), now, key, ask, engine=not by_hand
        )
        events += made.events
        table = made.table
        if random.random() < 0.03:
            said = Said(now, random.randrange(len(table.chairs)), "hello")
            events.append(said)
            table = table.after(said)
    return events


def _id_of_the_page(random: Random, now: int, number: int) -> str:
    """Of a move, as `web/src/live.svelte.ts` makes them."""
    return f"{_base36(now)}-{number}-{_base36(random.getrandbits(41))[:8]}"


def _base36(value: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return digits[value] if value < 36 else _base36(value // 36) + digits[value % 36]


def _opening(random: Random, at: int) -> Opened:
    seats = random.choice(SEATS)
    people = max(1, seats - random.choice((0, 0, 0, 1)))
    chairs = tuple(
        _person(random) if seat < people else Chair(Kind.BOT, bot="greedy") for seat in range(seats)
    )
    options = Options(
        Ruleset(seats),
        random.choice((None, Increment(900_000, 10_000))),
        AtZero.BOT,
        grace_s=60,
        when_gone=WhenGone.CLAIM,
        takeback=True,
        listed=random.random() < 0.7,
        rated=False,
    )
    series = Series(f"{random.getrandbits(50):010x}"[:10], 1, (0,) * seats)
    return Opened(at, options, chairs, f"{random.getrandbits(256):064x}", series)


def _person(random: Random) -> Chair:
    key = hashed(f"{random.getrandbits(256):x}")
    holder = PERSON + f"{random.getrandbits(60):x}"[:12]
    return Chair(Kind.HUMAN, random.choice(NAMES), key=key, holder=holder)
