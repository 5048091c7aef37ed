"""One way to weigh against another: two searchers of equal visits, or of unequal ones.

    python benchmarks/duel.py FIRST SECOND [--players 2] [--teams] [--visits 64] [--games 1000]

A searcher is a network and what it does otherwise than usual:

    shipped                          as the bots at such a table play
    shipped,growth=0,caution=1e9     with other SearchSettings (search/simulate.py)
    training/players-2/best.npz      another network
    playouts                         random games in place of a network
    shipped,visits=400               with visits of its own

One seat has the first, the others are copies of the second; every deal is played in all seats.
Visits alone limit the search: the same processor gives the same figures on any day. Prints a line
and, last, one JSON line.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from cabochon.rules import Ruleset
from cabochon.search.net import BadWeights, Weights, load_weights
from cabochon.search.searcher import shipped_for
from cabochon.train.evaluation import Contender, MatchRules, play


def contender(text: str, visits: int, ruleset: Ruleset) -> Contender:
    """Raises ValueError for a name or a setting that there is not, BadWeights for a bad file."""
    name, *changes = text.split(",")
    found = Contender.as_in_play(_network(name, ruleset), visits, ruleset)
    for change in changes:
        key, _, value = change.partition("=")
        if key == "visits":
            found = replace(found, visits=int(value))
            continue
        if key not in found.settings._fields or key == "judge":
            raise ValueError(f"there is no setting {key}")
        kind = type(getattr(found.settings, key))
        found = replace(found, settings=found.settings._replace(**{key: kind(value)}))
    return found


def _network(name: str, ruleset: Ruleset) -> Weights | None:
    if name == "playouts":
        return None
    return shipped_for(ruleset) if name == "shipped" else load_weights(Path(name))


def main() -> int:
    parser = argparse.ArgumentParser(description="one searcher against copies of another")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--teams", action="store_true", help="two partners against two")
    parser.add_argument("--visits", type=int, default=64)
    parser.add_argument("--games", type=int, default=1000, help="rounded up to whole deals")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    ruleset = Ruleset.preset("teams", seats=4) if args.teams else Ruleset(args.players)
    try:
        pair = [contender(text, args.visits, ruleset) for text in (args.first, args.second)]
    except (ValueError, BadWeights) as fault:
        parser.error(str(fault))
    rules = MatchRules(ruleset.seats, ruleset.target, ruleset.row_width, ruleset.teams)
    score = play(pair[0], pair[1], args.games, args.seed, rules, args.threads)
    equal = 1 / 2 if ruleset.teams else 1 / ruleset.seats
    print(f"{args.first} : {args.second}  {score}  (equal: {100 * equal:.1f} %)")
    figures = {"share": round(score.share, 4), "error": round(score.error, 4), "games": score.games}
    print(json.dumps({"first": args.first, "second": args.second, **figures}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
