"""All bots over all rulesets, for thousands of games: no crash, no illegal move, no time overrun.

    python benchmarks/soak_bots.py [--games 10000] [--jobs N] [--seed TEXT] [--only GAME] [--fresh]

Every game draws its ruleset, its bots and their limits from its number, so a fault is found again
with `--only`. A bot is late when a move takes over 50 ms of processor time above its limit: a
machine that stops a process for a while is nothing a bot can know of. A virtual machine that is
stopped as a whole counts that as processor time too; a witness beside the games (see witness.py)
sees it, and such time is taken off; how often that decided is told. The worst overruns, also by
the wall, are told as they were. What every 250 games showed is kept in build/soak: stopped, it goes
on where it was, unless bots or networks have changed (or `--fresh`). Prints a table and, last, one
JSON line.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from random import Random

from cabochon.arena.entrants import Entrant, format_limit
from cabochon.arena.seating import engine_of
from cabochon.bots import BOT_NAMES, NO_LIMIT, Bot, Limit, make_bot
from cabochon.bots.roster import RATED_PLAYERS
from cabochon.game import Game, play_on
from cabochon.rules import CabochonError, Move, Ruleset, ShuffledDealer, View
from cabochon.workers import Executor, local_executor

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.witness import Stall, Witness, stood_still

RULESETS = tuple(
    Ruleset.parse(text)
    for text in (
        *(f"{variant}/{seats}" for variant in ("standard", "quick") for seats in (2, 3, 4)),
        "teams/4",
        "quick-teams/4",
        "standard/2:scarce=no",
        "standard/2:target=21,width=2",
        "quick/4:target=5,width=1",
    )
)
KEPT = Path(__file__).parent.parent / "build/soak"
PIECE = 250
GRACE = 0.050
LIMITS = (
    (Limit(visits=1), 2),
    (Limit(visits=16), 6),
    (Limit(visits=100), 2),
    (Limit(seconds=0.001), 2),
    (Limit(seconds=0.010), 2),
    (Limit(seconds=0.005, visits=20), 2),
    (NO_LIMIT, 1),
)
LATE = "late"


@dataclass(frozen=True, slots=True)
class Overrun:
    """A move that took too long: who and where, by how much, from when to when."""

    text: str
    over: float
    began: float
    ended: float


@dataclass(slots=True)
class Findings:
    """What some games showed."""

    games: int = 0
    decisions: int = 0
    by_bot: Counter[str] = field(default_factory=Counter)
    by_ruleset: Counter[str] = field(default_factory=Counter)
    worst: float = 0.0
    worst_on_wall: float = 0.0
    slowest: dict[str, float] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    overruns: list[Overrun] = field(default_factory=list)
    """Not yet judged; see `judge`."""
    stood_still: int = 0
    """Overruns that were the machine's."""

    def judge(self, stalls: list[Stall]) -> None:
        """An overrun is a fault unless the machine stood still meanwhile."""
        for overrun in self.overruns:
            lost = stood_still(stalls, overrun.began, overrun.ended)
            if overrun.over - lost > GRACE:
                self.faults.append(f"{LATE}: {overrun.text}")
            else:
                self.stood_still += 1
        self.overruns = []

    def add(self, other: Findings) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.by_bot += other.by_bot
        self.by_ruleset += other.by_ruleset
        self.worst = max(self.worst, other.worst)
        self.worst_on_wall = max(self.worst_on_wall, other.worst_on_wall)
        for name, seconds in other.slowest.items():
            self.slowest[name] = max(seconds, self.slowest.get(name, 0.0))
        self.faults += other.faults
        self.overruns += other.overruns
        self.stood_still += other.stood_still

    def written(self) -> str:
        return json.dumps({field.name: getattr(self, field.name) for field in fields(self)}) + "\n"

    @classmethod
    def read(cls, text: str) -> Findings:
        values = json.loads(text)
        for name in ("by_bot", "by_ruleset"):
            values[name] = Counter(values[name])
        return cls(**values)


def soak_game(task: tuple[str, int]) -> Findings:
    """One game, everything in it drawn from the seed and its number."""
    seed, number = task
    random = Random(f"{seed} {number}")
    ruleset = RULESETS[number % len(RULESETS)]
    entrants = [_entrant(random) for _ in range(ruleset.seats)]
    findings = Findings(1)
    findings.by_ruleset[str(ruleset)] += 1
    where = f"--seed {seed} --only {number} ({ruleset}: {', '.join(e.text for e in entrants)})"
    bots = [make_bot(entrant.name, random.getrandbits(32)) for entrant in entrants]
    try:
        _play(ruleset, ShuffledDealer(f"{seed} {number}"), bots, entrants, findings)
    except CabochonError as error:
        findings.faults.append(f"illegal: {error.en} {where}")
    except Exception as error:
        findings.faults.append(f"crash: {type(error).__name__} {error} {where}")
    findings.overruns = [replace(o, text=f"{o.text} {where}") for o in findings.overruns]
    return findings


def _entrant(random: Random) -> Entrant:
    name = random.choice(BOT_NAMES)
    limit = random.choices([limit for limit, _ in LIMITS], [weight for _, weight in LIMITS])[0]
    return Entrant(f"{name}@{format_limit(limit)}".rstrip("@"), name, limit)


def _play(
    ruleset: Ruleset,
    dealer: ShuffledDealer,
    bots: Sequence[Bot],
    entrants: Sequence[Entrant],
    findings: Findings,
) -> None:
    warm = [False] * len(bots)

    def ask(view: View) -> Move:
        seat, entrant = view.seat, entrants[view.seat]
        began, worked = time.perf_counter(), time.thread_time()
        move = bots[seat].choose(view, entrant.limit)
        wall, busy = time.perf_counter() - began, time.thread_time() - worked
        findings.decisions += 1
        findings.by_bot[entrant.name] += 1
        if warm[seat]:
            _time(entrant, began, wall, busy, findings)
        warm[seat] = True
        return move

    game = Game.from_dealer(ruleset, dealer)
    for _ in play_on(game, dict.fromkeys(range(len(bots)), ask)):
        pass


def _time(entrant: Entrant, began: float, wall: float, busy: float, findings: Findings) -> None:
    """The first move of a bot may load and compile; every later one is held to its limit."""
    if entrant.limit == NO_LIMIT:
        findings.slowest[entrant.name] = max(busy, findings.slowest.get(entrant.name, 0.0))
    if entrant.limit.seconds is None:
        return
    over, over_on_wall = busy - entrant.limit.seconds, wall - entrant.limit.seconds
    findings.worst = max(findings.worst, over)
    findings.worst_on_wall = max(findings.worst_on_wall, over_on_wall)
    if over > GRACE:
        text = f"{entrant.text} by {1000 * over:.0f} ms"
        findings.overruns.append(Overrun(text, over, began, began + wall))


def soak(games: Sequence[int], seed: str, executor: Executor) -> Findings:
    """Play those games and gather what they show."""
    total = Findings()
    with Witness() as witness:
        for found in executor.map(soak_game, [(seed, number) for number in games]):
            total.add(found)
        total.judge(witness.stalls())
    return total


def soak_in_pieces(games: int, seed: str, executor: Executor, fresh: bool) -> Findings:
    """Soak, keeping what each piece showed. Only pieces without a fault are taken as done."""
    KEPT.mkdir(parents=True, exist_ok=True)
    total = Findings()
    for first in range(0, games, PIECE):
        piece = range(first, min(first + PIECE, games))
        place = KEPT / f"{_fingerprint(seed)}-{piece.start}-{piece.stop}.json"
        if place.exists() and not fresh:
            total.add(Findings.read(place.read_text("utf-8")))
            continue
        found = soak(piece, seed, executor)
        total.add(found)
        if not found.faults:
            place.write_text(found.written(), "utf-8")
        print(
            f"{total.games}/{games} games, {total.decisions} decisions, {len(total.faults)} faults",
            file=sys.stderr,
            flush=True,
        )
    return total


def _fingerprint(seed: str) -> str:
    """Who plays: the same text stands for the same bots, networks and draws."""
    texts = [engine_of(Entrant(name, name), n) for name in BOT_NAMES for n in RATED_PLAYERS]
    draws = [seed, str(RULESETS), str(LIMITS)]
    return sha256("\n".join(texts + draws).encode()).hexdigest()[:16]


def main() -> int:
    parser = argparse.ArgumentParser(description="all bots over all rulesets")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--seed", default="soak")
    parser.add_argument("--only", type=int)
    parser.add_argument("--fresh", action="store_true", help="play again what was kept")
    args = parser.parse_args()
    executor = local_executor(args.jobs if args.only is None else 1)
    try:
        if args.only is None:
            found = soak_in_pieces(args.games, args.seed, executor, args.fresh)
        else:
            found = soak([args.only], args.seed, executor)
    except KeyboardInterrupt:
        print("stopped; run it again to go on", file=sys.stderr)
        return 1
    finally:
        executor.close()
    for fault in found.faults:
        print(fault)
    for title, counts in (("games", found.by_ruleset), ("decisions", found.by_bot)):
        for name, count in sorted(counts.items()):
            print(f"{title:10} {name:28} {count:8}")
    for name, seconds in sorted(found.slowest.items()):
        print(f"slowest    {name:28} {1000 * seconds:8.0f} ms at its own limit")
    kinds = Counter(fault.partition(":")[0] for fault in found.faults)
    print(
        json.dumps(
            {
                "games": found.games,
                "decisions": found.decisions,
                "crashes": kinds["crash"],
                "illegal": kinds["illegal"],
                "late": kinds[LATE],
                "machine_stood_still": found.stood_still,
                "worst_overrun_ms": round(1000 * found.worst, 1),
                "worst_overrun_wall_ms": round(1000 * found.worst_on_wall, 1),
            }
        )
    )
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
