"""What a bot gains by staying in its seat: the top level asked as a server asks it, once made anew
for every decision with a seed of its own (as before), once kept in its seat.

    python benchmarks/seated_bots.py [--games 6] [--seconds 0.2]

Prints a table and, last, one JSON line: time of the processor per decision beyond what the bot was
given, and the visits it could go on from.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cabochon.bots import Limit, make_bot
from cabochon.bots.levels import REUSED_VISITS, JudgingBot
from cabochon.game import Game
from cabochon.rules import Move, View
from cabochon.search import Searcher, shipped_for


class Decision(NamedTuple):
    """How long it took, the root's visits in the end, and how many of them were there before."""

    seconds: float
    visits: int
    kept: int


def made_anew(view: View, limit: Limit, number: int) -> tuple[Move, Decision]:
    """As the server did: a new bot, two searches to load what it cannot use, a seed."""
    began = time.perf_counter()
    warming = Searcher(shipped_for(view.ruleset), reuse=True)
    for _ in range(2):
        warming.analyse(view, Limit(visits=REUSED_VISITS))
    bot = make_bot("diamond", number)
    assert isinstance(bot, JudgingBot)
    lines = bot.lines(view, replace(limit, seed=number))
    seconds = time.perf_counter() - began
    return lines[0].move, Decision(seconds, sum(line.visits for line in lines), 0)


def seated(bot: JudgingBot, view: View, limit: Limit) -> tuple[Move, Decision]:
    began = time.perf_counter()
    lines = bot.lines(view, limit)
    seconds = time.perf_counter() - began
    kept = bot._searchers[view.ruleset.seats].kept_visits
    return lines[0].move, Decision(seconds, sum(line.visits for line in lines), kept)


def played(number: int, limit: Limit, *, stays: bool) -> list[Decision]:
    """The decisions with a choice of a Diamond against the greedy bot."""
    game = Game(seed=f"seated {number}", bots={1: "greedy"})
    bot = make_bot("diamond", number)
    assert isinstance(bot, JudgingBot)
    found: list[Decision] = []
    while not game.is_over:
        if game.play_bots():
            continue
        view = game.view(0)
        if len(view.legal_moves()) == 1:
            game.play(view.legal_moves()[0])
            continue
        way = seated(bot, view, limit) if stays else made_anew(view, limit, len(found))
        game.play(way[0])
        found.append(way[1])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=0.2)
    args = parser.parse_args()
    limit = Limit(seconds=args.seconds)
    played(0, Limit(seconds=0.02), stays=True)
    figures: dict[str, object] = {"seconds": args.seconds}
    print(f"{'':>10} {'decisions':>10} {'ms':>8} {'visits':>8} {'kept':>8}")
    for name, stays in (("anew", False), ("seated", True)):
        found = [d for number in range(args.games) for d in played(number, limit, stays=stays)]
        ms = 1000 * fmean(d.seconds for d in found)
        visits, kept = fmean(d.visits for d in found), fmean(d.kept for d in found)
        print(f"{name:>10} {len(found):>10} {ms:>8.1f} {visits:>8.0f} {kept:>8.0f}")
        figures |= {f"ms_{name}": round(ms, 1), f"visits_{name}": round(visits)}
        figures |= {f"kept_{name}": round(kept)}
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
