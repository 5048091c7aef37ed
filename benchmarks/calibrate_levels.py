"""Set the levels by measurement and write down what was measured.

    python benchmarks/calibrate_levels.py [--players 2 3 4] [--skip-search] [--games 400] [--jobs N]

Run it again when the networks have changed. First it looks, from the strongest level down, for the
parameters at which a level is as far below the one above as it should be; then, with other deals,
neighbours, styles and the greedy bot play under their own names, and
src/cabochon/bots/data/levels.json gets what came out, which `cabochon bots` prints. Where a
measured step is not as promised, the levels below it are set again, with what the measurement has
told, and measured again (three times at most; the exit code is 1 when a step is still outside).
Games are kept in build/calibration as they end: stopped, it goes on where it was. Visits alone
limit the bots, so the result is the same on any day on the same kind of processor.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from cabochon.arena.calibration import (
    PROMISE,
    CalibrationPlan,
    Ladder,
    Rung,
    Tried,
    calibrate,
    candidate,
    spelling,
)
from cabochon.bots.levels import Judgement, LookAhead, judgements_of
from cabochon.bots.roster import LEVEL_NAMES, STYLE_NAMES, level_data, network_fingerprint
from cabochon.rules import Ruleset
from cabochon.workers import Inline, local_executor

DATA = Path(__file__).parent.parent / "src/cabochon/bots/data/levels.json"
KEPT = Path(__file__).parent.parent / "build/calibration"
ANCHOR, ANCHOR_ELO = "greedy", 1000
MEDIUM = ("topaz", "quartz")
STRONGEST_FIRST = tuple(reversed(LEVEL_NAMES))
TOP_VISITS, STYLE_VISITS = 1500, 64
GAPS = {2: 190.0, 3: 160.0, 4: 150.0}
"""Elo between levels, 75 to 70 %: the softest shall be for a child. With more players
there is less between it and the hardest."""
ATTEMPTS = 3
OTHER_DEALS = 1_000_000
"""Numbers of deals that are drawn from another seed begin here."""


def plan_of(players: int, args: argparse.Namespace) -> CalibrationPlan:
    path = [Judgement(LookAhead.SEARCH, visits) for visits in (TOP_VISITS, 500, 120, 30, 6, 1)]
    path += [Judgement(LookAhead.SEARCH, 1, blur) for blur in (1.0, 3.0, 6.0, 12.0)]
    path += [Judgement(LookAhead.ONE_MOVE, 1, blur) for blur in (0.2, 0.5, 1.0, 1.8, 3.0)]
    return CalibrationPlan(tuple(path), len(LEVEL_NAMES), GAPS[players], args.looking, args.setting)


def settle(players: int, args: argparse.Namespace) -> bool:
    """Set and measure the levels of one player count; whether all steps are as promised. Workers
    read the data file when they start, so every measurement has new ones."""
    looking = _ladder("look", players, args)
    plan, places = plan_of(players, args), [0.0]
    tried: Tried = {}
    for _ in range(1 if args.skip_search else ATTEMPTS):
        if not args.skip_search:
            with _working(looking, args):
                places = calibrate(looking, plan, tried, places)
            _set(players, [candidate(plan.path, place) for place in places])
        measured = _ladder("measure", players, args)
        with _working(measured, args):
            good = measure(players, args, measured)
        if all(good):
            return True
        if not args.skip_search:
            _learn(looking, measured, [candidate(plan.path, place) for place in places])
            places = places[: good.index(False) + 1]
    return False


def measure(players: int, args: argparse.Namespace, ladder: Ladder) -> list[bool]:
    """Play the levels, the styles and the anchor under their names, and write down what came
    out; whether each step between levels is as promised."""
    rungs = [_step_between(ladder, pair, args.games) for pair in pairwise(STRONGEST_FIRST)]
    good = [PROMISE[0] <= rung.chance <= PROMISE[1] for rung in rungs]
    for style in STYLE_NAMES:
        for name in MEDIUM:
            ladder.play(style, name, args.games // 8)
    index, ratings = ladder.rate()
    for name in _nearest(index, ratings.elo):
        ladder.play(name, ANCHOR, args.games // 4)
    data = _read()
    data["steps"][str(players)] = [_step(rung) for rung in rungs]
    data["ratings"][str(players)] = _ratings(ladder)
    data["networks"][str(players)] = network_fingerprint(players)
    data["made"] = {"command": _command(args), "games": args.games}
    _write(data)
    return good


def _step_between(ladder: Ladder, pair: tuple[str, str], games: int) -> Rung:
    """Measured until it is sure that the step is as promised, or that it is not, or the games are
    played."""
    for part in (games // 2, games * 3 // 4, games):
        rung = ladder.play(*pair, part)
        low, high = rung.interval
        if PROMISE[0] <= low and high <= PROMISE[1]:
            break
        if high < PROMISE[0] or low > PROMISE[1]:
            break
    return rung


def _ladder(what: str, players: int, args: argparse.Namespace) -> Ladder:
    return Ladder(Ruleset(players), f"{args.seed} {what} {players}", Inline(), _tell, KEPT)


@contextmanager
def _working(ladder: Ladder, args: argparse.Namespace) -> Iterator[None]:
    """With workers of its own."""
    ladder.executor = local_executor(args.jobs)
    try:
        yield
    finally:
        ladder.executor.close()


def _set(players: int, chosen: Sequence[Judgement]) -> None:
    """Put the levels of one player count into the data file; they have not been measured."""
    data = _read()
    for name, judgement in zip(STRONGEST_FIRST, chosen, strict=True):
        data["judgements"].setdefault(name, {})[str(players)] = _row(judgement)
    for name in STYLE_NAMES:
        style = Judgement(LookAhead.SEARCH, STYLE_VISITS)
        data["judgements"].setdefault(name, {})[str(players)] = _row(style)
    data["steps"][str(players)] = []
    data["ratings"][str(players)] = {}
    data["networks"].pop(str(players), None)
    _write(data)


def _learn(looking: Ladder, measured: Ladder, chosen: Sequence[Judgement]) -> None:
    """What was measured under the levels' names is known of their parameters too."""
    spelled = {n: spelling(j) for n, j in zip(STRONGEST_FIRST, chosen, strict=True)}
    for pair in pairwise(STRONGEST_FIRST):
        games = [replace(g, deal=g.deal + OTHER_DEALS) for g in measured.games[pair]]
        one, other = spelled[pair[0]], spelled[pair[1]]
        known = looking.games[one, other]
        looking.games[one, other] = [g for g in known if g.deal < OTHER_DEALS] + games


def _nearest(index: dict[str, int], elo: tuple[float, ...]) -> list[str]:
    """Two levels in the middle of the ladder, against which the greedy bot wins now and then."""
    levels = sorted(LEVEL_NAMES, key=lambda name: elo[index[name]])
    return levels[3:5]


def _ratings(ladder: Ladder) -> dict[str, dict[str, float]]:
    index, ratings = ladder.rate()
    rows = {}
    for name in sorted(index, key=lambda n: -ratings.elo[index[n]]):
        difference, error = ratings.difference(index[name], index[ANCHOR])
        rows[name] = {
            "elo": round(ANCHOR_ELO + difference, 1),
            "error": round(error, 1),
            "games": ladder.played(name),
        }
    return rows


def _step(rung: Rung) -> dict[str, Any]:
    return {
        "pair": [rung.stronger, rung.weaker],
        "chance": round(rung.chance, 4),
        "interval": [round(end, 4) for end in rung.interval],
        "games": rung.games,
    }


def _row(judgement: Judgement) -> dict[str, Any]:
    return {
        "sight": judgement.sight.value,
        "visits": judgement.visits,
        "blur": judgement.blur,
    }


def _read() -> dict[str, Any]:
    empty: dict[str, Any] = {"judgements": {}, "steps": {}, "ratings": {}, "networks": {}}
    found: dict[str, Any] = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    return empty | found


def _write(data: dict[str, Any]) -> None:
    """Whole or not at all; bots of this process made from now on have the new parameters."""
    draft = DATA.with_suffix(".draft")
    draft.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
    draft.replace(DATA)
    level_data.cache_clear()
    judgements_of.cache_clear()


def _command(args: argparse.Namespace) -> str:
    return f"python benchmarks/calibrate_levels.py --games {args.games} --seed {args.seed}"


def _tell(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="set the levels by measurement")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], choices=(2, 3, 4))
    parser.add_argument("--games", type=int, default=400, help="games of a pair when measuring")
    parser.add_argument("--looking", type=int, default=80, help="games of a pair when looking")
    parser.add_argument("--setting", type=int, default=240, help="games of a pair when setting")
    parser.add_argument("--seed", default="levels", help="what all deals are drawn from")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--skip-search", action="store_true", help="only measure what is there")
    args = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    good = [settle(players, args) for players in args.players]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
