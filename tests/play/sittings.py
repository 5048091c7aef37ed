"""Tables for tests: people with keys, and games that are played by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from cabochon.play.chairs import Chair, Kind
from cabochon.play.clock import Clock
from cabochon.play.driver import Driver
from cabochon.play.events import Opened, Series, TableEvent
from cabochon.play.options import AtZero, Options, WhenGone
from cabochon.play.table import Decision, Table
from cabochon.rules import Ruleset

SEED = "a table for tests"
NAMES = ("Ada", "Bo", "Chen", "Dora")


def person(seat: int, holder: str | None = None) -> Chair:
    return Chair(Kind.HUMAN, NAMES[seat], key=f"hash{seat}", holder=holder or f"key:hash{seat}")


def engine(name: str = "greedy") -> Chair:
    return Chair(Kind.BOT, bot=name)


def opening(
    *chairs: Chair,
    ruleset: Ruleset | None = None,
    clock: Clock | None = None,
    at_zero: AtZero = AtZero.BOT,
    when_gone: WhenGone = WhenGone.CLAIM,
    takeback: bool = True,
    takeback_asks: bool = False,
    listed: bool = True,
    tutorial: bool = False,
    rated: bool = False,
    seed: str = SEED,
    at: int = 1000,
) -> Opened:
    seats = len(chairs)
    options = Options(
        ruleset or Ruleset(seats),
        clock,
        at_zero,
        grace_s=60,
        when_gone=when_gone,
        takeback=takeback,
        takeback_asks=takeback_asks,
        listed=listed,
        rated=rated,
        tutorial=tutorial,
    )
    return Opened(at, options, chairs, seed, Series("series", 1, (0,) * seats))


def people(seats: int = 2) -> tuple[Chair, ...]:
    return tuple(person(seat) for seat in range(seats))


def table_of(opened: Opened) -> Table:
    return Table.open("table", opened)


def duel() -> Table:
    """Two people about to begin."""
    return table_of(opening(*people(2)))


class Sitting:
    """A table with the events that made it, played on by chance."""

    def __init__(self, opened: Opened, seed: int = 0) -> None:
        self.table = table_of(opened)
        self.events: list[TableEvent] = [opened]
        self.now = opened.at
        self._random = Random(seed)

    def play(self, submissions: int) -> Sitting:
        """So many random submissions, or until the game is over."""
        for _ in range(submissions):
            if self.table.to_act is None:
                break
            self.move()
        return self

    def play_out(self) -> Sitting:
        while self.table.to_act is not None:
            self.move()
        return self

    def move(self) -> None:
        table = self.table
        seat = table.running.seat
        self.now += 1000
        moves = table.running.legal_moves()
        blind = [m for m in moves if repr(m).startswith("Reserve(target=Deck")]
        bought = [m for m in moves if repr(m).startswith("Buy")]
        pick = self._random.random()
        if bought and pick < 0.6:
            moves = bought
        elif blind and pick < 0.75:
            moves = blind
        decision = table.submit(seat, table.version, (self._random.choice(moves),), self.now)
        self.events += decision.events
        self.table = decision.table


def driven(table: Table, clock: Callable[[], int] = lambda: 0) -> Iterator[Decision]:
    """What the engines decide, until a person must act or the game is over."""
    driver = Driver()
    while table.bot_to_act is not None:
        seat = table.running.seat
        chosen = driver.choose(table.bot_to_act, table.running.view(seat))
        decision = table.submit(seat, table.version, (chosen.move,), clock(), engine=True)
        yield decision
        table = decision.table
