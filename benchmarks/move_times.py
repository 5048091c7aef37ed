"""How long a move of each level takes on one core.

    python benchmarks/move_times.py [--players 2 3 4] [--games 2]

Every level plays against its own copies with the limit it has by itself. The time is that of the
processor, so other work on the machine matters little. Below the top the promise is 300 ms. Prints
a table and, last, one JSON line; the exit code is 1 when a level below the top is slower.
"""

from __future__ import annotations

import argparse
import json
import sys
from statistics import median
from time import thread_time

from cabochon.arena.botgame import play_game
from cabochon.bots import NO_LIMIT, Bot, Limit, make_bot
from cabochon.bots.roster import LEVEL_NAMES, STYLE_NAMES
from cabochon.rules import Move, Ruleset, ShuffledDealer, View

PROMISE_MS = 300


class Timed:
    """A bot whose moves are timed; those without a choice are not counted."""

    def __init__(self, bot: Bot, times: list[float]) -> None:
        self._bot, self._times = bot, times

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        began = thread_time()
        move = self._bot.choose(view, limit)
        if len(view.legal_moves()) > 1:
            self._times.append(1000 * (thread_time() - began))
        return move


def times_of(name: str, players: int, games: int) -> list[float]:
    """Milliseconds of all its moves but those of a first game, which loads and compiles."""
    times: list[float] = []
    for game in range(-1, games):
        if game == 0:
            times.clear()
        table = [(Timed(make_bot(name, seat), times), NO_LIMIT) for seat in range(players)]
        play_game(Ruleset(players), ShuffledDealer(f"times {game}"), table)
    return sorted(times)


def main() -> int:
    parser = argparse.ArgumentParser(description="time of a move by level")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], choices=(2, 3, 4))
    parser.add_argument("--games", type=int, default=2)
    args = parser.parse_args()
    figures: dict[str, dict[str, float]] = {}
    good = True
    print("level     players  moves   p50 ms   p99 ms   max ms")
    for players in args.players:
        for name in (*LEVEL_NAMES, *STYLE_NAMES):
            times = times_of(name, players, args.games)
            middle, high, most = median(times), times[int(0.99 * len(times))], times[-1]
            print(f"{name:9} {players:7} {len(times):6} {middle:8.1f} {high:8.1f} {most:8.1f}")
            figures[f"{name}/{players}"] = {"p50_ms": round(middle, 2), "p99_ms": round(high, 2)}
            good &= name == LEVEL_NAMES[-1] or most < PROMISE_MS
    print(json.dumps(figures))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
