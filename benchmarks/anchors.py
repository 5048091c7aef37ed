"""How strong the bots are in the games that `calibrate_levels.py` does not measure: quick, teams.

    python benchmarks/anchors.py [--games 150] [--jobs N] [RULESET ...]

Neighbouring levels, and styles with two levels, play as in the calibration; one fit rates all, the
greedy bot at 1000. What was played is kept in `build/anchors`, so a run that was stopped goes on.
The figures go to `src/cabochon/ratings/data/anchors.json`. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise
from pathlib import Path

from cabochon.arena.calibration import Ladder
from cabochon.bots.roster import LEVEL_NAMES, STYLE_NAMES, engine_name
from cabochon.rules import Ruleset
from cabochon.workers import local_executor

DATA = Path(__file__).parents[1] / "src" / "cabochon" / "ratings" / "data" / "anchors.json"
BUILD = Path(__file__).parents[1] / "build" / "anchors"
RULESETS = ("quick/2", "teams/4", "quick/3", "quick/4", "quick-teams/4")
SEED = "anchors"
GREEDY_RIVALS = LEVEL_NAMES[1:3]
STYLE_RIVALS = LEVEL_NAMES[5:7]


def measured(ruleset: Ruleset, games: int, jobs: int) -> dict[str, dict[str, float]]:
    """Rating, half its 95 % interval and games of each bot."""
    executor = local_executor(jobs)
    ladder = Ladder(ruleset, SEED, executor, print, BUILD / str(ruleset).replace("/", "-"))
    for weaker, stronger in pairwise(LEVEL_NAMES):
        ladder.play(stronger, weaker, games)
    for rival in GREEDY_RIVALS:
        ladder.play("greedy", rival, games)
    for style in STYLE_NAMES:
        for rival in STYLE_RIVALS:
            ladder.play(style, rival, games // 2)
    index, found = ladder.rate()
    anchor = found.elo[index["greedy"]]
    return {
        name: {
            "elo": round(found.elo[place] - anchor + 1000, 1),
            "error": round(found.difference(place, index["greedy"])[1], 1),
            "games": ladder.played(name),
        }
        for name, place in index.items()
        if name != "greedy"
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=list(RULESETS), metavar="RULESET")
    parser.add_argument("--games", type=int, default=150)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    data = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {"ratings": {}}
    for text in options.rulesets:
        ratings = measured(Ruleset.parse(text), options.games, options.jobs)
        data["engine"] = engine_name()
        data["ratings"][text] = ratings
        DATA.parent.mkdir(exist_ok=True)
        DATA.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    print(json.dumps({"benchmark": "anchors", "games": options.games, **data}))


if __name__ == "__main__":
    main()
