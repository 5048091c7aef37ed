"""Compile the search and keep the result: ``python -m cabochon.search.build``.

`make setup` runs this after the kernel's own step, so that nobody waits for it in a game.
"""

from __future__ import annotations

import sys
import time

from cabochon.kernel.cache import cache_directory
from cabochon.limit import Limit
from cabochon.rules import Position, Ruleset, ShuffledDealer
from cabochon.search.net import zero_weights
from cabochon.search.searcher import Searcher


def is_compiled() -> bool:
    """Whether the search itself, which is compiled last, is on the disk for exactly these sources
    and this machine."""
    place = cache_directory("upper")
    return place is not None and any(place.glob("*/simulate.grow-*.nbi"))


def warm_up() -> float:
    """Compile what is not in the cache and load what is; returns the seconds it took."""
    begin = time.perf_counter()
    ruleset, dealer = Ruleset(), ShuffledDealer("warm up")
    view = Position.start(ruleset, dealer.opening(ruleset)).view(0)
    searcher = Searcher(zero_weights(), reuse=True)
    for _ in range(2):
        searcher.analyse(view, Limit(visits=64))
    return time.perf_counter() - begin


def main() -> int:
    """The command: one line on standard error."""
    print("compiling the search, once …", file=sys.stderr, flush=True)
    print(f"the search is ready in {warm_up():.1f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
